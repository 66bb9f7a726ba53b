// The real transport: HTTP/1.1 over a bounded pool of connections, without redirects, decompression or retries of its own.
import type { Dispatcher, Pool } from 'undici';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Exchange } from './exchange.ts';
import { EXCHANGE_LIMITS, type ExchangeLimits } from './within-time.ts';
import type { HttpRequest, Send } from '../types.ts';

export interface TransportOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Connections at the same time; further requests queue. 32 unless told. */
  readonly connections?: number;
  /** How many of them reads take at most; as many as there are unless told. */
  readonly reads?: number;
  /** URL of the proxy, if any. */
  readonly proxy?: string;
  readonly limits?: Partial<ExchangeLimits>;
}

export interface Transport {
  readonly send: Send;
  /** Closes all connections; requests under way fail. */
  close(): Promise<void>;
}

/** A transport for one origin. Nothing is loaded and no connection is made before the first request. */
export function undiciTransport(options: TransportOptions): Transport {
  const { clock } = options;
  const limits: ExchangeLimits = { ...EXCHANGE_LIMITS, ...options.limits };
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const headersTimeout = Math.min(limits.headersMs, limits.totalMs);
  const bodyTimeout = Math.min(limits.idleMs, limits.totalMs);
  const reading = createTurns(options.reads ?? Infinity);
  let opening: Promise<Dispatcher> | null = null;
  const dispatch = async ({ method, path, headers, body }: HttpRequest, exchange: Exchange): Promise<void> => {
    if (method === 'GET') {
      await reading.take();
      void exchange.reply.catch(() => undefined).then(() => reading.giveBack());
    }
    try {
      const connections = await (opening ??= openConnections(options, limits));
      if (exchange.isOver) return;
      const own = { ...headers, 'accept-encoding': 'identity' };
      connections.dispatch(
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
    close: async () => opening?.then(async (connections) => connections.destroy()).catch(() => undefined),
  };
}

interface Turns {
  take(): Promise<void>;
  giveBack(): void;
}

/** Lets `most` be under way; the others wait, and who came first goes first. */
function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let free = most;
  return {
    async take() {
      if (free > 0) free--;
      else
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
    },
    giveBack() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}

/** The library calls `onRequestStart` right before the first byte. */
function handlerOf(exchange: Exchange): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) =>
      exchange.sent(() => controller.abort(new Error('the reply is not wanted any more'))),
    onResponseStart(_controller, status, headers) {
      if (status < 200) exchange.interim();
      else exchange.began({ status, headers: inOneLine(headers) });
    },
    onResponseData: (_controller, chunk) => exchange.data(chunk),
    onResponseEnd: () => exchange.ended(),
    onResponseError: (_controller, error) => exchange.broke(error),
  };
}

/** A name that came several times has all its values in one line. */
function inOneLine(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(headers))
    lines[name] = Array.isArray(value) ? value.join(', ') : value;
  return lines;
}

// Loaded on demand: the library takes longer to start than a whole run without the network.
async function openConnections(options: TransportOptions, limits: ExchangeLimits): Promise<Dispatcher> {
  const { Pool: ConnectionPool, ProxyAgent } = await import('undici');
  const { connections = 32 } = options;
  // Certificates are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const tls = { rejectUnauthorized: true, timeout: limits.connectMs };
  const common = { connections, pipelining: 1, maxHeaderSize: limits.headerBytes, allowH2: false };
  if (options.proxy === undefined)
    return new ConnectionPool(new URL(options.baseUrl).origin, { ...common, connect: tls });
  return new ProxyAgent({
    ...common,
    ...withoutCredentials(options.proxy),
    // As curl does: https:// through a tunnel, http:// by asking the proxy for the whole URL.
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (proxy, proxyOptions) =>
      new ConnectionPool(proxy, { ...proxyOptions, headersTimeout: limits.connectMs }),
    factory: (origin, poolOptions: Pool.Options) =>
      new ConnectionPool(origin, { ...common, ...poolOptions, ...failingTunnel(poolOptions) }),
  });
}

/** The library sends a user name only where a password stands beside it. */
function withoutCredentials(proxy: string): { readonly uri: string; readonly token?: string } {
  const url = new URL(proxy);
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  const token = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { uri: url.href, ...(user === '' && password === '' ? {} : { token }) };
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
