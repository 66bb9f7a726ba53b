// The life of a branch: what it inherits, when it expires, how it is restored, and how it goes and comes back.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MAIN, MINUTE, SHOP, STAGING, actionsOf, makeWorld, type Answer, type TestWorld } from './world.ts';

/** Any text. */
const text: unknown = expect.any(String);
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
const patch = (world: TestWorld, id: string, branch: object): Promise<Answer> =>
  world.send('PATCH', `${BRANCHES}/${id}`, { branch });
const restore = async (world: TestWorld, id: string, body: object): Promise<Answer> => {
  const answer = await world.send('POST', `${BRANCHES}/${id}/restore`, body);
  await world.pass(3000);
  return answer;
};
const namesOf = async (world: TestWorld, id: string, what: 'roles' | 'databases'): Promise<string[]> => {
  const { body } = await world.send('GET', `${BRANCHES}/${id}/${what}`);
  return (body[what] as readonly { readonly name: string }[]).map(({ name }) => name).sort();
};
const passwordOf = async (world: TestWorld, id: string, role: string = 'shop_owner'): Promise<unknown> =>
  (await world.send('GET', `${BRANCHES}/${id}/roles/${role}/reveal_password`)).body['password'];
const addRole = async (world: TestWorld, id: string, name: string): Promise<void> => {
  expect((await world.send('POST', `${BRANCHES}/${id}/roles`, { role: { name } })).status).toBe(201);
  await world.pass(3000);
};

describe('a new branch', () => {
  it('has the passwords of its parent, and new ones below a protected one', async () => {
    const world = makeWorld();
    const plain = (await make(world, { name: 'plain' })).body.branch.id;
    expect(await passwordOf(world, plain)).toBe(await passwordOf(world, MAIN));
    await patch(world, MAIN, { protected: true });
    const made = await make(world, { name: 'guarded' });
    const own = await passwordOf(world, made.body.branch.id);
    expect(own).not.toBe(await passwordOf(world, MAIN));
    expect(made.body['roles']).toMatchObject([{ name: 'shop_owner', password: own }]);
  });

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
    ['a moment that is none', { parent_timestamp: 'yesterday' }, 400, /parent_timestamp/],
    ['a place that is none', { parent_lsn: 'x' }, 400, /parent_lsn/],
    ['a source that is none', { init_source: 'nothing' }, 400, /init_source/],
    ['a source that is not modelled', { init_source: 'import' }, 501, /init_source/],
    ['an expiry that is no time', { expires_at: 'soon' }, 400, /expires_at/],
  ])('is refused with %s', async (_name, branch, status, message) => {
    const world = makeWorld();
    const answer = await make(world, branch);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
    expect(world.plane.truth.branches('spring-example-302709')).toHaveLength(3);
  });

  it('of a schema alone is a root, and can be deleted; the first root cannot', async () => {
    const world = makeWorld();
    const { branch } = (await make(world, { name: 'empty', init_source: 'schema-only' })).body;
    expect(branch).not.toHaveProperty('parent_id');
    expect(branch).toMatchObject({ init_source: 'schema-only' });
    await world.send('POST', `${BRANCHES}/${branch.id}/set_as_default`);
    const refused = await world.send('DELETE', `${BRANCHES}/${MAIN}`);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('root')]);
    await world.send('POST', `${BRANCHES}/${MAIN}/set_as_default`);
    expect((await world.send('DELETE', `${BRANCHES}/${branch.id}`)).status).toBe(200);
  });
});

describe('an expiry', () => {
  it('is renewed, ended and shown, and takes the branch when it comes', async () => {
    const world = makeWorld();
    const expires = at(world, HOUR);
    const { branch } = (await make(world, { name: 'short', expires_at: expires })).body;
    expect(branch).toMatchObject({ expires_at: expires, ttl_interval_seconds: 3600 });
    expect((await patch(world, branch.id, { name: 'shorter' })).body.branch['expires_at']).toBe(expires);
    expect((await patch(world, branch.id, { expires_at: null })).body.branch).not.toHaveProperty('expires_at');
    await patch(world, branch.id, { expires_at: at(world, MINUTE) });
    await world.pass(MINUTE + 20_000);
    expect((await one(world, branch.id)).status).toBe(404);
    const { branches } = (await world.send('GET', `${BRANCHES}?include_deleted=true`)).body;
    expect(branches.find(({ id }) => id === branch.id)).toMatchObject({ recovery: { deletion_method: 'ttl' } });
    const entry = world.plane.ledger().at(-1);
    expect([entry?.actor, entry?.verb, entry?.lost?.[0]?.kind]).toEqual([undefined, 'DELETE', 'branch']);
  });

  it('waits for operations of the branch, and comes over a restart of time', async () => {
    const world = makeWorld({ operationMs: { min: 90_000, max: 90_000 } });
    const { branch } = (await world.send('POST', BRANCHES, { branch: { expires_at: at(world, MINUTE) } })).body;
    await world.pass(MINUTE + 5000);
    expect((await one(world, branch.id)).status).toBe(200);
    await world.pass(MINUTE);
    expect((await one(world, branch.id)).status).toBe(404);
  });
});

