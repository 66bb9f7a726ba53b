// Injected faults in process: what a client sees, and what was really committed.
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/index.ts';
import { problemsOf } from './published.ts';
import {
  ConnectionFault,
  type ExchangeFault,
  type FaultMatch,
  type OperationFault,
} from '../../src/control-plane/index.ts';
import { ENDPOINTS, MAIN, ONE, SHOP, STAGING, worldWithKey, makeWorld, type Answer, type TestWorld } from './world.ts';

const CREATE = { endpoint: { branch_id: STAGING, type: 'read_write' } };
/** A world whose next POST, or next request of any method, has this fault. */
const withFault = (fault: ExchangeFault, when: FaultMatch = { method: 'POST' }): TestWorld =>
  makeWorld({ faults: { rules: [{ when, fault }] } });
const create = (world: TestWorld): Promise<Answer> => world.send('POST', ENDPOINTS, CREATE);
/** The same request without what reads its reply. */
const bare = (world: TestWorld, signal?: AbortSignal): Promise<Response> => {
  const headers = { Authorization: `Bearer ${world.key}`, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(CREATE), signal: signal ?? null };
  return world.plane.handle(new Request(`http://localhost/api/v2${ENDPOINTS}`, init));
};
const computesOnStaging = (world: TestWorld): number =>
  world.plane.truth.computes().filter((compute) => compute.branchId === STAGING).length;

describe('connection faults', () => {
  const points: readonly [ExchangeFault['kind'], string, boolean, number][] = [
    ['before-connect', 'ECONNREFUSED', false, 0],
    ['before-send', 'ECONNRESET', false, 0],
    ['mid-request', 'ECONNRESET', true, 0],
    ['after-send-before-commit', 'ECONNRESET', true, 0],
    ['after-commit-before-reply', 'ECONNRESET', true, 1],
    ['mid-headers', 'ECONNRESET', true, 1],
  ];
  it.each(points)('%s: %s, sent %s, %d committed', async (kind, code, sent, committed) => {
    const world = withFault({ kind } as ExchangeFault);
    const error = await create(world).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionFault);
    expect(error).toMatchObject({ kind, code, sent });
    expect(computesOnStaging(world)).toBe(committed);
    const posts = world.plane.ledger().filter((entry) => entry.kind === 'compute');
    expect(posts).toHaveLength(committed);
    expect((await create(world)).status).toBe(committed === 1 ? 409 : 201);
  });

  it('mid-body at its end: all of the text has come, and its end has not', async () => {
    const world = withFault({ kind: 'mid-body', at: 'end' });
    const reader = ((await bare(world)).body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(problemsOf('ServedEndpointReply', JSON.parse(new TextDecoder().decode(value)) as unknown)).toBeUndefined();
    await expect(reader.read()).rejects.toThrow(/mid-body/);
  });

  it('late-commit: the connection ends now, the change comes later and is in the ledger at its own time', async () => {
    const world = withFault({ kind: 'late-commit', delayMs: 5000 });
    await expect(create(world)).rejects.toMatchObject({ sent: true });
    expect(computesOnStaging(world)).toBe(0);
    await world.pass(4999);
    expect((await world.send('GET', ENDPOINTS)).body.endpoints).toHaveLength(1);
    await world.pass(1);
    expect((await world.send('GET', ENDPOINTS)).body.endpoints).toHaveLength(2);
    expect(world.plane.ledger().at(-1)?.at).toBe('2026-01-01T00:00:05.000Z');
  });

  it('late-commit that loses the race is refused like any other request', async () => {
    const world = withFault({ kind: 'late-commit', delayMs: 5000 });
    await create(world).catch(() => undefined);
    expect((await create(world)).status).toBe(201);
    await world.pass(6000);
    expect(computesOnStaging(world)).toBe(1);
  });

  it('black-hole: nothing is answered until the client gives up', async () => {
    for (const commit of [true, false]) {
      const world = withFault({ kind: 'black-hole', commit });
      const stop = new AbortController();
      const answer = bare(world, stop.signal);
      await world.pass(1000);
      stop.abort(new Error('gave up'));
      await expect(answer).rejects.toThrow('gave up');
      expect(computesOnStaging(world)).toBe(commit ? 1 : 0);
    }
  });

  it('latency and trickle pass on the injected clock', async () => {
    const slow = makeWorld({ faults: { latencyMs: { min: 700, max: 700 } } });
    const answer = slow.send('GET', '/projects');
    await slow.pass(699);
    expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting');
    await slow.pass(1);
    expect((await answer).status).toBe(200);
    const dripping = withFault({ kind: 'trickle', bytes: 100, everyMs: 10 }, {});
    const startMs = dripping.clock.nowMs();
    expect((await dripping.clock.run(dripping.send('GET', '/projects'))).body.projects).toHaveLength(2);
    expect(dripping.clock.nowMs() - startMs).toBeGreaterThan(80);
  });
});

