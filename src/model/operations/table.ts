// Says which operations in a project's log belong to a resource, and which ones each action may start.
import type { ResourceId } from '../desired.ts';
import type { OperationRecord } from '../live.ts';
import type { Step, StepAction } from '../outcome/plan.ts';

/** Describes the operations of a kind; a kind has a table if the service carries out its changes by operations (api-rules 7.1 to 7.3). */
export interface OperationTable {
  /** Returns the id of the resource that an operation names; null for an operation of another kind. */
  readonly subjectOf: (operation: OperationRecord) => ResourceId | null;
  /** `itself`: operations name the resource · `parent`: they name its parent · `whole`: every operation of a project is its own. */
  readonly names: 'itself' | 'parent' | 'whole';
  /** Lists the operations that each step may start; a missing action starts none. */
  readonly starts: Readonly<Partial<Record<StepAction, readonly string[]>>>;
  /** Returns the resource whose earlier failure is repaired once `operation`, on another resource, ends well; null if there is none. */
  readonly repairs?: (operation: OperationRecord) => ResourceId | null;
  /** The last operation of a change, if a client may cancel this operation without harm. */
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
