// Serves a control plane over HTTP: sockets, limits, start and shutdown.
import { defined } from '../../base/picked.ts';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../base/time/clock.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../control-plane.ts';
import { ExposedHostError, hostCheck, inHeader, isLoopback } from '../api/hosts.ts';
import type { RequestLine } from '../api/request-log.ts';
import { createSite } from './site.ts';
import { newKeyValue } from '../resources/engine/naming.ts';
import { storeRootKey } from './local.ts';
import type { OpenPostgres, PostgresOptions } from '../postgres/open.ts';
import { getRequestListener, type HttpBindings } from '../api/web.ts';

export interface ServeOptions extends Omit<ControlPlaneOptions, 'store'> {
  /** Default: 127.0.0.1. An address beyond loopback needs `tls` or `allowInsecure`. */
  readonly host?: string;
  readonly port?: number;
  /** Folder of the store and of the file `root-key`. Without a folder, the data ends with the process. */
  readonly dataDir?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Allows plain HTTP beyond loopback, although keys then travel in plaintext. */
  readonly allowInsecure?: boolean;
  /** Allows Postgres beyond loopback, although anybody with a role's password may get a shell of the Postgres user. */
  readonly allowInsecurePostgres?: boolean;
  /** Further host names of this server, besides loopback and its own address. Other Host headers get 421. */
  readonly hostNames?: readonly string[];
  /** Runs a Postgres for each compute. Operations then take as long as their real work, unless `operationMs` is set. */
  readonly postgres?: PostgresOptions;
  /** Enables the admin interface, with this token or a new random one. */
  readonly admin?: { readonly token?: string };
  /** Called at the end of every API request, without secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}

export interface Served {
  /** `http://HOST:PORT`: the API is below `/api/v2`, the console at `/`. */
  readonly url: string;
  readonly port: number;
  /** `HOST:PORT` of the Postgres router; null when there is none. */
  readonly postgres: string | null;
  /** Version and data folder of the Postgres servers; undefined when there are none. */
  readonly postgresOf: Pick<OpenPostgres, 'version' | 'folder'> | undefined;
  readonly key: string;
  readonly keyFile: string | undefined;
  readonly isNew: boolean;
  readonly isExposed: boolean;
  /** Access to faults, switches, ledger and true state. */
  readonly controlPlane: ControlPlane;
  readonly adminToken: string | undefined;
  close(): Promise<void>;
}

/** By SQL and extensions, a role may run code as the Postgres user; no setting reliably prevents that. */
const SHELL_OF_POSTGRES =
  "whoever has a role's password there is trusted like someone with a shell of the Postgres user; allow that explicitly (--allow-insecure-postgres)";
const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 15_000;
/** The time in which a request must arrive completely. */
const REQUEST_TIMEOUT_MS = 30_000;
/** The maximum number of open connections; a further one is closed at once. */
const MOST_CONNECTIONS = 1000;
/** How often Node.js checks for timed-out requests; its default of 30 seconds is too slow. */
const TIMEOUT_CHECK_MS = 500;
const TICK_MS = 1000;
const AT_ONCE = { min: 0, max: 0 } as const;

/** Starts a server and resolves once it answers. Throws StoreError, WorldError, FaultPlanError, ExposedHostError, WorksError, RangeError, system errors. */
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
    const stored = dataDir === undefined ? undefined : storeRootKey(dataDir, controlPlane);
    const { random } = controlPlane.engine;
    const adminToken = options.admin && (options.admin.token ?? newKeyValue(random, 'admin_'));
    if (wanted !== undefined) {
      const { openPostgres } = await import('../postgres/open.ts');
      postgres = await openPostgres(controlPlane.engine, { host, store: dataDir }, wanted);
    }
    const site = createSite({ controlPlane, isOwnHost, adminToken, onRequest: options.onRequest });
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
      key: (stored?.key ?? controlPlane.rootKey)?.reveal() ?? '',
      keyFile: stored?.file,
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

function makeServer(options: ServeOptions, site: ReturnType<typeof createSite>): Server {
  const globalsStay = { overrideGlobalObjects: false };
  const listener = getRequestListener((request, env) => site(request, env as HttpBindings), globalsStay);
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

/** Runs due events even if no request arrives, so that the store and the ledger stay current. */
function tick(controlPlane: ControlPlane, clock: Clock): () => void {
  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(TICK_MS, stop.signal);
      controlPlane.settle();
    }
  };
  // The loop ends by `stop`, or when the store fails. The next request then runs the due events.
  loop().catch(() => undefined);
  return () => stop.abort();
}