const UNUSABLE = ['empty', 'no-content', 'html', 'malformed', 'array', 'null', 'no-ids', 'no-operations'] as const;
describe('replies that are not the true ones', () => {
  it.each([
    [500, true],
    [500, false],
    [502, true],
    [503, true],
    [302, false],
  ])('%d, committed %s', async (status, commit) => {
    const fault = { kind: 'reply' as const, status, commit, body: '{}', headers: { Location: 'http://elsewhere/' } };
    const world = withFault(fault);
    const answer = await create(world);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, 'http://elsewhere/']);
    expect(computesOnStaging(world)).toBe(commit ? 1 : 0);
  });

  it.each(UNUSABLE)('%s: unusable, and committed', async (how) => {
    const world = withFault({ kind: 'garble', how });
    const answer = await create(world);
    expect(problemsOf('ServedEndpointReply', answer.body)).toBeDefined();
    expect(computesOnStaging(world)).toBe(1);
  });

  it.each<[string, string, unknown, string]>([
    ['an operation of another project', 'operations.*.project_id', 'autumn-lab-418822', `${SHOP}/operations`],
    ['an operation of another compute', 'operations.*.endpoint_id', 'ep-other-one-000001', `${SHOP}/operations`],
    ['a type that nobody knows', 'endpoints.*.type', 'read_sometimes', ENDPOINTS],
    ['a compute without a type', 'endpoints.*.type', undefined, ENDPOINTS],
    ['a state that nobody knows', 'endpoints.0.current_state', 'degraded', ENDPOINTS],
    ['a key that seems never used', '*.last_used_at', null, '/api_keys'],
  ])('rewritten: %s', async (_name, at, value, path) => {
    const world = withFault({ kind: 'rewrite', at, value }, {});
    const members = async (): Promise<unknown[]> => {
      const { body } = await world.send('GET', path);
      const items = Array.isArray(body) ? (body as unknown[]) : Object.values(body).find(Array.isArray);
      return (items as Record<string, unknown>[]).map((item) => item[at.split('.').at(-1) ?? '']);
    };
    const spoilt = await members();
    expect(new Set(spoilt)).toEqual(new Set([value]));
    expect(await members()).not.toEqual(spoilt);
  });

  it('a rewritten reply keeps ids beyond 2^53', async () => {
    const world = worldWithKey('9007199254740993');
    world.plane.setFaults({ rules: [{ fault: { kind: 'rewrite', at: '*.name', value: 'x' } }] });
    expect((await world.send('GET', '/api_keys')).text).toContain('"id":9007199254740993');
  });

  it.each([
    ['locked', 423],
    ['rate-limited', 429],
  ] as const)('%s: %d, and nothing is done', async (kind, status) => {
    const world = withFault({ kind, retryAfter: '3' });
    const answer = await create(world);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '3']);
    expect(computesOnStaging(world)).toBe(0);
  });

  it('a locked project refuses every write and answers reads', async () => {
    const world = makeWorld({ faults: { lockedProjects: ['spring-example-302709'] } });
    expect((await create(world)).status).toBe(423);
    expect((await world.send('DELETE', ONE)).status).toBe(423);
    expect((await world.send('GET', ONE)).status).toBe(200);
    world.plane.setFaults({});
    expect((await create(world)).status).toBe(201);
  });
});

