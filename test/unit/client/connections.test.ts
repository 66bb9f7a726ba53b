// Connections: each serves one request at a time, and the next goes on it as soon as the reply is whole.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { Connections } from '../../../src/client/connections.ts';
import type { Handler } from '../../../src/client/connections.ts';
import { EXCHANGE_LIMITS } from '../../../src/client/exchange-limits.ts';
import { Exchange } from '../../../src/client/exchange.ts';
import { outcomeOf, request } from './transport-support.ts';

interface Begun {
  readonly path: string;
  /** Which connection it went on, in the order in which they were made. */
  readonly on: number;
  readonly handler: Handler;
}

interface Line {
  readonly begun: Begun[];
  /** Begins a request, or queues it. */
  readonly send: (path: string, signal?: AbortSignal) => Exchange;
  readonly answer: (path: string) => void;
}

/** `broken` are paths of which the library wants to know nothing. */
function open(most: number, broken: readonly string[] = []): Line {
  const begun: Begun[] = [];
  let made = 0;
  const connections = new Connections<{ readonly path: string }>(() => {
    const on = made++;
    return {
      dispatch({ path }, handler) {
        if (broken.includes(path)) throw new Error('no such thing');
        begun.push({ path, on, handler });
      },
      destroy: async () => Promise.resolve(),
    };
  }, most);
  const controller = { abort: () => undefined };
  return {
    begun,
    send(path, signal = new AbortController().signal) {
      const exchange = new Exchange(request('GET', { path, signal }), { clock: systemClock, limits: EXCHANGE_LIMITS });
      connections.dispatch({ path }, exchange);
      return exchange;
    },
    answer(path) {
      const handler = begun.find((one) => one.path === path)?.handler;
      handler?.onRequestStart(controller);
      handler?.onResponseStart(controller, 200, {});
      handler?.onResponseData(controller, Buffer.from('{}'));
      handler?.onResponseEnd();
    },
  };
}

describe('a connection', () => {
  it('takes the next request without another turn of the event loop, but not while the reply is being read', async () => {
    const { begun, send, answer } = open(1);
    const first = send('/a');
    send('/b');
    answer('/a');
    expect(begun.map(({ path }) => path)).toEqual(['/a']);
    await first.reply;
    await Promise.resolve();
    expect(begun.map(({ path, on }) => [path, on])).toEqual([
      ['/a', 0],
      ['/b', 0],
    ]);
  });

  it('is made only where no other is free', async () => {
    const { begun, send, answer } = open(2);
    const first = send('/a');
    answer('/a');
    await first.reply;
    await Promise.resolve();
    send('/b');
    send('/c');
    send('/d');
    expect(begun.map(({ on }) => on)).toEqual([0, 0, 1]);
  });

  it('is not spent on a request that was given up while it queued', async () => {
    const { begun, send, answer } = open(1);
    const gone = new AbortController();
    const first = send('/a');
    const second = send('/b', gone.signal);
    send('/c');
    gone.abort();
    answer('/a');
    await first.reply;
    await Promise.resolve();
    expect(begun.map(({ path }) => path)).toEqual(['/a', '/c']);
    expect(await outcomeOf(second.reply)).toMatchObject({ outcome: 'not_sent' });
  });

  it('is given back by a request that the library refuses', async () => {
    const { begun, send } = open(1, ['/bad']);
    const bad = send('/bad');
    expect(await outcomeOf(bad.reply)).toMatchObject({ outcome: 'not_sent' });
    send('/a');
    expect(begun.map(({ path }) => path)).toEqual(['/a']);
  });
});
