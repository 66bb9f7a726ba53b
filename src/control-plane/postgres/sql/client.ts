// SQL connections of the control plane to its own Postgres servers: only this file imports pg.
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { ADMIN, type Machine } from '../machine/machine.ts';

// Explicit types keep pg out of the published declarations: users may not have its types.
export const identifier: (name: string) => string = escapeIdentifier;
export const literal: (value: string) => string = escapeLiteral;

export interface Sql {
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
  end(): Promise<void>;
}

/** Connects to a database, by default to `postgres`. */
export type Connect = (database?: string) => Promise<Sql>;

export async function withSql<T>(connecting: Promise<Sql>, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = await connecting;
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const CONNECT_MS = 10_000;

/** Settings of our sessions. They override those of roles and databases, so that our SQL never uses objects of users. */
const SETTINGS: Readonly<Record<string, string>> = {
  search_path: 'pg_catalog,pg_temp',
  role: 'none',
  session_replication_role: 'origin',
  session_preload_libraries: '',
  local_preload_libraries: '',
  default_transaction_isolation: String.raw`read\ committed`,
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  default_tablespace: '',
  temp_tablespaces: '',
  statement_timeout: '0',
  lock_timeout: '20s',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

export async function connectSql(
  { places, programs, adminPassword }: Machine,
  port: number,
  database: string = 'postgres',
): Promise<Sql> {
  const settings = { ...SETTINGS, ...(programs.major >= 17 ? { event_triggers: 'off' } : {}) };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new Client({
    host: places.sockets,
    port,
    user: ADMIN,
    password: adminPassword,
    database,
    options: options.join(' '),
    application_name: 'trueup',
    connectionTimeoutMillis: CONNECT_MS,
  });
  // Ignored, because a query whose connection breaks rejects by itself, and between queries nothing is lost.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async <R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> =>
      (await client.query<R>(text, values?.slice())).rows,
    end: () => client.end(),
  };
}
