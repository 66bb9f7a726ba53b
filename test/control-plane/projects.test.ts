// Projects: made in one call with all that they need, changed, shared, deleted and recovered.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MAIN, SHOP, actionsOf, makeWorld, type Answer, type TestWorld } from './world.ts';

const BRANCH = `${SHOP}/branches/${MAIN}`;
const make = (world: TestWorld, project: object): Promise<Answer> => world.send('POST', '/projects', { project });
const patch = (world: TestWorld, project: object): Promise<Answer> => world.send('PATCH', SHOP, { project });
const projectOf = ({ body }: Answer): Record<string, unknown> => body.project;

describe('a new project', () => {
  it('has a branch, a role, a database that it owns, a compute, and a password that is told', async () => {
    const world = makeWorld();
    const { status, body } = await make(world, { name: 'fresh' });
    expect(status).toBe(201);
    expect(body.branch).toMatchObject({ name: 'main', default: true, current_state: 'init', pending_state: 'ready' });
    expect(body['databases']).toMatchObject([{ name: 'neondb', owner_name: 'neondb_owner' }]);
    expect(body['roles']).toMatchObject([{ name: 'neondb_owner', authentication_method: 'password' }]);
    expect(body.operations.map(({ action, status: at }) => `${action} ${at}`)).toEqual([
      'create_timeline running',
      'start_compute scheduling',
    ]);
    const [role] = body['roles'] as readonly { readonly password: string }[];
    await world.pass(3000);
    const roles = `/projects/${body.project.id}/branches/${body.branch.id}/roles`;
    expect((await world.send('GET', `${roles}/neondb_owner/reveal_password`)).body['password']).toBe(role?.password);
    expect(JSON.stringify((await world.send('GET', roles)).body)).not.toContain(role?.password);
  });

  it('has the names, the place, the version, the settings and the annotations that are asked for', async () => {
    const world = makeWorld();
    const branch = { name: 'trunk', role_name: 'app', database_name: 'appdb', annotations: { run: 'a1' } };
    const settings = { allowed_ips: { ips: ['10.0.0.0/8'] }, quota: { active_time_seconds: 60 } };
    const defaults = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 120 };
    const made = await make(world, {
      name: 'fresh',
      region_id: 'aws-eu-central-1',
      pg_version: 16,
      history_retention_seconds: 3600,
      branch,
      settings,
      default_endpoint_settings: defaults,
    });
    const id = made.body.project.id;
    expect(made.body.endpoints[0]).toMatchObject(defaults);
    expect(made.body['databases']).toMatchObject([{ name: 'appdb', owner_name: 'app' }]);
    expect(projectOf(await world.send('GET', `/projects/${id}`))).toMatchObject({
      region_id: 'aws-eu-central-1',
      pg_version: 16,
      history_retention_seconds: 3600,
      settings: { ...settings, maintenance_window: { weekdays: [7] } },
      default_endpoint_settings: defaults,
    });
    const listed = (await world.send('GET', '/projects')).body.projects.find((project) => project.id === id);
    expect(listed).toMatchObject({ settings, default_endpoint_settings: defaults, history_retention_seconds: 3600 });
    const { branches, annotations } = (await world.send('GET', `/projects/${id}/branches`)).body;
    expect(branches.map(({ name }) => name)).toEqual(['trunk']);
    expect(annotations).toMatchObject({ [made.body.branch.id]: { value: { run: 'a1' } } });
  });

  it.each([
    ['an organization of somebody else', { org_id: 'org-of-others-1' }, 400, /org_id/],
    ['a provisioner that there is not', { provisioner: 'steam' }, 400, /provisioner/],
    ['a history beyond the plan', { history_retention_seconds: 2_592_001 }, 400, /history_retention_seconds/],
    ['a reserved role', { branch: { role_name: 'pg_me' } }, 400, /reserved/],
    ['a library that there is not', { settings: { preload_libraries: { enabled_libraries: ['x'] } } }, 400, /library/],
    ['defaults that no compute can have', { default_endpoint_settings: { autoscaling_limit_max_cu: 99 } }, 400, /size/],
    ['too many annotations', { branch: { annotations: many(51) } }, 400, /annotations/],
  ])('is refused with %s, and nothing is made', async (_name, project, status, message) => {
    const world = makeWorld();
    const answer = await make(world, project);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
    expect(world.plane.ledger()).toHaveLength(1);
    expect(world.plane.truth.projects()).toHaveLength(2);
  });

  it('without stored passwords tells its password once', async () => {
    const world = makeWorld();
    const { body } = await make(world, { store_passwords: false });
    expect(body.project).toMatchObject({ store_passwords: false });
    const [role] = body['roles'] as readonly { readonly password: string; readonly name: string }[];
    const [uri] = body['connection_uris'] as readonly { readonly connection_uri: string }[];
    expect(uri?.connection_uri).toContain(role?.password);
    await world.pass(3000);
    const path = `/projects/${body.project.id}/branches/${body.branch.id}/roles/${role?.name}/reveal_password`;
    expect((await world.send('GET', path)).status).toBe(412);
    const asked = `role_name=${role?.name}&database_name=neondb`;
    const later = (await world.send('GET', `/projects/${body.project.id}/connection_uri?${asked}`)).body['uri'];
    expect(String(later)).toContain(`//${role?.name}@`);
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 'x']));
}

describe('a change of a project', () => {
  it('of its history is applied to storage; a shorter one loses history at once', async () => {
    const world = makeWorld();
    expect(actionsOf(await patch(world, { history_retention_seconds: 3600 }))).toEqual([
      'apply_storage_config running',
    ]);
    expect(world.plane.ledger().at(-1)?.lost).toEqual([{ kind: 'history', id: 'spring-example-302709' }]);
    const old = new Date(world.clock.nowMs() - 2 * HOUR).toISOString();
    const late = await world.send('POST', `${SHOP}/branches`, { branch: { parent_timestamp: old } });
    expect([late.status, late.body.message]).toEqual([400, expect.stringContaining('history')]);
  });
});

describe('a deleted project', () => {
  it('that is not deleted cannot be recovered, nor one with a protected branch be deleted', async () => {
    const world = makeWorld();
    expect((await world.send('POST', `${SHOP}/recover`)).status).toBe(422);
    await world.send('PATCH', BRANCH, { branch: { protected: true } });
    expect((await world.send('DELETE', SHOP)).status).toBe(422);
    expect((await world.send('DELETE', '/projects/no-such-000000')).status).toBe(404);
    expect((await world.send('GET', '/projects/No_Such')).body.message).toBe('this route does not exist');
  });

  it('is told in the ledger with what is lost, and until when it is not', async () => {
    const world = makeWorld();
    await world.send('DELETE', SHOP);
    const until = new Date(world.clock.nowMs() + 7 * DAY).toISOString();
    expect(world.plane.ledger().at(-1)?.lost).toEqual([
      { kind: 'project', id: 'spring-example-302709', recoverableUntil: until },
    ]);
  });
});
