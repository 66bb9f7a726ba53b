// A store in an embedded database. `commit` returns once data is durable. One process at a time can open it.
import { rmSync } from 'node:fs';
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
import { readOwn, requireOwnFolder, writeOwn } from './own-file.ts';
import { openDatabase, type Database } from './sqlite-database.ts';

const FILE = 'store.db';
/** The name in `meta` that marks the first state of a new store as complete. */
const COMPLETE = 'complete';

/** Operations have a table with columns of their own, because there may be millions. */
const OPERATIONS = 'operations';
const PLAIN_TABLES: readonly string[] = Object.keys(tables).filter((name) => name !== OPERATIONS);

/** The file with the id of the process that uses the folder, for error messages. The lock itself is on the database. */
const LOCK = 'lock';

/** Opens or makes the store in `folder`, and locks it until it is closed. Throws StoreError: corrupt, newer, held (with the pid, if known). */
export function openSqliteStore(folder: string): Store {
  makeFolders(folder, 0o700);
  requireOwnFolder(folder);
  const database = openUnlessHeld(folder);
  try {
    writeOwn(join(folder, LOCK), String(ownPid));
    clearIncomplete(database);
    return storeIn(folder, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the database. If another process holds it, the error gives that process's id, if known. */
function openUnlessHeld(folder: string): Database {
  try {
    return openDatabase(join(folder, FILE), PLAIN_TABLES);
  } catch (error) {
    const pid = Number(readOwn(join(folder, LOCK)) ?? 0);
    if (!(error instanceof StoreError && error.reason === 'held' && pid > 0)) throw error;
    throw new StoreError('held', `${folder} is in use by process ${pid}`, { pid });
  }
}

function storeIn(folder: string, database: Database): Store {
  const json = sealOf(folder);
  return {
    load: () => loadAll(database, json),
    commit: (batch) => inTransaction(database, () => writeBatch(database, batch, json)),
    replace: (batch) =>
      inTransaction(database, () => {
        clear(database);
        writeBatch(database, batch, json);
      }),
    complete: () => putMeta(database, COMPLETE, 'true'),
    past: (query) => selectOperations(database, query),
    pastOne: (id) => selectAll(database, 'where id = ?', id).map(operationOfRow)[0],
    ledger: (after, limit) =>
      database
        .rows('select data from ledger where seq > ? order by seq limit ?', after, Number.isFinite(limit) ? limit : -1)
        .map(([data]) => parse(data) as LedgerEntry),
    close: () => {
      rmSync(join(folder, LOCK), { force: true });
      database.close();
    },
  };
}

function putMeta(database: Database, name: string, data: string): void {
  database.run('insert or replace into meta (name, data) values (?, ?)', name, data);
}

/** Selects rows of operations; `end` is the end of the SQL statement. */
function selectAll(database: Database, end: string, ...values: readonly unknown[]): (readonly unknown[])[] {
  return database.rows(`select ${OPERATION_COLUMNS} from operations ${end}`, ...values);
}

/** Clears a store whose first or replaced state a crash left incomplete. */
function clearIncomplete(database: Database): void {
  const names = new Set(database.rows('select name from meta').map((row) => row[0]));
  if (names.size > 0 && !names.has(COMPLETE)) clear(database);
}

function clear(database: Database): void {
  for (const table of [...PLAIN_TABLES, OPERATIONS, 'ledger', 'meta']) database.exec(`delete from ${table}`);
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

const PUT_OPERATION = `insert or replace into operations (${OPERATION_COLUMNS}) values (${OPERATION_COLUMNS.replaceAll(/\w+/g, '?')})`;

function writeBatch(database: Database, batch: Batch, json: SealedJson): void {
  for (const { table, id, record } of batch.changes) {
    if (table === OPERATIONS) database.run(PUT_OPERATION, ...rowOfOperation(record as OperationRecord));
    else if (record === undefined) database.run(`delete from ${table} where id = ?`, id);
    else {
      const put = `insert into ${table} (id, data) values (?, ?) on conflict (id) do update set data = excluded.data`;
      database.run(put, id, json.stringify(record));
    }
  }
  for (const entry of batch.ledger)
    database.run('insert into ledger (seq, data) values (?, ?)', entry.seq, ledgerText(entry));
  putMeta(database, 'state', JSON.stringify(batch.meta));
}

function ledgerText(entry: LedgerEntry): string {
  return JSON.stringify(entry, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function loadAll(database: Database, json: SealedJson): LoadedState {
  const [meta] = database.rows("select data from meta where name = 'state'");
  const plain = PLAIN_TABLES.map((table) => ({ table, records: recordsOf(database, table, json) }));
  const open = selectAll(database, 'where plan is not null order by seq').map(operationOfRow);
  const tables = [...plain, { table: OPERATIONS, records: open }];
  return { meta: meta === undefined ? undefined : (parse(meta[0]) as Meta), tables };
}

/** Reads each record when it is asked for: a large store would fill memory with rows. */
function* recordsOf(database: Database, table: string, json: SealedJson): Iterable<Stored> {
  for (const [data] of database.eachRow(`select data from ${table} order by rowid`)) yield parse(data, json) as Stored;
}

function selectOperations(database: Database, { projectId, before, limit }: PastQuery): OperationRecord[] {
  const { createdMs, seq } = before ?? { createdMs: Number.MAX_SAFE_INTEGER, seq: 0 };
  const older = '(created_ms, seq) < (?, ?) order by created_ms desc, seq desc limit ?';
  const values = [createdMs, seq, Math.min(limit, 1_000_000_000)];
  const rows =
    projectId === undefined
      ? selectAll(database, `where ${older}`, ...values)
      : selectAll(database, `where project_id = ? and ${older}`, projectId, ...values);
  return rows.map(operationOfRow);
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
