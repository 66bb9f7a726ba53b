// Section 2 of the account reference: branches, their fields, states, operations and rules.
import { expect } from 'vitest';
import {
  DAY,
  HOUR,
  MAIN,
  MINUTE,
  PRIMARY,
  SHOP,
  STAGING,
  actionsOf,
  createActive,
  makeWorld,
  type Answer,
  type TestWorld,
} from '../world.ts';
import { BRANCHES, asked, at, refused, matching, text, type Asking, type Rows } from './row.ts';

const STAGE = `${BRANCHES}/${STAGING}`;
const PRIMARY_WISH = { type: 'read_write' };
const COMPUTE = { endpoints: [PRIMARY_WISH] };
const NOW = '2026-01-01T00:00:00Z';
const TOMORROW = '2026-01-02T00:00:00Z';
const birth = (branch: object, more: object = {}): Asking => ['POST', BRANCHES, { branch, ...more }];
const change = (branch: object, id: string = STAGING): Asking => ['PATCH', `${BRANCHES}/${id}`, { branch }];
const removal = (id: string = STAGING): Asking => ['DELETE', `${BRANCHES}/${id}`];
const reset = (id: string = STAGING, more: object = {}): Asking => [
  'POST',
  `${BRANCHES}/${id}/restore`,
  { source_branch_id: MAIN, ...more },
];
const made = async (world: TestWorld, branch: object = {}, more: object = {}): Promise<Answer['body']> => {
  const body = await asked(world, birth(branch, more), 201);
  await world.pass(2500);
  return body;
};
const one = async (world: TestWorld, id: string): Promise<Answer['body']['branch']> =>
  (await asked(world, ['GET', `${BRANCHES}/${id}`])).branch;
const namesOf = async (world: TestWorld, id: string, what: 'roles' | 'databases'): Promise<string[]> =>
  ((await asked(world, ['GET', `${BRANCHES}/${id}/${what}`]))[what] as readonly { readonly name: string }[])
    .map(({ name }) => name)
    .sort();
const listed = async (world: TestWorld, id: string, query = '?include_deleted=true'): Promise<unknown> =>
  (await asked(world, ['GET', `${BRANCHES}${query}`])).branches.find((branch) => branch.id === id);
const idOf = async (world: TestWorld, named: string): Promise<string> =>
  (await asked(world, ['GET', BRANCHES])).branches.find(({ name }) => name === named)?.id ?? '';
const addRole = async (world: TestWorld, id: string, name: string): Promise<void> => {
  await asked(world, ['POST', `${BRANCHES}/${id}/roles`, { role: { name } }], 201);
  await world.pass(3000);
};

