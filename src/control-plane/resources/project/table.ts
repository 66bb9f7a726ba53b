// The table of projects: when an idle one leaves storage, and when its branches are looked at again.
import type { TableSpec } from '../../engine/table.ts';
import type { Switches } from '../../engine/switches.ts';
import type { ProjectRecord } from './record.ts';

/** Idle time before a project is detached from storage ("Limits" of the API page). */
const DETACH_AFTER_MS = 30 * 86_400_000;
const CHECK_PERIOD_MS = { daily: 86_400_000, hourly: 3_600_000 } as const;

/** When the project will be detached if it stays idle. */
export function detachDueMs(project: ProjectRecord): number {
  return project.activityMs + DETACH_AFTER_MS;
}

/** When the availability check after `atMs` is due; undefined while checks are off. */
export function nextCheckMs({ availabilityChecks }: Switches, atMs: number): number | undefined {
  return availabilityChecks === 'off' ? undefined : atMs + CHECK_PERIOD_MS[availabilityChecks];
}

export const projectTable: TableSpec<ProjectRecord, never> = {
  indexes: {},
  due: {
    detach: detachDueMs,
    quota: (project) => project.quotaDueMs,
    // Checks missed while the control plane was down are not made up for.
    check: ({ nextCheckMs: plannedMs }, { nowMs, switches }) =>
      plannedMs !== undefined && plannedMs < nowMs ? nextCheckMs(switches, nowMs) : plannedMs,
  },
};
