// A reply is the same however its body is cut into pieces.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { runs } from '../../support/property-runs.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { EXCHANGE_LIMITS, withinTime, Exchange } from '../../../src/client/http/exchange.ts';
import { outcomeOf, request } from './transport-support.ts';

const LIMITS = { ...EXCHANGE_LIMITS, readBytes: 40, writeBytes: 40 };

async function replyOf(status: number, pieces: readonly Uint8Array[]): Promise<unknown> {
  const exchange = new Exchange(request('GET'), { clock: systemClock, limits: LIMITS });
  exchange.sent(() => undefined);
  exchange.began({ status, headers: {} });
  for (const piece of pieces) exchange.data(piece);
  exchange.ended();
  return outcomeOf(exchange.reply);
}

const body = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text)),
  fc.constantFrom('', '{}', '\uFEFF{"a":1}', 'é€\u{1F600}', 'a'.repeat(41)).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
);

it('a reply in one piece is what it is in two', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(200, 201, 404, 503), body, fc.nat(12), async (status, bytes, cut) => {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(await replyOf(status, pieces)).toEqual(await replyOf(status, [bytes]));
    }),
    runs(300),
  );
});

describe('no timer outlives', () => {
  const stop = new AbortController();
  it.each<[string, (exchange: Exchange) => void]>([
    [
      'that was answered',
      (exchange) => {
        exchange.began({ status: 200, headers: {} });
        exchange.ended();
      },
    ],
    ['that broke', (exchange) => exchange.broke(new Error('reset'))],
    ['that was given up', () => stop.abort()],
  ])('an exchange %s', async (_, end) => {
    const clock = new VirtualClock();
    const exchange = new Exchange({ ...request('GET'), signal: stop.signal }, { clock, limits: LIMITS });
    exchange.sent(() => undefined);
    expect(clock.openTimers).toBe(1);
    end(exchange);
    await outcomeOf(exchange.reply);
    expect(clock.openTimers).toBe(0);
  });

  it.each([-1, 0, 1000])('requests within a time of %d ms', async (leftMs) => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const isOver = await withinTime({ clock, deadlineMs: leftMs, signal }, async ({ aborted }) => aborted);
    expect([isOver, clock.openTimers]).toEqual([leftMs <= 0, 0]);
  });
});
