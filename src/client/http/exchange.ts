// Carries out one HTTP exchange over any transport, within limits. Returns the whole reply, or a failure that says whether the request was sent.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import type { HttpRequest, HttpResponse, ReplyHead } from '../types.ts';
import { inert } from '../../base/text/inert.ts';
import { ApiFailure } from '../failure.ts';
import { statusClass, isCertificateCode, PROXY_WANTS_CREDENTIALS } from '../pace.ts';

const ABORTED = 'ABORT_ERR';

/** Returns a broken reply's outcome: for an error status, the reply without text; else an `unusable` failure whose message ends with `how`. */
function brokenReply(request: HttpRequest, head: ReplyHead, how: string): HttpResponse | ApiFailure {
  if (statusClass(head.status) !== 'ok') return { status: head.status, headers: head.headers, text: '' };
  const { method, path } = request;
  return new ApiFailure(`${method} ${path} was answered ${head.status}, but the reply ${how}`, {
    failureClass: 'unusable',
    method,
    path,
    status: head.status,
  });
}

function unreadableHead(request: HttpRequest, head: ReplyHead, limits: ExchangeLimits): string | null {
  const encoding = head.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return `is compressed (${inert(encoding, 40)}), against the request`;
  if (Number(head.headers['content-length'] ?? 0) > byteCap(request, limits)) return tooLarge(request, limits);
  return null;
}

function byteCap(request: HttpRequest, limits: ExchangeLimits): number {
  return request.method === 'GET' ? limits.readBytes : limits.writeBytes;
}

function tooLarge(request: HttpRequest, limits: ExchangeLimits): string {
  return `is larger than ${byteCap(request, limits)} bytes`;
}

/** Returns the failure of a request without a reply: `not_sent` if no byte was sent, so the service cannot have acted; else `ambiguous`. */
function noReply(request: HttpRequest, facts: { sent: boolean; code: string; words: string }): ApiFailure {
  const { method, path } = request;
  const fate = facts.sent ? 'got no answer' : 'was not sent';
  return new ApiFailure(`${method} ${path} ${fate}: ${inert(facts.words)}`, {
    failureClass: facts.sent ? 'ambiguous' : 'not_sent',
    method,
    path,
    code: facts.code,
  });
}

export function abortedRequest(request: HttpRequest, sent: boolean): ApiFailure {
  const late = overdue(request.signal);
  if (late !== null) return noReply(request, { sent, code: TIMED_OUT, words: late });
  return noReply(request, { sent, code: ABORTED, words: 'the run was interrupted' });
}

interface ExchangeSetting {
  /** Null for no time limit. */
  readonly clock: Clock | null;
  readonly limits: ExchangeLimits;
}

/** Turns the events that a transport reports into one outcome: the first outcome counts, and later events are ignored. */
export class Exchange {
  readonly reply: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #setting: ExchangeSetting;
  readonly #stopListening: () => void;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #text = '';
  #bytes = 0;
  #head: ReplyHead | null = null;
  /** Aborts the request. Null before the first byte is sent, and after the reply has ended. */
  #cancel: (() => void) | null = null;
  #isOver = false;
  #stopTimer = (): void => undefined;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: unknown) => void;