describe('a restore', () => {
  it('from the parent brings its contents; id, hosts and passwords stay, connections end, the expiry begins anew', async () => {
    const world = makeWorld();
    const made = await make(
      world,
      { name: 'work', expires_at: at(world, HOUR) },
      { endpoints: [{ type: 'read_write' }] },
    );
    const { id } = made.body.branch;
    await world.pass(2000);
    await world.send('POST', `${BRANCHES}/${id}/roles/shop_owner/reset_password`);
    await world.pass(3000);
    const own = await passwordOf(world, id);
    await addRole(world, id, 'mine');
    await addRole(world, MAIN, 'theirs');
    const connection = world.plane.truth.connect(made.body.endpoints[0]?.id ?? '');
    await world.pass(MINUTE);
    const reset = await world.send('POST', `${BRANCHES}/${id}/restore`, { source_branch_id: MAIN });
    expect(reset.body.branch).toMatchObject({ id, name: 'work', current_state: 'resetting', pending_state: 'ready' });
    expect(actionsOf(reset)).toEqual([
      'suspend_compute running',
      'create_branch scheduling',
      'delete_timeline scheduling',
    ]);
    expect(world.plane.ledger().at(-1)).toMatchObject({ droppedConnections: true, lost: [{ kind: 'branch', id }] });
    expect(reset.body.branch['expires_at']).toBe(at(world, HOUR - (world.clock.nowMs() % 1000)));
    await world.pass(4000);
    expect(connection.isOpen()).toBe(false);
    expect(await namesOf(world, id, 'roles')).toEqual(['shop_owner', 'theirs']);
    expect(await passwordOf(world, id)).toBe(own);
    expect((await one(world, id)).body.branch).toMatchObject({
      current_state: 'ready',
      last_reset_at: text,
    });
    const { endpoints } = (await world.send('GET', `${BRANCHES}/${id}/endpoints`)).body;
    expect(endpoints[0]?.host).toBe(made.body.endpoints[0]?.host);
  });

  it('to its own past keeps what it had under another name, which takes the children over', async () => {
    const world = makeWorld();
    await world.pass(HOUR);
    const before = at(world, 0);
    await world.pass(1000);
    await addRole(world, MAIN, 'mistake');
    const asked = { source_branch_id: MAIN, source_timestamp: before, preserve_under_name: 'main_old' };
    const answer = await restore(world, MAIN, asked);
    expect(actionsOf(answer)).toEqual(['create_branch running']);
    const { branches } = (await world.send('GET', BRANCHES)).body;
    const old = branches.find(({ name }) => name === 'main_old');
    expect(await namesOf(world, MAIN, 'roles')).toEqual(['shop_owner']);
    expect(await namesOf(world, old?.id ?? '', 'roles')).toEqual(['mistake', 'shop_owner']);
    expect(
      branches.filter(({ name }) => name === 'staging' || name === 'dev').map((item) => item['parent_id']),
    ).toEqual([old?.id, old?.id]);
    expect(branches.find(({ id }) => id === MAIN)).not.toHaveProperty('parent_id');
    expect(old?.default).toBe(false);
    expect((await world.send('DELETE', `${BRANCHES}/${old?.id}`)).status).toBe(422);
  });

  it.each<[string, string, (world: TestWorld) => Promise<object>, number]>([
    ['an unknown source', STAGING, () => Promise.resolve({ source_branch_id: 'br-none-000000' }), 404],
    ['no source', STAGING, () => Promise.resolve({}), 400],
    [
      'two moments',
      MAIN,
      () =>
        Promise.resolve({
          source_branch_id: MAIN,
          source_lsn: '0/14EE150',
          source_timestamp: '2026-01-01T00:00:00Z',
          preserve_under_name: 'x',
        }),
      400,
    ],
    [
      'a moment that is not kept',
      MAIN,
      () =>
        Promise.resolve({
          source_branch_id: MAIN,
          source_timestamp: '2020-01-01T00:00:00Z',
          preserve_under_name: 'x',
        }),
      400,
    ],
  ])('of %s is refused', async (_name, id, bodyOf, status) => {
    const world = makeWorld();
    const body = await bodyOf(world);
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
