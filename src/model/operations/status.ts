// The statuses of operations (api-rules 7.5 to 7.7): what each means, in one table.
import type { OperationRecord } from '../live.ts';

/**
 * `busy`: under way, and holds its project · `succeeded`: ended well · `over`: ended without success, for good ·
 * `failed`: without success, unless the service tries again.
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

/** Null for a word that we do not know: that is no success, and no end. */
export function standingOf({ status }: WithStatus): Standing | null {
  return STANDINGS.get(status) ?? null;
}

/** True while it is under way; a word that we do not know counts as that. */
export function isOpen(operation: WithStatus): boolean {
  const standing = standingOf(operation);
  return standing === 'busy' || standing === null;
}

/**
 * True for what is surely under way, and worth waiting for. What has a word that we do not know may have ended long ago: it holds
 * nothing up, since the service itself refuses what conflicts.
 */
export function isBusy(operation: WithStatus): boolean {
  return standingOf(operation) === 'busy';
}

/** True for what ended well. */
function hasSucceeded(operation: WithStatus): boolean {
  return standingOf(operation) === 'succeeded';
}

/** True for what had no success, whether or not the service tries again. */
export function hasFailed(operation: WithStatus): boolean {
  const standing = standingOf(operation);
  return standing === 'over' || standing === 'failed';
}

/** True while it is not known whether it will take effect: it is being cancelled, or its status is no word that we know. */
export function isInDoubt(operation: WithStatus): boolean {
  return operation.status === 'cancelling' || standingOf(operation) === null;
}

/** True where a newer operation of the same resource has ended well: the service began that one after this one had ended. */
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
