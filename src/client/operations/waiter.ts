// The waiter for operations: one poll loop for each project with a wait.
import type { Clock } from '../../base/time/clock.ts';
import { POLL_INTERVAL_MS } from '../../model/operations/timing.ts';
import type { Reader } from '../types.ts';
import { createDurations, createLookPace } from './look-schedule.ts';
import { ProjectWatch, type WatchSetting } from './project-watch.ts';
import type { OperationWaiter } from './waiting.ts';

export interface OperationWaiterOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** Longest pause between two looks at a project; default 5 s. */
  readonly pollIntervalMs?: number;
  /** Looks of all projects together; default Infinity. */
  readonly looksPerSecond?: number;
}

export function createOperationWaiter(options: OperationWaiterOptions): OperationWaiter {
  const { reader, clock, pollIntervalMs = POLL_INTERVAL_MS, looksPerSecond = Infinity } = options;
  const watches = new Map<string, ProjectWatch>();
  const setting: WatchSetting = {
    reader,
    clock,
    durations: createDurations(),
    pollIntervalMs,
    failedGapMs: Math.min(pollIntervalMs, POLL_INTERVAL_MS),
    pace: createLookPace(clock, 1000 / looksPerSecond),
    onLearnt: () => {
      for (const watch of watches.values()) watch.attend();
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
