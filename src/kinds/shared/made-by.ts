// Whether a request made something, by the times, and whether a run of a plan did, by its mark: the same for every kind.
import type { Json } from '../../base/json.ts';
import type { Plan } from '../../model/outcome/plan.ts';

/** By so much the clocks of machine and service may differ; a service may also tell whole seconds. */
const SKEW_MS = 60_000;
/** The ten minutes that a request may be tried for, and five in which a service may still carry it out. */
const LATEST_MS = 15 * 60_000;
/** One time told twice by one service, the one or the other in whole seconds. */
const ROUNDING_MS = 1000;

/** True when it was made at the time of the request or soon after; what has no time has no evidence. */
export function madeAtTimeOf(intendedAtMs: number | null, createdAtMs: number | null): boolean {
  if (intendedAtMs === null || createdAtMs === null) return false;
  const sinceMs = createdAtMs - intendedAtMs;
  return sinceMs >= -SKEW_MS && sinceMs <= LATEST_MS;
}

/** What the journal tells of a request whose reply told an id. Milliseconds since the epoch. */
export interface Reported {
  /** When the request was intended. */
  readonly atMs: number | null;
  /** When the resource was made, as the reply told it. */
  readonly madeAtMs: number | null;
}

/**
 * Whether a live resource of the id that a reply told is what the request made. An id says that only within the account of the reply:
 * a new store behind the same URL gives the same ids again. `no`: it was made at another time than the reply told.
 */
export function isWhatReplyTold({ atMs, madeAtMs }: Reported, createdAtMs: number | null): 'yes' | 'no' | 'unknown' {
  if (madeAtMs === null || createdAtMs === null) return madeAtTimeOf(atMs, createdAtMs) ? 'yes' : 'unknown';
  return Math.abs(createdAtMs - madeAtMs) < ROUNDING_MS ? 'yes' : 'no';
}

/** So much of the hash tells one plan from another. */
const HASH_DIGITS = 12;

/** The mark that a run leaves in what it makes (the note `trueup.run`): the run's own, led by the plan that it carries out. */
export function runMark({ planHash }: Pick<Plan, 'planHash'>, runId: string): string {
  return `${planHash.replace(/^sha256:/, '').slice(0, HASH_DIGITS)}-${runId}`;
}

/** Whether a note is the mark of some run of the plan that `mark` is of: what another plan has made is as that one wants it. */
export function isOfSamePlan(note: Json, mark: string): boolean {
  return typeof note === 'string' && note.split('-')[0] === mark.split('-')[0];
}

/** Whether a note is the mark of this run alone: two runs of one plan may each make what the service accepts twice. */
export function isOfSameRun(note: Json | undefined, mark: string): boolean {
  return note === mark;
}