describe('faults of operations', () => {
  const failing = (action: string, fault: OperationFault): TestWorld =>
    makeWorld({ faults: { rules: [{ when: { action }, fault: { ...fault, on: 'operation' } }] } });
  const move = (world: TestWorld): Promise<Answer> => world.send('PATCH', ONE, { endpoint: { branch_id: STAGING } });
  const operationOf = async (world: TestWorld, made: Answer): Promise<Operation> =>
    (await world.send('GET', `${SHOP}/operations/${made.body.operations[0]?.id}`)).body.operation;
  const lastTwo = async (world: TestWorld): Promise<readonly Operation[]> =>
    (await world.send('GET', `${SHOP}/operations?limit=2`)).body.operations;
  const after = async (world: TestWorld, ms: number): Promise<[unknown, string | undefined, string[]]> => {
    await world.pass(ms);
    const list = await lastTwo(world);
    const { branch_id: branchId, pending_state: pending } = (await world.send('GET', ONE)).body.endpoint;
    return [pending, branchId, list.map((item) => item.status).reverse()];
  };

  it.each<[string, OperationFault, [unknown, string, string[]]]>([
    ['failed, taken back', { kind: 'fail' }, [undefined, MAIN, ['failed', 'cancelled']]],
    ['failed, changed all the same', { kind: 'fail', applied: true }, [undefined, STAGING, ['failed', 'cancelled']]],
    ['finished, and nothing has changed', { kind: 'lie' }, [undefined, MAIN, ['finished', 'finished']]],
    ['never starts', { kind: 'hang', status: 'scheduling' }, ['idle', STAGING, ['scheduling', 'scheduling']]],
    ['never ends', { kind: 'hang', status: 'running' }, ['idle', STAGING, ['running', 'scheduling']]],
    ['an unknown status', { kind: 'status', status: 'exploded' }, [undefined, MAIN, ['exploded', 'cancelled']]],
    ['skipped', { kind: 'status', status: 'skipped', applied: true }, [undefined, STAGING, ['skipped', 'finished']]],
    ['slow', { kind: 'slow', durationMs: 60_000 }, ['idle', STAGING, ['running', 'scheduling']]],
  ])('%s', async (_name, fault, expected) => {
    const world = failing('apply_config', fault);
    expect((await move(world)).status).toBe(200);
    expect(await after(world, 5000)).toEqual(expected);
  });

  it('fails twice, is tried again, and finishes', async () => {
    const world = failing('start_compute', { kind: 'fail-then-finish', failures: 2, retryAfterMs: 500 });
    const made = await create(world);
    const look = (): Promise<Operation> => operationOf(world, made);
    await world.pass(1000);
    expect(await look()).toMatchObject({ status: 'failed', failures_count: 1, retry_at: '2026-01-01T00:00:01.500Z' });
    await world.pass(500);
    expect(await look()).toMatchObject({ status: 'running', failures_count: 1 });
    await world.pass(2500);
    const last = await look();
    expect(last).toMatchObject({ status: 'finished', failures_count: 2 });
    expect(last).not.toHaveProperty('retry_at');
  });

  it('goes back and forth: finished, running again, and finished at last, when it has its effect', async () => {
    const world = failing('start_compute', { kind: 'flap', times: 2, everyMs: 500 });
    const made = await create(world);
    const seen: string[] = [];
    for (let second = 0; second < 12; second++) {
      const operation = await operationOf(world, made);
      expect(operation).not.toHaveProperty('retry_at');
      expect(operation.failures_count).toBe(0);
      const { endpoint } = (await world.send('GET', `${ENDPOINTS}/${made.body.endpoint.id}`)).body;
      const words = `${operation.status} ${endpoint.current_state}`;
      if (seen.at(-1) !== words) seen.push(words);
      await world.pass(500);
    }
    const flapped = ['running init', 'finished init'];
    expect(seen).toEqual([...flapped, ...flapped, 'running init', 'finished active']);
  });

  it('an operation of the control plane runs beside it: no reply mentions it, and nothing waits for it', async () => {
    const world = failing('start_compute', { kind: 'beside', action: 'check_availability' });
    const made = await create(world);
    expect(made.body.operations).toMatchObject([{ action: 'start_compute', status: 'running' }]);
    const endpoint = { endpoint_id: made.body.endpoint.id };
    expect(await lastTwo(world)).toMatchObject([
      { action: 'check_availability', ...endpoint },
      { action: 'start_compute', ...endpoint },
    ]);
    await world.pass(1000);
    expect((await lastTwo(world)).map(({ status }) => status)).toEqual(['finished', 'finished']);
    expect(world.plane.truth.compute(made.body.endpoint.id)?.currentState).toBe('active');
  });

  it('vanishes: it happens, and the API never shows it', async () => {
    const world = failing('start_compute', { kind: 'vanish' });
    const made = await create(world);
    const id = made.body.operations[0]?.id;
    expect((await world.send('GET', `${SHOP}/operations/${id}`)).status).toBe(404);
    await world.pass(1000);
    expect(world.plane.truth.compute(made.body.endpoint.id)?.currentState).toBe('active');
    expect((await world.send('GET', `${SHOP}/operations`)).body.operations.map((item) => item.id)).not.toContain(id);
  });

  it('a hanging operation keeps its compute locked, and the project shown as locked', async () => {
    const world = failing('apply_config', { kind: 'hang', status: 'running' });
    await move(world);
    await world.pass(86_400_000);
    expect((await move(world)).status).toBe(423);
    expect((await world.send('GET', SHOP)).body.project.locked).toBe(true);
  });
});

