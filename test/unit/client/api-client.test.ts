// Protects what goes out (headers, paths, one credential) and what comes back (checked, exact, inert).
import { describe, expect, it } from 'vitest';
import type { ApiKeyList, ProjectList } from '../../../src/api/index.ts';
import { Secret } from '../../../src/base/secret.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { credentialProblem } from '../../../src/client/api-client.ts';
import type { ApiFailure } from '../../../src/client/failure.ts';
import type { ApiClient } from '../../../src/client/types.ts';
import { createRequestBudget } from '../../../src/client/pace.ts';
import { CREDENTIAL, json, NEVER, worldOf, written } from './world.ts';

async function seen(
  call: (client: ApiClient) => Promise<unknown>,
  options: Parameters<typeof worldOf>[1] = {},
): Promise<Request[]> {
  const requests: Request[] = [];
  const { clock, client } = worldOf((request) => {
    requests.push(request);
    return json({ projects: [], operations: [] });
  }, options);
  await clock.run(call(client));
  return requests;
}

async function failureOf(response: () => Response, method: 'GET' | 'POST' = 'GET'): Promise<ApiFailure> {
  const { clock, client } = worldOf(response);
  const call = method === 'GET' ? client.get('/projects', 'ProjectList') : client.write('POST', '/things', null);
  return clock.run(
    call.then(
      () => {
        throw new Error('no failure');
      },
      (error: unknown) => error as ApiFailure,
    ),
  );
}

