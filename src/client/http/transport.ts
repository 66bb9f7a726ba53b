// Sends requests over the network: HTTP/1.1 through bounded pools of connections, without redirects, decompression or retries.
import type { Dispatcher, Pool } from 'undici';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Exchange, EXCHANGE_LIMITS, type ExchangeLimits } from './exchange.ts';
import type { HttpRequest, Send } from '../types.ts';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** The most connections for reads and, in a separate pool, for writes, so that no write waits behind reads. */
  readonly reads?: number;
  readonly writes?: number;
  readonly proxy?: string | undefined;
  readonly limits?: Partial<ExchangeLimits>;
}

const CONNECTIONS = 32;

export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}

/** Creates a transport for one origin. The first request makes the transport load its HTTP library and connect. */
export function undiciTransport(options: TransportOptions): Transport {
  const { clock } = options;
  const limits: ExchangeLimits = { ...EXCHANGE_LIMITS, ...options.limits };
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const headersTimeout = Math.min(limits.headersMs, limits.totalMs);
  const bodyTimeout = Math.min(limits.idleMs, limits.totalMs);
  const { reads = CONNECTIONS, writes = CONNECTIONS } = options;
  let opening: Promise<readonly [Dispatcher, Dispatcher]> | null = null;
  const dispatch = async ({ method, path, headers, body }: HttpRequest, exchange: Exchange): Promise<void> => {
    try {
      opening ??= Promise.all([openPool(options, limits, reads), openPool(options, limits, writes)]);
      const pool = (await opening)[method === 'GET' ? 0 : 1];
      if (exchange.isOver) return;
      const own = { ...headers, 'accept-encoding': 'identity' };
      pool.dispatch(
        { origin, path: prefix + path, method, headers: own, body, headersTimeout, bodyTimeout },
        handlerOf(exchange),
      );
    } catch (error) {
      exchange.broke(error);
    }
  };
  return {
    async send(request) {
      const exchange = new Exchange(request, { clock, limits });
      void dispatch(request, exchange);
      return exchange.reply;
    },
    async close() {
      const pools = await opening?.catch(() => []);
      await Promise.allSettled((pools ?? []).map(async (pool) => pool.destroy()));
    },
  };
}

/** The library calls `onRequestStart` right before it sends the first byte, so the request counts as sent from then on. */
function handlerOf(exchange: Exchange): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) =>
      exchange.sent(() => controller.abort(new Error('trueup no longer needs the reply'))),
    onResponseStart(_controller, status, headers) {
      if (status >= 200) exchange.began({ status, headers: inOneLine(headers) });
    },
    onResponseData: (_controller, chunk) => exchange.data(chunk),
    onResponseEnd: () => exchange.ended(),
    onResponseError: (_controller, error) => exchange.broke(error),
  };
}

function inOneLine(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(headers))
    lines[name] = Array.isArray(value) ? value.join(', ') : value;
  return lines;
}

// Loading the library takes longer than a whole run without the network, so it is loaded on demand.
async function openPool(options: TransportOptions, limits: ExchangeLimits, connections: number): Promise<Dispatcher> {
  const { Pool: ConnectionPool, ProxyAgent } = await import('undici');
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn off the verification of certificates.
  const tls = { rejectUnauthorized: true, timeout: limits.connectMs };
  const common = { connections, pipelining: 1, maxHeaderSize: limits.headerBytes, allowH2: false };
  if (options.proxy === undefined)
    return new ConnectionPool(new URL(options.baseUrl).origin, { ...common, connect: tls });
  return new ProxyAgent({
    ...common,
    ...withoutCredentials(options.proxy),
    // As in curl: a request to https:// goes through a tunnel; for a request to http://, the proxy gets the whole URL.
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (proxy, proxyOptions) =>
      new ConnectionPool(proxy, { ...proxyOptions, headersTimeout: limits.connectMs }),
    factory: (origin, poolOptions: Pool.Options) =>
      new ConnectionPool(origin, { ...common, ...poolOptions, ...failingTunnel(poolOptions) }),
  });
}

/** Moves the credentials of the URL to a header, because the library sends no user name without a password. */
function withoutCredentials(proxy: string): { readonly uri: string; readonly token?: string } {
  const url = new URL(proxy);
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  const token = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { uri: url.href, ...(user === '' && password === '' ? {} : { token }) };
}

/** Makes the request fail when a proxy hangs up; without this, the pool would reconnect forever. */
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
