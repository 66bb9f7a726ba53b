// Opens the database file: checks that it is ours, intact and of a known version, and makes its tables.
import { createRequire } from 'node:module';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import type Libsql from 'libsql';
import { errorCode } from '../../base/error-code.ts';
import { checkPlain } from './own-file.ts';
import { StoreError } from '../core/store.ts';

const SCHEMA_VERSION = 2;
/** Marks a database file as ours ("TRUE"). */
const APPLICATION_ID = 0x54525545;
/** The maximum size, in bytes, of a file that is checked completely when it is opened. */
const CHECKED_BYTES = 16 * 1_048_576;

type Row = readonly unknown[];

export interface Database {
  /** Runs a script without values. */
  exec(sql: string): void;
  /** Runs one statement, which is prepared at its first use. */
  run(sql: string, ...values: unknown[]): void;
  rows(sql: string, ...values: unknown[]): Row[];
  eachRow(sql: string): Iterable<Row>;
  close(): void;
}

const TABLES = `
create table meta (name text primary key, data text not null) without rowid;
create table operations (
  seq integer primary key, id text not null unique, project_id text not null, branch_id text, endpoint_id text,
  action text not null, status text not null, failures_count integer not null, error text,
  created_ms integer not null, updated_ms integer not null, hidden integer not null, plan text
);
create index operations_by_project on operations (project_id, created_ms, seq);
create index operations_by_time on operations (created_ms, seq);
create index operations_open on operations (seq) where plan is not null;
create table ledger (seq integer primary key, data text not null);
pragma application_id = ${APPLICATION_ID};
`;

/** Opens or makes the database, with a table of plain records for each name. Throws StoreError or the system's error. */
export function openDatabase(file: string, plainTables: readonly string[]): Database {
  makePrivate(file);
  // Loaded only when a store is opened: a control plane in memory does not need the driver.
  const Driver = createRequire(import.meta.url)('libsql') as typeof Libsql;
  const connection = new Driver(file);
  try {
    return prepareDatabase(connection, file, plainTables);
  } catch (error) {
    connection.close();
    throw asStoreError(error, file);
  }
}

/** Makes a missing file, readable by its owner only. Throws StoreError if it or a driver's file beside it is not plain. */
function makePrivate(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) checkPlain(one);
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}

function prepareDatabase(connection: Libsql.Database, file: string, plainTables: readonly string[]): Database {
  const prepared = new Map<string, Libsql.Statement>();
  const statement = (sql: string): Libsql.Statement => {
    const known = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const database: Database = {
    exec: (sql) => void connection.exec(sql),
    run: (sql, ...values) => void statement(sql).run(...values),
    rows: (sql, ...values) =>
      statement(sql)
        .raw()
        .all(...values) as Row[],
    eachRow: (sql) => statement(sql).raw().iterate() as Iterable<Row>,
    close: () => closeConnection(connection),
  };
  // In this mode the kernel locks the file against other processes until the connection is closed or our process ends.
  connection.pragma('locking_mode = EXCLUSIVE');
  connection.exec('begin exclusive; commit');
  // Somebody else may have made the file, so its schema must not call unsafe functions.
  connection.pragma('trusted_schema = OFF');
  // A file without tables is new, or a process crashed before it made them.
  const isNew = Number(database.rows('select count(*) from sqlite_master')[0]?.[0]) === 0;
  if (!isNew) {
    requireOurs(database, file);
    requireDataAlone(database, file);
    if (statSync(file).size <= CHECKED_BYTES && database.rows('pragma quick_check(1)')[0]?.[0] !== 'ok')
      throw new StoreError('corrupt', corruptMessage(file));
  }
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  // Always run, because a store of an older version lacks some of these tables.
  const plain = plainTables.map(
    (name) => `create table if not exists ${name} (id text not null unique, data text not null);`,
  );
  database.exec(`begin; ${isNew ? TABLES : ''} ${plain.join(' ')} pragma user_version = ${SCHEMA_VERSION}; commit;`);
  return database;
}

/** Releases the lock by SQL before closing, because the driver keeps the file open while prepared statements exist. */
function closeConnection(connection: Libsql.Database): void {
  for (const sql of ['pragma journal_mode = DELETE', 'pragma locking_mode = NORMAL', 'select count(*) from meta'])
    connection.prepare(sql).all();
  connection.close();
}

function requireOurs(database: Database, file: string): void {
  const pragma = (name: string): number => Number(database.rows(`pragma ${name}`)[0]?.[0]);
  if (pragma('application_id') !== APPLICATION_ID)
    throw new StoreError('corrupt', `${file} is not a store of trueup; nothing was changed in it`);
  const version = pragma('user_version');
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      'newer',
      `${file} was written by a newer version of trueup (format ${version}, this one knows ${SCHEMA_VERSION}); update trueup or use another folder`,
    );
}

/** Refuses a schema with triggers, views or virtual tables, which would run along with our statements. */
function requireDataAlone(database: Database, file: string): void {
  const [row] = database.rows(
    "select count(*) from sqlite_master where type not in ('table', 'index') or sql like 'create virtual%' or name like 'libsql%'",
  );
  if (Number(row?.[0]) > 0) throw new StoreError('corrupt', `${file} has more in it than a store of trueup has`);
}

function corruptMessage(file: string): string {
  return `${file} is damaged and was left as it is; restore it from a backup, or move it away to begin a new store`;
}

function asStoreError(error: unknown, file: string): unknown {
  const code = errorCode(error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return new StoreError('corrupt', corruptMessage(file), { cause: error });
  if (code.startsWith('SQLITE_BUSY'))
    return new StoreError('held', `${file} is held by another process`, { cause: error });
  return error;
}
