// The limits of each size, simulated connections, and the limits of the account.
import { describe, expect, it } from 'vitest';
import { settingsOfSize } from '../../src/control-plane/postgres/compute/settings.ts';
import { DAY, ENDPOINTS, MINUTE, ONE, PRIMARY, STAGING, createActive, makeWorld } from './world.ts';
import { largeWorld } from '../support/large-world.ts';

/** Connections at each whole size from 1 on; the cache has 3.2 GB a unit. */
const CONNECTIONS = [450, 901, 1351, 1802, 2253, 2703, 3154, 3604, 4000, 4000];
const SIZES: readonly [number, number, number][] = [
  [0.25, 0.8, 112],
  [0.5, 1.6, 225],
  ...CONNECTIONS.map((most, at): [number, number, number] => [at + 1, Number(((at + 1) * 3.2).toFixed(1)), most]),
];

describe('the size table', () => {
  it.each(SIZES)('%d CU: %d GB cache, %d connections', (units, cacheGb, maxConnections) => {
    const settings = settingsOfSize({ minCu: units, maxCu: units });
    const cache = `${Math.round(cacheGb * 1024)}MB`;
    expect(settings).toMatchObject({ max_connections: String(maxConnections), effective_cache_size: cache });
    expect(settings).toMatchObject({ temp_file_limit: '20GB' });
  });

  it('with autoscaling the minimum size sets the connections, the maximum the rest', () => {
    const settings = settingsOfSize({ minCu: 1, maxCu: 4 });
    expect(settings).toMatchObject({ max_connections: '450', effective_cache_size: '13107MB' });
  });
});

describe('connections', () => {
  it('reach only the branch of their compute, and end when it moves', async () => {
    const world = makeWorld();
    const connection = world.plane.truth.connect(PRIMARY);
    await world.pass(1500);
    await world.send('PATCH', ONE, { endpoint: { branch_id: 'br-calm-sea-220011' } });
    await world.pass(3000);
    expect(connection.isOpen()).toBe(false);
    expect(() => connection.query()).toThrow(/terminating connection/);
  });

  it('last through automatic resizing: it is no operation, and drops nothing', async () => {
    const world = makeWorld();
    const id = await createActive(world, STAGING, { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 4 });
    const before = world.plane.truth.operations().length;
    const connections = Array.from({ length: 100 }, () => world.plane.truth.connect(id));
    await world.pass(4 * MINUTE);
    expect(connections.every((connection) => connection.isOpen())).toBe(true);
    expect(world.plane.truth.operations()).toHaveLength(before);
  });
});

it('an always-active compute keeps its release until it is restarted, which picks up the weekly update', async () => {
  const world = makeWorld({ switches: { availabilityChecks: 'off' } });
  const id = await createActive(world, STAGING, { suspend_timeout_seconds: -1 });
  const release = async (): Promise<unknown> =>
    (await world.send('GET', `${ENDPOINTS}/${id}`)).body.endpoint['compute_release_version'];
  const first = await release();
  await world.pass(15 * DAY);
  expect(await release()).toBe(first);
  await world.send('POST', `${ENDPOINTS}/${id}/restart`);
  await world.pass(3000);
  expect(Number(await release())).toBe(Number(first) + 2);
});

describe('limits of the account', () => {
  it('an upgraded plan lifts the size limit, which a resize and its restart then apply', async () => {
    const world = makeWorld({ switches: { plan: 'free' } });
    const id = await createActive(world, STAGING);
    const larger = { endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 } };
    expect((await world.send('PATCH', `${ENDPOINTS}/${id}`, larger)).status).toBe(412);
    world.plane.setSwitches({ plan: 'scale' });
    expect((await world.send('PATCH', `${ENDPOINTS}/${id}`, larger)).status).toBe(200);
    expect(world.plane.ledger().at(-1)?.restarted).toBe(true);
  });

  it('there is no strict limit on keys: 10,000 and more are made and listed', async () => {
    const world = makeWorld({ seed: largeWorld({ keys: 10_050 }) });
    expect((await world.send('POST', '/api_keys', { key_name: 'one more' })).status).toBe(200);
    expect((await world.send('GET', '/api_keys')).list).toHaveLength(10_052);
  });
});

it('an account has as many projects as its plan says, and no more', async () => {
  const world = makeWorld({ seed: largeWorld({ projects: 100 }), switches: { plan: 'launch' } });
  const answer = await world.send('POST', '/projects', { project: {} });
  expect([answer.status, answer.body['code']]).toEqual([422, 'PROJECTS_LIMIT_EXCEEDED']);
});
