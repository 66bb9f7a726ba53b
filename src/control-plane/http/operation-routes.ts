// Routes of operations ("Operations" of the API page).
import { badRequest } from '../engine/refusal.ts';
import { getOperation, listOperations } from '../services/operations.ts';
import { ok, param } from './route.ts';
import type { Route } from './route.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const operationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/projects/{project_id}/operations',
    id: 'listProjectOperations',
    tag: 'Operations',
    summary: 'List operations, newest first, in pages',
    query: [
      { name: 'limit', type: 'integer', minimum: 1, maximum: 1000, description: 'Operations per page.' },
      { name: 'cursor', type: 'string', description: 'Cursor of the page before.' },
    ],
    replies: { 200: 'ServedOperationList' },
    run: (call, input) => ok(listOperations(call.engine, param(input, 'project_id'), input.query)),
  },
  {
    method: 'GET',
    path: '/projects/{project_id}/operations/{operation_id}',
    id: 'getProjectOperation',
    tag: 'Operations',
    summary: 'One operation',
    replies: { 200: 'ServedOperationReply' },
    run: (call, input) => {
      const id = param(input, 'operation_id');
      if (!UUID.test(id)) throw badRequest('getProjectOperation: decode params: path: "operation_id": expected a UUID');
      return ok({ operation: getOperation(call.engine, param(input, 'project_id'), id.toLowerCase()) });
    },
  },
];