const routes: Rows = {
  '2.1 the list is sorted, in pages by next, without which it ends, and has the annotations': async (world) => {
    await made(world, { name: 'alpha' }, { annotation_value: { run: 'r1' } });
    const query = 'limit=3&sort_by=name&sort_order=asc';
    const first = await asked(world, ['GET', `${BRANCHES}?${query}`]);
    expect(first.branches.map(({ name }) => name)).toEqual(['alpha', 'dev', 'main']);
    const annotation = { object: { type: 'console/branch' }, value: { run: 'r1' } };
    expect(first['annotations']).toMatchObject({ [first.branches[0]?.id ?? '']: annotation });
    const rest = await asked(world, ['GET', `${BRANCHES}?${query}&cursor=${first.pagination.next ?? ''}`]);
    expect(rest.branches.map(({ name }) => name)).toEqual(['staging']);
    expect(rest.pagination).toEqual({ sort_by: 'name', sort_order: 'ASC' });
    const plain = await asked(world, ['GET', BRANCHES]);
    expect(plain.branches[0]?.name).toBe('alpha');
    expect(plain.pagination).toEqual({ sort_by: 'updated_at', sort_order: 'DESC' });
    for (const wrong of ['limit=0', 'limit=10001', 'sort_by=id', 'sort_order=up', 'cursor=!'])
      await asked(world, ['GET', `${BRANCHES}?${wrong}`], 400);
  },
  '2.1 a branch deleted between two pages hides no other': async (world) => {
    const query = 'limit=1&sort_by=name&sort_order=asc';
    const { next = '' } = (await asked(world, ['GET', `${BRANCHES}?${query}`])).pagination;
    await asked(world, ['DELETE', `${BRANCHES}/${await idOf(world, 'dev')}`]);
    const rest = await asked(world, ['GET', `${BRANCHES}?${query}&cursor=${next}`]);
    expect(rest.branches.map(({ name }) => name)).toEqual(['main']);
    await asked(world, ['GET', `${BRANCHES}?sort_by=created_at&cursor=${next}`], 400);
  },
  '2.1 branches are counted, also those that a search finds': async (world) => {
    expect((await asked(world, ['GET', `${BRANCHES}/count`]))['count']).toBe(3);
    expect((await asked(world, ['GET', `${BRANCHES}/count?search=sta`]))['count']).toBe(1);
    expect((await asked(world, ['GET', `${BRANCHES}?search=sta`])).branches).toHaveLength(1);
  },
  '2.1 one branch comes with its annotation; a delete is 200, of a missing one 204 without body': async (world) => {
    expect(Object.keys(await asked(world, ['GET', STAGE])).sort()).toEqual(['annotation', 'branch']);
    expect(Object.keys(await asked(world, removal())).sort()).toEqual(['branch', 'operations']);
    expect(await asked(world, removal(), 204)).toEqual({});
  },
  '2.1 set_as_default moves the flag; its operations are none': async (world) => {
    const answer = await asked(world, ['POST', `${STAGE}/set_as_default`]);
    expect(answer).toMatchObject({ branch: { default: true, primary: true }, operations: [] });
    expect(await one(world, MAIN)).toMatchObject({ default: false });
  },
  '2.1 the computes of a branch are a list of their own': async (world) => {
    expect((await asked(world, ['GET', `${BRANCHES}/${MAIN}/endpoints`])).endpoints).toHaveLength(1);
    expect((await asked(world, ['GET', `${STAGE}/endpoints`])).endpoints).toEqual([]);
  },
};

const many = Object.fromEntries(Array.from({ length: 51 }, (_, count) => [`a${count}`, 'x']));
const creation: Rows = {
  '2.2 no body is needed: the name is made up, the parent is the default, there is no compute': async (world) => {
    const body = await asked(world, ['POST', BRANCHES], 201);
    expect(body.branch).toMatchObject({ parent_id: MAIN, name: body.branch.id });
    expect([body.endpoints, body['connection_uris']]).toEqual([[], undefined]);
    expect((await made(world, { parent_id: '' })).branch['parent_id']).toBe(MAIN);
  },
  '2.2 connection strings come with a compute, one role and one database, and not with more': async (world) => {
    const uris = (await made(world, {}, COMPUTE))['connection_uris'];
    expect(uris).toMatchObject([{ connection_uri: matching(/^postgresql:\/\/shop_owner:npg_/) }]);
    await addRole(world, MAIN, 'second');
    expect(await made(world, {}, COMPUTE)).not.toHaveProperty('connection_uris');
  },
  '2.2 it begins at an earlier moment of its parent, told by a time or a place in the log': async (world) => {
    await world.pass(HOUR);
    const before = at(world, 0);
    await world.pass(1000);
    await addRole(world, MAIN, 'late');
    await asked(world, ['PATCH', `${BRANCHES}/${MAIN}/databases/shopdb`, { database: { name: 'renamed' } }]);
    await world.pass(3000);
    const past = (await made(world, { parent_timestamp: before })).branch;
    expect(past).toMatchObject({ parent_timestamp: before, parent_lsn: matching(/^[0-9A-F]+\/[0-9A-F]+$/) });
    const again = (await made(world, { parent_lsn: past['parent_lsn'] })).branch;
    expect(again['parent_timestamp']).toBe(before);
    for (const { id } of [past, again]) {
      expect(await namesOf(world, id, 'roles')).toEqual(['shop_owner']);
      expect(await namesOf(world, id, 'databases')).toEqual(['shopdb']);
    }
    const now = (await made(world)).branch.id;
    expect(await namesOf(world, now, 'roles')).toEqual(['late', 'shop_owner']);
    expect(await namesOf(world, now, 'databases')).toEqual(['renamed']);
  },
  '2.2 a place and a time at once': refused(birth({ parent_lsn: '0/1', parent_timestamp: NOW }), 400, /parent_lsn/),
  '2.2 a time out of the history': refused(birth({ parent_timestamp: '2025-12-01T00:00:00Z' }), 400, /history/),
  '2.2 a time to come': refused(birth({ parent_timestamp: '2030-01-01T00:00:00Z' }), 400, /history/),
  '2.2 a place that is none': refused(birth({ parent_lsn: 'x' }), 400, /parent_lsn/),
  '2.2 a place that no date can name': refused(birth({ parent_lsn: 'FFFFFFFF/FFFFFFFF' }), 400, /history/),
  '2.2 more than 50 annotations': refused(birth({}, { annotation_value: many }), 400, /annotation_value/),
  '2.2 an unknown parent': refused(birth({ parent_id: 'br-none-1' }), 404, /br-none-1/),
  '2.2 a source that is none': refused(birth({ init_source: 'nothing' }), 400, /init_source/),
  '2.2 a schema of the parent': refused(birth({ init_source: 'parent-schema' }), 501, /init_source.*NOT_MODELLED/),
  '2.2 an import': refused(birth({ init_source: 'import' }), 501, /init_source.*NOT_MODELLED/),
  '2.2 two primaries in one call': refused(birth({}, { endpoints: [PRIMARY_WISH, PRIMARY_WISH] }), 409, /read_write/),
  '2.2 a schema alone makes a root, which cannot be reset': async (world) => {
    const { branch } = await made(world, { init_source: 'schema-only' });
    expect(branch).not.toHaveProperty('parent_id');
    await asked(world, reset(branch.id, { source_branch_id: branch.id }), 422);
  },
  '2.2 annotations of a new project are those of its default branch, and no route changes them': async (world) => {
    const wish = { project: { branch: { annotations: { run: 'r2' } } } };
    const { project, branch } = await asked(world, ['POST', '/projects', wish], 201);
    const path = `/projects/${project.id}/branches/${branch.id}`;
    await asked(world, ['PATCH', path, { branch: { annotations: { run: 'r3' }, annotation_value: { run: 'r3' } } }]);
    expect((await asked(world, ['GET', path]))['annotation']).toMatchObject({ value: { run: 'r2' } });
  },
};