  constructor(request: HttpRequest, setting: ExchangeSetting) {
    this.#request = request;
    this.#setting = setting;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const giveUp = (): void => this.#end(abortedRequest(request, this.#cancel !== null));
    this.#stopListening = onAbort(request.signal, giveUp);
    if (request.signal.aborted) giveUp();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Called right before the first byte of the request is sent: until then, the service cannot have acted. */
  sent(cancel: () => void): void {
    if (this.#isOver) return cancel();
    this.#cancel = cancel;
    const { clock, limits } = this.#setting;
    if (clock !== null) this.#stopTimer = clock.after(limits.totalMs, () => this.#timeOut());
  }

  began(head: ReplyHead): void {
    if (this.#isOver) return;
    this.#head = head;
    const problem = unreadableHead(this.#request, head, this.#setting.limits);
    if (problem !== null) this.#break(problem);
  }

  /** Decodes each chunk immediately, because keeping a small chunk would keep its larger buffer alive. */
  data(chunk: Uint8Array): void {
    const { limits } = this.#setting;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > byteCap(this.#request, limits)) this.#break(tooLarge(this.#request, limits));
    else this.#decode(chunk);
  }

  ended(): void {
    this.#cancel = null;
    this.#decode();
    if (this.#head !== null) this.#end({ ...this.#head, text: this.#text });
  }

  #decode(chunk?: Uint8Array): void {
    try {
      if (!this.#isOver) this.#text += this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.#break('is not valid UTF-8');
    }
  }

  broke(error: unknown, isSent: boolean = this.#cancel !== null): void {
    const { code, words } = describeNetworkError(error);
    if (this.#head !== null) this.#break(code === TIMED_OUT ? 'stopped in the middle' : 'was cut short');
    else this.#end(noReply(this.#request, { sent: isSent, code, words }));
  }

  #timeOut(): void {
    const words = 'the answer did not begin in time';
    if (this.#head !== null) this.#break(`was not complete after ${this.#setting.limits.totalMs} ms`);
    else this.#end(noReply(this.#request, { sent: true, code: TIMED_OUT, words }));
  }

  #break(how: string): void {
    if (this.#head !== null) this.#end(brokenReply(this.#request, this.#head, how));
  }

  #end(outcome: HttpResponse | ApiFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopListening();
    this.#stopTimer();
    if (outcome instanceof ApiFailure) this.#reject(outcome);
    else this.#resolve(outcome);
    this.#cancel?.();
  }
}

export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the first byte sent to the end of the headers of the reply. */
  readonly headersMs: number;
  /** The longest pause within a body. */
  readonly idleMs: number;
  /** From the first byte sent to the last byte received. */
  readonly totalMs: number;
  /** The largest reply to a GET. Larger than `writeBytes`, because a read may return the lists of a large account. */
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly headerBytes: number;
}

const MIB = 1024 * 1024;

export const EXCHANGE_LIMITS: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
  readBytes: 64 * MIB,
  writeBytes: 8 * MIB,
  headerBytes: 64 * 1024,
};

interface TimeBounds {
  readonly clock: Clock;
  /** Monotonic time; Infinity without a deadline. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export async function withinTime<T>(
  { clock, deadlineMs, signal }: TimeBounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = deadlineMs - clock.monotonicMs();
  if (leftMs === Infinity || signal.aborted) return work(signal);
  const either = new AbortController();
  const stopListening = onAbort(signal, () => either.abort(signal.reason));
  const giveUp = (): void => either.abort(new DOMException('its time was over', 'TimeoutError'));
  let stopTimer = (): void => undefined;
  if (leftMs <= 0) giveUp();
  else stopTimer = clock.after(leftMs, giveUp);
  try {
    return await work(either.signal);
  } finally {
    stopListening();
    stopTimer();
  }
}

/** Returns the message of the deadline that aborted the signal; null if no deadline did. */
export function overdue({ reason }: AbortSignal): string | null {
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? reason.message : null;
}

const TIMED_OUT = 'ETIMEDOUT';

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  TIMED_OUT,
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not begin in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_DESTROYED: 'the client has been closed',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
};

/** Words for replies that the HTTP library refuses, by the library's message: the error code is the same as for a closed connection. */
const REFUSED_REPLIES: Readonly<Record<string, string>> = {
  'bad response':
    'the connection was closed: the server sent an unexpected interim reply, such as 100 Continue (bad response)',
  'bad upgrade': 'the connection was closed: the server switched to a protocol of its own choice (bad upgrade)',
};

const NO_TUNNEL = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** Describes a network error. `code` is `ETIMEDOUT` after every timeout; `words` never quote what was sent or received. */
function describeNetworkError(error: unknown): { readonly code: string; readonly words: string } {
  const { code: raw, message } = firstOf(error);
  const status = NO_TUNNEL.exec(message)?.[1];
  if (status === '407')
    return { code: PROXY_WANTS_CREDENTIALS, words: 'the proxy asks for credentials (407): write them in its URL' };
  if (status !== undefined) return { code: raw, words: `the proxy refuses the connection to the service (${status})` };
  const code = TIMEOUT_CODES.has(raw) ? TIMED_OUT : raw;
  if (isCertificateCode(raw)) return { code, words: `the certificate of the host is not trusted (${message || raw})` };
  // Replaces the library's text, which names a thread, a function and a line of its source.
  if (raw.startsWith('ERR_SSL_') || message.includes(':SSL routines:'))
    return {
      code,
      words: `the answer is not TLS; is there a proxy in between, or does the host use http://? (${raw})`,
    };
  const known = REFUSED_REPLIES[message] ?? WORDS[raw];
  if (known !== undefined)
    return { code, words: message.includes(raw) || message === '' ? `${known} (${message || raw})` : known };
  // The message of the HTTP parser names the broken rule without quoting bytes.
  return { code, words: message || raw || 'the connection failed' };
}

/** Returns the code and message of an error. If a connection failed at several addresses (`AggregateError`), describes the first failure. */
function firstOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined;
  const source: Error & { code?: unknown } = inner instanceof Error ? inner : error;
  return { code: typeof source.code === 'string' ? source.code : '', message: source.message };
}
