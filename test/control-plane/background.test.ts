// What the control plane does by itself: availability checks, detaching and reattaching, and nothing else.
import { describe, expect, it } from 'vitest';
import { DAY, ENDPOINTS, HOUR, ONE, PRIMARY, SHOP, STAGING, createActive, makeWorld, type TestWorld } from './world.ts';

const PROJECT = 'spring-example-302709';
const count = (world: TestWorld, action: string): number =>
  world.plane.truth.operations({ projectId: PROJECT }).filter((item) => item.action === action).length;

it('availability checks run once a day on branches that have a compute, and on no others', async () => {
  const world = makeWorld();
  await world.pass(3 * DAY + HOUR);
  const all = world.plane.truth.operations({ projectId: PROJECT });
  const checks = all.filter(({ action }) => action === 'check_availability');
  const one = { endpointId: PRIMARY, status: 'finished' };
  expect(checks).toMatchObject([one, one, one]);
  expect(world.plane.truth.compute(PRIMARY)?.currentState).toBe('idle');
  // Only requests end in the ledger.
  expect(world.plane.ledger().map((entry) => entry.kind)).toEqual(['key']);
});

describe('detaching', () => {
  it('happens after 30 idle days, and a request reattaches', async () => {
    const world = makeWorld({ switches: { availabilityChecks: 'off' } });
    await world.pass(29 * DAY);
    expect(count(world, 'tenant_detach')).toBe(0);
    await world.pass(DAY);
    expect(count(world, 'tenant_detach')).toBe(1);
    await world.pass(30 * DAY);
    expect(count(world, 'tenant_detach')).toBe(1);
    world.plane.truth.connect(PRIMARY);
    expect(count(world, 'tenant_reattach')).toBe(1);
    await world.pass(2000);
    expect(world.plane.truth.compute(PRIMARY)?.currentState).toBe('active');
    await world.pass(31 * DAY);
    expect(count(world, 'tenant_detach')).toBe(2);
  });

  it('never happens to a project with a compute that is always active', async () => {
    const world = makeWorld();
    await createActive(world, STAGING, { suspend_timeout_seconds: -1 });
    await world.pass(100 * DAY);
    expect(count(world, 'tenant_detach')).toBe(0);
  });
});

it.each([
  ['GET', SHOP, undefined],
  ['GET', ENDPOINTS, undefined],
  ['GET', `${SHOP}/branches`, undefined],
  ['GET', ONE, undefined],
  ['PATCH', ONE, { endpoint: { name: 'changed' } }],
])('a detached project is reattached by %s %s', async (method, path, body) => {
  const world = makeWorld({ switches: { availabilityChecks: 'off' } });
  await world.pass(31 * DAY);
  expect([count(world, 'tenant_detach'), count(world, 'tenant_reattach')]).toEqual([1, 0]);
  for (const look of ['first', 'second'])
    expect([look, (await world.send(method, path, body)).status]).toEqual([look, 200]);
  expect(count(world, 'tenant_reattach')).toBe(1);
  expect(world.plane.truth.projects().find(({ id }) => id === PROJECT)?.detached).toBe(false);
});
