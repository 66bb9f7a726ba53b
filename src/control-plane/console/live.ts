// Live parts of pages: each open page has a stream of server-sent events that carries its part after every change.
import type { Clock } from '../../base/time/clock.ts';
import { streamSSE, type Context, type HttpBindings } from '../api/web.ts';

export interface Look {
  /** The person who has the page open; beyond a limit of pages for each person, the oldest pages stop updating. */
  readonly who: object;
  readonly mark: () => string;
  readonly part: () => string | undefined;
}

const POLL_MS = 250;
/** How often a part that depends on time alone is rendered. */
const REFRESH_MS = 5000;
/** How often a comment is sent, which shows proxies that the connection is alive. */
const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 40;
const MAX_PER_SESSION = 4;

interface Stream {
  readonly who: object;
  end(): void;
}

export class Streams {
  readonly #clock: Clock;
  readonly #open: Set<Stream> = new Set();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(context: Context<{ Bindings: HttpBindings }>, { who, mark, part }: Look): Response {
    const clock = this.#clock;
    const wake = new AbortController();
    let ending: string | undefined;
    const end = (): void => {
      ending ??= 'elsewhere';
      wake.abort();
    };
    const stream: Stream = { who, end };
    this.#makeRoom(who);
    this.#open.add(stream);
    return streamSSE(context, async (out) => {
      out.onAbort(end);
      let [lastMark, last, madeMs, sentMs] = ['', '', -Infinity, -Infinity];
      while (!out.aborted) {
        const nowMs = clock.monotonicMs();
        const nowMark = ending === undefined ? mark() : lastMark;
        if (nowMark !== lastMark || nowMs - madeMs >= REFRESH_MS) {
          const data = ending === undefined ? part() : undefined;
          [lastMark, madeMs] = [nowMark, nowMs];
          if (data === undefined) ending ??= 'over';
          else if (data !== last) {
            [last, sentMs] = [data, nowMs];
            await out.writeSSE({ event: 'part', data });
          }
        }
        if (ending !== undefined) break;
        if (nowMs - sentMs >= HEARTBEAT_MS) {
          sentMs = nowMs;
          await out.write(': here\n\n');
        }
        await clock.sleep(POLL_MS, wake.signal).catch(() => undefined);
      }
      this.#open.delete(stream);
      await out.writeSSE({ event: ending ?? 'over', data: '' });
    });
  }

  #makeRoom(who: object): void {
    const own = [...this.#open].filter((stream) => stream.who === who);
    const oldest =
      own.length >= MAX_PER_SESSION ? own[0] : this.#open.size >= MAX_STREAMS ? [...this.#open][0] : undefined;
    if (oldest === undefined) return;
    this.#open.delete(oldest);
    oldest.end();
  }
}
