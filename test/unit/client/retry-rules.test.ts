// The rules of repeating, one by one: what may be tried again, after how long, and what is said of it in the end.
import { describe, expect, it } from 'vitest';
import { ApiFailure, type FailureFacts } from '../../../src/client/failure.ts';
import { withRetries, mayRetry, retryDelayMs } from '../../../src/client/pace.ts';
import { json, NEVER, worldOf, written } from './world.ts';

function failure(facts: Partial<FailureFacts>): ApiFailure {
  return new ApiFailure('no', { failureClass: 'not_sent', method: 'GET', path: '/a', ...facts });
}

const NEVER_AGAIN =
  'ABORT_ERR UND_ERR_DESTROYED UND_ERR_CLOSED CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID ' +
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE ' +
  'CRL_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT EPROXYAUTH';
/** The others are words of the network that only look alike. */
const AGAIN =
  'ECONNREFUSED ENOTFOUND PROXY_UNABLE_TO_CONNECT NO_HOSTNAME_MISMATCH HOSTNAME_MISMATCHED EINVALID_CA INVALID_CALL ' +
  'EINVALID_PURPOSE INVALID_PURPOSES';

it.each([
  ...['', ...AGAIN.split(' ')].map((code) => [code, true] as const),
  ...NEVER_AGAIN.split(' ').map((code) => [code, false] as const),
])('what was not sent is tried again after %j: %s', (code, expected) => {
  expect(mayRetry(failure({ code }))).toBe(expected);
  expect(mayRetry(failure({ code, method: 'POST' }))).toBe(expected);
});

it('a read that may have been answered is tried again whatever broke it', () => {
  for (const code of ['ABORT_ERR', 'CERT_HAS_EXPIRED', 'ECONNRESET'])
    expect(mayRetry(failure({ failureClass: 'ambiguous', code }))).toBe(true);
});

describe('the pause', () => {
  const drawn = (share: number, attempt: number, retryAfterMs: number | null = null): number =>
    retryDelayMs(failure({ retryAfterMs }), attempt, { next: () => share, bytes: () => new Uint8Array() });

  it.each([
    [1, [0, 125, 250, 375]],
    [2, [0, 250, 500, 750]],
    [3, [0, 500, 1000, 1500]],
    [6, [0, 4000, 8000, 12_000]],
    [7, [0, 5000, 10_000, 15_000]],
    [40, [0, 5000, 10_000, 15_000]],
  ])('after attempt %i is drawn from a range that begins at nothing', (attempt, expected) => {
    expect([0, 0.25, 0.5, 0.75].map((share) => drawn(share, attempt))).toEqual(expected);
  });

  it('is never shorter than the service asks, and may be longer', () => {
    expect(drawn(0, 1, 3000)).toBe(3000);
    expect(drawn(0.75, 7, 3000)).toBe(15_000);
  });
});

describe('in the end', () => {
  const tellOf = async (answers: readonly (() => Response)[]): Promise<string> => {
    let calls = 0;
    const { clock, client } = worldOf(() => (answers[Math.min(calls++, answers.length - 1)] as () => Response)());
    return String(await clock.run(client.get('/projects', 'ProjectList').catch((error: unknown) => error)));
  };
  const oops = (): Response => json({}, 500);
  const long = (): Response => json({}, 503, { 'retry-after': '36000' });

  it('a certificate that is not trusted is told, and not tried again', async () => {
    const untrusted = (): Response => {
      throw Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED', sent: false });
    };
    expect(await tellOf([untrusted])).toMatch(/the certificate of the host is not trusted \(expired\)/);
    expect(await tellOf([untrusted])).not.toContain('given up');
  });

  it('a failure says after how many attempts it was given up', async () => {
    expect(await tellOf([oops])).toMatch(/500; given up after 5 attempts$/);
  });

  it('a refusal after some attempts is not given up: it is an answer', async () => {
    expect(await tellOf([oops, oops, () => json({}, 400)])).toMatch(/400$/);
    expect(await tellOf([oops, oops, oops, oops, () => json({}, 400)])).toMatch(/400$/);
  });

  it('a pause that is too long is the reason, also at an earlier attempt', async () => {
    expect(await tellOf([oops, long])).toMatch(/asks to wait 10h, but a run waits at most 2m$/);
  });

  it('a write that is told to stop in its pause was not sent, and does not say that it was given up', async () => {
    const abort = new AbortController();
    const { clock, client } = worldOf(() => json({}, 503, { 'retry-after': '60' }));
    const writing = written(client, 'POST', '/a', { signal: abort.signal }).catch((error: unknown) => error);
    clock.after(1000, () => abort.abort());
    const end = await clock.run(writing);
    expect(end).toMatchObject({ failureClass: 'come_later', status: 503 });
    expect(String(end)).not.toContain('given up');
  });

  it('an error of ours passes as it is', async () => {
    const bug = new TypeError('bug in trueup: no');
    const { clock, client } = worldOf(() => json({}), { send: async () => Promise.reject(bug) });
    await expect(clock.run(client.get('/projects', 'ProjectList'))).rejects.toBe(bug);
  });
});

it('nobody has to listen to retries', async () => {
  const { clock } = worldOf(() => json({}));
  const random = { next: () => 0.5, bytes: () => new Uint8Array() };
  let attempts = 0;
  const trying = withRetries(
    async () => (++attempts < 3 ? Promise.reject(failure({})) : Promise.resolve('done')),
    NEVER,
    { clock, random },
  );
  expect(await clock.run(trying)).toBe('done');
});

it('nothing is tried again, and nobody is told of it, once the client is closed', async () => {
  const closed = new AbortController();
  let calls = 0;
  const { clock, client, notices } = worldOf(
    () => {
      calls++;
      return json({}, 503);
    },
    { closed: closed.signal },
  );
  const reading = client.get('/projects', 'ProjectList').catch(() => 'failed');
  await clock.run(Promise.resolve());
  closed.abort();
  expect(await clock.run(reading)).toBe('failed');
  expect(await clock.run(client.get('/projects', 'ProjectList').catch(() => 'failed'))).toBe('failed');
  expect([calls, notices.length]).toEqual([2, 1]);
});
