// The operations of a project's log that belong to a resource, and those that each action may start.
import type { ResourceId } from '../desired.ts';
import type { OperationRecord } from '../live.ts';
import type { Step, StepAction } from '../outcome/plan.ts';

/** The operations of a kind, stated for each kind whose changes the service carries out by operations (api-rules 7.1 to 7.3). */
export interface OperationTable {
  /** The id of the resource that an operation names; null for an operation of another kind. */
  readonly subjectOf: (operation: OperationRecord) => ResourceId | null;
  /**
   * The id that operations name: the resource's own (`itself`), its parent's (`parent`), or the project's for everything in it (`whole`).
   */
  readonly names: 'itself' | 'parent' | 'whole';
  /** The operations that each step may start; a missing action starts none. */
  readonly starts: Readonly<Partial<Record<StepAction, readonly string[]>>>;
  /** The resource whose earlier failure an operation on another resource repairs if it ends well; null if there is none. */
  readonly repairs?: (operation: OperationRecord) => ResourceId | null;
  /** The last operation of a change, if a client may cancel this operation without harm to the change. */
  readonly last?: string;
  /** True if the service may carry out the step without any operation; missing if every step starts one. */
  readonly mayStartNone?: (step: Pick<Step, 'method' | 'path' | 'body'>) => boolean;
}

/** True if the log shows every change of a resource by an operation that names it. */
export function showsChanges({ operations }: { readonly operations?: OperationTable | undefined }): boolean {
  return (
    operations?.names === 'itself' && operations.starts.update !== undefined && operations.mayStartNone === undefined
  );
}

export interface OperatedOn {
  readonly id: ResourceId;
  readonly parentId?: ResourceId | undefined;
}

/** True if `action` may have started the operation on this resource; null stands for any action. */
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
