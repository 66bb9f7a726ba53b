// The result of a run that goes on: what is known of it, and when it is worth writing.
import type { Clock } from '../base/clock.ts';
import { listOf } from '../base/words.ts';
import type { RunResult, StepResult } from '../model/result.ts';
import { nameText } from '../render/text.ts';

export interface GrowingResult {
  /** Told whenever the result has changed; `current` gives it as it stands. */
  readonly onResult: (current: () => RunResult) => void;
  /** The run has ended with this. */
  end(result: RunResult): void;
  /** What is known when the process ends at once: the end, or how far it came; null before the first step. */
  cutOff(): RunResult | null;
}

/** A result grows with the plan: writing it at every event would cost more than the run. It is whole at the end. */
const EVERY_MS = 500;

export function growingResult(clock: Clock, write: (result: RunResult) => void): GrowingResult {
  let writtenAtMs = -Infinity;
  let latest: (() => RunResult) | null = null;
  let ending: RunResult | null = null;
  return {
    onResult(current) {
      latest = current;
      const nowMs = clock.monotonicMs();
      if (nowMs - writtenAtMs < EVERY_MS) return;
      writtenAtMs = nowMs;
      write(current());
    },
    end(result) {
      ending = result;
    },
    cutOff: () => ending ?? (latest === null ? null : cut(latest())),
  };
}

const MOST_NAMES = 5;

/** What a person is told at that moment: which steps nobody saw the end of; empty where there are none. */
export function cutOffWords({ steps }: RunResult): string {
  const unknown = steps.filter(({ outcome }) => outcome === 'unknown');
  if (unknown.length === 0) return '';
  const names = unknown.slice(0, MOST_NAMES).map(({ address, action }) => `${nameText(address)} (${action})`);
  const rest = unknown.length - names.length;
  return `\nStopped at once, with an unknown end of ${listOf(rest > 0 ? [...names, `${rest} more`] : names)}. Run it again: it joins what still runs.\n`;
}

/** What had begun may have been sent, and nobody saw how it ended; what had not begun was never sent. */
function cut(result: RunResult): RunResult {
  const begun = result.steps.filter(({ outcome }) => outcome === 'running').length;
  const { counts } = result;
  return {
    ...result,
    status: 'interrupted',
    steps: result.steps.map(ended),
    counts: { ...counts, unknown: counts.unknown + begun, notStarted: counts.notStarted - begun },
  };
}

function ended(step: StepResult): StepResult {
  if (step.outcome === 'pending') return { ...step, outcome: 'not_started' };
  if (step.outcome !== 'running') return step;
  return {
    ...step,
    outcome: 'unknown',
    message: 'the run was ended while it was under way; the next run joins what still runs',
  };
}