describe('lists', () => {
  const list = async (world: TestWorld): Promise<number> => (await world.send('GET', ENDPOINTS)).body.endpoints.length;

  it('stale: one version back, until the fault is spent', async () => {
    const when = { method: 'GET', path: '/projects/*/endpoints', nth: 2 };
    const world = withFault({ kind: 'list', how: 'stale' }, when);
    expect(await list(world)).toBe(1);
    await create(world);
    expect(await list(world)).toBe(1);
    expect(await list(world)).toBe(2);
  });

  it('lagging: what was known so long ago', async () => {
    const when = { method: 'GET', path: '/projects/*/endpoints' };
    const fault = { kind: 'list', how: 'lagging', ms: 2000 } as const;
    const world = makeWorld({ faults: { rules: [{ when, times: 'always', fault }] } });
    expect(await list(world)).toBe(1);
    await create(world);
    expect(await list(world)).toBe(1);
    await world.pass(1500);
    expect(await list(world)).toBe(1);
    await world.pass(500);
    expect(await list(world)).toBe(2);
  });

  it('elsewhere: what a cache holds of another project; of none, the truth', async () => {
    const world = withFault({ kind: 'list', how: 'elsewhere' }, { nth: 5 });
    const made = (await world.send('POST', '/projects', { project: {} })).body.project;
    const other = `/projects/${made.id}/endpoints`;
    expect(await list(world)).toBe(1);
    const own = (await world.send('GET', other)).body.endpoints;
    await world.send('GET', '/projects');
    expect((await world.send('GET', ENDPOINTS)).body.endpoints).toEqual(own);
  });

  it.each(['/projects', `${SHOP}/branches`, `${SHOP}/operations`])('repeated-cursor: of %s', async (path) => {
    const world = makeWorld();
    await create(world);
    await create(world);
    world.plane.setFaults({ rules: [{ times: 'always', fault: { kind: 'list', how: 'repeated-cursor' } }] });
    const first = (await world.send('GET', `${path}?limit=1`)).body.pagination;
    const cursor = first.next ?? first.cursor;
    for (const limit of [1, 100]) {
      const { body, status } = await world.send('GET', `${path}?limit=${limit}&cursor=${cursor}`);
      expect([status, body.pagination]).toEqual([200, first]);
    }
  });

  it('no-pagination: no way to the next page is told', async () => {
    const world = withFault({ kind: 'list', how: 'no-pagination' }, { method: 'GET' });
    await create(world);
    expect((await world.send('GET', `${SHOP}/operations?limit=1`)).body).not.toHaveProperty('pagination');
    expect((await world.send('GET', `${SHOP}/operations?limit=1`)).body).toHaveProperty('pagination');
  });

  it.each([
    ['reversed', [2, 1]],
    ['doubled', [1, 2, 1, 2]],
    ['first-half', [1]],
    ['empty', []],
  ] as const)('%s', async (how, order) => {
    const world = makeWorld();
    await create(world);
    const ids = world.plane.truth.computes('spring-example-302709').map((compute) => compute.id);
    world.plane.setFaults({ rules: [{ fault: { kind: 'list', how } }] });
    const shown = (await world.send('GET', ENDPOINTS)).body.endpoints.map((item) => ids.indexOf(item.id) + 1);
    expect(shown).toEqual(order);
  });
});

it('created: what is made was made so much earlier or later; its other times stay', async () => {
  const world = makeWorld();
  const timesOf = async (): Promise<readonly unknown[]> => {
    const [compute] = (await world.send('GET', ENDPOINTS)).body.endpoints;
    const { operations } = (await world.send('GET', ENDPOINTS.replace('endpoints', 'operations'))).body;
    return [Date.parse(compute?.created_at ?? ''), compute?.updated_at, operations];
  };
  const [madeMs, ...others] = await timesOf();
  world.plane.setFaults({ rules: [{ times: 'always', fault: { kind: 'created', byMs: -7_200_000 } }] });
  expect(await timesOf()).toEqual([Number(madeMs) - 7_200_000, ...others]);
});
