// A transport without a network: requests go to a handler in this process, of the same form as an HTTP server's.
import type { Clock } from '../base/clock.ts';
import { EXCHANGE_LIMITS } from './exchange-limits.ts';
import type { ExchangeLimits } from './exchange-limits.ts';
import { describeNetworkError } from './network-words.ts';
import { onAbort } from '../base/on-abort.ts';
import {
  abortedRequest,
  brokenReply,
  byteCap,
  noReply,
  TIMED_OUT,
  tooLarge,
  unreadableHead,
  wholeReply,
} from './reply.ts';
import type { ReplyHead } from './reply.ts';
import type { HttpRequest, HttpResponse, Send } from './types.ts';

/**
 * Answers one request. A rejection stands for a broken connection: with `sent: false` nothing of the request arrived,
 * otherwise nobody knows. An error within the body's stream is a reply that was cut short.
 */
export type Handler = (request: Request) => Response | Promise<Response>;

interface HandlerTransportOptions {
  readonly baseUrl: string;
  /** Keeps the time limits; without it the handler is trusted to answer. */
  readonly clock?: Clock;
  readonly limits?: Partial<ExchangeLimits>;
}

/** A `Send` over `handler`. A request that is given up goes on in the handler, as it would behind a network. */
export function handlerTransport(handler: Handler, options: HandlerTransportOptions): Send {
  const limits: ExchangeLimits = { ...EXCHANGE_LIMITS, ...options.limits };
  return async (request) => {
    if (request.signal.aborted) throw abortedRequest(request, false);
    request.onSent?.();
    const answer = exchange(handler, options.baseUrl, request, limits);
    return bounded(answer, request, { limits, clock: options.clock });
  };
}

async function exchange(
  handler: Handler,
  baseUrl: string,
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpResponse> {
  const { method, headers, body } = request;
  let response: Response;
  try {
    response = await handler(new Request(baseUrl + request.path, { method, headers, body }));
  } catch (error) {
    const sent = !(typeof error === 'object' && error !== null && 'sent' in error && error.sent === false);
    throw noReply(request, { sent, ...describeNetworkError(error) });
  }
  const head: ReplyHead = { status: response.status, headers: Object.fromEntries(response.headers) };
  const problem = unreadableHead(request, head, limits);
  if (problem !== null) return discard(response, () => brokenReply(request, head, problem));
  return receive(request, head, response, limits);
}

async function receive(
  request: HttpRequest,
  head: ReplyHead,
  response: Response,
  limits: ExchangeLimits,
): Promise<HttpResponse> {
  const body = await collect(response, byteCap(request, limits));
  if (body === 'too_large') return brokenReply(request, head, tooLarge(request, limits));
  const declared = head.headers['content-length'];
  if (body === 'cut' || (declared !== undefined && Number(declared) !== body.byteLength))
    return brokenReply(request, head, 'was cut short');
  return wholeReply(request, head, body);
}

async function collect(response: Response, capBytes: number): Promise<Uint8Array | 'too_large' | 'cut'> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (response.body !== null)
    try {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > capBytes) return 'too_large';
        chunks.push(chunk);
      }
    } catch {
      return 'cut';
    }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function discard<T>(response: Response, outcome: () => T): T {
  response.body?.cancel().catch(() => undefined);
  return outcome();
}

/** Ends the wait for `answer` when the caller gives up or the time is over; by then the handler has the request. */
async function bounded(
  answer: Promise<HttpResponse>,
  request: HttpRequest,
  setting: { readonly limits: ExchangeLimits; readonly clock: Clock | undefined },
): Promise<HttpResponse> {
  const { limits, clock } = setting;
  return new Promise((resolve, reject) => {
    const timer = clock === undefined ? null : new AbortController();
    const giveUp = (): void => settle(() => reject(abortedRequest(request, true)));
    const settle = (end: () => void): void => {
      deafen();
      timer?.abort();
      end();
    };
    const deafen = onAbort(request.signal, giveUp);
    const pass = (): void => settle(() => resolve(answer));
    answer.then(pass, pass);
    if (clock === undefined || timer === null) return;
    const timedOut = (): void =>
      settle(() => reject(noReply(request, { sent: true, code: TIMED_OUT, words: 'the answer did not come in time' })));
    clock.sleep(limits.totalMs, timer.signal).then(timedOut, () => undefined);
  });
}
