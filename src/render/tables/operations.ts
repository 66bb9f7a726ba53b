// Renders operations of the service: as a table, as lines of `--follow`, and as JSON.
import { isoTime, isoTimeOrNull } from '../../base/time/clock.ts';
import type { Json } from '../../base/json.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isOpen } from '../../model/operations/operation.ts';
import { elapsedText } from '../messages/events.ts';
import { tableText, type TableOptions } from './table.ts';
import { shown } from '../text/escape.ts';

/** A table in the given order. The duration of an open operation counts up to `nowMs`. */
export function renderOperations(operations: readonly OperationRecord[], nowMs: number, options: TableOptions): string {
  return tableText(
    ['CREATED', 'ACTION', 'STATUS', 'FOR', 'PROJECT', 'RESOURCE', 'ID'],
    operations.map((operation) => [
      secondText(operation.createdAtMs),
      ...what(operation),
      duration(operation, nowMs),
      ...whose(operation),
    ]),
    options,
    'No operations.\n',
  );
}

function secondText(ms: number | null): string {
  return ms === null ? '-' : isoTime(ms).slice(0, 19).replace('T', ' ');
}

function what({ action, status, failuresCount }: OperationRecord): readonly string[] {
  return [shown(action), shown(status) + (failuresCount > 0 ? ` (${failuresCount} failed)` : '')];
}

function whose({ projectId, resourceId, branchId, id }: OperationRecord): readonly string[] {
  return [shown(projectId), shown(resourceId ?? branchId ?? '-'), shown(id)];
}

function duration(operation: OperationRecord, nowMs: number): string {
  if (operation.createdAtMs === null) return '-';
  const endMs = isOpen(operation) ? nowMs : operation.updatedAtMs;
  return endMs === null ? '-' : elapsedText(endMs - operation.createdAtMs);
}

/** A line of `--follow`: the operation's present state, with the time of its last change. */
export function operationLine(operation: OperationRecord): string {
  const { updatedAtMs, createdAtMs, error } = operation;
  const told = error === null || error === '' ? [] : [shown(error)];
  return [secondText(updatedAtMs ?? createdAtMs), ...what(operation), ...whose(operation), ...told].join('  ');
}

/** With the member names of the service. */
export function operationToJson(operation: OperationRecord): Json {
  return {
    id: operation.id,
    project_id: operation.projectId,
    branch_id: operation.branchId,
    endpoint_id: operation.resourceId,
    action: operation.action,
    status: operation.status,
    failures_count: operation.failuresCount,
    error: operation.error,
    retry_at: isoTimeOrNull(operation.retryAtMs),
    created_at: isoTimeOrNull(operation.createdAtMs),
    updated_at: isoTimeOrNull(operation.updatedAtMs),
  };
}
