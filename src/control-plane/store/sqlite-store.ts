// A store in an embedded database: durable before it answers (WAL, synchronous FULL), open in one process at a time.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { makeFolders } from '../../base/files/plain-file.ts';
import {
  StoreError,
  type Batch,
  type LoadedState,
  type Meta,
  type PastQuery,
  type LedgerEntry,
} from '../core/store.ts';
import {
  OPERATION_COLUMNS,
  operationOfRow,
  rowOfOperation,
  type OperationRecord,
} from '../resources/operation/record.ts';
import { tables, type Store } from '../resources/engine/engine.ts';
import type { Stored } from '../core/table.ts';
import { sealOf, type SealedJson } from './seal.ts';
import { readOwn, requireOwnFolder, writeDraft } from './own-file.ts';
import { openDatabase, type Database, type Statement } from './sqlite-database.ts';

const FILE = 'store.db';
/** The name in `meta` that marks the first state of a new store as complete. */
const COMPLETE = 'complete';

/** Operations have columns of their own: there may be millions of them. */
const OPERATIONS = 'operations';
const PLAIN_TABLES: readonly string[] = Object.keys(tables).filter((name) => name !== OPERATIONS);

/** The file that names the process which uses the folder; the lock itself is the kernel's, on the database. */
const LOCK = 'lock';

/** Opens the store in `folder`, or makes it, and locks it until it is closed. Throws StoreError: corrupt, newer, or held (with the pid). */
export function openSqliteStore(folder: string): Store {
  makeFolders(folder, 0o700);
  requireOwnFolder(folder);
  const lock = join(folder, LOCK);
  const database = openOr(join(folder, FILE), (error) => heldBy(folder, readOwn(lock)) ?? error);
  try {
    renameSync(writeDraft(lock, String(ownPid)), lock);
    return storeIn(folder, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function openOr(file: string, errorOf: (error: StoreError) => StoreError): Database {
  try {
    return openComplete(file);
  } catch (error) {
    throw error instanceof StoreError && error.reason === 'held' ? errorOf(error) : error;
  }
}

function heldBy(folder: string, text: string = ''): StoreError | undefined {
  const pid = Number(text);
  return pid > 0 ? new StoreError('held', `${folder} is in use by process ${pid}`, { pid }) : undefined;
}

function storeIn(folder: string, database: Database): Store {
  const statements = prepareAll(database);
  const json = sealOf(folder);
  return {
    load: () => loadAll(database, json),
    commit: (batch) => inTransaction(database, () => writeBatch(statements, batch, json)),
    replace: (batch) =>
      inTransaction(database, () => {
        clear(database);
        writeBatch(statements, batch, json);
      }),
    complete: () => statements.putMeta.run(COMPLETE, 'true'),
    past: (query) => selectOperations(statements, query),
    pastOne: (id) => optionally(statements.operation.get(id), operationOfRow),
    ledger: (after, limit) =>
      statements.ledger.all(after, Number.isFinite(limit) ? limit : -1).map((row) => parse(row[0]) as LedgerEntry),
    close: () => {
      rmSync(join(folder, LOCK), { force: true });
      database.close();
    },
  };
}

/** Opens the database. If its first state was never completed, nobody has used the content, so it is cleared. */
function openComplete(file: string): Database {
  const database = openDatabase(file, PLAIN_TABLES);
  const names = new Set(database.rows('select name from meta').map((row) => row[0]));
  if (names.size === 0 || names.has(COMPLETE)) return database;
  clear(database);
  return database;
}

function clear(database: Database): void {
  for (const table of [...PLAIN_TABLES, OPERATIONS, 'ledger', 'meta']) database.exec(`delete from ${table}`);
}

interface Statements {
  readonly put: ReadonlyMap<string, Statement>;
  readonly remove: ReadonlyMap<string, Statement>;
  readonly putOperation: Statement;
  readonly putMeta: Statement;
  readonly putLedger: Statement;
  readonly operation: Statement;
  readonly operationsOfProject: Statement;
  readonly operationsOfAll: Statement;
  readonly ledger: Statement;
}

function prepareAll(database: Database): Statements {
  const each = (sql: (table: string) => string): ReadonlyMap<string, Statement> =>
    new Map(PLAIN_TABLES.map((table) => [table, database.prepare(sql(table))]));
  const columns = OPERATION_COLUMNS;
  const older = '(created_ms, seq) < (?, ?) order by created_ms desc, seq desc limit ?';
  return {
    put: each(
      (table) => `insert into ${table} (id, data) values (?, ?) on conflict (id) do update set data = excluded.data`,
    ),
    remove: each((table) => `delete from ${table} where id = ?`),
    putOperation: database.prepare(
      `insert or replace into operations (${columns}) values (${columns.replaceAll(/\w+/g, '?')})`,
    ),
    putMeta: database.prepare('insert or replace into meta (name, data) values (?, ?)'),
    putLedger: database.prepare('insert into ledger (seq, data) values (?, ?)'),
    operation: database.prepare(`select ${columns} from operations where id = ?`),
    operationsOfProject: database.prepare(`select ${columns} from operations where project_id = ? and ${older}`),
    operationsOfAll: database.prepare(`select ${columns} from operations where ${older}`),
    ledger: database.prepare('select data from ledger where seq > ? order by seq limit ?'),
  };
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('begin immediate');
  try {
    work();
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function writeBatch(statements: Statements, batch: Batch, json: SealedJson): void {
  for (const { table, id, record } of batch.changes) {
    if (table === OPERATIONS) statements.putOperation.run(...rowOfOperation(record as OperationRecord));
    else if (record === undefined) statements.remove.get(table)?.run(id);
    else statements.put.get(table)?.run(id, json.stringify(record));
  }
  for (const entry of batch.ledger) statements.putLedger.run(entry.seq, ledgerText(entry));
  statements.putMeta.run('state', JSON.stringify(batch.meta));
}

function ledgerText(entry: LedgerEntry): string {
  return JSON.stringify(entry, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function loadAll(database: Database, json: SealedJson): LoadedState {
  const [meta] = database.rows("select data from meta where name = 'state'");
  const open = `select ${OPERATION_COLUMNS} from operations where plan is not null order by seq`;
  return {
    meta: optionally(meta, (row) => parse(row[0]) as Meta),
    records: [
      ...PLAIN_TABLES.flatMap((table) =>
        database
          .rows(`select data from ${table} order by rowid`)
          .map(([data]) => ({ table, record: parse(data, json) as Stored })),
      ),
      ...database.rows(open).map((row) => ({ table: OPERATIONS, record: operationOfRow(row) })),
    ],
  };
}

function selectOperations(statements: Statements, query: PastQuery): OperationRecord[] {
  const { createdMs, seq } = query.before ?? { createdMs: Number.MAX_SAFE_INTEGER, seq: 0 };
  const limit = Math.min(query.limit, 1_000_000_000);
  const rows =
    query.projectId === undefined
      ? statements.operationsOfAll.all(createdMs, seq, limit)
      : statements.operationsOfProject.all(query.projectId, createdMs, seq, limit);
  return rows.map(operationOfRow);
}

function optionally<T, R>(value: T | undefined, make: (value: T) => R): R | undefined {
  return value === undefined ? undefined : make(value);
}

function parse(text: unknown, json: Pick<SealedJson, 'parse'> = JSON): unknown {
  if (typeof text !== 'string') throw new StoreError('corrupt', 'the store holds a record that is not text');
  try {
    return json.parse(text);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('corrupt', 'the store holds a record that cannot be read; restore it from a backup', {
      cause,
    });
  }
}
