// The life of a branch: what it inherits, when it expires, how it is restored, and how it goes and comes back.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MAIN, MINUTE, SHOP, STAGING, makeWorld, type Answer, type TestWorld } from './world.ts';

/** A place in the log. */
const place: unknown = expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/);
const BRANCHES = `${SHOP}/branches`;
const at = (world: TestWorld, ms: number): string => new Date(world.clock.nowMs() + ms).toISOString();
const make = async (world: TestWorld, branch: object, more: object = {}): Promise<Answer> => {
  const answer = await world.send('POST', BRANCHES, { branch, ...more });
  await world.pass(2000);
  return answer;
};
const one = (world: TestWorld, id: string): Promise<Answer> => world.send('GET', `${BRANCHES}/${id}`);
const restore = async (world: TestWorld, id: string, body: object): Promise<Answer> => {
  const answer = await world.send('POST', `${BRANCHES}/${id}/restore`, body);
  await world.pass(3000);
  return answer;
};
const namesOf = async (world: TestWorld, id: string, what: 'roles' | 'databases'): Promise<string[]> => {
  const { body } = await world.send('GET', `${BRANCHES}/${id}/${what}`);
  return (body[what] as readonly { readonly name: string }[]).map(({ name }) => name).sort();
};
const addRole = async (world: TestWorld, id: string, name: string): Promise<void> => {
  expect((await world.send('POST', `${BRANCHES}/${id}/roles`, { role: { name } })).status).toBe(201);
  await world.pass(3000);
};

describe('a new branch', () => {
  it('begins at an earlier moment of its parent, told by a time or a place in the log', async () => {
    const world = makeWorld();
    await world.pass(HOUR);
    const before = at(world, 0);
    await world.pass(1000);
    await addRole(world, MAIN, 'late');
    await world.send('PATCH', `${BRANCHES}/${MAIN}/databases/shopdb`, { database: { name: 'renamed' } });
    await world.pass(3000);
    const past = (await make(world, { name: 'past', parent_timestamp: before })).body.branch;
    expect(await namesOf(world, past.id, 'roles')).toEqual(['shop_owner']);
    expect(await namesOf(world, past.id, 'databases')).toEqual(['shopdb']);
    expect(past).toMatchObject({
      parent_timestamp: before,
      parent_lsn: place,
    });
    const again = (await make(world, { name: 'again', parent_lsn: past['parent_lsn'] })).body.branch;
    expect(again['parent_timestamp']).toBe(before);
    expect(await namesOf(world, again.id, 'roles')).toEqual(['shop_owner']);
    const now = (await make(world, { name: 'now' })).body.branch;
    expect(await namesOf(world, now.id, 'roles')).toEqual(['late', 'shop_owner']);
    expect(await namesOf(world, now.id, 'databases')).toEqual(['renamed']);
  });

  it.each<[string, object, number, RegExp]>([
    ['a moment to come', { parent_timestamp: '2030-01-01T00:00:00Z' }, 400, /history/],
    ['a place that is none', { parent_lsn: 'x' }, 400, /parent_lsn/],
    ['a place that no date can name', { parent_lsn: 'FFFFFFFF/FFFFFFFF' }, 400, /history/],
    ['a source that is none', { init_source: 'nothing' }, 400, /init_source/],
    ['a source that is not modelled', { init_source: 'import' }, 501, /init_source/],
  ])('is refused with %s', async (_name, branch, status, message) => {
    const world = makeWorld();
    const answer = await make(world, branch);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
    expect(world.plane.truth.branches('spring-example-302709')).toHaveLength(3);
  });
});

it('an expiry waits for operations of the branch, and comes over a restart of time', async () => {
  const world = makeWorld({ operationMs: { min: 90_000, max: 90_000 } });
  const { branch } = (await world.send('POST', BRANCHES, { branch: { expires_at: at(world, MINUTE) } })).body;
  await world.pass(MINUTE + 5000);
  expect((await one(world, branch.id)).status).toBe(200);
  await world.pass(MINUTE);
  expect((await one(world, branch.id)).status).toBe(404);
});

