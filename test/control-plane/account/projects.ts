// Section 1 of the account reference: projects, their fields and their creation.
import { expect } from 'vitest';
import type { Endpoint } from '../../../src/api/index.ts';
import { DAY, HOUR, SHOP, STAGING, actionsOf, createActive, type TestWorld } from '../world.ts';
import { BRANCHES, asked, at, refused, matching, type Asking, type Body, type Rows } from './row.ts';

const project = async (world: TestWorld, path: string = SHOP): Promise<Body> =>
  (await asked(world, ['GET', path]))['project'];
const made = async (world: TestWorld, wish: object = {}): Promise<Awaited<ReturnType<typeof asked>>> =>
  asked(world, ['POST', '/projects', { project: wish }], 201);
const patched = (world: TestWorld, change: object): ReturnType<typeof asked> =>
  asked(world, ['PATCH', SHOP, { project: change }]);
const change = (settings: object): Asking => ['PATCH', SHOP, { project: { settings } }];
const endpointsOf = async (world: TestWorld): Promise<readonly Endpoint[]> =>
  (await asked(world, ['GET', `${SHOP}/endpoints`])).endpoints;

const routes: Rows = {
  '1.1 the list comes in pages of 1 to 400, ten unless told, by a cursor': async (world) => {
    for (let count = 0; count < 11; count++) await made(world);
    const first = await asked(world, ['GET', '/projects']);
    expect(first.projects).toHaveLength(10);
    const rest = await asked(world, ['GET', `/projects?limit=400&cursor=${first.pagination.cursor}`]);
    expect(rest.projects).toHaveLength(3);
    for (const limit of ['0', '401', 'x']) await asked(world, ['GET', `/projects?limit=${limit}`], 400);
  },
  '1.1 search is part of a name or id, org_id and timeout are checked': async (world) => {
    expect((await asked(world, ['GET', '/projects?search=sho'])).projects).toHaveLength(1);
    expect((await asked(world, ['GET', '/projects?search=418822'])).projects).toHaveLength(1);
    await asked(world, ['GET', '/projects?org_id=org-of-others-1'], 400);
    for (const timeout of ['99', '30001']) await asked(world, ['GET', `/projects?timeout=${timeout}`], 400);
  },
  '1.1 recoverable lists deleted projects alone, and those of others are a list of their own': async (world) => {
    expect((await asked(world, ['GET', '/projects?recoverable=true'])).projects).toEqual([]);
    await asked(world, ['POST', `${SHOP}/permissions`, { email: 'dana@example.com' }]);
    await asked(world, ['DELETE', SHOP]);
    expect((await asked(world, ['GET', '/projects?recoverable=true'])).projects).toHaveLength(1);
    expect((await asked(world, ['GET', '/projects/shared'])).projects).toEqual([]);
    await world.pass(8 * DAY);
    await asked(world, ['POST', `${SHOP}/recover`], 404);
    expect([...world.plane.engine.live.permissions.keys()]).toEqual([]);
  },
  '1.1 a list that is not complete names what is missing': async (world) => {
    world.plane.setFaults({ rules: [{ fault: { kind: 'unavailable', projects: ['autumn-lab-418822'] } }] });
    const body = await asked(world, ['GET', '/projects']);
    expect([body.projects.length, body['unavailable_project_ids']]).toEqual([1, ['autumn-lab-418822']]);
  },
  '1.1 a project, its change and its end have the replies of the reference': async (world) => {
    await asked(world, ['GET', '/projects/no-such-1'], 404);
    expect((await patched(world, { name: 'store' })).operations).toEqual([]);
    const gone = await asked(world, ['DELETE', SHOP]);
    expect(Object.keys(gone)).toEqual(['project']);
    await asked(world, ['GET', SHOP], 404);
    await asked(world, ['DELETE', SHOP], 404);
    expect(Object.keys(await asked(world, ['POST', `${SHOP}/recover`])).sort()).toEqual(['branches', 'project']);
  },
  '1.1 a project with a protected branch is not deleted': refused(['DELETE', SHOP], 422, /protected/, (world) =>
    asked(world, ['PATCH', `${BRANCHES}/${STAGING}`, { branch: { protected: true } }]),
  ),
  '1.1 libraries can be asked for': async (world) => {
    const { libraries } = await asked(world, ['GET', `${SHOP}/available_preload_libraries`]);
    expect(libraries).toContainEqual(expect.objectContaining({ library_name: 'pg_cron', is_default: false }));
  },
};