describe('a request', () => {
  it('carries the credential, who asks and what is understood', async () => {
    const [request] = await seen((client) => client.get('/projects', 'ProjectList'));
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${CREDENTIAL}`,
      accept: 'application/json',
      'user-agent': 'trueup/0.0.0-test',
    });
    expect(request?.headers.has('content-type')).toBe(false);
  });

  it('with a body says that it is JSON', async () => {
    const [request] = await seen((client) => client.write('POST', '/things', { name: 'a', size: 0.25 }));
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await request?.text()).toBe('{"name":"a","size":0.25}');
  });

  it('names the organization on the project list only', async () => {
    const requests = await seen(
      async (client) => {
        await client.get('/projects', 'ProjectList', { query: { limit: 400 } });
        await client.get('/projects/p/operations', 'OperationList');
      },
      { orgId: 'org-1' },
    );
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=400&org_id=org-1', '']);
  });

  it.each(['/projects/../admin', '/a?b'])('to %j is never sent', async (path) => {
    const { clock, client } = worldOf(() => json({}));
    await expect(clock.run(client.write('DELETE', path, null))).rejects.toMatchObject({ failureClass: 'refused' });
    expect(client.requests()).toBe(0);
  });

  it('goes out with another credential by another client, and both are counted together', async () => {
    const used: (string | null)[] = [];
    const { clock, client } = worldOf((request) => {
      used.push(request.headers.get('authorization'));
      return json({ projects: [] });
    });
    await clock.run(client.withCredential(new Secret('other')).get('/projects', 'ProjectList'));
    await clock.run(client.get('/projects', 'ProjectList'));
    expect(used).toEqual(['Bearer other', `Bearer ${CREDENTIAL}`]);
    expect(client.requests()).toBe(2);
    expect(client.withCredential(new Secret('other')).requests()).toBe(2);
  });

  it('waits for its turn in the budget, each attempt anew, and a write given up there was not sent', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 1 });
    void budget.take(NEVER);
    const { client } = worldOf(() => json({}), { clock, budget });
    const abort = new AbortController();
    const writing = client.write('POST', '/things', null, { signal: abort.signal });
    clock.after(500, () => abort.abort());
    await expect(clock.run(writing)).rejects.toMatchObject({ failureClass: 'not_sent', code: 'ABORT_ERR' });
    expect(client.requests()).toBe(0);
  });

  it('given up while it is under way: a write is ambiguous, a read rejects with the reason', async () => {
    const { clock, client } = worldOf(() => new Promise<Response>(() => {}));
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const ends = Promise.allSettled([
      client.write('POST', '/things', null, { signal: abort.signal }),
      client.get('/projects', 'ProjectList', { signal: abort.signal }),
    ]);
    clock.after(500, () => abort.abort(reason));
    const [write, read] = await clock.run(ends);
    expect(write).toMatchObject({ reason: { failureClass: 'ambiguous', code: 'ABORT_ERR' } });
    expect(read).toMatchObject({ reason });
  });

  it('is given up at its deadline, and not sent again where the pause before would outlast it', async () => {
    const silent = worldOf(() => new Promise<Response>(() => {}));
    const lost = silent.client.write('POST', '/things', null, { deadlineMs: 5000 });
    await expect(silent.clock.run(lost)).rejects.toMatchObject({
      failureClass: 'ambiguous',
      code: 'ETIMEDOUT',
      message: 'POST /things got no answer: its time was over',
    });
    expect(silent.clock.monotonicMs()).toBe(5000);
    const late = silent.client.write('POST', '/things', null, { deadlineMs: 5000 });
    await expect(silent.clock.run(late)).rejects.toMatchObject({ failureClass: 'not_sent' });
    const busy = worldOf(() => json({}, 429, { 'retry-after': '60' }));
    const refused = written(busy.client, 'POST', '/things', { deadlineMs: 5000 });
    await expect(busy.clock.run(refused)).rejects.toMatchObject({ failureClass: 'come_later', status: 429 });
    expect([busy.clock.monotonicMs(), busy.client.requests()]).toEqual([0, 1]);
  });

  it('a success that arrives although the caller gave up is not thrown away', async () => {
    const abort = new AbortController();
    const { clock, client } = worldOf(() => json({}), {
      send: async () => {
        abort.abort();
        return { status: 201, headers: {}, text: '{"id":1}' };
      },
    });
    expect(await clock.run(client.write('POST', '/things', null, { signal: abort.signal }))).toEqual({ id: 1 });
  });
});

describe('a credential', () => {
  it('that a name of the account holds is in nothing that is read', async () => {
    const credential = new Secret(`${CREDENTIAL}-of-the-run`);
    const name = `preview of ${credential.reveal()}`;
    const body = {
      projects: [
        { id: 'p-1', name, owner_id: 'o', region_id: 'r', pg_version: 17, created_at: '2026-01-01T00:00:00Z' },
      ],
    };
    const { clock, client } = worldOf(() => json(body), { credential });
    const read = await clock.run(client.get<ProjectList>('/projects', 'ProjectList'));
    expect(JSON.stringify(read)).not.toContain(credential.reveal());
    expect(read.projects[0]?.name).toMatch(/^preview of /);
  });

  const bad: readonly [string, string][] = [
    ['', 'empty'],
    ['canary\nx', 'line break'],
    ['canary\r', 'line break'],
    ['canary x', 'a space'],
    ['canaryé', 'printable ASCII'],
    ['canary\u0000', 'printable ASCII'],
    ['canary'.repeat(1000), 'longer'],
  ];

  it.each(bad)('%j is refused before any header is built, and never repeated', async (value, words) => {
    expect(credentialProblem(new Secret(value))).toContain(words);
    const { clock, client } = worldOf(() => json({}), { credential: new Secret(value) });
    const failure = await clock.run(client.write('POST', '/things', null).catch((error: unknown) => error));
    expect(failure).toMatchObject({ failureClass: 'refused' });
    expect(JSON.stringify([String(failure), failure])).not.toContain('canary');
    expect(client.requests()).toBe(0);
  });

  it('that the service repeats in its message is not shown', async () => {
    const failure = await failureOf(() => json({ message: `bad token ${CREDENTIAL}!`, code: CREDENTIAL }, 401));
    expect(failure.message).toContain('bad token (sensitive)!');
    expect(`${failure.message} ${failure.code}`).not.toContain(CREDENTIAL);
  });

  it('may be left out', async () => {
    const [request] = await seen((client) => client.get('/projects', 'ProjectList'), { credential: null });
    expect(request?.headers.has('authorization')).toBe(false);
  });
});

describe('a read', () => {
  it('keeps ids beyond 2^53 exact', async () => {
    const { clock, client } = worldOf(() => new Response('[{"id":9007199254740993,"name":"a"}]'));
    const keys = await clock.run(client.get<ApiKeyList>('/keys', 'ApiKeyList'));
    expect(keys[0]?.id).toBe('9007199254740993');
  });

  it('tolerates members, states and actions it does not know, and a byte-order mark', async () => {
    const text = '\ufeff{"projects":[{"id":"p","name":"n","mood":"blue","extra":{"x":1}}],"news":[]}';
    const { clock, client } = worldOf(() => new Response(text));
    const { projects } = await clock.run(client.get<ProjectList>('/projects', 'ProjectList'));
    expect(projects[0]).toMatchObject({ id: 'p', mood: 'blue' });
  });

  it.each<[string, () => Response]>([
    ['an array for an object', () => json([])],
    ['null', () => json(null)],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a missing member', () => json({ pagination: {} })],
    ['a wrong type', () => json({ projects: [{ id: 7, name: 'n' }] })],
    ['a key that poisons', () => new Response('{"projects":[],"__proto__":{"x":1}}')],
    ['what is nested too deep', () => new Response(`{"projects":[],"x":${'['.repeat(201)}${']'.repeat(201)}}`)],
    ['more values than anything has', () => new Response(`{"projects":[],"x":[${'0,'.repeat(2_000_000)}0]}`)],
    ['invalid UTF-8', () => new Response(Uint8Array.of(0x7b, 0xff, 0x7d))],
    ['UTF-16', () => new Response(Buffer.from('\ufeff{}', 'utf16le'))],
    ['compression', () => json({ projects: [] }, 200, { 'content-encoding': 'gzip' })],
    ['a list twice', () => new Response('{"projects":[{"id":"p","name":"n"}],"projects":[]}')],
    ['a list twice, once by codes', () => new Response(String.raw`{"projects":[],"\u0070rojects":[]}`)],
    ['202, which promises one', () => json({ projects: [] }, 202)],
    ['203, which is of somebody in between', () => json({ projects: [] }, 203)],
    ['206, which is a part', () => json({ projects: [] }, 206)],
    ['207, which is of several things', () => json({ projects: [] }, 207)],
    ['226, which is a difference', () => json({ projects: [] }, 226)],
    ['299, which is unheard of', () => json({ projects: [] }, 299)],
    ['201, which made something', () => json({ projects: [] }, 201)],
    ['fewer bytes than declared', () => json({ projects: [] }, 200, { 'content-length': '500' })],
  ])('does not take %s', async (_name, response) => {
    expect(await failureOf(response)).toMatchObject({ failureClass: 'unusable' });
  });
});

describe('a write', () => {
  it.each<[string, () => Response, unknown]>([
    ['its JSON', () => json({ a: [1, null] }, 201), { a: [1, null] }],
    ['null for an empty body', () => new Response('', { status: 200 }), null],
    ['null for 204', () => new Response(null, { status: 204 }), null],
    ['a long integer exactly', () => new Response('{"id":12345678901234567890}'), { id: '12345678901234567890' }],
  ])('resolves with %s', async (_name, response, expected) => {
    const { clock, client } = worldOf(response);
    expect(await clock.run(client.write('POST', '/things', null))).toEqual(expected);
  });

  it.each([203, 205, 206, 207, 208, 226, 299])('answered %i is done, and its reply is not believed', async (status) => {
    const answer = (): Response => (status === 205 ? new Response(null, { status }) : json({ id: 1 }, status));
    const failure = await failureOf(answer, 'POST');
    expect(failure).toMatchObject({ failureClass: 'unusable', status });
  });

  it('answered with a member twice is done, and its reply is not believed', async () => {
    const failure = await failureOf(() => new Response('{"operations":[{"id":"op"}],"operations":[]}'), 'POST');
    expect(failure).toMatchObject({ failureClass: 'unusable' });
  });
});

describe('a failure', () => {
  it('says method, path, status, words, reason and request id', async () => {
    const body = { message: 'branch has one; branch_id:"br-x"', code: 'LIMIT', request_id: 'r-1' };
    const failure = await failureOf(() => json(body, 422), 'POST');
    expect(failure.message).toBe('POST /things was answered 422: branch has one; branch_id:"br-x" (request id r-1)');
    expect(failure).toMatchObject({ status: 422, code: 'LIMIT', requestId: 'r-1', failureClass: 'refused' });
  });

  it.each([
    [401, 'does not accept the credential'],
    [403, 'does not allow this'],
    [423, 'another operation locks the project'],
    [302, 'redirects are not followed'],
  ])('%i is explained', async (status, words) => {
    const failure = await failureOf(() => json({}, status, { location: 'http://169.254.169.254/' }), 'POST');
    expect(failure.message).toContain(words);
  });

  it('does not say twice what the service says', async () => {
    const failure = await failureOf(() => json({ code: '', message: 'not found; the API is below /api/v2' }, 404));
    expect(failure.message).toBe('GET /projects was answered 404: not found; the API is below /api/v2');
  });

  it('is inert whatever the service says', async () => {
    const hostile = '\u001b[2J\u202eevil\r\n::error::x'.repeat(100);
    const failure = await failureOf(() => json({ message: hostile, code: hostile, request_id: hostile }, 400));
    expect(`${failure.message}${failure.code}${failure.requestId}`).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(failure.message.length).toBeLessThan(2000);
  });

  it.each(['<html>', '', 'null', '[]', '{"message":7}', '{"message'])('copes with the body %j', async (text) => {
    expect(await failureOf(() => new Response(text, { status: 409 }))).toMatchObject({ status: 409, code: '' });
  });

  it('never quotes the body of a success that it could not read', async () => {
    for (const text of ['{"id":1,"key":"canary', '"canary"x', '<html>canary'])
      for (const method of ['GET', 'POST'] as const) {
        const failure = await failureOf(() => new Response(text), method);
        expect([failure.message, failure.cause, failure.stack].map(String).join()).not.toContain('canary');
      }
  });

  it('takes no turn for the first attempt of a write whose caller has one, and one for each repetition', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const turns: boolean[] = [];
    const budget = createRequestBudget({ clock, requestsPerMinute: Infinity });
    const take = async (signal: AbortSignal, isLookedAt = false): Promise<void> => {
      turns.push(isLookedAt);
      return budget.take(signal);
    };
    const { client } = worldOf(() => json({}, ++attempts === 1 ? 503 : 200), { clock, budget: { ...budget, take } });
    await client.turn(NEVER);
    await clock.run(written(client, 'POST', '/things', { hasTurn: true }));
    expect([attempts, turns]).toEqual([2, [true, false]]);
  });

  it('sends nothing after an abort, with a turn or without', async () => {
    const { client } = worldOf(() => json({}));
    for (const hasTurn of [true, false])
      await expect(client.write('POST', '/things', null, { signal: AbortSignal.abort(), hasTurn })).rejects.toThrow(
        'not sent',
      );
    expect(client.requests()).toBe(0);
  });
});
