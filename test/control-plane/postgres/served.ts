// A server with a Postgres behind each compute, and what tests ask of it: its API, its operations, and connections to its computes.
import { Client, type ClientConfig } from 'pg';
import { chownSync, readFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'vitest';
import type { Endpoint, Operation } from '../../../src/api/index.ts';
import { serve, type ServeOptions, type Served } from '../../../src/control-plane/index.ts';
import { startupPacket } from '../../../src/control-plane/postgres/router/protocol.ts';
import { newFolder, start, until, type Running } from '../../e2e/support/program.ts';
import { PRIMARY, SHOP, type Body } from '../world.ts';
import { findPrograms } from '../../../src/control-plane/postgres/machine/programs.ts';

/** Why tests of Postgres cannot run here; undefined where they can. */
export const missingPostgres: string | undefined = await findPrograms().then(
  () => undefined,
  (error: unknown) => String(error),
);
if (missingPostgres !== undefined) process.stderr.write(`tests with a Postgres are skipped: ${missingPostgres}\n`);

/** Is pgbouncer here too? */
export const hasPooler: boolean = missingPostgres === undefined && (await findPrograms()).pgbouncer !== undefined;

/** The version of the protocol. */
const VERSION = 196_608;

/** What `pg` says of a connection that was dropped, by what it was just doing. */
export const GONE = /terminat|not queryable|ECONNRESET|EPIPE/;

/** What a reply may hold; the tests know which of it is there. */
export interface Reply extends Body {
  readonly status: number;
  readonly endpoint: Endpoint & { readonly host: string; readonly current_state: string };
  readonly role: { readonly name: string; readonly password: string };
  readonly connection_uris?: readonly { readonly connection_uri: string }[];
  readonly uri?: string;
}

interface Made {
  readonly id: string;
  readonly compute: string;
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
  /** Makes a branch with a compute. */
  branchFrom(parent: string, name: string): Promise<Made>;
  /** An open connection. Closed with the desk. */
  connect(uri: string, config?: ClientConfig): Promise<Client>;
  /** First column of the rows of a query on a connection of its own. */
  rows(uri: string, query: string): Promise<unknown[]>;
  /** The SQLSTATE with which a connection or its query is refused; undefined where it is not. */
  refusal(uri: string, query?: string): Promise<string | undefined>;
  close(): Promise<void> | void;
}

type UriQuery = Readonly<
  Partial<Record<'endpoint_id' | 'branch_id' | 'role_name' | 'database_name', string> & { pooled: boolean }>
>;

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

/** The built program as such a server. */
export interface Program {
  readonly process: Running;
  readonly desk: Desk;
  readonly url: string;
  readonly key: string;
  /** Where its computes are reached. */
  readonly port: number;
}

/** A folder that belongs to whoever is to run in it. */
export function folderOf(uid: number | undefined, name: string): string {
  const folder = newFolder(name);
  if (uid !== undefined) chownSync(folder, uid, uid);
  return folder;
}

export async function startProgram(data: string, more: readonly string[] = [], uid?: number): Promise<Program> {
  const as = uid === undefined ? {} : { uid };
  const args = ['serve', '--port', '0', '--postgres', '--data', data, ...more];
  const process = start(args, { cwd: folderOf(uid, 'pg'), ...as });
  await process.shows(/^postgres on \S+\n/m);
  const url = /^listening on (\S+)$/m.exec(process.out())?.[1] ?? '';
  const port = Number(/^postgres on \S+:(\d+)$/m.exec(process.out())?.[1]);
  const key = readFileSync(/^API key: in (\S+)$/m.exec(process.err())?.[1] ?? '', 'utf8').trim();
  return { process, desk: openBeside({ url, key }), url, key, port };
}

export async function kill({ process }: Program): Promise<void> {
  process.signal('SIGKILL');
  await process.ended;
}

export async function stop({ process }: { readonly process: Running }): Promise<number> {
  process.signal('SIGTERM');
  const { code, ms } = await process.ended;
  expect(code).toBe(0);
  return ms;
}

/** The string for another role, and for another database. */
export const signedIn = (uri: string, name: string, password: string): string =>
  uri.replace(/\/\/[^@]*@/, `//${encodeURIComponent(name)}:${password}@`);
export const inDatabase = (uri: string, name: string): string =>
  uri.replace('/shopdb?', `/${encodeURIComponent(name)}?`);

/** The first packet of a client. */
export const greeting = (parameters: Readonly<Record<string, string>>): Buffer =>
  startupPacket(VERSION, new Map(Object.entries(parameters)));

/** The first answer to such a packet: its type, and the SQLSTATE where it is an error. */
export async function firstAnswer(
  from: { readonly port: number; readonly localAddress?: string },
  hello: Buffer,
  servername?: string,
): Promise<string> {
  const at = { ...from, host: '127.0.0.1' };
  const tls = { ALPNProtocols: ['postgresql'], rejectUnauthorized: false };
  const socket = servername === undefined ? connectTo(at) : connectTls({ ...at, ...tls, servername });
  socket.on('error', () => undefined);
  socket.write(hello);
  const answer = await new Promise<Buffer>((resolve) => {
    socket.once('data', resolve);
    socket.once('close', () => resolve(Buffer.from('closed')));
  });
  socket.destroy();
  const text = answer.toString('latin1');
  return `${text[0] ?? ''} ${/\0C(\w{5})\0/.exec(text)?.[1] ?? ''}`.trim();
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
    until('the operation ends', async () => {
      const { operation } = await request('GET', `/projects/${project}/operations/${id}`);
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
  const rows: Desk['rows'] = async (uri, query) => {
    const client = await connect(uri);
    try {
      const { rows: found } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
      return found.map(([first]) => first);
    } finally {
      await client.end();
    }
  };
  const done: Desk['done'] = async (method, path, body) => {
    const reply = await request(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.message}`);
    const bad = (await ended(reply)).filter((each) => !each.endsWith(': finished'));
    if (bad.length > 0) throw new Error(bad.join(', '));
    return reply;
  };
  return {
    request,
    ended,
    done,
    branchFrom: async (parent, name) => {
      const asked = { branch: { parent_id: parent, name }, endpoints: [{ type: 'read_write' }] };
      const { branch, endpoints, connection_uris: uris } = await done('POST', `${SHOP}/branches`, asked);
      return { id: branch.id, compute: endpoints[0]?.id ?? '', uri: uris?.[0]?.connection_uri ?? '' };
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
    rows,
    refusal: async (uri, query = 'SELECT 1') => {
      try {
        await rows(uri, query);
        return undefined;
      } catch (error) {
        return (error as { readonly code?: string }).code ?? String(error);
      }
    },
    close: () => {
      for (const client of clients) void client.end().catch(() => undefined);
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
