// Section 2 of the account reference: branches, their fields, states, operations and rules.
import { expect } from 'vitest';
import { HOUR, MAIN, MINUTE, SHOP, STAGING, actionsOf, createActive, type Answer, type TestWorld } from '../world.ts';
import { BRANCHES, asked, at, refused, matching, text, type Body, type Rows } from './row.ts';

const made = async (world: TestWorld, branch: object = {}, more: object = {}): Promise<Answer['body']> => {
  const body = await asked(world, ['POST', BRANCHES, { branch, ...more }], 201);
  await world.pass(2500);
  return body;
};
const one = async (world: TestWorld, id: string): Promise<Body> =>
  (await asked(world, ['GET', `${BRANCHES}/${id}`], 200))['branch'];
const patched = (world: TestWorld, id: string, branch: object): ReturnType<typeof asked> =>
  asked(world, ['PATCH', `${BRANCHES}/${id}`, { branch }], 200);
const STAGE = `${BRANCHES}/${STAGING}`;
const COMPUTE = { endpoints: [{ type: 'read_write' }] };

const routes: Rows = {
  '2.1 the list is sorted, in pages by next, without which it ends, and has the annotations': async (world) => {
    await made(world, { name: 'alpha' }, { annotation_value: { run: 'r1' } });
    const first = await asked(world, ['GET', `${BRANCHES}?limit=3&sort_by=name&sort_order=asc`], 200);
    expect(first.branches.map(({ name }) => name)).toEqual(['alpha', 'dev', 'main']);
    expect(first['annotations']).toMatchObject({
      [first.branches[0]?.id ?? '']: { object: { type: 'console/branch' }, value: { run: 'r1' } },
    });
    const next = first.pagination.next ?? '';
    const rest = await asked(world, ['GET', `${BRANCHES}?limit=3&sort_by=name&sort_order=asc&cursor=${next}`], 200);
    expect([rest.branches.map(({ name }) => name), rest.pagination]).toEqual([
      ['staging'],
      { sort_by: 'name', sort_order: 'ASC' },
    ]);
    const plain = await asked(world, ['GET', BRANCHES], 200);
    expect(plain.branches[0]?.name).toBe('alpha');
    expect(plain.pagination).toEqual({ sort_by: 'updated_at', sort_order: 'DESC' });
    for (const query of ['limit=0', 'limit=10001', 'sort_by=id', 'sort_order=up', 'cursor=!'])
      await asked(world, ['GET', `${BRANCHES}?${query}`], 400);
  },
  '2.1 branches are counted, also those that a search finds': async (world) => {
    expect((await asked(world, ['GET', `${BRANCHES}/count`], 200))['count']).toBe(3);
    expect((await asked(world, ['GET', `${BRANCHES}/count?search=sta`], 200))['count']).toBe(1);
    expect((await asked(world, ['GET', `${BRANCHES}?search=sta`], 200)).branches).toHaveLength(1);
  },
  '2.1 one branch comes with its annotation; a delete is 200, of a missing one 204 without body': async (world) => {
    expect(Object.keys(await asked(world, ['GET', STAGE], 200)).sort()).toEqual(['annotation', 'branch']);
    expect(Object.keys(await asked(world, ['DELETE', STAGE], 200)).sort()).toEqual(['branch', 'operations']);
    expect(await asked(world, ['DELETE', STAGE], 204)).toEqual({});
  },
  '2.1 set_as_default moves the flag; its operations are none': async (world) => {
    expect(await asked(world, ['POST', `${STAGE}/set_as_default`], 200)).toMatchObject({
      branch: { default: true, primary: true },
      operations: [],
    });
    expect(await one(world, MAIN)).toMatchObject({ default: false });
  },
  '2.1 the computes of a branch are a list of their own': async (world) => {
    expect((await asked(world, ['GET', `${BRANCHES}/${MAIN}/endpoints`], 200)).endpoints).toHaveLength(1);
    expect((await asked(world, ['GET', `${STAGE}/endpoints`], 200)).endpoints).toEqual([]);
  },
};

