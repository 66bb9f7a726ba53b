// One HTTP exchange as the dispatcher drives it: knows at each moment whether anything was sent, and keeps its bounds.
import type { Clock } from '../base/clock.ts';
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
import type { HttpRequest, HttpResponse } from './types.ts';

/** The dispatcher's hold on a request. */
interface Controller {
  abort(reason: Error): void;
}

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

const INTERIM_REPLIES_MAX = 16;
/** Why an exchange's timer ends early; nobody reads it, so it is made once. */
const OVER = new Error('the exchange is over');

interface ExchangeSetting {
  readonly clock: Clock;
  readonly limits: ExchangeLimits;
}

/**
 * The handler of one dispatch. Nothing was sent before `onRequestStart`: the dispatcher calls it right before the first
 * byte. The first outcome counts; all later events are ignored.
 */
export class Exchange {
  readonly reply: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #setting: ExchangeSetting;
  readonly #chunks: Buffer[] = [];
  readonly #deafen: () => void;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: unknown) => void;
  #controller: Controller | null = null;
  #startedMs = 0;
  #head: ReplyHead | null = null;
  #interim = 0;
  #bytes = 0;
  #settled = false;
  #deadline: AbortController | null = null;

  constructor(request: HttpRequest, setting: ExchangeSetting) {
    this.#request = request;
    this.#setting = setting;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may be settled before anybody waits for it.
    this.reply.catch(() => undefined);
    const interrupt = (): void => this.#fail(() => abortedRequest(request, this.#controller !== null));
    this.#deafen = onAbort(request.signal, interrupt);
    if (request.signal.aborted) interrupt();
  }

  get settled(): boolean {
    return this.#settled;
  }

  onRequestStart(controller: Controller): void {
    if (this.#settled) {
      controller.abort(new Error('given up'));
      return;
    }
    this.#controller = controller;
    this.#startedMs = this.#setting.clock.monotonicMs();
    this.#request.onSent?.();
  }

  onResponseStart(_controller: Controller, status: number, headers: HeaderValues): void {
    if (this.#settled) return;
    // Small replies are whole before microtasks run, so that only the others pay for a timer.
    if (this.#deadline === null) queueMicrotask(() => void this.#keepDeadline());
    if (status < 200) {
      if (++this.#interim > INTERIM_REPLIES_MAX)
        this.#fail(() =>
          noReply(this.#request, { sent: true, code: '', words: 'the service sends interim replies without end' }),
        );
      return;
    }
    this.#head = { status, headers: flat(headers) };
    const problem = unreadableHead(this.#request, this.#head, this.#setting.limits);
    if (problem !== null) this.#break(problem);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > byteCap(this.#request, this.#setting.limits))
      this.#break(tooLarge(this.#request, this.#setting.limits));
    // The bytes belong to the parser's own buffer, which is used again after this call.
    else this.#chunks.push(Buffer.from(chunk));
  }

  onResponseEnd(): void {
    const head = this.#head;
    if (this.#settled || head === null) return;
    const body =
      this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#finish(() => wholeReply(this.#request, head, body));
  }

  onResponseError(_controller: Controller | null, error: unknown): void {
    if (this.#settled) return;
    const { code, words } = describeNetworkError(error);
    if (this.#head !== null) this.#break(code === TIMED_OUT ? 'stopped in the middle' : 'was cut short');
    else this.#fail(() => noReply(this.#request, { sent: this.#controller !== null, code, words }));
  }

  /** Ends the exchange without an answer of the service. */
  giveUp(error: unknown): void {
    this.onResponseError(null, error);
  }

  #break(how: string): void {
    const head = this.#head;
    if (head !== null) this.#finish(() => brokenReply(this.#request, head, how));
    this.#controller?.abort(new Error('the reply is not wanted any more'));
  }

  #fail(failure: () => Error): void {
    this.#finish(() => {
      throw failure();
    });
    this.#controller?.abort(new Error('given up'));
  }

  #finish(outcome: () => HttpResponse): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#deafen();
    this.#deadline?.abort(OVER);
    try {
      this.#resolve(outcome());
    } catch (failure) {
      this.#reject(failure);
    }
  }

  async #keepDeadline(): Promise<void> {
    if (this.#settled || this.#deadline !== null) return;
    this.#deadline = new AbortController();
    const { clock, limits } = this.#setting;
    const leftMs = this.#startedMs + limits.totalMs - clock.monotonicMs();
    const isOver = await clock.sleep(leftMs, this.#deadline.signal).then(
      () => true,
      () => false,
    );
    if (!isOver || this.#settled) return;
    if (this.#head !== null) this.#break(`was not whole after ${limits.totalMs} ms`);
    else
      this.#fail(() =>
        noReply(this.#request, { sent: true, code: TIMED_OUT, words: 'the answer did not begin in time' }),
      );
  }
}

function flat(headers: HeaderValues): Record<string, string> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) values[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  return values;
}
