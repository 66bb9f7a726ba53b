// World files: read, and refused with reasons.
import { describe, expect, it } from 'vitest';
import { WorldError } from '../../src/control-plane/index.ts';
import { worldFromYaml } from '../../src/control-plane/world/world-file.ts';
import { DAY, makeWorld, type Body } from './world.ts';

const seeded = (yaml: string): ReturnType<typeof makeWorld> => makeWorld({ seed: worldFromYaml(yaml) });

/** Branches of each sort that a seed can hold, listed before their parents too. */
const FAMILY = `
projects:
  - name: family
    id: family
    branches:
      - { id: br-c, name: c, parent_id: br-ring, roles: [app] }
      - { id: br-b, name: b, parent_id: br-a, roles: [app, group] }
      - { id: br-ring, name: ring, parent_id: br-c }
      - { id: br-main, name: main, default: true, roles: [app, { name: group, no_login: true }] }
      - { id: br-a, name: a, parent_id: br-main, roles: [app, group] }
      - { id: br-other, name: other, init_source: schema-only, roles: [app] }
  - name: guarded
    id: guarded
    branches:
      - { id: br-top, name: main, protected: true, roles: [app] }
      - { id: br-mid, name: a, roles: [app] }
      - { id: br-low, name: b, parent_id: br-mid, roles: [app] }
`;

const SET = { work_mem: '8MB' };

/** Members of each record, with values that no default has. */
const WHOLE = `
api_keys: [{ name: hashed, key_sha256: ${'a'.repeat(64)} }]
projects:
  - name: whole
    id: whole
    store_passwords: false
    settings: { quota: { active_time_seconds: 36000 }, block_vpc_connections: true }
    default_endpoint_settings: { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 }
    permissions: [{ email: one@example.com }]
    branches:
      - id: br-main
        name: main
        default: true
        roles: [app, { name: group, no_login: true }]
        databases: [{ id: 7, name: more, owner_name: app }]
      - { id: br-stage, name: stage, protected: true, annotation_value: { pr: '7' } }
      - { name: lease, expires_at: 7d }
      - { name: bones, init_source: schema-only }
    computes: [{ branch: stage, name: reports, settings: { pg_settings: ${JSON.stringify(SET)} } }]
`;

const inMain = (members: string): string => `projects: [{name: a, branches: [{id: br-a, name: main, ${members}}]}]`;
const byDefault = (name: string): string => `{name: ${name}, default: true}`;

