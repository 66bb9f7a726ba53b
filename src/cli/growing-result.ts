// The result of a run that goes on: what is known of it, and when it is worth writing.
import type { Clock } from '../base/clock.ts';
import type { RunResult } from '../model/result.ts';
import { cut, type Cut } from './cut-result.ts';

export interface GrowingResult {
  /** Told whenever the result has changed; `current` gives it as it stands. */
  readonly onResult: (current: () => RunResult) => void;
  /** The run has ended with this. */
  end(result: RunResult): void;
  /** What is known when the process ends at once: the end, or how far it came; null before the first step. */
  cutOff(): Cut | null;
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
    cutOff() {
      if (ending !== null) return { result: ending, unsaid: [] };
      return latest === null ? null : cut(latest());
    },
  };
}
