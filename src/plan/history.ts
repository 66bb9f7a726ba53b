// What the operation log tells about one resource.
import { isoTime } from '../base/clock.ts';
import type { ResourceId } from '../model/desired.ts';
import type { OperationRecord } from '../model/live.ts';
import type { LastOperation } from '../model/plan.ts';
import type { Scope } from './scope.ts';

/** The failed operation by which the resource's last change did not take: newest of its action, with none after it. */
export function failedBefore(scope: Scope, id: ResourceId): OperationRecord | null {
  const operations = scope.operations.get(id) ?? [];
  const failed = operations.find((operation) => scope.rules.failedChange(operation));
  if (failed === undefined) return null;
  return operations.find(({ action }) => action === failed.action) === failed ? failed : null;
}

/** The newest operation that may explain the live values. */
export function lastOperationOf(scope: Scope, id: ResourceId): LastOperation | null {
  const operation = scope.operations.get(id)?.find((one) => scope.rules.explains?.(one) ?? true);
  if (operation === undefined) return null;
  const { action, createdAtMs } = operation;
  return { id: operation.id, action, at: createdAtMs === null ? null : isoTime(createdAtMs) };
}
