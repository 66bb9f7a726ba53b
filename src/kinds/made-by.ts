// Whether a request that was never answered may have made something: by the times alone, the same for every kind.

/** By so much the clocks of machine and service may differ; a service may also tell whole seconds. */
const SKEW_MS = 60_000;
/** The ten minutes that a request may be tried for, and five in which a service may still carry it out. */
const LATEST_MS = 15 * 60_000;

/** True when it was made at the time of the request or soon after; what has no time has no evidence. */
export function madeAtTimeOf(intendedAtMs: number | null, createdAtMs: number | null): boolean {
  if (intendedAtMs === null || createdAtMs === null) return false;
  const sinceMs = createdAtMs - intendedAtMs;
  return sinceMs >= -SKEW_MS && sinceMs <= LATEST_MS;
}