describe('a restore', () => {
  it('from the parent brings its contents, and the ledger tells what is lost', async () => {
    const world = makeWorld();
    const { id } = (await make(world, { name: 'work' }, { endpoints: [{ type: 'read_write' }] })).body.branch;
    await world.pass(2000);
    await addRole(world, id, 'mine');
    await addRole(world, MAIN, 'theirs');
    await restore(world, id, { source_branch_id: MAIN });
    expect(world.plane.ledger().at(-1)).toMatchObject({ droppedConnections: true, lost: [{ kind: 'branch', id }] });
    await world.pass(1000);
    expect(await namesOf(world, id, 'roles')).toEqual(['shop_owner', 'theirs']);
  });

  const old = { source_branch_id: MAIN, source_timestamp: '2020-01-01T00:00:00Z', preserve_under_name: 'x' };
  it.each<[string, string, object, number]>([
    ['an unknown source', STAGING, { source_branch_id: 'br-none-000000' }, 404],
    ['no source', STAGING, {}, 400],
    ['two moments', MAIN, { ...old, source_lsn: '0/14EE150' }, 400],
    ['a moment that is not kept', MAIN, old, 400],
  ])('of %s is refused', async (_name, id, body, status) => {
    const world = makeWorld();
    const noted = world.plane.ledger().length;
    expect((await restore(world, id, body)).status).toBe(status);
    expect(world.plane.ledger()).toHaveLength(noted);
  });

  it('of the first root from another branch makes its old state the root that stays', async () => {
    const world = makeWorld();
    const asked = { source_branch_id: STAGING, preserve_under_name: 'origin' };
    expect((await restore(world, MAIN, asked)).status).toBe(200);
    const { branches } = (await world.send('GET', BRANCHES)).body;
    const origin = branches.find(({ name }) => name === 'origin')?.id ?? '';
    expect(branches.find(({ id }) => id === MAIN)?.['parent_id']).toBe(STAGING);
    expect((await world.send('DELETE', `${BRANCHES}/${origin}`)).body.message).toContain('root');
  });
});

describe('a deleted branch', () => {
  it('comes back with its computes, idle and without an expiry, for seven days', async () => {
    const world = makeWorld();
    const made = await make(
      world,
      { name: 'short', expires_at: at(world, HOUR) },
      { endpoints: [{ type: 'read_write' }] },
    );
    const { id } = made.body.branch;
    await world.pass(2000);
    expect((await world.send('DELETE', `${BRANCHES}/${id}`)).status).toBe(200);
    const listed = async (query: string): Promise<number> =>
      (await world.send('GET', `${BRANCHES}${query}`)).body.branches.filter((branch) => branch.id === id).length;
    expect([await listed(''), await listed('?include_deleted=true')]).toEqual([0, 1]);
    const back = await world.send('POST', `${BRANCHES}/${id}/recover`);
    expect(back.body.branch).not.toHaveProperty('expires_at');
    expect(back.body.endpoints).toMatchObject([{ id: made.body.endpoints[0]?.id, current_state: 'idle' }]);
    await world.pass(2 * HOUR);
    expect((await one(world, id)).status).toBe(200);
    expect((await world.send('POST', `${BRANCHES}/${id}/recover`)).status).toBe(422);
    await world.send('DELETE', `${BRANCHES}/${id}`);
    await world.pass(7 * DAY + 1);
    expect((await world.send('POST', `${BRANCHES}/${id}/recover`)).status).toBe(404);
    expect(await listed('?include_deleted=true')).toBe(0);
  });

  it('does not come back where its name is taken', async () => {
    const world = makeWorld();
    const { id } = (await make(world, { name: 'twice' })).body.branch;
    await world.send('DELETE', `${BRANCHES}/${id}`);
    await make(world, { name: 'twice' });
    expect((await world.send('POST', `${BRANCHES}/${id}/recover`)).status).toBe(409);
  });

  it('is not deleted for good by a parameter that is not modelled', async () => {
    const answer = await makeWorld().send('DELETE', `${BRANCHES}/${STAGING}?hard_delete=true`);
    expect([answer.status, answer.body['code']]).toEqual([501, 'NOT_MODELLED']);
  });
});
