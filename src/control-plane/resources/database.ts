// Databases of a branch: list, get, create, update, delete; and their routes.
import type { DatabaseCreateRequest, DatabaseUpdateRequest } from '../../api/index.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Call } from '../engine/call.ts';
import { badRequest, notFound } from '../engine/refusal.ts';
import { created, ok, okOrNothing, param } from '../http/route.ts';
import type { ReplyBody, Route } from '../http/route.ts';
import { branchOf, changeContents, duplicate, exchanged } from './branch/contents.ts';
import type { BranchRecord, DatabaseRecord } from './branch/record.ts';

export function presentDatabase(database: DatabaseRecord, branchId: string): Record<string, unknown> {
  return {
    id: database.id,
    branch_id: branchId,
    name: database.name,
    owner_name: database.ownerName,
    created_at: isoTime(database.createdMs),
    updated_at: isoTime(database.updatedMs),
  };
}

export function findDatabase(branch: BranchRecord, name: string): DatabaseRecord {
  const database = branch.databases.find((candidate) => candidate.name === name);
  if (database === undefined) throw notFound('database', name);
  return database;
}

/** POST …/databases. */
function createDatabase(
  call: Call,
  branch: BranchRecord,
  asked: { readonly name: string; readonly owner_name: string },
): ReplyBody {
  requireOwner(branch, asked.owner_name);
  requireFreeName(call, branch, asked.name);
  const id = 1 + Math.max(0, ...branch.databases.map((database) => database.id));
  const times = { createdMs: call.atMs, updatedMs: call.atMs };
  return withDatabase(call, branch, undefined, { id, name: asked.name, ownerName: asked.owner_name, ...times });
}

/** PATCH …/databases/{database_name}. */
function updateDatabase(
  call: Call,
  branch: BranchRecord,
  name: string,
  sent: { readonly name?: string; readonly owner_name?: string },
): ReplyBody {
  const database = findDatabase(branch, name);
  if (sent.owner_name !== undefined) requireOwner(branch, sent.owner_name);
  if (sent.name !== undefined && sent.name !== name) requireFreeName(call, branch, sent.name);
  const after = {
    ...database,
    name: sent.name ?? name,
    ownerName: sent.owner_name ?? database.ownerName,
    updatedMs: call.atMs,
  };
  return withDatabase(call, branch, database, after);
}

/** DELETE …/databases/{database_name}. */
function deleteDatabase(call: Call, branch: BranchRecord, name: string): ReplyBody | undefined {
  const missing = !branch.databases.some((database) => database.name === name);
  if (missing && call.engine.switches.missingDelete === 204) return undefined;
  const database = findDatabase(branch, name);
  return { ...withDatabase(call, branch, database, undefined), database: presentDatabase(database, branch.id) };
}

function withDatabase(
  call: Call,
  branch: BranchRecord,
  before: DatabaseRecord | undefined,
  after: DatabaseRecord | undefined,
): ReplyBody {
  const show = (database: DatabaseRecord | undefined): ReplyBody | null =>
    database === undefined ? null : presentDatabase(database, branch.id);
  const databases = exchanged(branch.databases, before, after);
  const noted = {
    kind: 'database',
    id: (after ?? before)?.name ?? '',
    before: show(before),
    after: show(after),
  } as const;
  return { database: show(after), operations: changeContents(call, { ...branch, databases }, noted) };
}

function requireOwner(branch: BranchRecord, name: string): void {
  if (!branch.roles.some((role) => role.name === name)) throw badRequest('the owner is not a role of this branch');
}

function requireFreeName(call: Call, branch: BranchRecord, name: string): void {
  if (branch.databases.some((database) => database.name === name))
    throw duplicate(call.engine, 'database', 'DATABASE_ALREADY_EXISTS');
}

const DATABASES = '/projects/{project_id}/branches/{branch_id}/databases';
const DATABASE = `${DATABASES}/{database_name}`;

export const databaseRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: DATABASES,
    id: 'listProjectBranchDatabases',
    tag: 'Branches',
    summary: 'List the databases of a branch',
    replies: { 200: 'DatabaseList' },
    run: (call, input) => {
      const branch = branchOf(call, input);
      return ok({ databases: branch.databases.map((database) => presentDatabase(database, branch.id)) });
    },
  },
  {
    method: 'POST',
    path: DATABASES,
    id: 'createProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Create a database',
    body: 'DatabaseCreateRequest',
    replies: { 201: 'DatabaseOperationsReply' },
    run: (call, input) =>
      created(createDatabase(call, branchOf(call, input), (input.body as DatabaseCreateRequest).database)),
  },
  {
    method: 'GET',
    path: DATABASE,
    id: 'getProjectBranchDatabase',
    tag: 'Branches',
    summary: 'One database',
    replies: { 200: 'DatabaseReply' },
    run: (call, input) => {
      const branch = branchOf(call, input);
      return ok({ database: presentDatabase(findDatabase(branch, param(input, 'database_name')), branch.id) });
    },
  },
  {
    method: 'PATCH',
    path: DATABASE,
    id: 'updateProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Rename a database or change its owner',
    body: 'DatabaseUpdateRequest',
    replies: { 200: 'DatabaseOperationsReply' },
    run: (call, input) => {
      const { database } = input.body as DatabaseUpdateRequest;
      return ok(updateDatabase(call, branchOf(call, input), param(input, 'database_name'), database));
    },
  },
  {
    method: 'DELETE',
    path: DATABASE,
    id: 'deleteProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Delete a database',
    replies: { 200: 'DatabaseOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteDatabase(call, branchOf(call, input), param(input, 'database_name'))),
  },
];
