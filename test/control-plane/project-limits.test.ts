// What the settings of a project do to those who connect: allowed addresses, blocked ways in, and quotas that suspend its computes.
import { describe, expect, it } from 'vitest';
import { fall } from '../../src/control-plane/resources/compute/power.ts';
import { ENDPOINTS, HOUR, MAIN, PRIMARY, SHOP, STAGING, createActive, makeWorld, type TestWorld } from './world.ts';

const settingsOf = async (world: TestWorld, settings: object): Promise<void> => {
  expect((await world.send('PATCH', SHOP, { project: { settings } })).status).toBe(200);
};
const projectIn = async (world: TestWorld): Promise<Record<string, unknown>> => ({
  ...(await world.send('GET', SHOP)).body.project,
});
const usedBy = async (world: TestWorld): Promise<unknown[]> => {
  const project = await projectIn(world);
  return [project['active_time_seconds'], project['compute_time_seconds']];
};
/** A compute of two units that is active until something suspends it. */
const ALWAYS = { suspend_timeout_seconds: -1, autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 };

describe('allowed addresses', () => {
  it.each<[string, string, boolean]>([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.0.0/16', '10.1.255.255', true],
    ['10.1.0.0/16', '10.2.0.0', false],
    ['10.1.2.3-10.1.2.9', '10.1.2.9', true],
    ['10.1.2.3-10.1.2.9', '10.1.2.10', false],
    ['2001:db8::/32', '2001:db8::7', true],
    ['2001:db8::/32', '2001:db9::7', false],
    ['2001:db8::/32', '10.1.2.3', false],
  ])('with %s on the list %s is let in: %s', async (rule, from, isLetIn) => {
    const world = makeWorld();
    await settingsOf(world, { allowed_ips: { ips: ['192.0.2.1', rule] } });
    const connect = (): unknown => world.plane.truth.connect(PRIMARY, { from });
    if (isLetIn) expect(connect).not.toThrow();
    else expect(connect).toThrow(`this IP address ${from} is not allowed`);
    expect(world.plane.truth.compute(PRIMARY)?.pendingState).toBe(isLetIn ? 'active' : undefined);
  });

  it('guard protected branches alone where that is said, and nobody while the list is empty', async () => {
    const world = makeWorld();
    await settingsOf(world, { allowed_ips: { ips: ['192.0.2.1'], protected_branches_only: true } });
    expect(() => world.plane.truth.connect(PRIMARY)).not.toThrow();
    await world.send('PATCH', `${SHOP}/branches/${MAIN}`, { branch: { protected: true } });
    expect(() => world.plane.truth.connect(PRIMARY)).toThrow('not allowed');
    await settingsOf(world, { allowed_ips: { ips: [] } });
    expect(() => world.plane.truth.connect(PRIMARY)).not.toThrow();
  });

  it('give way to blocked connections, public ones and those of private networks', async () => {
    const world = makeWorld();
    await settingsOf(world, { allowed_ips: { ips: ['127.0.0.1'] }, block_public_connections: true });
    expect(() => world.plane.truth.connect(PRIMARY)).toThrow('public connections are blocked');
    expect(() => world.plane.truth.connect(PRIMARY, { isPrivate: true })).not.toThrow();
    await settingsOf(world, { block_public_connections: false, block_vpc_connections: true });
    expect(() => world.plane.truth.connect(PRIMARY)).not.toThrow();
    expect(() => world.plane.truth.connect(PRIMARY, { isPrivate: true })).toThrow('VPC connections are blocked');
  });
});

it('the usage of a project grows with time and size of its active computes, and anew each period', async () => {
  const world = makeWorld();
  await createActive(world, STAGING, ALWAYS);
  await world.pass(HOUR);
  expect(await usedBy(world)).toEqual([3601, 7202]);
  await createActive(world, MAIN, { type: 'read_only', suspend_timeout_seconds: 60 });
  await world.pass(HOUR / 6);
  expect(await usedBy(world)).toEqual([3601 + 602 + 61, 7202 + 1204 + 15]);
  const begin = String((await projectIn(world))['consumption_period_end']);
  await world.pass(Date.parse(begin) - world.clock.nowMs() + 10_000);
  expect(await usedBy(world)).toEqual([10, 20]);
  expect(await projectIn(world)).toMatchObject({ consumption_period_start: begin });
});

it('the usage of a project outlives its deletion', async () => {
  const world = makeWorld();
  await createActive(world, STAGING, ALWAYS);
  await world.pass(HOUR);
  await world.send('DELETE', SHOP);
  await world.send('POST', `${SHOP}/recover`);
  expect(await usedBy(world)).toEqual([3601, 7202]);
});

it('the usage of a compute counts until its Postgres is lost', async () => {
  const world = makeWorld();
  const id = await createActive(world, STAGING, ALWAYS);
  await world.pass(HOUR);
  world.plane.engine.transact((atMs) => fall(world.plane.engine, id, atMs));
  await world.pass(HOUR);
  expect(await usedBy(world)).toEqual([3601, 7202]);
});

describe('a quota', () => {
  const limit = (world: TestWorld, quota: object): Promise<void> => settingsOf(world, { quota });
  const starting = async (world: TestWorld, id: string): Promise<number> =>
    (await world.send('POST', `${ENDPOINTS}/${id}/start`)).status;

  it.each([
    ['active_time_seconds', 3600],
    ['compute_time_seconds', 7200],
  ])('%s suspends all computes when it is reached, and starts none until it is raised', async (name, most) => {
    const world = makeWorld();
    await limit(world, { [name]: most });
    const id = await createActive(world, STAGING, ALWAYS);
    const connection = world.plane.truth.connect(id);
    await world.pass(HOUR - 2000);
    expect([world.plane.truth.compute(id)?.currentState, connection.isOpen()]).toEqual(['active', true]);
    await world.pass(3000);
    expect([world.plane.truth.compute(id)?.currentState, connection.isOpen()]).toEqual(['idle', false]);
    expect(() => world.plane.truth.connect(id)).toThrow(name);
    for (const action of ['start', 'restart']) {
      const refused = await world.send('POST', `${ENDPOINTS}/${id}/${action}`);
      expect([refused.status, refused.body.message]).toEqual([412, expect.stringContaining(name)]);
    }
    const made = await world.send('POST', ENDPOINTS, { endpoint: { branch_id: STAGING, type: 'read_only' } });
    expect(made.status).toBe(412);
    await limit(world, { [name]: 100_000 });
    expect(await starting(world, id)).toBe(200);
  });

  it('that is lowered below what was used is reached at once; zero is none', async () => {
    const world = makeWorld();
    const id = await createActive(world, STAGING, { suspend_timeout_seconds: -1 });
    await world.pass(HOUR);
    await limit(world, { active_time_seconds: 60 });
    await world.pass(2000);
    expect(world.plane.truth.compute(id)?.currentState).toBe('idle');
    await limit(world, { active_time_seconds: 0 });
    expect(await starting(world, id)).toBe(200);
  });

  it('begins anew with the period', async () => {
    const world = makeWorld();
    await limit(world, { active_time_seconds: 60 });
    const id = await createActive(world, STAGING, { suspend_timeout_seconds: -1 });
    await world.pass(HOUR / 30);
    expect(world.plane.truth.compute(id)?.currentState).toBe('idle');
    await world.pass(720 * HOUR);
    expect(await starting(world, id)).toBe(200);
  });
});
