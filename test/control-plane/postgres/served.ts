// A server with a Postgres behind each compute, and what tests ask of it: its API, its operations, and connections to its computes.
import { Client, type ClientConfig } from 'pg';
import { serve, type ServeOptions, type Served } from '../../../src/control-plane/index.ts';
import { findPrograms } from '../../../src/control-plane/postgres/machine/programs.ts';

/** Why tests of Postgres cannot run here; undefined where they can. */
export const missingPostgres: string | undefined = await findPrograms().then(
  () => undefined,
  (error: unknown) => String(error),
);
if (missingPostgres !== undefined) process.stderr.write(`tests with a Postgres are skipped: ${missingPostgres}\n`);

/** Is pgbouncer here too? */
export const hasPooler: boolean = missingPostgres === undefined && (await findPrograms()).pgbouncer !== undefined;

export const SHOP = '/projects/spring-example-302709';
export const MAIN = 'br-wispy-meadow-118737';
export const STAGING = 'br-calm-sea-220011';
export const PRIMARY = 'ep-cool-darkness-123456';

/** What `pg` says of a connection that was dropped, by what it was just doing. */
export const GONE = /terminat|not queryable|ECONNRESET|EPIPE/;

interface Operation {
  readonly id: string;
  readonly project_id: string;
  readonly action: string;
  readonly status: string;
  readonly error?: string;
}

/** What a reply may hold; the tests know which of it is there. */
export interface Reply {
  readonly status: number;
  readonly message: string;
  readonly operations: readonly Operation[];
  readonly endpoint: { readonly id: string; readonly host: string; readonly current_state: string };
  readonly endpoints: readonly { readonly id: string; readonly current_state: string }[];
  readonly branch: { readonly id: string };
  readonly branches: readonly { readonly id: string; readonly name: string }[];
  readonly project: { readonly id: string };
  readonly role: { readonly name: string; readonly password: string };
  readonly connection_uris: readonly { readonly connection_uri: string }[];
  readonly uri: string;
}

export interface Desk {
  request(method: string, path: string, body?: unknown): Promise<Reply>;
  /** A request, and the end of all operations that it started; throws where one did not end well. */
  done(method: string, path: string, body?: unknown): Promise<Reply>;
  /** As `done`, with the operations as they ended, `action: error` for those that failed. */
  ended(reply: Reply): Promise<string[]>;
  /** The connection string of a compute. */
  uri(query?: UriQuery): Promise<string>;
  /** An open connection. Closed with the desk. */
  connect(uri: string, config?: ClientConfig): Promise<Client>;
  /** First column of the rows of a query on a connection of its own. */
  rows(uri: string, query: string): Promise<unknown[]>;
  /** The SQLSTATE with which a connection or its query is refused; undefined where it is not. */
  refusal(uri: string, query?: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface UriQuery {
  readonly endpoint_id?: string;
  readonly branch_id?: string;
  readonly role_name?: string;
  readonly database_name?: string;
  readonly pooled?: boolean;
}

/** Waits by looking: real processes have no virtual time. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 40);
    });
  }
}

/** A server in this process, with a Postgres behind each compute. Closed with its desk, which tells of its bugs. */
export async function openDesk(options: ServeOptions = {}): Promise<Desk & { readonly served: Served }> {
  const bugs: unknown[] = [];
  const served = await serve({ onBug: (bug) => void bugs.push(bug), ...options, postgres: options.postgres ?? {} });
  const desk = openBeside(served);
  return {
    ...desk,
    served,
    close: async () => {
      await desk.close();
      await served.close();
      if (bugs.length > 0) throw new Error(`bugs: ${bugs.map(String).join(', ')}`);
    },
  };
}

/** What is asked of a server, wherever it runs. */
export function openBeside(served: { readonly url: string; readonly key: string }): Desk {
  const clients: Client[] = [];
  const request: Desk['request'] = async (method, path, sent) => {
    const response = await fetch(`${served.url}/api/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${served.key}`, 'Content-Type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    const body: object = text === '' ? {} : (JSON.parse(text) as object);
    return { operations: [], ...body, status: response.status } as unknown as Reply;
  };
  const endOf = ({ id, project_id: project }: Operation): Promise<Operation> =>
    until(async () => {
      const { operation } = (await request('GET', `/projects/${project}/operations/${id}`)) as unknown as {
        operation: Operation;
      };
      return ['running', 'scheduling'].includes(operation.status) ? undefined : operation;
    });
  const ended: Desk['ended'] = async ({ operations }) =>
    (await Promise.all(operations.map(endOf))).map(
      ({ action, status, error }) => `${action}: ${status === 'finished' ? status : (error ?? status)}`,
    );
  const connect: Desk['connect'] = async (uri, config = {}) => {
    const client = new Client({ ...configOf(uri), ...config });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  return {
    request,
    ended,
    done: async (method, path, body) => {
      const reply = await request(method, path, body);
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.message}`);
      const bad = (await ended(reply)).filter((each) => !each.endsWith(': finished'));
      if (bad.length > 0) throw new Error(bad.join(', '));
      return reply;
    },
    uri: async (query = {}) => {
      const names = { role_name: 'shop_owner', database_name: 'shopdb', endpoint_id: PRIMARY, ...query };
      const search = new URLSearchParams(
        Object.entries(names).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const { uri, message } = await request('GET', `${SHOP}/connection_uri?${search.toString()}`);
      if (uri === undefined) throw new Error(message);
      return uri;
    },
    connect,
    rows: async (uri, query) => {
      const client = await connect(uri);
      try {
        return (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows.map(([first]) => first);
      } finally {
        await client.end();
      }
    },
    refusal: async (uri, query = 'SELECT 1') => {
      try {
        const client = await connect(uri);
        try {
          await client.query(query);
        } finally {
          await client.end();
        }
        return undefined;
      } catch (error) {
        return (error as { readonly code?: string }).code ?? String(error);
      }
    },
    close: async () => {
      for (const client of clients) void client.end().catch(() => undefined);
      await Promise.resolve();
    },
  };
}

/** `pg` reads `sslmode=require` as a wish for a certificate that it knows; libpq, and the service's users, do not. */
function configOf(uri: string): ClientConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(uri);
  return {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    options: searchParams.get('options') ?? '',
    ssl: { rejectUnauthorized: false },
  };
}