const creation: Rows = {
  '2.2 a body is not needed: the name is made up, the parent is the default branch, there is no compute': async (
    world,
  ) => {
    const body = await asked(world, ['POST', BRANCHES], 201);
    expect(body.branch).toMatchObject({ parent_id: MAIN, name: body.branch.id });
    expect([body.endpoints, body['connection_uris']]).toEqual([[], undefined]);
    expect((await asked(world, ['POST', BRANCHES, { branch: { parent_id: '' } }], 201)).branch['parent_id']).toBe(MAIN);
  },
  '2.2 connection strings come with a compute, one role and one database, and not with more': async (world) => {
    const uris = (await made(world, {}, COMPUTE))['connection_uris'];
    expect(uris).toMatchObject([{ connection_uri: matching(/^postgresql:\/\/shop_owner:npg_/) }]);
    await asked(world, ['POST', `${BRANCHES}/${MAIN}/roles`, { role: { name: 'second' } }], 201);
    await world.pass(3000);
    expect(await made(world, {}, COMPUTE)).not.toHaveProperty('connection_uris');
  },
  '2.2 a place and a time at once': refused(
    ['POST', BRANCHES, { branch: { parent_lsn: '0/1', parent_timestamp: '2026-01-01T00:00:00Z' } }],
    [400, /parent_lsn/],
  ),
  '2.2 a time out of the history': refused(
    ['POST', BRANCHES, { branch: { parent_timestamp: '2025-12-01T00:00:00Z' } }],
    [400, /history/],
  ),
  '2.2 more than 50 annotations': refused(
    [
      'POST',
      BRANCHES,
      { annotation_value: Object.fromEntries(Array.from({ length: 51 }, (_, count) => [`a${count}`, 'x'])) },
    ],
    [400, /annotation_value/],
  ),
  '2.2 an unknown parent': refused(['POST', BRANCHES, { branch: { parent_id: 'br-none-1' } }], [404, /br-none-1/]),
  '2.2 parent-schema, which is not modelled': refused(
    ['POST', BRANCHES, { branch: { init_source: 'parent-schema' } }],
    [501, /init_source.*NOT_MODELLED/],
  ),
  '2.2 two primaries in one call': refused(
    ['POST', BRANCHES, { endpoints: [{ type: 'read_write' }, { type: 'read_write' }] }],
    [409, /read_write/],
  ),
  '2.2 a schema alone makes a root, which cannot be reset': async (world) => {
    const { branch } = await made(world, { init_source: 'schema-only' });
    expect(branch).not.toHaveProperty('parent_id');
    await asked(world, ['POST', `${BRANCHES}/${branch.id}/restore`, { source_branch_id: branch.id }], 422);
  },
  '2.2 annotations of a new project are those of its default branch, and no route changes them': async (world) => {
    const wish = { project: { branch: { annotations: { run: 'r2' } } } };
    const { project, branch } = await asked(world, ['POST', '/projects', wish], 201);
    const path = `/projects/${project.id}/branches/${branch.id}`;
    await asked(
      world,
      ['PATCH', path, { branch: { annotations: { run: 'r3' }, annotation_value: { run: 'r3' } } }],
      200,
    );
    expect((await asked(world, ['GET', path], 200))['annotation']).toMatchObject({ value: { run: 'r2' } });
  },
};

const fieldsAndStates: Rows = {
  '2.3 every required member is there, of a root without a parent, of a child with its beginning': async (world) => {
    const required =
      'id project_id name current_state state_changed_at creation_source created_at updated_at default protected cpu_used_sec active_time_seconds compute_time_seconds written_data_bytes data_transfer_bytes';
    const root = await one(world, MAIN);
    for (const member of required.split(' ')) expect(root).toHaveProperty(member);
    expect(root).not.toHaveProperty('parent_id');
    const child = (await made(world)).branch;
    expect(child).toMatchObject({ parent_lsn: text, parent_timestamp: text });
  },
  '2.3 recovery is shown with include_deleted alone, and says who deleted the branch and until when it can be had back':
    async (world) => {
      await asked(world, ['DELETE', STAGE], 200);
      const listed = async (query: string): Promise<Body | undefined> =>
        (await asked(world, ['GET', `${BRANCHES}${query}`], 200)).branches.find(({ id }) => id === STAGING);
      expect(await listed('')).toBeUndefined();
      expect(await listed('?include_deleted=true')).toMatchObject({
        pending_state: 'storage_deleted',
        recovery: { deletion_method: 'user', deleted_at: at(world, 0), recoverable_until: at(world, 7 * 24 * HOUR) },
      });
    },
  '2.4 init becomes ready, resetting becomes ready, a deleted one is storage_deleted, an archived one opens by use':
    async (world) => {
      const { branch } = await asked(world, ['POST', BRANCHES, {}], 201);
      expect(branch).toMatchObject({ current_state: 'init', pending_state: 'ready' });
      await world.pass(1500);
      expect(await one(world, branch.id)).toMatchObject({ current_state: 'ready' });
      const reset = await asked(world, ['POST', `${BRANCHES}/${branch.id}/restore`, { source_branch_id: MAIN }], 200);
      expect(reset.branch).toMatchObject({ current_state: 'resetting' });
      await world.pass(2500);
      expect(await one(world, branch.id)).toMatchObject({ current_state: 'ready' });
      const gone = await asked(world, ['DELETE', `${BRANCHES}/${branch.id}`], 200);
      expect(gone.branch).toMatchObject({ pending_state: 'storage_deleted' });
      const cold = (await made(world, { archived: true })).branch.id;
      expect(await one(world, cold)).toMatchObject({ current_state: 'archived' });
      await createActive(world, cold);
      expect(await one(world, cold)).toMatchObject({ current_state: 'ready' });
    },
};

