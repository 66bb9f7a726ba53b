// Serves a control plane over HTTP: sockets, limits, and the life of the process around it.
import { defined } from '../../base/picked.ts';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../base/time/clock.ts';
import { systemRandom } from '../../base/random.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../control-plane.ts';
import { ExposedHostError, hostCheck, inHeader, isLoopback } from '../api/hosts.ts';
import type { RequestLine } from '../api/request-log.ts';
import { createSite } from './site.ts';
import { newKeyValue } from '../resources/engine/naming.ts';
import { storeRootKey } from './local.ts';
import { readOwn } from '../store/own-file.ts';
import type { OpenPostgres, PostgresOptions } from '../postgres/open.ts';
import { getRequestListener, type HttpBindings } from '../api/web.ts';

export interface ServeOptions extends Omit<ControlPlaneOptions, 'store'> {
  /** Default: 127.0.0.1. Anything beyond loopback needs `tls` or `allowInsecure`. */
  readonly host?: string;
  readonly port?: number;
  /** Folder of the store, which gets a `root-key` beside it; absent: nothing outlives the process. */
  readonly dataDir?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Serves plain HTTP beyond loopback: keys travel in plaintext. */
  readonly allowInsecure?: boolean;
  /** Serves Postgres beyond loopback: whoever has a role's password is trusted like somebody with a shell of the Postgres user. */
  readonly allowInsecurePostgres?: boolean;
  /** Further names under which this server may be addressed, besides loopback and its own address; every other Host gets 421. */
  readonly hostNames?: readonly string[];
  /** A PostgreSQL behind each compute. Operations take as long as it takes then, unless `operationMs` says otherwise. */
  readonly postgres?: PostgresOptions;
  /** Turns the admin interface on, with this token or one made here. */
  readonly admin?: { readonly token?: string };
  /** Called for every request to the API once it has ended, without secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}

export interface Served {
  /** `http://HOST:PORT`: the API is below `/api/v2`, the console at `/`. */
  readonly url: string;
  readonly port: number;
  /** `HOST:PORT` of a Postgres behind the computes; null where there is none. */
  readonly postgres: string | null;
  /** Its version, the folder of its data, and the port of the last run where that is not free any more. */
  readonly postgresOf: Pick<OpenPostgres, 'version' | 'folder' | 'lostPort'> | undefined;
  readonly key: string;
  readonly keyFile: string | undefined;
  readonly isNew: boolean;
  readonly isExposed: boolean;
  /** Faults, switches, ledger, and the true state. */
  readonly controlPlane: ControlPlane;
  readonly adminToken: string | undefined;
  close(): Promise<void>;
}

/** SQL and extensions lead from a role to the system's user; no setting takes that back for certain. */
const SHELL_OF_POSTGRES =
  "whoever has a role's password there is trusted like someone with a shell of the Postgres user; allow that explicitly (--allow-insecure-postgres)";
const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 15_000;
/** By then a request has come in, to the end of its body. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Connections that are open at a time; one more is closed at once. */
const MOST_CONNECTIONS = 1000;
/** Node.js looks for requests that are over time so often; by itself only twice a minute. */
const TIMEOUT_CHECK_MS = 500;
const TICK_MS = 1000;
const AT_ONCE = { min: 0, max: 0 } as const;

/**
 * Starts a server and resolves once it answers. Throws StoreError, WorldError, FaultPlanError, ExposedHostError, WorksError (Postgres),
 * RangeError (switches, host names), and listen errors.
 */
export async function serve(options: ServeOptions = {}): Promise<Served> {
  const { dataDir, host = '127.0.0.1', postgres: wanted, ...rest } = options;
  if (!isLoopback(host) && options.tls === undefined && options.allowInsecure !== true)
    throw new ExposedHostError(host);
  if (!isLoopback(host) && wanted !== undefined && options.allowInsecurePostgres !== true)
    throw new ExposedHostError(host, SHELL_OF_POSTGRES);
  const isOwnHost = hostCheck(host, options.hostNames);
  const controlPlane = createControlPlane({
    ...(wanted === undefined ? {} : { operationMs: AT_ONCE }),
    ...rest,
    ...defined({ store: dataDir }),
  });
  let postgres: OpenPostgres | undefined;
  try {
    const keyFile = dataDir === undefined ? undefined : storeRootKey(dataDir, controlPlane);
    const adminToken =
      options.admin === undefined
        ? undefined
        : (options.admin.token ?? newKeyValue(options.random ?? systemRandom, 'admin_'));
    if (wanted !== undefined) postgres = await withPostgres(controlPlane, { ...options, host }, wanted);
    const { onRequest } = options;
    const further = { ...defined({ adminToken }), ...(onRequest && { onRequest }) };
    const site = createSite({ controlPlane, isOwnHost, ...further });
    const server = makeServer(options, site);
    server.listen(options.port ?? 0, host);
    await once(server, 'listening');
    const stopTicking = tick(controlPlane, options.clock ?? systemClock);
    const { port } = server.address() as AddressInfo;
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      stopTicking();
      await closeServer(server);
      await postgres?.close();
      controlPlane.close();
    };
    return {
      url: `${options.tls === undefined ? 'http' : 'https'}://${inHeader(host)}:${port}`,
      port,
      postgres: postgres?.address ?? null,
      postgresOf: postgres,
      key: keyFile === undefined ? (controlPlane.rootKey?.reveal() ?? '') : (readOwn(keyFile) ?? '').trim(),
      keyFile,
      isNew: controlPlane.rootKey !== undefined,
      isExposed: !isLoopback(host),
      controlPlane,
      adminToken,
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await postgres?.close();
    controlPlane.close();
    throw error;
  }
}

/** Loads what is about Postgres only where it is asked for. */
async function withPostgres(
  { engine }: ControlPlane,
  { host, dataDir: store, random = systemRandom }: ServeOptions & { readonly host: string },
  wanted: PostgresOptions,
): Promise<OpenPostgres> {
  const { openPostgres } = await import('../postgres/open.ts');
  return openPostgres(engine, { host, store, random }, wanted);
}

function makeServer(options: ServeOptions, site: ReturnType<typeof createSite>): Server {
  const listener = getRequestListener((request, env) => site(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  };
  const handle: Parameters<typeof createServer>[1] = (request, response) => void listener(request, response);
  const server =
    options.tls === undefined
      ? createServer(limits, handle)
      : createTlsServer({ ...limits, ...options.tls, handshakeTimeout: HEADERS_TIMEOUT_MS }, handle);
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Lets due things happen while nobody asks, so that the store and the ledger keep up. */
function tick(controlPlane: ControlPlane, clock: Clock): () => void {
  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(TICK_MS, stop.signal);
      controlPlane.settle();
    }
  };
  // Ends by the abort alone; a store that cannot be written just now is tried again by the next request.
  loop().catch(() => undefined);
  return () => stop.abort();
}
