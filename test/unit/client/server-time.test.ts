// Protects what time it is at the service: by its replies alone, within bounds, or not known at all.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { createServerClock } from '../../../src/client/api-client.ts';
import { MOST_SKEW_MS } from '../../../src/model/operations/timing.ts';

interface Told {
  readonly nowMs: number;
  readonly doubt: string | null;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

interface Reply {
  /** How far the service's clock is from this machine's; null: it does not tell. */
  readonly skewMs: number | null;
  readonly tookMs?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The time after these replies, and this machine's. */
async function timeAfter(replies: readonly Reply[], startMs?: number): Promise<{ time: Told; ownMs: number }> {
  const clock = new VirtualClock(startMs);
  const server = createServerClock(clock);
  await clock.run(
    (async () => {
      for (const { skewMs, tookMs = 0, status = 200, headers } of replies) {
        const sentMs = clock.monotonicMs();
        await clock.sleep(tookMs / 2);
        const date = skewMs === null ? {} : { date: new Date(clock.nowMs() + skewMs).toUTCString() };
        await clock.sleep(tookMs / 2);
        server.observe({ status, headers: { ...date, ...headers } }, clock.monotonicMs() - sentMs);
      }
    })(),
  );
  return { time: { nowMs: server.nowMs(), doubt: server.doubt() }, ownMs: clock.nowMs() };
}

describe('the time of the service', () => {
  it.each<[string, readonly Reply[], number]>([
    ['is ours where its replies allow that', [{ skewMs: 0 }, { skewMs: 900, tookMs: 400 }], 0],
    ['is two hours behind', [{ skewMs: -2 * HOUR }], -2 * HOUR],
    ['is two hours ahead', [{ skewMs: 2 * HOUR, tookMs: 300 }], 2 * HOUR],
    ['is nearly a day behind', [{ skewMs: -MOST_SKEW_MS + 5000 }], -MOST_SKEW_MS + 5000],
    ['is told by several machines that nearly agree', [{ skewMs: HOUR }, { skewMs: HOUR + 20_000 }], HOUR + 20_000],
    ['is not told by every reply', [{ skewMs: null }, { skewMs: -HOUR }, { skewMs: null }], -HOUR],
    ['is not told by what somebody kept', [{ skewMs: -HOUR }, { skewMs: -9 * HOUR, headers: { age: '3600' } }], -HOUR],
    ['is not told by a refusal on the way', [{ skewMs: -HOUR }, { skewMs: 9 * HOUR, status: 502 }], -HOUR],
  ])('%s', async (_, replies, skewMs) => {
    const { time, ownMs } = await timeAfter(replies);
    expect(time.doubt).toBeNull();
    expect(Math.abs(time.nowMs - ownMs - skewMs)).toBeLessThanOrEqual(1000);
  });

  it.each<[string, readonly Reply[], RegExp, number?]>([
    ['without a reply', [], /the replies of the service have no Date header/],
    ['without a Date', [{ skewMs: null }], /the replies of the service have no Date header/],
    [
      'with a Date that is none',
      [{ skewMs: null, headers: { date: 'yesterday' } }],
      /the replies of the service have no Date header/,
    ],
    ['that jumps', [{ skewMs: 0 }, { skewMs: 2 * HOUR }], /differ by 2h/, 2 * HOUR],
    ['that jumps back', [{ skewMs: 0 }, { skewMs: 0 }, { skewMs: -5 * MINUTE }], /differ by 4m 59s/, -5 * MINUTE],
    [
      'that is days behind',
      [{ skewMs: -3 * MOST_SKEW_MS }],
      /2d 23h behind the clock of this machine/,
      -3 * MOST_SKEW_MS,
    ],
    [
      'that is a year ahead',
      [{ skewMs: 365 * MOST_SKEW_MS }],
      /ahead of the clock of this machine/,
      365 * MOST_SKEW_MS,
    ],
  ])('is not known %s', async (_, replies, doubt, toldMs = 0) => {
    const { time, ownMs } = await timeAfter(replies);
    expect(time.doubt).toMatch(doubt);
    expect(Math.abs(time.nowMs - ownMs - toldMs)).toBeLessThanOrEqual(1000);
  });

  it('is right within a second and the longest way there, and ours where the clocks agree', async () => {
    const reply = fc.record({ tookMs: fc.nat(4000) });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constant(0), fc.integer({ min: -20 * HOUR, max: 20 * HOUR })),
        fc.array(reply, { minLength: 1, maxLength: 6 }),
        fc.nat(86_400_000),
        async (skewMs, replies, start) => {
          const { time, ownMs } = await timeAfter(
            replies.map((one) => ({ ...one, skewMs })),
            Date.UTC(2026, 0, 1) + start,
          );
          const longest = Math.max(...replies.map(({ tookMs }) => tookMs));
          expect(time.doubt).toBeNull();
          expect(Math.abs(time.nowMs - ownMs - skewMs)).toBeLessThanOrEqual(1000 + longest);
          if (skewMs === 0) expect(time.nowMs).toBe(ownMs);
        },
      ),
    );
  });
});