const started =
  (actions: readonly string[], run: (world: TestWorld) => Promise<Answer>): Rows[string] =>
  async (world) =>
    expect(actionsOf(await run(world))).toEqual(actions);
const withCompute = async (world: TestWorld): Promise<string> => {
  await createActive(world, STAGING);
  return STAGE;
};
const operations: Rows = {
  '2.5 create starts create_branch, and each compute after it': started(
    ['create_branch running', 'start_compute scheduling'],
    (world) => world.send('POST', BRANCHES, COMPUTE),
  ),
  '2.5 a rename, protection and an expiry start nothing': async (world) => {
    for (const branch of [
      { name: 'other' },
      { protected: true },
      { protected: false },
      { expires_at: at(world, HOUR) },
    ])
      expect(actionsOf(await world.send('PATCH', STAGE, { branch }))).toEqual([]);
  },
  '2.5 the delete of one without a compute': started(['delete_timeline running'], (world) =>
    world.send('DELETE', STAGE),
  ),
  '2.5 the delete of one with an active compute': started(
    ['suspend_compute running', 'delete_timeline scheduling'],
    async (world) => world.send('DELETE', await withCompute(world)),
  ),
  '2.5 a reset of one with an active compute': started(
    ['suspend_compute running', 'create_branch scheduling', 'delete_timeline scheduling'],
    async (world) => world.send('POST', `${await withCompute(world)}/restore`, { source_branch_id: MAIN }),
  ),
  '2.5 a restore that preserves the old state': started(['create_branch running'], (world) =>
    world.send('POST', `${STAGE}/restore`, { source_branch_id: MAIN, preserve_under_name: 'old' }),
  ),
};

const TOMORROW = '2026-01-02T00:00:00Z';
const expiring = (time: string) => ['PATCH', STAGE, { branch: { expires_at: time } }] as const;
const protect = (world: TestWorld): Promise<unknown> => patched(world, STAGING, { protected: true });
const lease = (world: TestWorld): Promise<unknown> => patched(world, STAGING, { expires_at: TOMORROW });
const bear = (world: TestWorld): Promise<unknown> => made(world, { parent_id: STAGING });
const name = { branch: { name: 'dev' } };
const rules: Rows = {
  '2.6 a duplicate name at birth': refused(['POST', BRANCHES, name], [409, /branch with the same name already exists/]),
  '2.6 a duplicate name later': refused(['PATCH', STAGE, name], [409, /branch with the same name already exists/]),
  '2.6 a rename to its present name': refused(
    ['PATCH', STAGE, { branch: { name: 'staging' } }],
    [400, /cannot set branch to the same name/],
  ),
  '2.6 a name without characters': refused(['POST', BRANCHES, { branch: { name: '' } }], [400, /name/]),
  '2.6 a name of 257 characters': refused(['PATCH', STAGE, { branch: { name: 'x'.repeat(257) } }], [400, /name/]),
  '2.6 a compute that the plan refuses: nothing is created': refused(
    ['POST', BRANCHES, { endpoints: [{ type: 'read_write', suspend_timeout_seconds: 600 }] }],
    [412, /suspend interval/],
    (world) => Promise.resolve(world.plane.setSwitches({ plan: 'free' })),
  ),
  '2.6 the delete of the default branch': refused(['DELETE', `${BRANCHES}/${MAIN}`], [422, /default/]),
  '2.6 the delete of the first root, though it is the default no more': refused(
    ['DELETE', `${BRANCHES}/${MAIN}`],
    [422, /root/],
    (world) => asked(world, ['POST', `${STAGE}/set_as_default`], 200),
  ),
  '2.6 the delete of one with children': refused(['DELETE', STAGE], [422, /children/], bear),
  '2.6 the delete of a protected one': refused(['DELETE', STAGE], [422, /protected/], protect),
  '2.6 the reset of a protected one': refused(
    ['POST', `${STAGE}/restore`, { source_branch_id: MAIN }],
    [422, /protected/],
    protect,
  ),
  '2.6 the delete of a compute of a protected one': refused(
    ['DELETE', `${SHOP}/endpoints/ep-cool-darkness-123456`],
    [422, /protected/],
    (world) => patched(world, MAIN, { protected: true }),
  ),
  '2.6 GET of a missing one': refused(['GET', `${BRANCHES}/br-none-1`], [404, /br-none-1/]),
  '2.6 PATCH of a missing one': refused(['PATCH', `${BRANCHES}/br-none-1`, name], [404, /br-none-1/]),
  '2.6 the restore of a missing one': refused(
    ['POST', `${BRANCHES}/br-none-1/restore`, { source_branch_id: MAIN }],
    [404, /br-none-1/],
  ),
  '2.6 a malformed project id': refused(['GET', '/projects/Not_An_Id/branches'], [404, /this route does not exist/]),
  '2.6 a parent that is not ready yet is told to be in a transitive state': async (world) => {
    const { branch } = await asked(world, ['POST', BRANCHES, {}], 201);
    const body = await asked(world, ['POST', BRANCHES, { branch: { parent_id: branch.id } }], 423);
    expect(body.message).toContain('transitive state');
  },
};

