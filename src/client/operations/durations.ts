// How long operations of each action take, learnt from the logs that are read anyway and shared by all projects of a run.
import type { OperationRecord } from '../../model/live.ts';

/** Newest durations kept for each action. */
const SAMPLES_MAX = 20;
/** The quantile of the samples that is expected: most operations have ended by then. */
const QUANTILE = 0.7;
const BELIEVABLE_MS = 3_600_000;

/** An expectation that falls by less than this share is not reported: planning the looks at many projects anew would cost more than it gains. */
const SOONER_SHARE = 0.05;

/** The first look at an action of which nothing is known, and the least step to the next. */
const FIRST_PROBE_MS = 300;
/** Further steps are this share of the age reached, so that an end is noticed within about a third of the whole time. */
const PROBE_STEP_SHARE = 0.35;

export interface OperationDurations {
  /** Milliseconds from creation to end; null when nothing is known. */
  expectedMs(action: string): number | null;
  /** Takes note of operations that have finished (newest first); true when an end is now expected that was not, or clearly sooner. */
  learn(operations: readonly OperationRecord[]): boolean;
  /**
   * The next age beyond `afterMs` at which to look at an operation of an unknown action. Each age is given once: when many
   * projects wait for the same, each looks at another time and all learn from it.
   */
  probeAgeMs(action: string, afterMs: number): number;
  /** An operation of this action has ended: the ages are given anew. */
  forgetProbes(action: string): void;
}

export function createOperationDurations(): OperationDurations {
  const samples = new Map<string, number[]>();
  const expected = new Map<string, number>();
  /** What looks are planned by: the expectation when it was last reported, or the highest since. */
  const reported = new Map<string, number>();
  const known = new Set<string>();
  const probed = new Map<string, number>();
  /** True when its duration was not known before. */
  const gather = (operation: OperationRecord): boolean => {
    const durationMs = durationOf(operation);
    if (durationMs === null || known.has(operation.id)) return false;
    known.add(operation.id);
    const list = samples.get(operation.action) ?? [];
    list.push(durationMs);
    if (list.length > SAMPLES_MAX) list.shift();
    samples.set(operation.action, list);
    return true;
  };
  const expectAnew = (action: string): boolean => {
    const expectedMs = quantileOf(samples.get(action) ?? []);
    expected.set(action, expectedMs);
    const reportedMs = reported.get(action) ?? Infinity;
    const isSooner = expectedMs < reportedMs * (1 - SOONER_SHARE);
    reported.set(action, isSooner ? expectedMs : Math.max(reportedMs, expectedMs));
    return isSooner;
  };
  return {
    expectedMs: (action) => expected.get(action) ?? null,
    learn(operations) {
      const learnt = operations.toReversed().filter(gather);
      const actions = new Set(learnt.map(({ action }) => action));
      return [...actions].filter(expectAnew).length > 0;
    },
    probeAgeMs(action, afterMs) {
      let ageMs = FIRST_PROBE_MS;
      const beyondMs = Math.max(afterMs, probed.get(action) ?? 0);
      while (ageMs <= beyondMs && ageMs < BELIEVABLE_MS) ageMs += Math.max(FIRST_PROBE_MS, ageMs * PROBE_STEP_SHARE);
      probed.set(action, ageMs);
      return ageMs;
    },
    forgetProbes: (action) => void probed.delete(action),
  };
}

function quantileOf(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * QUANTILE)] ?? 0;
}

function durationOf({ status, createdAtMs, updatedAtMs }: OperationRecord): number | null {
  if (status !== 'finished' || createdAtMs === null || updatedAtMs === null) return null;
  const durationMs = updatedAtMs - createdAtMs;
  return durationMs >= 0 && durationMs <= BELIEVABLE_MS ? durationMs : null;
}