const fields: Rows = {
  '1.2 a name is the id unless told, has 1 to 256 characters, and need not be the only one': async (world) => {
    const { project: one } = await made(world);
    expect(one.name).toBe(one.id);
    await made(world, { name: 'shop' });
    for (const name of ['', 'x'.repeat(257)]) await asked(world, ['POST', '/projects', { project: { name } }], 400);
  },
  '1.2 region, version, organization and provisioner have defaults, are checked, and stay': async (world) => {
    const { project: one } = await made(world);
    expect(one).toMatchObject({ region_id: 'aws-us-east-2', provisioner: 'k8s-neonvm', org_id: matching(/^org-/) });
    for (const version of [14, 15, 16, 17, 18])
      expect((await made(world, { pg_version: version })).project.pg_version).toBe(version);
    for (const wish of [{ pg_version: 13 }, { pg_version: 19 }, { region_id: 'aws-nowhere-9' }])
      await asked(world, ['POST', '/projects', { project: wish }], 400);
    await patched(world, { region_id: 'aws-eu-central-1', pg_version: 14 });
    expect(await project(world)).toMatchObject({ region_id: 'aws-us-east-2', pg_version: 17 });
  },
  '1.2 the branch, role and database are main, {database}_owner and neondb unless named': async (world) => {
    const first = await made(world);
    expect([first.branch.name, first['roles'], first['databases']]).toMatchObject([
      'main',
      [{ name: 'neondb_owner' }],
      [{ name: 'neondb', owner_name: 'neondb_owner' }],
    ]);
    const second = await made(world, { branch: { database_name: 'app' } });
    expect(second['roles']).toMatchObject([{ name: 'app_owner' }]);
  },
  '1.2 passwords that are not stored are told once, and cannot be read again': async (world) => {
    const one = await made(world, { store_passwords: false });
    expect(one['roles']).toMatchObject([{ password: matching(/^npg_/) }]);
    await world.pass(3000);
    const path = `/projects/${one.project.id}/branches/${one.branch.id}/roles/neondb_owner`;
    await asked(world, ['GET', `${path}/reveal_password`], 412);
    const { role } = await asked(world, ['POST', `${path}/reset_password`]);
    expect(role).toMatchObject({ password: matching(/^npg_/) });
    await asked(world, ['GET', `${path}/reveal_password`], 412);
    const fork = { branch: {}, endpoints: [{ type: 'read_write' }] };
    const { connection_uris: told } = await asked(world, ['POST', `/projects/${one.project.id}/branches`, fork], 201);
    expect(told).toMatchObject([{ connection_parameters: { password: '' } }]);
  },
  '1.2 history is bounded by the plan, is a day or the most of it, and can be off': async (world) => {
    const longest = { free: 21_600, launch: 604_800, scale: 2_592_000 };
    for (const plan of ['free', 'launch', 'scale'] as const) {
      const most = longest[plan];
      world.plane.setSwitches({ plan });
      expect((await made(world)).project).toMatchObject({ history_retention_seconds: Math.min(86_400, most) });
      await patched(world, { history_retention_seconds: most });
      await asked(world, ['PATCH', SHOP, { project: { history_retention_seconds: most + 1 } }], 400);
      await patched(world, { history_retention_seconds: 0 });
    }
  },

  '1.2 default_endpoint_settings are for computes made later': async (world) => {
    await patched(world, { default_endpoint_settings: { suspend_timeout_seconds: 600 } });
    expect((await endpointsOf(world))[0]?.suspend_timeout_seconds).toBe(0);
    expect(world.plane.truth.compute(await createActive(world, STAGING))?.suspendSeconds).toBe(600);
  },
  '1.2 a change of the history is applied to storage; a shorter one loses history at once': async (world) => {
    expect(actionsOf(await world.send('PATCH', SHOP, { project: { history_retention_seconds: 3600 } }))).toEqual([
      'apply_storage_config running',
    ]);
    expect(world.plane.ledger().at(-1)?.lost).toEqual([{ kind: 'history', id: 'spring-example-302709' }]);
    await refused(['POST', BRANCHES, { branch: { parent_timestamp: at(world, -2 * HOUR) } }], 400, /history/)(world);
  },
  '1.2 the ledger has what a deletion loses, and until when it is not lost': async (world) => {
    await asked(world, ['DELETE', SHOP]);
    const lost = { kind: 'project', id: 'spring-example-302709', recoverableUntil: at(world, 7 * DAY) };
    expect(world.plane.ledger().at(-1)?.lost).toEqual([lost]);
    expect(world.plane.truth.operations().map(({ action }) => action)).toContain('delete_tenant');
  },
  '1.2 a quota changes one limit at a time, addresses are replaced whole': async (world) => {
    const ips = ['2001:db8::/32', '10.0.0.1-10.0.0.9'];
    for (const settings of [
      { quota: { active_time_seconds: 5, data_transfer_bytes: 6 } },
      { quota: { active_time_seconds: 7 } },
      { allowed_ips: { ips: ['10.0.0.1'], protected_branches_only: true } },
      { allowed_ips: { ips } },
    ])
      await asked(world, change(settings));
    expect((await project(world))['settings']).toMatchObject({
      quota: { active_time_seconds: 7, data_transfer_bytes: 6 },
      allowed_ips: { ips, protected_branches_only: false },
    });
  },
  '1.2 an address that is none': refused(change({ allowed_ips: { ips: ['10.0.0'] } }), 400, /allowed_ips/),
  '1.2 a range of addresses that ends before it starts': refused(
    change({ allowed_ips: { ips: ['10.0.0.9-10.0.0.1'] } }),
    400,
    /allowed_ips/,
  ),
  '1.2 a negative quota': refused(change({ quota: { logical_size_bytes: -1 } }), 400, /logical_size_bytes/),
  '1.2 half a maintenance window': refused(change({ maintenance_window: { weekdays: [1] } }), 400, /start_time/),
  '1.2 logical replication is not turned off again': refused(
    change({ enable_logical_replication: false }),
    422,
    /enable_logical_replication/,
    (world) => asked(world, change({ enable_logical_replication: true })),
  ),
  '1.2 logical replication suspends the active computes': async (world) => {
    const id = await createActive(world, STAGING);
    const answer = await world.send(...change({ enable_logical_replication: true }));
    expect(actionsOf(answer)).toEqual(['suspend_compute running']);
    await world.pass(2000);
    expect(world.plane.truth.compute(id)?.currentState).toBe('idle');
  },
  '1.2 a new project has a maintenance window, and every reply the members that are always there': async (world) => {
    const { project: one } = await made(world);
    const shown = await project(world, `/projects/${one.id}`);
    expect(shown['settings']).toMatchObject({ maintenance_window: { weekdays: [7] } });
    const members =
      'platform_id proxy_host branch_logical_size_limit_bytes creation_source owner_id owner consumption_period_start active_time_seconds written_data_bytes';
    for (const member of members.split(' ')) expect(shown).toHaveProperty(member);
  },
  '1.2 the list already has settings, defaults, history, version, region, owner and store_passwords': async (world) => {
    await patched(world, { default_endpoint_settings: { suspend_timeout_seconds: 600 } });
    const [item] = (await asked(world, ['GET', '/projects'])).projects;
    const members = 'settings default_endpoint_settings history_retention_seconds pg_version region_id';
    for (const member of members.split(' ')) expect(item).toHaveProperty(member);
    expect(item).toMatchObject({ store_passwords: true, org_id: matching(/^org-/) });
  },
};

