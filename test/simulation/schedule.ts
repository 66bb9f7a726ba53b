// A schedule says what happens to a workload: faults, deaths, other people, and in which order. It is plain data.
import type { FaultRule } from '../../src/control-plane/index.ts';
import type { Leniency } from './laws/story.ts';
import type { RunOptions } from './world/run.ts';
import type { DiskFault } from './world/disk.ts';
import type { Workload } from './world/workload.ts';

/** What somebody else does, so many milliseconds after the start. */
export interface Completed {
  readonly afterMs: number;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The value of the key that it comes with; that of the runs unless told. */
  readonly key?: string;
}

export interface Schedule {
  readonly name: string;
  /** Of the control plane's chance and the runs': ids, durations, pauses. */
  readonly seed: number;
  readonly workload: Workload;
  /** While they are on, exchanges are counted over all runs and people. */
  readonly faults: readonly FaultRule[];
  /** What the service does by nature: it goes on when the faults are off. */
  readonly nature?: readonly FaultRule[];
  readonly diskFault?: DiskFault | null;
  /** Runs one after the other, before the faults are off. */
  readonly runs: readonly RunOptions[];
  /** Runs beside the first one. */
  readonly beside?: readonly RunOptions[];
  readonly deeds?: readonly Completed[];
  /** What happens to the journal before the faults are off. */
  readonly journal?: 'erased' | 'flipped' | 'cut' | null;
  /** How what the trouble left is mended: by a plan that was shown before (`--expect-hash`), by a saved one that is then applied once more, or in one go. */
  readonly repairs?: 'as shown' | 'saved twice' | null;
  readonly operationMs?: { readonly min: number; readonly max: number };
  /** Whether computes fall asleep and wake, and a plan is made, after all has converged; true unless told. */
  readonly noise?: boolean;
}

/** By so much a clock may be wrong: what a request without an answer made is known by its time. */
const MOST_SKEW_MS = 60_000;

/** What this schedule makes it impossible to promise. */
export function leniencyOf(schedule: Schedule): Leniency {
  const { faults, nature = [], diskFault, runs, deeds = [], beside = [], journal = null } = schedule;
  const kinds = faults.map(({ fault }) => fault);
  // A list that lags is no lie, unless something else keeps a reply or its note from the run.
  const isAlone =
    faults.length === 1 && deeds.length + beside.length === 0 && runs.every(({ crash = null }) => crash === null);
  return {
    serverLies: kinds.some(
      (fault) =>
        (fault.kind === 'list' && !(fault.how === 'lagging' && isAlone)) ||
        fault.kind === 'rewrite' ||
        fault.kind === 'lie' ||
        fault.kind === 'pretend' ||
        (fault.kind === 'garble' && fault.how === 'array') ||
        (fault.kind === 'reply' && fault.commit && ![408, 500, 502, 504].includes(fault.status)),
    ),
    pretends: kinds.some(({ kind }) => kind === 'pretend'),
    // A request that was slow to arrive when its run ended is as late.
    lateCommits: kinds.some(({ kind }) => kind === 'late-commit' || kind === 'latency'),
    brokenOperations: faults.some(({ fault }) => 'on' in fault),
    emptySuccess: faults.some(({ fault }) => 'on' in fault && fault.kind === 'lie'),
    othersWrite: deeds.length > 0 || beside.some(({ planOnly = false }) => !planOnly),
    wrongDates: faults.some(({ fault, times }) => 'kind' in fault && fault.kind === 'date' && times === 'always'),
    // A disk that fails may have kept the journal from being written.
    journalLost:
      journal !== null ||
      (diskFault ?? null) !== null ||
      nature.some(({ fault }) => fault.kind === 'created' && Math.abs(fault.byMs) > MOST_SKEW_MS) ||
      kinds.some((fault) => fault.kind === 'date' && Math.abs(fault.byMs ?? 0) > MOST_SKEW_MS) ||
      runs.some(
        ({ skewMs = 0, orgId, store }) => Math.abs(skewMs) > MOST_SKEW_MS || orgId !== undefined || store !== undefined,
      ),
  };
}
