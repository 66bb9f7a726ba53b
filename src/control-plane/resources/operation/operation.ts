// Operations: the list, newest first in pages, and one by its id; and their routes.
import type { Operation } from '../../../api/index.ts';
import { isoTime } from '../../../base/time/clock.ts';
import { parseInstantMs } from '../../../base/time/instant.ts';
import type { Engine } from '../engine/engine.ts';
import { badRequest, notFound } from '../../core/refusal.ts';
import type { Handlers } from '../engine/route.ts';
import type { PastPlace } from '../../core/store.ts';
import { findProject } from '../find.ts';
import { presentOperation } from './record.ts';

const SEQ_DIGITS = 12;

/** A timestamp with fractional seconds whose digits after the milliseconds tell operations of one moment apart. */
function cursorOf(operation: PastPlace): string {
  return `${isoTime(operation.createdMs).slice(0, -1)}${String(operation.seq).padStart(SEQ_DIGITS, '0')}Z`;
}

/** The place that a cursor names. A plain timestamp is accepted too. Refuses anything else with 400. */
function placeOf(cursor: string): PastPlace {
  const createdMs = parseInstantMs(cursor);
  if (createdMs === undefined) throw badRequest('invalid cursor');
  const [, digits = ''] = /\.\d{3}(\d*)Z$/.exec(cursor) ?? [];
  return { createdMs, seq: Number(digits.slice(0, SEQ_DIGITS).padEnd(SEQ_DIGITS, '0')) };
}

export interface OperationPage {
  readonly operations: Operation[];
  readonly pagination?: { readonly cursor: string };
}

/** GET /projects/{project_id}/operations ("Pagination rules" 1 to 4). */
function listOperations(
  engine: Engine,
  projectId: string,
  query: { readonly limit?: number; readonly cursor?: string },
): OperationPage {
  findProject(engine, projectId);
  const limit = query.limit ?? engine.switches.operationsPageSize;
  const before = query.cursor === undefined ? {} : { before: placeOf(query.cursor) };
  // One more than requested shows whether a further page exists.
  const found = engine.store.past({ projectId, ...before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const operations = page.filter((operation) => operation.hidden !== true).map(presentOperation);
  const isLast = found.length <= limit;
  if (last === undefined || (isLast && engine.switches.operationsLastCursor === 'absent')) return { operations };
  return { operations, pagination: { cursor: cursorOf(last) } };
}

function getOperation(engine: Engine, projectId: string, operationId: string): Operation {
  findProject(engine, projectId);
  const operation = engine.live.operations.get(operationId) ?? engine.store.pastOne(operationId);
  if (operation === undefined || operation.projectId !== projectId || operation.hidden === true)
    throw notFound('operation', operationId);
  return presentOperation(operation);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const operationHandlers: Handlers<'listProjectOperations' | 'getProjectOperation'> = {
  listProjectOperations: ({ engine }, { project_id, ...query }) => listOperations(engine, project_id, query),
  getProjectOperation: ({ engine }, { project_id, operation_id: id }) => {
    if (!UUID.test(id)) throw badRequest('getProjectOperation: decode params: path: "operation_id": expected a UUID');
    return { operation: getOperation(engine, project_id, id.toLowerCase()) };
  },
};
