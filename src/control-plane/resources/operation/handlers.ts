// The handlers of operations: list them in pages, newest first, and show one.
import { isoTime } from '../../../base/time/clock.ts';
import { parseInstantMs } from '../../../base/time/instant.ts';
import { badRequest, notFound } from '../../core/refusal.ts';
import type { Handler } from '../engine/call.ts';
import type { PastPlace } from '../../core/store.ts';
import { presentOperation } from './record.ts';

const SEQ_DIGITS = 12;

/** A cursor is a timestamp. Its digits after the milliseconds are the sequence number, to separate equal times. */
function cursorOf(operation: PastPlace): string {
  return `${isoTime(operation.createdMs).slice(0, -1)}${String(operation.seq).padStart(SEQ_DIGITS, '0')}Z`;
}

/** The position that a cursor names. Also accepts a plain timestamp; refuses other text with 400. */
function placeOf(cursor: string): PastPlace {
  const createdMs = parseInstantMs(cursor);
  if (createdMs === undefined) throw badRequest('invalid cursor');
  const [, digits = ''] = /\.\d{3}(\d*)Z$/.exec(cursor) ?? [];
  return { createdMs, seq: Number(digits.slice(0, SEQ_DIGITS).padEnd(SEQ_DIGITS, '0')) };
}

/** GET /projects/{project_id}/operations ("Pagination rules" 1 to 4). */
export const listProjectOperations: Handler<'listProjectOperations'> = ({ engine }, query) => {
  const { project_id: projectId } = query;
  const limit = query.limit ?? engine.switches.operationsPageSize;
  const before = query.cursor === undefined ? {} : { before: placeOf(query.cursor) };
  // Reads one operation more than requested, which shows whether there is a further page.
  const found = engine.store.past({ projectId, ...before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const operations = page.filter((operation) => operation.hidden !== true).map(presentOperation);
  const isLast = found.length <= limit;
  if (last === undefined || (isLast && engine.switches.operationsLastCursor === 'absent')) return { operations };
  return { operations, pagination: { cursor: cursorOf(last) } };
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const getProjectOperation: Handler<'getProjectOperation'> = ({ engine }, input) => {
  const { project_id: projectId, operation_id: asked } = input;
  if (!UUID.test(asked)) throw badRequest('getProjectOperation: decode params: path: "operation_id": expected a UUID');
  const id = asked.toLowerCase();
  const operation = engine.live.operations.get(id) ?? engine.store.pastOne(id);
  if (operation === undefined || operation.projectId !== projectId || operation.hidden === true)
    throw notFound('operation', id);
  return { operation: presentOperation(operation) };
};
