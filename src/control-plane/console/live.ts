// Live parts of pages: each open page has a stream of server-sent events with its part after every change.
import type { Clock } from '../../base/time/clock.ts';
import { eventStream } from './page/respond.ts';

export interface Look {
  /** Whose page it is: somebody with too many of them is sent on from the oldest. */
  readonly who: object;
  /** Changes with what might be shown; the part is rendered then, and from time to time in any case. */
  readonly mark: () => string;
  /** The part as it is now; undefined when it is not to be had any more. */
  readonly part: () => string | undefined;
}

/** A stream looks for news so often, milliseconds. */
const LOOK_MS = 250;
/** Interval for parts that depend on time alone, in milliseconds. */
const ANEW_MS = 5000;
/** A comment keeps the connection known to be alive, milliseconds. */
const BEAT_MS = 15_000;
/** Streams open at once: of all sessions, and of one. */
const MOST = 40;
const MOST_OF_ONE = 4;

interface Stream {
  readonly who: object;
  /** Newer pages take its place. */
  end(): void;
}

/** The streams of one console, within their budgets. */
export class Streams {
  readonly #clock: Clock;
  readonly #open: Set<Stream> = new Set();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(look: Look): Response {
    const wake = new AbortController();
    const telling = new Telling(look, this.#clock);
    let ending: string | undefined;
    const stream: Stream = {
      who: look.who,
      end: () => {
        ending = 'elsewhere';
        wake.abort();
      },
    };
    this.#makeRoom(look.who);
    this.#open.add(stream);
    const next = async (): Promise<string | undefined> => {
      for (;;) {
        if (ending !== undefined) return undefined;
        const said = telling.next();
        if (said !== '') return said;
        await this.#clock.sleep(LOOK_MS, wake.signal).catch(() => undefined);
      }
    };
    const over = (): void => {
      this.#open.delete(stream);
      wake.abort();
    };
    const body = new ReadableStream<string>({
      pull: async (controller) => {
        const said = await next();
        if (said !== undefined) return controller.enqueue(said);
        over();
        if (ending === 'gone') return;
        controller.enqueue(eventOf(ending ?? 'over', ''));
        controller.close();
      },
      cancel: () => {
        ending = 'gone';
        over();
      },
    });
    return eventStream(body.pipeThrough(new TextEncoderStream()));
  }

  /** The oldest goes where there are too many, first of those of the same person. */
  #makeRoom(who: object): void {
    const own = [...this.#open].filter((stream) => stream.who === who);
    const oldest = own.length >= MOST_OF_ONE ? own[0] : this.#open.size >= MOST ? [...this.#open][0] : undefined;
    if (oldest === undefined) return;
    this.#open.delete(oldest);
    oldest.end();
  }
}

/** The last part that a stream sent, and the next one. */
class Telling {
  readonly #look: Look;
  readonly #clock: Clock;
  #mark: string | undefined;
  #part = '';
  #madeMs = -Infinity;
  #toldMs = -Infinity;

  constructor(look: Look, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
  }

  /** The next words; empty where there are none just now, undefined at the end. */
  next(): string | undefined {
    const nowMs = this.#clock.monotonicMs();
    const mark = this.#look.mark();
    if (mark !== this.#mark || nowMs - this.#madeMs >= ANEW_MS) {
      const part = this.#look.part();
      if (part === undefined) return undefined;
      this.#mark = mark;
      this.#madeMs = nowMs;
      if (part !== this.#part) {
        this.#part = part;
        this.#toldMs = nowMs;
        return eventOf('part', part);
      }
    }
    if (nowMs - this.#toldMs < BEAT_MS) return '';
    this.#toldMs = nowMs;
    return ': here\n\n';
  }
}

/** An event; each line of its data has to be named as such. */
function eventOf(name: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
  return `event: ${name}\nretry: 2000\n${lines.join('\n')}\n\n`;
}