const expiries: Rows = {
  '2.7 seconds count, fractions are dropped, the interval is kept; null takes it away and absence leaves it': async (
    world,
  ) => {
    const { branch } = await made(world, { expires_at: at(world, HOUR).replace('.000Z', '.900+00:00') });
    expect(branch).toMatchObject({
      expires_at: at(world, HOUR - 2500).replace(/\.\d+Z/, '.000Z'),
      ttl_interval_seconds: 3600,
    });
    expect((await patched(world, branch.id, { name: 'still' })).branch).toHaveProperty('expires_at');
    expect((await patched(world, branch.id, { expires_at: null })).branch).not.toHaveProperty('expires_at');
  },
  '2.7 a reset renews it, and the time takes the branch within twenty seconds': async (world) => {
    const { id } = (await made(world, { expires_at: at(world, MINUTE) })).branch;
    await world.pass(30_000);
    await asked(world, ['POST', `${BRANCHES}/${id}/restore`, { source_branch_id: MAIN }], 200);
    await world.pass(50_000);
    await one(world, id);
    await world.pass(30_000);
    await asked(world, ['GET', `${BRANCHES}/${id}`], 404);
  },
  '2.7 a time that is past': refused(expiring('2025-01-01T00:00:00Z'), [422, /expires_at/]),
  '2.7 a time more than 30 days ahead': refused(expiring('2026-02-01T00:00:00Z'), [422, /expires_at/]),
  '2.7 a time without a zone': refused(expiring('2026-01-02T00:00:00'), [400, /expires_at/]),
  '2.7 the default branch': refused(
    ['PATCH', `${BRANCHES}/${MAIN}`, { branch: { expires_at: TOMORROW } }],
    [422, /default/],
  ),
  '2.7 a protected branch': refused(expiring(TOMORROW), [422, /protected/], protect),
  '2.7 a parent': refused(expiring(TOMORROW), [422, /children/], bear),
  '2.7 an expiring one does not become the default': refused(
    ['POST', `${STAGE}/set_as_default`],
    [422, /expire/],
    lease,
  ),
  '2.7 an expiring one does not become protected': refused(
    ['PATCH', STAGE, { branch: { protected: true } }],
    [422, /expire/],
    lease,
  ),
  '2.7 an expiring one has no children': refused(
    ['POST', BRANCHES, { branch: { parent_id: STAGING } }],
    [422, /children/],
    lease,
  ),
};

