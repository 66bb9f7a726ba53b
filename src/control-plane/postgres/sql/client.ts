// The one door to pg: how the control plane speaks SQL to a Postgres of its own.
import { Client } from 'pg';

/** A name and a text as SQL writes them. */
export { escapeIdentifier as identifier, escapeLiteral as literal } from 'pg';

/** An open connection. */
export interface Sql {
  /** Rows of the (last) statement. */
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
  end(): Promise<void>;
}

export interface SqlAddress {
  /** Folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Does work on a connection, and closes that. */
export async function withSql<T>(connecting: Promise<Sql>, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = await connecting;
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const CONNECT_MS = 10_000;

/** Connects to a database. Throws what Postgres says. */
export async function connectSql(address: SqlAddress, database: string = 'postgres'): Promise<Sql> {
  const client = new Client({
    ...address,
    database,
    application_name: 'trueup',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: 0,
  });
  // A connection that breaks is told by the query that it breaks; between queries nobody needs to know.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
      (values.length === 0 ? await client.query<R>(text) : await client.query<R>(text, [...values])).rows,
    end: () => client.end(),
  };
}
