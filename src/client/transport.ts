// The real transport: HTTP/1.1 over a bounded pool of connections, without redirects, decompression or retries of its own.
import type { Dispatcher, Pool } from 'undici';
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { isLoopbackUrl } from './base-url.ts';
import { Connections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { EXCHANGE_LIMITS } from './exchange-limits.ts';
import type { ExchangeLimits } from './exchange-limits.ts';
import type { HttpRequest, HttpResponse, Send } from './types.ts';

export interface TransportOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Connections at the same time; further requests queue. 32 unless told. */
  readonly connections?: number;
  /** URL of the proxy, if any; never used for a loopback host. */
  readonly proxy?: string;
  readonly limits?: Partial<ExchangeLimits>;
}

export interface Transport {
  readonly send: Send;
  /** Closes all connections; requests under way fail. */
  close(): Promise<void>;
}

/** What requests go out by: connections of its own, or a proxy's. */
interface Door {
  dispatch(options: Dispatcher.DispatchOptions, exchange: Exchange): unknown;
  destroy(): Promise<void>;
}

/** A transport for one origin. Nothing is loaded and no connection is made before the first request. */
export function undiciTransport(options: TransportOptions): Transport {
  const limits: ExchangeLimits = { ...EXCHANGE_LIMITS, ...options.limits };
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const setting = { clock: options.clock, limits };
  const dispatchOf = dispatching({ origin, prefix, limits });
  let door: Door | null = null;
  let opening: Promise<Door> | null = null;
  const begin = (request: HttpRequest, exchange: Exchange, by: Door): void => {
    try {
      if (!exchange.settled) by.dispatch(dispatchOf(request), exchange);
    } catch (error) {
      exchange.giveUp(error);
    }
  };
  const sendOnceOpen = async (request: HttpRequest, exchange: Exchange): Promise<HttpResponse> => {
    // It may be settled before anybody waits for it.
    exchange.reply.catch(() => undefined);
    try {
      door = await (opening ??= openDoor(options, limits));
      begin(request, exchange, door);
    } catch (error) {
      exchange.giveUp(error);
    }
    return exchange.reply;
  };
  const send: Send = (request) => {
    const exchange = new Exchange(request, setting);
    if (door === null) return sendOnceOpen(request, exchange);
    begin(request, exchange, door);
    return exchange.reply;
  };
  return { send, close: async () => opening?.then((one) => one.destroy()).catch(() => undefined) };
}

/** What the library is told of a request. Requests mostly have the same headers: what is made of those is kept. */
function dispatching(to: {
  readonly origin: string;
  readonly prefix: string;
  readonly limits: ExchangeLimits;
}): (request: HttpRequest) => Dispatcher.DispatchOptions {
  const { origin, prefix, limits } = to;
  const headersTimeout = Math.min(limits.headersMs, limits.totalMs);
  const bodyTimeout = Math.min(limits.idleMs, limits.totalMs);
  let given: HttpRequest['headers'] | null = null;
  let headers: Record<string, string> = {};
  return (request) => {
    if (request.headers !== given) headers = { ...request.headers, 'accept-encoding': 'identity' };
    given = request.headers;
    const { method, body } = request;
    return { origin, path: prefix + request.path, method, headers, body, headersTimeout, bodyTimeout };
  };
}

// Loaded on demand: the library takes longer to start than a whole run without the network.
async function openDoor(options: TransportOptions, limits: ExchangeLimits): Promise<Door> {
  const { Client, Pool: ConnectionPool, ProxyAgent } = await import('undici');
  // Certificates are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const tls = { rejectUnauthorized: true, timeout: limits.connectMs };
  const common = { pipelining: 1, maxHeaderSize: limits.headerBytes, allowH2: false };
  const { connections = 32 } = options;
  if (options.proxy === undefined || isLoopbackUrl(options.baseUrl)) {
    const { origin } = new URL(options.baseUrl);
    return new Connections(() => new Client(origin, { ...common, connect: tls }), connections);
  }
  return new ProxyAgent({
    ...common,
    connections,
    uri: options.proxy,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (proxy, proxyOptions) =>
      new ConnectionPool(proxy, { ...proxyOptions, headersTimeout: limits.connectMs }),
    factory: (origin, poolOptions: Pool.Options) =>
      new ConnectionPool(origin, { ...poolOptions, ...failingTunnel(poolOptions) }),
  });
}

/** Takes a proxy that hangs up for a failed connection; the pool would make another one without end. */
function failingTunnel({ connect }: Pool.Options): Pick<Pool.Options, 'connect'> {
  assert(typeof connect === 'function', 'the proxy agent makes its connections itself');
  return {
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else if (!('code' in error) || error.code !== 'UND_ERR_SOCKET') callback(error, null);
        else callback(Object.assign(new Error('the proxy hung up'), { code: 'EPROXY' }), null);
      }),
  };
}