const fieldsAndStates: Rows = {
  '2.3 a root has no parent, a child has its beginning': async (world) => {
    expect(await one(world, MAIN)).not.toHaveProperty('parent_id');
    expect((await made(world)).branch).toMatchObject({ parent_lsn: text, parent_timestamp: text });
  },
  '2.3 recovery is shown with include_deleted alone, and says who deleted the branch and until when it can be had back':
    async (world) => {
      await asked(world, removal());
      expect(await listed(world, STAGING, '')).toBeUndefined();
      expect(await listed(world, STAGING)).toMatchObject({
        pending_state: 'storage_deleted',
        recovery: { deletion_method: 'user', deleted_at: at(world, 0), recoverable_until: at(world, 7 * DAY) },
      });
    },
  '2.3 a deleted one comes back with its computes, idle and without an expiry, for seven days': async (world) => {
    const { branch, endpoints } = await made(world, { expires_at: at(world, HOUR) }, COMPUTE);
    const recovery: Asking = ['POST', `${BRANCHES}/${branch.id}/recover`];
    await asked(world, removal(branch.id));
    const back = await asked(world, recovery);
    expect(back.branch).not.toHaveProperty('expires_at');
    expect(back.endpoints).toMatchObject([{ id: endpoints[0]?.id, current_state: 'idle' }]);
    await world.pass(2 * HOUR);
    await one(world, branch.id);
    await asked(world, recovery, 422);
    await asked(world, removal(branch.id));
    await world.pass(7 * DAY + 1);
    await asked(world, recovery, 404);
    expect(await listed(world, branch.id)).toBeUndefined();
  },
  '2.3 a deleted one whose name is taken': refused(['POST', `${STAGE}/recover`], 409, /same name/, async (world) => {
    await asked(world, removal());
    await made(world, { name: 'staging' });
  }),
  '2.3 a deletion for good': refused(['DELETE', `${STAGE}?hard_delete=true`], 501, /NOT_MODELLED/),
  '2.4 init becomes ready, resetting becomes ready, a deleted one is storage_deleted, an archived one opens by use':
    async (world) => {
      const { branch } = await asked(world, ['POST', BRANCHES, {}], 201);
      expect(branch).toMatchObject({ current_state: 'init', pending_state: 'ready' });
      await world.pass(1500);
      expect(await one(world, branch.id)).toMatchObject({ current_state: 'ready' });
      expect((await asked(world, reset(branch.id))).branch).toMatchObject({ current_state: 'resetting' });
      await world.pass(2500);
      expect(await one(world, branch.id)).toMatchObject({ current_state: 'ready' });
      expect((await asked(world, removal(branch.id))).branch).toMatchObject({ pending_state: 'storage_deleted' });
      const cold = (await made(world, { archived: true })).branch.id;
      expect(await one(world, cold)).toMatchObject({ current_state: 'archived' });
      await createActive(world, cold);
      expect(await one(world, cold)).toMatchObject({ current_state: 'ready' });
    },
};