describe('world files', () => {
  it('a short file makes an account: defaults fill the rest', async () => {
    const world = seeded(`
api_keys:
  - { name: ci, id: 9007199254740993, key: napi_for_tests_only }
projects:
  - name: tiny
    computes:
      - { branch: main }
      - { branch: main, type: read_only, autoscaling_limit_max_cu: 4, current_state: active }
`);
    expect(world.plane.truth.projects()).toMatchObject([{ name: 'tiny' }]);
    const computes = world.plane.truth
      .computes()
      .map(({ type, maxCu, currentState }) => `${type} ${maxCu} ${currentState}`);
    expect(computes.sort()).toEqual(['read_only 4 active', 'read_write 0.25 idle']);
    expect((await world.send('GET', '/projects', undefined, { key: 'napi_for_tests_only' })).status).toBe(200);
    expect(world.plane.truth.keys().map((key) => key.id)).toContain('9007199254740993');
    await world.pass(302_000);
    expect(world.plane.truth.computes().map((item) => item.currentState)).toEqual(['idle', 'idle']);
  });

  it('past operations may have any action and status', async () => {
    const world = seeded(`
projects:
  - name: old
    id: old-project
    operations:
      - { action: tenant_attach, created_at: 2025-01-01T00:00:00Z }
      - { action: apply_config, status: failed, error: out of memory, created_at: -2h }
`);
    const { operations } = (await world.send('GET', '/projects/old-project/operations')).body;
    expect(operations).toMatchObject([
      { action: 'apply_config', status: 'failed', failures_count: 1 },
      { action: 'tenant_attach', status: 'finished', failures_count: 0 },
    ]);
  });

  it('shows what a file sets of a project, its branches, computes and keys', async () => {
    const world = seeded(WHOLE);
    const project = (await world.send('GET', '/projects/whole')).body.project;
    const settings = { quota: { active_time_seconds: 36_000 }, block_vpc_connections: true };
    const defaults = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 };
    expect(project).toMatchObject({ store_passwords: false, settings, default_endpoint_settings: defaults });
    const { branches, annotations } = (await world.send('GET', '/projects/whole/branches')).body;
    const inOrder = branches.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const expires = new Date(world.clock.nowMs() + 7 * DAY).toISOString().slice(0, 19);
    expect(inOrder).toMatchObject([
      { name: 'bones', init_source: 'schema-only' },
      { name: 'lease', expires_at: expect.stringContaining(expires) as string },
      { name: 'main', default: true },
      { name: 'stage', protected: true, parent_id: 'br-main' },
    ]);
    expect(annotations).toMatchObject({ 'br-stage': { value: { pr: '7' } } });
    const of = async (what: string): Promise<Body> => (await world.send('GET', `/projects/whole/${what}`)).body;
    expect(await of('endpoints')).toMatchObject({ endpoints: [{ name: 'reports', settings: { pg_settings: SET } }] });
    expect(await of('permissions')).toMatchObject({ project_permissions: [{ granted_to_email: 'one@example.com' }] });
    expect(await of('branches/br-main/roles/group')).toMatchObject({ role: { authentication_method: 'no_login' } });
    expect(await of('branches/br-main/databases/more')).toMatchObject({ database: { id: 7, owner_name: 'app' } });
    const keys = world.plane.truth.keys().map(({ name, hash }) => [name, hash]);
    expect(keys).toContainEqual(['hashed', 'a'.repeat(64)]);
  });

  it('a key of a project is one of the organization too', () => {
    const world = seeded('projects: [{name: a, id: a}]\napi_keys: [{name: ci, project_id: a}]');
    const ci = world.plane.truth.keys().find(({ name }) => name === 'ci');
    expect(ci).toMatchObject({ projectId: 'a', orgId: expect.stringMatching(/^org-/) as string });
  });

  it.each<[name: string, yaml: string | null, project: string, role: string, sharing: readonly string[]]>([
    ['in the world of a new store', null, 'spring-example-302709', 'shop_owner', ['dev main staging']],
    ['in its other project', null, 'autumn-lab-418822', 'lab_owner', ['dev main staging']],
    ['below children, whatever stands first', FAMILY, 'family', 'app', ['a b main', 'c', 'other']],
    ['but not where it cannot log in above', FAMILY, 'family', 'group', ['a b']],
    ['but not below a protected branch', FAMILY, 'guarded', 'app', ['a b', 'main']],
  ])('a role of parent and child has one password: %s', async (_name, yaml, project, role, sharing) => {
    const world = yaml === null ? makeWorld() : seeded(yaml);
    const path = `/projects/${project}/branches`;
    const sharers = new Map<unknown, string[]>();
    for (const { id, name } of (await world.send('GET', path)).body.branches) {
      const { status, body } = await world.send('GET', `${path}/${id}/roles/${role}/reveal_password`);
      if (status === 200) sharers.set(body['password'], [...(sharers.get(body['password']) ?? []), name]);
    }
    expect([...sharers.values()].map((names) => names.toSorted().join(' ')).toSorted()).toEqual(sharing);
  });

  it.each<[string, string, RegExp]>([
    ['no YAML', 'a: [', /not YAML/],
    ['another shape', 'projects: 7', /projects must be array/],
    ['an unknown member', 'project: []', /must NOT have additional properties: "project"/],
    ['two primaries on a branch', 'projects: [{name: a, computes: [{branch: main}, {branch: main}]}]', /read_write/],
    ['a branch that is not there', 'projects: [{name: a, computes: [{branch: dev}]}]', /does not have/],
    ['two projects with one id', 'projects: [{name: a, id: x}, {name: b, id: x}]', /two projects/],
    ['two keys with one id', 'api_keys: [{name: a, id: 1}, {name: b, id: 1}]', /two API keys/],
    [
      'two keys with the same value',
      'api_keys: [{name: a, key: the-value}, {name: b, key: the-value}]',
      /value of another/,
    ],
    ['an owner that is not there', inMain('databases: [{name: a, owner_name: b}]'), /owner_name:"b"/],
    ['a reserved role', inMain('roles: [cloud_admin]'), /br-a: .* reserved; role_name:"cloud_admin"/],
    ['a reserved database', inMain('roles: [a], databases: [{name: postgres, owner_name: a}]'), /reserved/],
    ['a size that is none', 'projects: [{name: a, computes: [{branch: main, autoscaling_limit_min_cu: 0.3}]}]', /size/],
    ['two default branches', `projects: [{name: a, branches: [${['a', 'b'].map(byDefault).join()}]}]`, /two default/],
    ['an id that a route hides', 'projects: [{name: a, id: shared}]', /cannot have the id/],
    ['a key of another organization', 'api_keys: [{name: a, id: 7, org_id: org-x}]', /key 7: organization not found/],
    ['a key of no project', 'api_keys: [{name: a, id: 7, project_id: x}]', /key 7 is of the project x, which/],
    ['too many aliases', `a: &a [1]\nb: &b [${'*a,'.repeat(200)}]\nprojects: *b`, /YAML|world/],
  ])('%s is refused with its reason', (_name, yaml, message) => {
    expect(() => seeded(yaml)).toThrow(WorldError);
    expect(() => seeded(yaml)).toThrow(message);
  });

  it('a file of 20,000 keys is read', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `  - { name: key-${at}, id: ${at + 1} }`);
    const world = worldFromYaml(`api_keys:\n${lines.join('\n')}\n`);
    expect(world.api_keys).toHaveLength(20_000);
  });
});
