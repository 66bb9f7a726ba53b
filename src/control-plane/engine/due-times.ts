// When things fall due by themselves: autosuspend, availability checks, detaching.
import type { ComputeRecord } from '../resources/compute/record.ts';
import type { ProjectRecord } from '../resources/project/record.ts';
import type { Switches } from './switches.ts';

/** The default delay of the API page ("Autosuspend"), seconds. */
const DEFAULT_SUSPEND_SECONDS = 300;
/** The longest delay: 7 days, in seconds. */
export const MAX_SUSPEND_SECONDS = 604_800;
/** Above this size a compute is always active. */
const LARGEST_SUSPENDABLE_CU = 16;
/** Idle time before a project is detached from storage ("Limits" of the API page). */
const DETACH_AFTER_MS = 30 * 86_400_000;
const CHECK_PERIOD_MS = { daily: 86_400_000, hourly: 3_600_000 } as const;

/** When the compute will be suspended if nobody uses it; undefined when it won't. */
export function autosuspendDueMs(compute: ComputeRecord): number | undefined {
  if (compute.currentState !== 'active' || compute.pendingState !== undefined) return undefined;
  if (compute.suspendSeconds < 0 || compute.maxCu > LARGEST_SUSPENDABLE_CU) return undefined;
  return compute.activityMs + (compute.suspendSeconds === 0 ? DEFAULT_SUSPEND_SECONDS : compute.suspendSeconds) * 1000;
}

/** When the project will be detached if it stays idle. */
export function detachDueMs(project: ProjectRecord): number {
  return project.activityMs + DETACH_AFTER_MS;
}

/** When the availability check after `atMs` is due; undefined while checks are off. */
export function nextCheckMs({ availabilityChecks }: Switches, atMs: number): number | undefined {
  return availabilityChecks === 'off' ? undefined : atMs + CHECK_PERIOD_MS[availabilityChecks];
}
