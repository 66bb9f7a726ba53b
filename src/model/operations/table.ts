// Which operations of a project's log belong to a resource, and which of them each action may start.
import type { ResourceId } from '../desired.ts';
import type { OperationRecord } from '../live.ts';
import type { StepAction } from '../outcome/plan.ts';

/** Stated once for each kind whose changes the service carries out by operations (api-rules 7.1 to 7.3). */
export interface OperationTable {
  /** The id that an operation names; null where the operation is none of the kind's. */
  readonly subjectOf: (operation: OperationRecord) => ResourceId | null;
  /** `itself`: that id is the resource's own · `parent`: it is the parent's · `whole`: it is the project's, with all that lies in it. */
  readonly names: 'itself' | 'parent' | 'whole';
  /** The actions of operations that each step may start. An action that is missing starts none. */
  readonly starts: Readonly<Partial<Record<StepAction, readonly string[]>>>;
  /** The action of a last operation that a client may cancel without harm to the change. */
  readonly last?: string;
  /** True where the service may carry out a write without any operation. */
  readonly mayStartNone?: true;
}

/** True where the log shows every change of a resource by an operation that names it. */
export function showsChanges({ operations }: { readonly operations?: OperationTable | undefined }): boolean {
  return operations?.names === 'itself' && operations.starts.update !== undefined;
}

export interface OperatedOn {
  readonly id: ResourceId;
  readonly parentId?: ResourceId | undefined;
}

/** True where `action`, or any action where it is null, may have started the operation on this resource. */
export function mayHaveStarted(
  { subjectOf, names, starts }: OperationTable,
  action: StepAction | null,
  { id, parentId }: OperatedOn,
  operation: OperationRecord,
): boolean {
  if (subjectOf(operation) !== (names === 'parent' ? (parentId ?? '') : id)) return false;
  const started = action === null ? Object.values(starts).flat() : (starts[action] ?? []);
  return started.includes(operation.action);
}
