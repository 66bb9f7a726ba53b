// What the operation log tells about one resource.
import { isoTime } from '../base/clock.ts';
import type { ResourceId } from '../model/desired.ts';
import type { LiveResource, OperationRecord } from '../model/live.ts';
import type { Action, LastOperation } from '../model/plan.ts';
import type { Scope } from './scope.ts';

/** The failed operation by which the resource's last change did not take: newest of its action, with none after it. */
export function failedBefore(scope: Scope, id: ResourceId): OperationRecord | null {
  const operations = scope.operations.get(id) ?? [];
  const failed = operations.find((operation) => scope.rules.failedChange(operation));
  if (failed === undefined) return null;
  return operations.find(({ action }) => action === failed.action) === failed ? failed : null;
}

/** The newest operation that may explain what is live, as far as `action` is about it. */
export function lastOperationOf(scope: Scope, id: ResourceId, action: Action): LastOperation | null {
  const operation = scope.operations.get(id)?.find((one) => scope.rules.explains?.(one, action) ?? true);
  if (operation === undefined) return null;
  const { id: operationId, action: word, createdAtMs } = operation;
  return { id: operationId, action: word, at: createdAtMs === null ? null : isoTime(createdAtMs) };
}

/** Clocks of a service need not agree to the second. */
const SLACK_MS = 5_000;

/**
 * When the resource was last changed, where no operation goes with that: what is not running is changed without one.
 * Null where an operation explains it, it was just made, or the log does not tell.
 */
export function changedWithoutOperation(scope: Scope, live: LiveResource): string | null {
  const { history, rules, operations } = scope;
  const atMs = rules.changedAtMs?.(live) ?? null;
  if (history === null || atMs === null) return null;
  if (live.createdAtMs !== null && atMs - live.createdAtMs <= SLACK_MS) return null;
  const reaches = history.complete || history.operations.some(({ createdAtMs }) => (createdAtMs ?? atMs) < atMs);
  const goesWith = ({ createdAtMs, updatedAtMs }: OperationRecord): boolean =>
    createdAtMs !== null && createdAtMs - SLACK_MS <= atMs && atMs <= (updatedAtMs ?? createdAtMs) + SLACK_MS;
  return reaches && !(operations.get(live.id) ?? []).some(goesWith) ? isoTime(atMs) : null;
}