/** What a request starts, on a branch with an active compute or without one. */
const started =
  (actions: readonly string[], [method, path, body]: Asking, isActive = false): Rows[string] =>
  async (world) => {
    if (isActive) await createActive(world, STAGING);
    expect(actionsOf(await world.send(method, path, body))).toEqual(actions);
  };
const operations: Rows = {
  '2.5 create starts create_branch, and each compute after it': started(
    ['create_branch running', 'start_compute scheduling'],
    birth({}, COMPUTE),
  ),
  '2.5 a rename': started([], change({ name: 'other' })),
  '2.5 protection': started([], change({ protected: true })),
  '2.5 the end of protection': started([], change({ protected: false })),
  '2.5 an expiry': started([], change({ expires_at: TOMORROW })),
  '2.5 the delete of one without a compute': started(['delete_timeline running'], removal()),
  '2.5 the delete of one with an active compute': started(
    ['suspend_compute running', 'delete_timeline scheduling'],
    removal(),
    true,
  ),
  '2.5 a reset of one with an active compute': started(
    ['suspend_compute running', 'create_branch scheduling', 'delete_timeline scheduling'],
    reset(),
    true,
  ),
  '2.5 a restore that preserves': started(['create_branch running'], reset(STAGING, { preserve_under_name: 'old' })),
};

const expiring = (time: string): Asking => change({ expires_at: time });
const protect = (world: TestWorld): Promise<unknown> => asked(world, change({ protected: true }));
const lease = (world: TestWorld): Promise<unknown> => asked(world, expiring(TOMORROW));
const bear = (world: TestWorld): Promise<unknown> => made(world, { parent_id: STAGING });
const rules: Rows = {
  '2.6 a duplicate name at birth': refused(birth({ name: 'dev' }), 409, /branch with the same name already exists/),
  '2.6 a duplicate name later': refused(change({ name: 'dev' }), 409, /branch with the same name already exists/),
  '2.6 a rename to its present name': refused(change({ name: 'staging' }), 400, /cannot set branch to the same name/),
  '2.6 a name without characters': refused(birth({ name: '' }), 400, /name/),
  '2.6 a name of 257 characters': refused(change({ name: 'x'.repeat(257) }), 400, /name/),
  '2.6 a compute that the plan refuses: nothing is created': refused(
    birth({}, { endpoints: [{ type: 'read_write', suspend_timeout_seconds: 600 }] }),
    412,
    /suspend interval/,
    (world) => Promise.resolve(world.plane.setSwitches({ plan: 'free' })),
  ),
  '2.6 the delete of the default branch': refused(removal(MAIN), 422, /default/),
  '2.6 the delete of the first root, though it is the default no more': refused(removal(MAIN), 422, /root/, (world) =>
    asked(world, ['POST', `${STAGE}/set_as_default`]),
  ),
  '2.6 the delete of one with children': refused(removal(), 422, /children/, bear),
  '2.6 the delete of a protected one': refused(removal(), 422, /protected/, protect),
  '2.6 the reset of a protected one': refused(reset(), 422, /protected/, protect),
  '2.6 the delete of a compute of a protected one': refused(
    ['DELETE', `${SHOP}/endpoints/${PRIMARY}`],
    422,
    /protected/,
    (world) => asked(world, change({ protected: true }, MAIN)),
  ),
  '2.6 GET of a missing one': refused(['GET', `${BRANCHES}/br-none-1`], 404, /br-none-1/),
  '2.6 PATCH of a missing one': refused(change({ name: 'x' }, 'br-none-1'), 404, /br-none-1/),
  '2.6 the restore of a missing one': refused(reset('br-none-1'), 404, /br-none-1/),
  '2.6 a malformed project id': refused(['GET', '/projects/Not_An_Id/branches'], 404, /this route does not exist/),
  '2.6 a parent that is not ready yet is told to be in a transitive state': async (world) => {
    const { branch } = await asked(world, ['POST', BRANCHES, {}], 201);
    expect((await asked(world, birth({ parent_id: branch.id }), 423)).message).toContain('transitive state');
  },
};