const past = { source_branch_id: MAIN, source_timestamp: '2025-12-31T23:59:00Z' };
const restores: Rows = {
  '2.8 a reset keeps id, name, host and the passwords of the child, and ends its connections': async (world) => {
    const { branch, endpoints } = await made(world, { name: 'work' }, COMPUTE);
    const path = `${BRANCHES}/${branch.id}`;
    await world.pass(3000);
    await asked(world, ['POST', `${path}/roles/shop_owner/reset_password`], 200);
    await world.pass(3000);
    const { password } = await asked(world, ['GET', `${path}/roles/shop_owner/reveal_password`], 200);
    const connection = world.plane.truth.connect(endpoints[0]?.id ?? '');
    await world.pass(3000);
    await asked(world, ['POST', `${path}/restore`, { source_branch_id: MAIN }], 200);
    await world.pass(4000);
    expect(connection.isOpen()).toBe(false);
    expect(await one(world, branch.id)).toMatchObject({ name: 'work', last_reset_at: text });
    expect((await asked(world, ['GET', `${path}/endpoints`], 200)).endpoints[0]?.host).toBe(endpoints[0]?.host);
    expect((await asked(world, ['GET', `${path}/roles/shop_owner/reveal_password`], 200))['password']).toBe(password);
  },
  '2.8 preserve_under_name makes a branch of the old state, which takes all children over': async (world) => {
    const child = (await made(world, { parent_id: STAGING })).branch.id;
    await asked(
      world,
      ['POST', `${STAGE}/restore`, { source_branch_id: MAIN, preserve_under_name: 'staging_old' }],
      200,
    );
    const { branches } = await asked(world, ['GET', BRANCHES], 200);
    const old = branches.find((branch) => branch.name === 'staging_old');
    expect(await one(world, child)).toMatchObject({ parent_id: old?.id });
  },
  '2.8 one with children, without a name to preserve them under': refused(
    ['POST', `${STAGE}/restore`, { source_branch_id: MAIN }],
    [422, /preserve_under_name/],
    bear,
  ),
  '2.8 its own history without a moment': refused(
    ['POST', `${BRANCHES}/${MAIN}/restore`, { source_branch_id: MAIN, preserve_under_name: 'old' }],
    [422, /moment/],
  ),
  '2.8 its own history without a name': refused(
    ['POST', `${BRANCHES}/${MAIN}/restore`, past],
    [422, /preserve_under_name/],
  ),
  '2.8 a moment for a branch that is no root': refused(['POST', `${STAGE}/restore`, past], [422, /root/]),
  '2.8 a name that is in use': refused(
    ['POST', `${STAGE}/restore`, { source_branch_id: MAIN, preserve_under_name: 'dev' }],
    [409, /same name/],
  ),
  '2.8 a root goes back to its own history under a preserved name': async (world) => {
    await asked(
      world,
      ['POST', `${BRANCHES}/${MAIN}/databases`, { database: { name: 'late', owner_name: 'shop_owner' } }],
      201,
    );
    await world.pass(3000);
    await asked(world, ['POST', `${BRANCHES}/${MAIN}/restore`, { ...past, preserve_under_name: 'main_old' }], 200);
    const { databases } = await asked(world, ['GET', `${BRANCHES}/${MAIN}/databases`], 200);
    expect(databases).toMatchObject([{ name: 'shopdb' }]);
  },
};

const limits: Rows = Object.fromEntries(
  (
    [
      ['free', 'branches', 10, {}, /BRANCHES_LIMIT_EXCEEDED/],
      ['free', 'root branches', 3, { init_source: 'schema-only' }, /ROOT_BRANCHES_LIMIT_EXCEEDED/],
      ['launch', 'root branches', 5, { init_source: 'schema-only' }, /ROOT_BRANCHES_LIMIT_EXCEEDED/],
      ['scale', 'root branches', 25, { init_source: 'schema-only' }, /ROOT_BRANCHES_LIMIT_EXCEEDED/],
      ['free', 'protected branches', 0, { protected: true }, /BRANCHES_PROTECTED_LIMIT_EXCEEDED/],
      ['launch', 'protected branches', 2, { protected: true }, /BRANCHES_PROTECTED_LIMIT_EXCEEDED/],
      ['scale', 'protected branches', 5, { protected: true }, /BRANCHES_PROTECTED_LIMIT_EXCEEDED/],
    ] as const
  ).map(([plan, what, most, branch, code]) => {
    const there = { branches: 3, 'root branches': 1, 'protected branches': 0 }[what];
    const fill = async (world: TestWorld): Promise<void> => {
      world.plane.setSwitches({ plan });
      for (let count = there; count < most; count++) await made(world, branch);
    };
    return [`2.9 the plan ${plan} has ${most} ${what}`, refused(['POST', BRANCHES, { branch }], [422, code], fill)];
  }),
);

export const branchRows: Rows = {
  ...routes,
  ...creation,
  ...fieldsAndStates,
  ...operations,
  ...rules,
  ...expiries,
  ...restores,
  ...limits,
  '2.9 twenty computes are active beside the default branch, where the switch says so': refused(
    ['POST', `${SHOP}/endpoints`, { endpoint: { branch_id: STAGING, type: 'read_only' } }],
    [422, /ACTIVE_ENDPOINTS_LIMIT_EXCEEDED/],
    async (world) => {
      world.plane.setSwitches({ activeComputes: '20_beside_default' });
      for (let count = 0; count < 20; count++)
        await asked(world, ['POST', `${SHOP}/endpoints`, { endpoint: { branch_id: STAGING, type: 'read_only' } }], 201);
    },
  ),
};
