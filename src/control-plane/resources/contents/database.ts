// The handlers of a branch's databases.
import type { Call, Handler, ReplyBody } from '../engine/call.ts';
import { Refusal, quoted } from '../../core/refusal.ts';
import type { Engine } from '../engine/engine.ts';
import type { BranchRecord } from '../branch/record.ts';
import { changeContents, exchanged, requireFree, requireName, requireRoom, type ItemChange } from './contents.ts';
import { presentDatabase, type DatabaseRecord } from './record.ts';

/** Names of the databases that every Postgres has, and of the pooler's admin console. */
const RESERVED: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1', 'pgbouncer']);

export function requireDatabaseName(name: string): void {
  requireName('database', name, RESERVED.has(name));
}

export const createProjectBranchDatabase: Handler<'createProjectBranchDatabase'> = (call, input) => {
  const { branch } = call;
  const asked = input.body.database;
  requireDatabaseName(asked.name);
  requireOwner(call.engine, branch, asked.owner_name);
  requireFree(call.engine, 'database', asked.name, branch.databases);
  requireRoom('database', branch.databases);
  const known = [...branch.databases, ...(branch.past?.databases ?? [])];
  const id = 1 + Math.max(0, ...known.map((database) => database.id));
  const times = { createdMs: call.atMs, updatedMs: call.atMs };
  return withDatabase(call, branch, { after: { id, name: asked.name, ownerName: asked.owner_name, ...times } });
};

/** PATCH …/databases/{database_name}: changes name and owner in place; a rename ends the connections. */
export const updateProjectBranchDatabase: Handler<'updateProjectBranchDatabase'> = (call, input) => {
  const { branch, database: before } = call;
  const sent = input.body.database;
  if (sent.name !== undefined) requireDatabaseName(sent.name);
  if (sent.owner_name !== undefined) requireOwner(call.engine, branch, sent.owner_name);
  const { sinceMs: _since, ...rest } = before;
  const { name = before.name, owner_name: ownerName = before.ownerName } = sent;
  const isRenamed = name !== before.name;
  if (isRenamed) requireFree(call.engine, 'database', name, branch.databases);
  return withDatabase(call, branch, {
    before,
    after: { ...rest, name, ownerName, updatedMs: call.atMs },
    drops: isRenamed,
  });
};

/** DELETE …/databases/{database_name}: deletes the data for good. */
export const deleteProjectBranchDatabase: Handler<'deleteProjectBranchDatabase'> = (call) => {
  const { branch, database: before } = call;
  return withDatabase(call, branch, { before, drops: true });
};

function withDatabase(call: Call, branch: BranchRecord, change: ItemChange<DatabaseRecord>): ReplyBody {
  const { before, after } = change;
  const contents = { roles: branch.roles, databases: exchanged(branch.databases, before, after) };
  const isLost = before !== undefined && after === undefined;
  const lost = isLost ? [{ kind: 'database', id: `${branch.id}/${before.name}` } as const] : [];
  return changeContents(call, branch, { ...change, kind: 'database', contents, present: presentDatabase, lost });
}

export function requireOwner(engine: Engine, branch: Pick<BranchRecord, 'id' | 'roles'>, name: string): void {
  if (branch.roles.some((role) => role.name === name)) return;
  const asked = quoted(name);
  const message = `the owner is not a role of this branch; owner_name:${asked}, branch_id:"${branch.id}"`;
  throw new Refusal(engine.switches.unknownOwner, message);
}

export const listProjectBranchDatabases: Handler<'listProjectBranchDatabases'> = ({ branch }) => ({
  databases: branch.databases.map((database) => presentDatabase(database, branch.id)),
});

export const getProjectBranchDatabase: Handler<'getProjectBranchDatabase'> = ({ branch, database }) => ({
  database: presentDatabase(database, branch.id),
});
