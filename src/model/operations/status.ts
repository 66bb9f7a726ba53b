// Says what each status of an operation means (api-rules 7.5 to 7.7).
import type { OperationRecord } from '../live.ts';

/**
 * `busy`: the operation runs and blocks other changes of its project · `succeeded`: ended well · `over`: failed for good · `failed`: the
 * service may try again.
 */
export type Standing = 'busy' | 'succeeded' | 'over' | 'failed';

const STANDINGS: ReadonlyMap<string, Standing> = new Map([
  ['scheduling', 'busy'],
  ['running', 'busy'],
  ['cancelling', 'busy'],
  ['finished', 'succeeded'],
  ['skipped', 'succeeded'],
  ['cancelled', 'over'],
  ['error', 'over'],
  ['failed', 'failed'],
]);

interface WithStatus {
  readonly status: string;
}

/** Returns what a status means; null for an unknown status, which proves neither success nor an end. */
export function standingOf({ status }: WithStatus): Standing | null {
  return STANDINGS.get(status) ?? null;
}

export function isOpen(operation: WithStatus): boolean {
  const standing = standingOf(operation);
  return standing === 'busy' || standing === null;
}

/** True if the operation surely runs. An unknown status delays nothing, because the service itself refuses conflicting requests. */
export function isBusy(operation: WithStatus): boolean {
  return standingOf(operation) === 'busy';
}

export function hasSucceeded(operation: WithStatus): boolean {
  return standingOf(operation) === 'succeeded';
}

/** True if the operation ended without success, even if the service tries again. */
export function hasFailed(operation: WithStatus): boolean {
  const standing = standingOf(operation);
  return standing === 'over' || standing === 'failed';
}

/** True while the effect of the operation is not known: it is being cancelled, or its status is unknown. */
export function isInDoubt(operation: WithStatus): boolean {
  return operation.status === 'cancelling' || standingOf(operation) === null;
}

/** True if a newer operation of the same resource ended well: the service starts the newer one only after the older one has ended. */
export function isOvertaken(
  { id, createdAtMs, resourceId }: OperationRecord,
  log: readonly OperationRecord[],
): boolean {
  if (createdAtMs === null || resourceId === null) return false;
  return log.some(
    (one) =>
      one.id !== id && one.resourceId === resourceId && hasSucceeded(one) && (one.createdAtMs ?? 0) > createdAtMs,
  );
}