const expiries: Rows = {
  '2.7 fractions are dropped, the interval is kept; null takes it away and absence leaves it': async (world) => {
    const { branch } = await made(world, { expires_at: at(world, HOUR).replace('.000Z', '.900+00:00') });
    const time = at(world, HOUR - 2500).replace(/\.\d+Z/, '.000Z');
    expect(branch).toMatchObject({ expires_at: time, ttl_interval_seconds: 3600 });
    expect((await asked(world, change({ name: 'still' }, branch.id))).branch).toHaveProperty('expires_at');
    expect((await asked(world, change({ expires_at: null }, branch.id))).branch).not.toHaveProperty('expires_at');
  },
  '2.7 a reset renews it, and the time takes the branch within twenty seconds': async (world) => {
    const { id } = (await made(world, { expires_at: at(world, MINUTE) })).branch;
    await world.pass(30_000);
    await asked(world, reset(id));
    await world.pass(50_000);
    await one(world, id);
    await world.pass(30_000);
    await asked(world, ['GET', `${BRANCHES}/${id}`], 404);
  },
  '2.7 it waits for operations of the branch': async () => {
    const world = makeWorld({ operationMs: { min: 90_000, max: 90_000 } });
    const { branch } = await asked(world, birth({ expires_at: at(world, MINUTE) }), 201);
    await world.pass(MINUTE + 5000);
    await one(world, branch.id);
    await world.pass(MINUTE);
    await asked(world, ['GET', `${BRANCHES}/${branch.id}`], 404);
  },
  '2.7 a time that is past': refused(expiring('2025-01-01T00:00:00Z'), 422, /expires_at/),
  '2.7 a time more than 30 days ahead': refused(expiring('2026-02-01T00:00:00Z'), 422, /expires_at/),
  '2.7 a time without a zone': refused(expiring('2026-01-02T00:00:00'), 400, /expires_at/),
  '2.7 the default branch': refused(change({ expires_at: TOMORROW }, MAIN), 422, /default/),
  '2.7 a protected branch': refused(expiring(TOMORROW), 422, /protected/, protect),
  '2.7 a parent': refused(expiring(TOMORROW), 422, /children/, bear),
  '2.7 one does not become the default': refused(['POST', `${STAGE}/set_as_default`], 422, /expire/, lease),
  '2.7 one does not become protected': refused(change({ protected: true }), 422, /expire/, lease),
  '2.7 one has no children': refused(birth({ parent_id: STAGING }), 422, /children/, lease),
};

