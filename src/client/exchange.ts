// One HTTP exchange as the dispatcher drives it: knows at each moment whether anything was sent, and keeps its bounds.
import type { Clock } from '../base/clock.ts';
import type { ExchangeLimits } from './exchange-limits.ts';
import { describeNetworkError } from './network-words.ts';
import { onAbort } from '../base/on-abort.ts';
import { abortedRequest, brokenReply, byteCap, decoded, noReply, TIMED_OUT, tooLarge, wholeReply } from './reply.ts';
import { ReceivedHead } from './received-head.ts';
import type { HeaderValues } from './received-head.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

/** The dispatcher's hold on a request. */
export interface Controller {
  abort(reason: Error): void;
}

const INTERIM_REPLIES_MAX = 16;
/** Why an exchange's timer ends early; nobody reads it, so it is made once. */
const OVER = new Error('the exchange is over');
/** What is done after it is done as a microtask, without what the platform's own function makes for each. */
const SOON = Promise.resolve();

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
  #head: ReceivedHead | null = null;
  /** The body, where it came in one piece. */
  #text: string | null = null;
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
    if (this.#deadline === null) void SOON.then(() => this.#keepDeadline());
    if (status < 200) {
      if (++this.#interim > INTERIM_REPLIES_MAX)
        this.#fail(() =>
          noReply(this.#request, { sent: true, code: '', words: 'the service sends interim replies without end' }),
        );
      return;
    }
    this.#head = new ReceivedHead(status, headers);
    const problem = this.#head.problem(this.#request, this.#setting.limits);
    if (problem !== null) this.#break(problem);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#settled) return;
    const before = this.#bytes;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > byteCap(this.#request, this.#setting.limits))
      this.#break(tooLarge(this.#request, this.#setting.limits));
    else if (this.#text !== null) this.#break('is longer than it said');
    // The bytes belong to the parser's own buffer, which is used again after this call. A body in one piece needs no copy of them.
    else if (before > 0 || this.#head?.isWhole(chunk) !== true) this.#chunks.push(Buffer.from(chunk));
    else if ((this.#text = decoded(chunk)) === null) this.#chunks.push(Buffer.from(chunk));
  }

  onResponseEnd(): void {
    const head = this.#head;
    if (this.#settled || head === null) return;
    const text = this.#text;
    if (text !== null) {
      this.#finish(() => head.with(text));
      return;
    }
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
