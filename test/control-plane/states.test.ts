// The whole state of a control plane: kept, put back and begun anew, in memory and in a folder; and its clock, over restarts too.
import { describe, expect, it } from 'vitest';
import type { ControlPlaneOptions } from '../../src/control-plane/index.ts';
import { folderOfTest } from '../support/folder.ts';
import { DAY, ENDPOINTS, HOUR, MAIN, ONE, SHOP, STAGING, createActive, makeWorld, type TestWorld } from './world.ts';

const namesOf = async (world: TestWorld): Promise<string[]> =>
  (await world.send('GET', `${SHOP}/branches?sort_by=name&sort_order=asc`)).body.branches.map(({ name }) => name);
const stores: readonly (readonly [string, () => ControlPlaneOptions])[] = [
  ['in memory', () => ({})],
  ['in a folder', () => ({ store: folderOfTest() })],
];

describe.each(stores)('a state %s', (_where, options) => {
  it('is put back whole: projects, keys, operations, passwords and ledger; what is under way goes on', async () => {
    const world = makeWorld(options());
    const uri = `${SHOP}/connection_uri?database_name=shopdb&role_name=shop_owner`;
    const before = (await world.send('GET', uri)).body['uri'];
    const id = await createActive(world, STAGING);
    const made = (await world.send('POST', '/api_keys', { key_name: 'kept' })).body;
    await world.send('POST', `${SHOP}/branches`, { branch: { name: 'under-way' } });
    const operations = world.plane.truth.operations().length;
    const ledger = world.plane.ledger().length;
    world.plane.states.keep('first');
    await world.send('DELETE', SHOP);
    await world.send('DELETE', `/api_keys/${made.id}`);
    await world.send('POST', '/projects', { project: {} });
    world.plane.states.putBack('first');
    expect([world.plane.truth.operations().length, world.plane.ledger().length]).toEqual([operations, ledger]);
    expect(await namesOf(world)).toEqual(['dev', 'main', 'staging', 'under-way']);
    expect((await world.send('GET', SHOP, undefined, { key: made.key })).status).toBe(200);
    expect((await world.send('GET', uri)).body['uri']).toBe(before);
    expect(world.plane.truth.compute(id)?.currentState).toBe('active');
    await world.pass(2000);
    expect(world.plane.truth.operations({ open: true })).toEqual([]);
    await world.pass(HOUR);
    expect(world.plane.truth.compute(id)?.currentState).toBe('idle');
    expect((await world.send('POST', `${SHOP}/branches`, { branch: { name: 'later' } })).status).toBe(201);
  });

  it('is begun anew: the seed again, the first key valid, others not, and an empty ledger', async () => {
    const world = makeWorld(options());
    const { key } = (await world.send('POST', '/api_keys', { key_name: 'gone' })).body;
    await world.send('DELETE', SHOP);
    world.plane.states.reset();
    expect(await namesOf(world)).toEqual(['dev', 'main', 'staging']);
    expect((await world.send('GET', SHOP, undefined, { key })).status).toBe(401);
    expect(world.plane.ledger()).toEqual([]);
    expect((await world.send('POST', '/api_keys', { key_name: 'new' })).status).toBe(200);
    expect(world.plane.ledger().map(({ seq, kind }) => [seq, kind])).toEqual([[1, 'key']]);
    expect((await world.send('GET', '/projects?recoverable=true')).body.projects).toEqual([]);
  });

  it('is known by its name alone', () => {
    const { plane } = makeWorld(options());
    for (const name of ['b', 'a']) plane.states.keep(name);
    plane.states.forget('b');
    expect(plane.states.names()).toEqual(['a']);
    for (const name of ['b', 'toString']) expect(() => plane.states.putBack(name)).toThrow(`under "${name}"`);
  });
});

it('a state is not kept or reset where a Postgres has the data', () => {
  const { plane } = makeWorld({});
  plane.engine.works = { committed: () => undefined } as never;
  expect(() => plane.states.keep('x')).toThrow('not modelled');
  expect(() => plane.states.reset()).toThrow('not modelled');
  plane.engine.works = undefined;
});

it('a state in a folder that was put back or begun anew is what the next start finds', async () => {
  const store = folderOfTest();
  const first = makeWorld({ store });
  first.plane.states.keep('begin');
  await first.send('DELETE', SHOP);
  first.plane.states.putBack('begin');
  first.plane.close();
  const second = makeWorld({ store });
  expect(second.plane.truth.branches('spring-example-302709')).toHaveLength(3);
  expect((await second.send('GET', ENDPOINTS, undefined, { key: first.key })).status).toBe(200);
  await second.send('DELETE', SHOP, undefined, { key: first.key });
  second.plane.states.reset();
  second.plane.close();
  const third = makeWorld({ store });
  expect((await third.send('GET', ONE, undefined, { key: first.key })).status).toBe(200);
});

describe('the clock of a control plane', () => {
  it('set forward lets everything happen that falls due by then', async () => {
    const world = makeWorld({});
    const id = await createActive(world, STAGING);
    const expires = new Date(world.clock.nowMs() + HOUR).toISOString();
    const { branch } = (await world.send('POST', `${SHOP}/branches`, { branch: { expires_at: expires } })).body;
    world.plane.clock.setForward(world.clock.nowMs() + 2 * HOUR);
    expect(world.plane.truth.compute(id)?.currentState).toBe('idle');
    expect((await world.send('GET', `${SHOP}/branches/${branch.id}`)).status).toBe(404);
  });

  it('frozen lets no operation end', async () => {
    const world = makeWorld({ time: { isFrozen: true } });
    await world.send('POST', ENDPOINTS, { endpoint: { branch_id: STAGING, type: 'read_write' } });
    await world.pass(HOUR);
    expect(world.plane.truth.operations({ open: true })).toHaveLength(1);
    world.plane.clock.freeze(false);
    await world.pass(2000);
    expect(world.plane.truth.operations({ open: true })).toEqual([]);
  });

  it('goes on from where it was when a folder is opened again, so that operations end', async () => {
    const store = folderOfTest();
    const first = makeWorld({ store, time: { toMs: Date.UTC(2026, 0, 1) + 30 * DAY } });
    await first.send('POST', ENDPOINTS, { endpoint: { branch_id: MAIN, type: 'read_only' } });
    first.plane.close();
    const second = makeWorld({ store });
    expect(second.plane.clock.state.ahead_ms).toBe(30 * DAY);
    await second.pass(2000);
    expect(second.plane.truth.operations({ open: true })).toEqual([]);
  });
});