const past = { source_timestamp: '2025-12-31T23:59:00Z' };
const unkept = { source_timestamp: '2020-01-01T00:00:00Z', preserve_under_name: 'old' };
const restores: Rows = {
  '2.8 a reset keeps id, name, host and the passwords of the child, and ends its connections': async (world) => {
    const { branch, endpoints } = await made(world, { name: 'work' }, COMPUTE);
    const path = `${BRANCHES}/${branch.id}`;
    await world.pass(3000);
    await asked(world, ['POST', `${path}/roles/shop_owner/reset_password`]);
    await world.pass(3000);
    const { password } = await asked(world, ['GET', `${path}/roles/shop_owner/reveal_password`]);
    const connection = world.plane.truth.connect(endpoints[0]?.id ?? '');
    await world.pass(3000);
    await asked(world, reset(branch.id));
    await world.pass(4000);
    expect(connection.isOpen()).toBe(false);
    expect(await one(world, branch.id)).toMatchObject({ name: 'work', last_reset_at: text });
    expect((await asked(world, ['GET', `${path}/endpoints`])).endpoints[0]?.host).toBe(endpoints[0]?.host);
    expect((await asked(world, ['GET', `${path}/roles/shop_owner/reveal_password`]))['password']).toBe(password);
  },
  '2.8 a reset brings the contents of the parent, and the ledger tells what is lost': async (world) => {
    const { id } = (await made(world, {}, COMPUTE)).branch;
    await addRole(world, id, 'mine');
    await addRole(world, MAIN, 'theirs');
    await asked(world, reset(id));
    await world.pass(3000);
    expect(world.plane.ledger().at(-1)).toMatchObject({ droppedConnections: true, lost: [{ kind: 'branch', id }] });
    expect(await namesOf(world, id, 'roles')).toEqual(['shop_owner', 'theirs']);
  },
  '2.8 preserve_under_name makes a branch of the old state, which takes all children over': async (world) => {
    const child = (await made(world, { parent_id: STAGING })).branch.id;
    await asked(world, reset(STAGING, { preserve_under_name: 'staging_old' }));
    expect(await one(world, child)).toMatchObject({ parent_id: await idOf(world, 'staging_old') });
  },
  '2.8 the old state of the first root is the root that stays': async (world) => {
    await asked(world, reset(MAIN, { source_branch_id: STAGING, preserve_under_name: 'origin' }));
    expect(await one(world, MAIN)).toMatchObject({ parent_id: STAGING });
    await world.pass(3000);
    expect((await asked(world, removal(await idOf(world, 'origin')), 422)).message).toContain('root');
  },
  '2.8 an unknown source': refused(reset(STAGING, { source_branch_id: 'br-none-1' }), 404, /br-none-1/),
  '2.8 no source': refused(reset(STAGING, { source_branch_id: undefined }), 400, /source_branch_id/),
  '2.8 two moments': refused(reset(MAIN, { ...unkept, source_lsn: '0/14EE150' }), 400, /source_lsn/),
  '2.8 a moment that is not kept': refused(reset(MAIN, unkept), 400, /history/),
  '2.8 one with children, without a name to preserve them under': refused(reset(), 422, /preserve_under_name/, bear),
  '2.8 its own history without a moment': refused(reset(MAIN, { preserve_under_name: 'old' }), 422, /moment/),
  '2.8 its own history without a name': refused(reset(MAIN, past), 422, /preserve_under_name/),
  '2.8 a moment for a branch that is no root': refused(reset(STAGING, past), 422, /root/),
  '2.8 a name that is in use': refused(reset(STAGING, { preserve_under_name: 'dev' }), 409, /same name/),
  '2.8 a root goes back to its own history under a preserved name': async (world) => {
    const late = { database: { name: 'late', owner_name: 'shop_owner' } };
    await asked(world, ['POST', `${BRANCHES}/${MAIN}/databases`, late], 201);
    await world.pass(3000);
    await asked(world, reset(MAIN, { ...past, preserve_under_name: 'main_old' }));
    expect(await namesOf(world, MAIN, 'databases')).toEqual(['shopdb']);
  },
};

const roots = ['root branches', 1, { init_source: 'schema-only' }, /ROOT_BRANCHES_LIMIT_EXCEEDED/] as const;
const guarded = ['protected branches', 0, { protected: true }, /BRANCHES_PROTECTED_LIMIT_EXCEEDED/] as const;
const limits: Rows = Object.fromEntries(
  (
    [
      ['free', 10, 'branches', 3, {}, /BRANCHES_LIMIT_EXCEEDED/],
      ['free', 3, ...roots],
      ['launch', 5, ...roots],
      ['scale', 25, ...roots],
      ['free', 0, ...guarded],
      ['launch', 2, ...guarded],
      ['scale', 5, ...guarded],
    ] as const
  ).map(([plan, most, what, there, branch, code]) => {
    const fill = async (world: TestWorld): Promise<void> => {
      world.plane.setSwitches({ plan });
      for (let count: number = there; count < most; count++) await made(world, branch);
    };
    return [`2.9 the plan ${plan} has ${most} ${what}`, refused(birth(branch), 422, code, fill)];
  }),
);

const replica: Asking = ['POST', `${SHOP}/endpoints`, { endpoint: { branch_id: STAGING, type: 'read_only' } }];
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
    replica,
    422,
    /ACTIVE_ENDPOINTS_LIMIT_EXCEEDED/,
    async (world) => {
      world.plane.setSwitches({ activeComputes: '20_beside_default' });
      for (let count = 0; count < 20; count++) await asked(world, replica, 201);
    },
  ),
};
