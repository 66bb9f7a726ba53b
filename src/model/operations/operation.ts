// Says what an operation in a project's log means: its status (api-rules 7.5 to 7.7), its resource, and which actions may have started it.
import type { OperationRecord } from '../live.ts';
import type { ResourceId } from '../desired.ts';
import type { Step, StepAction } from '../outcome/plan.ts';

/**
 * `busy`: the operation runs and blocks other changes of its project · `succeeded`: ended well · `over`: failed or cancelled · `failed`: the
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

/** True if the operation surely runs. False for an unknown status: trueup need not wait, as the service itself refuses conflicting requests. */
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

/** Describes the operations of a kind; a kind has a table if the service carries out its changes by operations (api-rules 7.1 to 7.3). */
export interface OperationTable {
  /** Returns the id of the resource that an operation names; null for an operation of another kind. */
  readonly subjectOf: (operation: OperationRecord) => ResourceId | null;
  /** `itself`: operations name the resource · `parent`: they name its parent · `whole`: the resource is a project, named in all its operations. */
  readonly names: 'itself' | 'parent' | 'whole';
  /** Lists the operations that each step may start; a missing action starts none. */
  readonly starts: Readonly<Partial<Record<StepAction, readonly string[]>>>;
  /** Returns the id of another resource: its failed operation no longer counts once `operation` ends well. Null if there is none. */
  readonly repairs?: (operation: OperationRecord) => ResourceId | null;
  /** The action of the last operation of a change, if a client may cancel that operation without harm. */
  readonly last?: string;
  /** True if the service may carry out the step without an operation; if missing, every step starts one. */
  readonly mayStartNone?: (step: Pick<Step, 'method' | 'path' | 'body'>) => boolean;
}

/** True if each change of a resource appears in the log as an operation that names the resource. */
export function showsChanges({ operations }: { readonly operations?: OperationTable | undefined }): boolean {
  return (
    operations?.names === 'itself' && operations.starts.update !== undefined && operations.mayStartNone === undefined
  );
}

/** True if `action` may have started the operation on this resource; null stands for any action. */
export function mayHaveStarted(
  { subjectOf, names, starts }: OperationTable,
  action: StepAction | null,
  { id, parentId }: { readonly id: ResourceId; readonly parentId?: ResourceId | undefined },
  operation: OperationRecord,
): boolean {
  if (subjectOf(operation) !== (names === 'parent' ? (parentId ?? '') : id)) return false;
  const started = action === null ? Object.values(starts).flat() : (starts[action] ?? []);
  return started.includes(operation.action);
}
