// A reply is the same however its body is cut into pieces, and whether or not its head told how long it is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { EXCHANGE_LIMITS } from '../../../src/client/exchange-limits.ts';
import { Exchange } from '../../../src/client/exchange.ts';
import { outcomeOf, request } from './transport-support.ts';

const LIMITS = { ...EXCHANGE_LIMITS, readBytes: 40, writeBytes: 40 };
type Headers = Record<string, string | string[]>;

interface Controller {
  readonly reasons: Error[];
  abort(reason: Error): void;
}

function controller(): Controller {
  const reasons: Error[] = [];
  return { reasons, abort: (reason) => void reasons.push(reason) };
}

/** What comes of a reply whose body arrives in these pieces; each is overwritten after it was handed over. */
async function replyOf(status: number, headers: Headers, pieces: readonly Buffer[]): Promise<unknown> {
  const exchange = new Exchange(request('GET'), { clock: systemClock, limits: LIMITS });
  const held = controller();
  exchange.onRequestStart(held);
  exchange.onResponseStart(held, status, headers);
  for (const piece of pieces) {
    const own = Buffer.from(piece);
    exchange.onResponseData(held, own);
    own.fill(0x21);
  }
  exchange.onResponseEnd();
  const shown = await exchange.reply.then(
    (response) => ({ headers: { ...response.headers }, status: response.status, text: response.text }),
    () => null,
  );
  return { shown, ...(await outcomeOf(exchange.reply)) };
}

const body = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text)),
  fc.constantFrom('', '{}', '\uFEFF{"a":1}', 'é€\u{1F600}', 'a'.repeat(41)).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
);
const otherHeaders = fc.dictionary(
  fc.constantFrom('x-request-id', 'content-type', 'X-Upper', 'location', 'content-encoding'),
  fc.constantFrom('identity', 'gzip', 'a'),
  { noNullPrototype: true },
);

describe('a reply', () => {
  it('in one piece of the length that its head told is what it is in pieces of which nothing was told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 201, 404, 503),
        otherHeaders,
        body,
        fc.nat(12),
        async (status, headers, bytes, cut) => {
          const length = String(bytes.byteLength);
          const told = (await replyOf(status, { ...headers, 'content-length': length }, [bytes])) as object;
          const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
          const untold = (await replyOf(status, { ...headers, 'content-length': ['1', length] }, pieces)) as object;
          const plain = ({ shown }: { shown?: { headers: object } | null }): unknown =>
            shown && { ...shown, headers: { ...shown.headers, 'content-length': '' } };
          expect({ ...told, shown: plain(told) }).toEqual({ ...untold, shown: plain(untold) });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('that goes on after the length that its head told cannot be used', async () => {
    const pieces = [Buffer.from('{}'), Buffer.from('{}')];
    expect(await replyOf(200, { 'content-length': '2' }, pieces)).toMatchObject({
      outcome: 'unusable',
      message: expect.stringContaining('longer than it said') as string,
    });
  });

  it('whose name of a header came several times has them all in one line', async () => {
    expect(await replyOf(200, { 'x-a': ['1', '2'], 'X-B': '3' }, [Buffer.from('{}')])).toMatchObject({
      shown: { headers: { 'x-a': '1, 2', 'x-b': '3' }, status: 200, text: '{}' },
    });
  });
});