export const projectRows: Rows = {
  ...routes,
  ...fields,
  '1.3 create_timeline runs, start_compute follows; branch and compute become ready; a second POST makes a second one':
    async (world) => {
      const one = await world.send('POST', '/projects', { project: { name: 'twin' } });
      expect(actionsOf(one)).toEqual(['create_timeline running', 'start_compute scheduling']);
      expect(one.body.branch).toMatchObject({ current_state: 'init', pending_state: 'ready' });
      expect(one.body.endpoints).toMatchObject([{ current_state: 'init', pending_state: 'active' }]);
      await world.pass(2500);
      const path = `/projects/${one.body.project.id}`;
      expect((await asked(world, ['GET', `${path}/branches`])).branches).toMatchObject([{ current_state: 'ready' }]);
      expect((await asked(world, ['GET', `${path}/endpoints`])).endpoints).toMatchObject([{ current_state: 'active' }]);
      expect((await made(world, { name: 'twin' })).project.id).not.toBe(one.body.project.id);
    },
  '1.3 what a new project cannot have is refused by name, and nothing is made': async (world) => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, count) => [`a${count}`, 'x']));
    for (const [wish, message] of [
      [{ org_id: 'org-of-others-1' }, /org_id/],
      [{ provisioner: 'steam' }, /provisioner/],
      [{ branch: { role_name: 'pg_me' } }, /reserved/],
      [{ settings: { preload_libraries: { enabled_libraries: ['x'] } } }, /library/],
      [{ default_endpoint_settings: { autoscaling_limit_max_cu: 99 } }, /size/],
      [{ branch: { annotations: many } }, /annotations/],
    ] as const)
      await refused(['POST', '/projects', { project: wish }], 400, message)(world);
    expect(world.plane.truth.projects()).toHaveLength(2);
  },
  '8.4 a deleted project is kept for seven days; its settings come back, its computes idle': async (world) => {
    await createActive(world, STAGING);
    await asked(world, change({ block_public_connections: true }));
    await asked(world, ['DELETE', SHOP]);
    await world.pass(7 * DAY - HOUR);
    await asked(world, ['POST', `${SHOP}/recover`]);
    expect((await project(world))['settings']).toMatchObject({ block_public_connections: true });
    expect((await endpointsOf(world)).map(({ current_state: state }) => state)).toEqual(['idle', 'idle']);
    await asked(world, ['DELETE', SHOP]);
    await world.pass(7 * DAY + 1);
    await asked(world, ['POST', `${SHOP}/recover`], 404);
  },
};
