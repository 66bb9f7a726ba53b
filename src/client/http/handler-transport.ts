// A transport without a network: passes requests to a handler in this process.
import type { Clock } from '../../base/time/clock.ts';
import { Exchange, EXCHANGE_LIMITS, type ExchangeLimits } from './exchange.ts';
import type { HttpRequest, Send } from '../types.ts';

/** Answers a request. A rejection acts as a broken connection, or with `sent: false` as an unsent request. A failing body cuts the reply short. */
export type Handler = (request: Request) => Response | Promise<Response>;

interface HandlerTransportOptions {
  readonly baseUrl: string;
  readonly clock?: Clock;
  readonly limits?: Partial<ExchangeLimits>;
}

/** Returns a transport that calls the handler. An abort does not stop the handler, just as it would not stop a service behind a network. */
export function handlerTransport(handler: Handler, options: HandlerTransportOptions): Send {
  const { baseUrl, clock = null } = options;
  const limits: ExchangeLimits = { ...EXCHANGE_LIMITS, ...options.limits };
  return async (request) => {
    const exchange = new Exchange(request, { clock, limits });
    if (!exchange.isOver) void carry(handler, baseUrl, request, exchange);
    return exchange.reply;
  };
}

async function carry(handler: Handler, baseUrl: string, request: HttpRequest, exchange: Exchange): Promise<void> {
  const { method, path, headers, body } = request;
  exchange.sent(() => undefined);
  try {
    const response = await handler(new Request(baseUrl + path, { method, headers, body }));
    exchange.began({ status: response.status, headers: Object.fromEntries(response.headers) });
    const length = response.headers.get('content-length');
    let bytes = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      if (exchange.isOver) return;
      bytes += chunk.byteLength;
      exchange.data(chunk);
    }
    if (length === null || Number(length) === bytes) exchange.ended();
    else exchange.broke(new Error('the body has another length'));
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'sent' in error && error.sent === false)
      exchange.broke(error, false);
    else exchange.broke(error);
  }
}
