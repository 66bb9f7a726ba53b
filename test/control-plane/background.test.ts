// What the control plane does by itself: availability checks, detaching and reattaching, and nothing else.
import { describe, expect, it } from 'vitest';
import { DAY, ENDPOINTS, HOUR, ONE, PRIMARY, SHOP, STAGING, createActive, makeWorld, type TestWorld } from './world.ts';

const PROJECT = 'spring-example-302709';
const count = (world: TestWorld, action: string): number =>
  world.plane.truth.operations({ projectId: PROJECT }).filter((item) => item.action === action).length;

describe('availability checks', () => {
  it('run once a day on branches that have a compute, and on no others', async () => {
    const world = makeWorld();
    await world.pass(3 * DAY + HOUR);
    const checks = world.plane.truth
      .operations({ projectId: PROJECT })
      .filter((item) => item.action === 'check_availability');
    expect(checks).toHaveLength(3);
    expect(new Set(checks.map((item) => item.endpointId))).toEqual(new Set([PRIMARY]));
    expect(checks.every((item) => item.status === 'finished')).toBe(true);
    expect(world.plane.truth.compute(PRIMARY)?.currentState).toBe('idle');
  });

  it('do not end in the ledger: only requests do', async () => {
    const world = makeWorld();
    await world.pass(3 * DAY);
    expect(world.plane.ledger().map((entry) => entry.kind)).toEqual(['key']);
  });
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

  it('is undone by a change of the project too', async () => {
    const world = makeWorld();
    await world.pass(40 * DAY);
    expect(count(world, 'tenant_detach')).toBe(1);
    expect((await world.send('PATCH', ONE, { endpoint: { branch_id: STAGING } })).status).toBe(200);
    expect(count(world, 'tenant_reattach')).toBe(1);
  });
});

describe('a detached project', () => {
  it.each([SHOP, ENDPOINTS, `${SHOP}/branches`, ONE])('is reattached by a look at %s', async (path) => {
    const world = makeWorld({ switches: { availabilityChecks: 'off' } });
    await world.pass(31 * DAY);
    expect([count(world, 'tenant_detach'), count(world, 'tenant_reattach')]).toEqual([1, 0]);
    expect((await world.send('GET', path)).status).toBe(200);
    expect((await world.send('GET', path)).status).toBe(200);
    expect(count(world, 'tenant_reattach')).toBe(1);
    expect(world.plane.truth.projects().find(({ id }) => id === PROJECT)?.detached).toBe(false);
  });
});

describe('storage and data operations', () => {
  it('a changed history retention is applied to storage', async () => {
    const world = makeWorld();
    const answer = await world.send('PATCH', SHOP, { project: { history_retention_seconds: 3600 } });
    expect(answer.body.operations.map((item) => item.action)).toEqual(['apply_storage_config']);
  });

  it('a deleted project loses its data, computes and branches', async () => {
    const world = makeWorld();
    expect((await world.send('DELETE', SHOP)).status).toBe(200);
    expect((await world.send('GET', ENDPOINTS)).status).toBe(404);
    expect(world.plane.truth.branches(PROJECT)).toEqual([]);
    expect(count(world, 'delete_tenant')).toBe(1);
    expect((await world.send('GET', '/projects')).body.projects.map((item) => item.name)).toEqual(['lab']);
  });

  it('created, changed and deleted roles and databases are applied', async () => {
    const world = makeWorld();
    const branch = `${SHOP}/branches/br-wispy-meadow-118737`;
    const made = await world.send('POST', `${branch}/roles`, { role: { name: 'reader' } });
    expect(made.status).toBe(201);
    expect(made.body.operations.map((item) => item.action)).toEqual(['apply_config', 'suspend_compute']);
    await world.pass(3000);
    const database = { database: { name: 'extra', owner_name: 'reader' } };
    expect((await world.send('POST', `${branch}/databases`, database)).status).toBe(201);
    await world.pass(3000);
    expect((await world.send('DELETE', `${branch}/roles/reader`)).status).toBe(422);
    expect((await world.send('DELETE', `${branch}/databases/extra`)).status).toBe(200);
  });
});
