// Serves a control plane over HTTP: sockets, limits, the Host check, and the life of the process around it.
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { World } from '../api/index.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemRandom } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import { createControlPlane } from './control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from './control-plane.ts';
import { isLoopback, createSite } from './http/site.ts';
import { newKeyValue } from './engine/naming.ts';
import { storeRootKey } from './local.ts';
import { getRequestListener } from './http/web.ts';
import type { HttpBindings } from './http/web.ts';

export interface ServeOptions extends Omit<ControlPlaneOptions, 'store'> {
  /** 127.0.0.1 unless told. Anything beyond loopback needs `tls` or `allowInsecure`. */
  readonly host?: string;
  /** 0 picks one. */
  readonly port: number;
  /** Folder of the store; absent: nothing outlives the process. */
  readonly dataDir?: string;
  readonly seed?: World;
  /** PEM texts of a key pair. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Serves plain HTTP beyond loopback: keys travel in clear. */
  readonly allowInsecure?: boolean;
  /** Further names under which this server may be addressed, besides loopback and the host itself. */
  readonly hostNames?: readonly string[];
  /** Turns the admin interface on, with this token or one made here. */
  readonly admin?: { readonly token?: string };
}

export interface Served {
  readonly url: string;
  readonly port: number;
  /** Other machines may reach it. */
  readonly isExposed: boolean;
  readonly controlPlane: ControlPlane;
  /** First key of a store that is new or lives in memory only. */
  readonly rootKey: Secret | undefined;
  /** File that holds the first key of a store in a folder. */
  readonly rootKeyFile: string | undefined;
  readonly adminToken: string | undefined;
  close(): Promise<void>;
}

/** A server may not be opened to a network without encryption unless that is said aloud. */
export class ExposedHostError extends Error {
  constructor(host: string) {
    super(`${host} is reachable from other machines: give a TLS key pair, or allow plain HTTP explicitly`);
    this.name = 'ExposedHostError';
  }
}

const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Node.js looks for requests that are over time so often; by itself only twice a minute. */
const TIMEOUT_CHECK_MS = 500;
const TICK_MS = 1000;

/** Starts a server and resolves once it listens. Throws StoreError, WorldError, ExposedHostError, and listen errors. */
export async function serveControlPlane(options: ServeOptions): Promise<Served> {
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host) && options.tls === undefined && options.allowInsecure !== true)
    throw new ExposedHostError(host);
  const { dataDir, ...rest } = options;
  const controlPlane = createControlPlane({ ...rest, ...(dataDir === undefined ? {} : { store: dataDir }) });
  try {
    const rootKeyFile = dataDir === undefined ? undefined : storeRootKey(dataDir, controlPlane);
    const adminToken =
      options.admin === undefined
        ? undefined
        : (options.admin.token ?? newKeyValue(options.random ?? systemRandom, 'admin_'));
    const allowed = allowedHosts(host, options.hostNames ?? []);
    const site = createSite({ controlPlane, allowed, ...(adminToken === undefined ? {} : { adminToken }) });
    const server = makeServer(options, site);
    await listen(server, options.port, host);
    const stopTicking = tick(controlPlane, options.clock ?? systemClock);
    const { port } = server.address() as AddressInfo;
    const scheme = options.tls === undefined ? 'http' : 'https';
    return {
      url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
      port,
      isExposed: !isLoopback(host),
      controlPlane,
      rootKey: controlPlane.rootKey,
      rootKeyFile,
      adminToken,
      close: async () => {
        stopTicking();
        await closeServer(server);
        controlPlane.close();
      },
    };
  } catch (error) {
    controlPlane.close();
    throw error;
  }
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
  return options.tls === undefined
    ? createServer(limits, handle)
    : createTlsServer({ ...limits, ...options.tls }, handle);
}

/** Names that a request's Host may carry: a page of another origin whose name was rebound to this address has its own. */
function allowedHosts(host: string, further: readonly string[]): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host, ...further]);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
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
