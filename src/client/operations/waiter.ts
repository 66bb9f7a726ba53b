// The waiter of operations: one poll loop for each project that somebody waits for.
import type { Clock } from '../../base/time/clock.ts';
import { createLookPace } from './look-schedule.ts';
import { createOperationDurations, type OperationDurations } from './durations.ts';
import { ProjectWatch, type WatchSetting } from './project-watch.ts';
import type { Reader } from '../types.ts';
import type { OperationWaiter } from './waiting.ts';

/** The pause that the service recommends; two looks that believe in a failure are never further apart. */
const RECOMMENDED_POLL_MS = 5000;

export interface OperationWaiterOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** The longest pause between two looks at a project; 5 s unless told. */
  readonly pollIntervalMs?: number;
  /** Looks of all projects together; Infinity unless told. */
  readonly looksPerSecond?: number;
  /** What is known already of how long operations take. */
  readonly durations?: OperationDurations;
}

export function createOperationWaiter(options: OperationWaiterOptions): OperationWaiter {
  const { reader, clock, pollIntervalMs = RECOMMENDED_POLL_MS } = options;
  const durations = options.durations ?? createOperationDurations();
  const lookGapMs = 1000 / (options.looksPerSecond ?? Number.POSITIVE_INFINITY);
  const watches = new Map<string, ProjectWatch>();
  const setting: WatchSetting = {
    reader,
    clock,
    durations,
    pollIntervalMs,
    failedGapMs: Math.min(pollIntervalMs, RECOMMENDED_POLL_MS),
    lookGapMs,
    pace: createLookPace(clock, lookGapMs),
    onLearnt: () => {
      for (const watch of watches.values()) watch.replan();
    },
  };
  const watchOf = (projectId: string): ProjectWatch => {
    const watch = watches.get(projectId) ?? new ProjectWatch(projectId, setting);
    watches.set(projectId, watch);
    return watch;
  };
  return {
    async settled(operations, waitOptions) {
      const [first] = operations;
      if (first === undefined) return { end: 'finished', operations: [] };
      return watchOf(first.projectId).settled(operations, waitOptions);
    },
    quiet: async (projectId, waitOptions) => watchOf(projectId).quiet(waitOptions),
  };
}
