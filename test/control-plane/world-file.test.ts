// World files: read, refused with reasons, exported and imported again without a loss.
import { describe, expect, it } from 'vitest';
import { WorldError } from '../../src/control-plane/index.ts';
import { worldFromYaml, worldToYaml } from '../../src/control-plane/world/world-file.ts';
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

/** What is not a world's to keep: what was used, who owns it, when a state or a role came to be. */
const USAGE = 'active_time_seconds compute_time_seconds consumption_period_start consumption_period_end';
const PASSING = new Set([...USAGE.split(' '), 'state_changed_at', 'owner_id', 'org_id']);
const CONTENTS = new Set(['roles', 'databases']);

/** Fields of records that seed data leaves out, and contents, whose times begin anew. */
const UNKEPT = new Set('nextCheckMs usage isFirstRoot stateChangedMs past generation roles databases'.split(' '));
const kept = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !UNKEPT.has(name)));

/** A reply without these, its lists in one order. */
function steady(value: unknown, inContents: boolean = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => steady(item, inContents));
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !PASSING.has(name) && !(inContents && (name === 'created_at' || name === 'updated_at')),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, steady(member, inContents || CONTENTS.has(name))]));
}

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

  it('an export read again is answered for alike, whatever was set', async () => {
    const world = makeWorld();
    const done = async (method: string, path: string, body?: unknown): Promise<Body> => {
      const { status, body: reply } = await world.send(method, path, body);
      expect([path, status < 300]).toEqual([path, true]);
      await world.pass(10_000);
      return reply;
    };
    const project = { name: 'whole', store_passwords: false, branch: { annotations: { team: 'shop' } } };
    const made = await done('POST', '/projects', { project });
    const path = `/projects/${made.project.id}`;
    const settings = {
      quota: { active_time_seconds: 36_000 },
      allowed_ips: { ips: ['10.0.0.0/8', '1.2.3.4'], protected_branches_only: true },
      enable_logical_replication: true,
      maintenance_window: { weekdays: [1, 2], start_time: '01:00', end_time: '02:00' },
      block_vpc_connections: true,
    };
    const defaults = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 600 };
    const changed = { settings, default_endpoint_settings: defaults, history_retention_seconds: 7200 };
    await done('PATCH', path, { project: changed });
    const endpoint = { name: 'reports', settings: { pg_settings: { work_mem: '8MB' } } };
    await done('PATCH', `${path}/endpoints/${made.endpoints[0]?.id}`, { endpoint });
    await done('POST', `${path}/permissions`, { email: 'one@example.com' });
    const parent = { protected: true, name: 'stage' };
    const child = await done('POST', `${path}/branches`, { branch: parent, annotation_value: { pr: '7' } });
    await done('POST', `${path}/branches/${child.branch.id}/roles`, { role: { name: 'group', no_login: true } });
    const database = { name: 'more', owner_name: 'neondb_owner' };
    await done('POST', `${path}/branches/${child.branch.id}/databases`, { database });
    const expires = new Date(world.clock.nowMs() + 7 * DAY).toISOString();
    await done('POST', `${path}/branches`, { branch: { name: 'lease', expires_at: expires } });
    await done('POST', `${path}/branches`, { branch: { name: 'bones', init_source: 'schema-only' } });
    await done('POST', `${path}/branches/${child.branch.id}/set_as_default`);
    const keys = `/organizations/${made.project.org_id}/api_keys`;
    await done('POST', keys, { key_name: 'organization' });
    await done('POST', keys, { key_name: 'project', project_id: made.project.id });
    const gone = await done('POST', '/projects', { project: { name: 'gone' } });
    await done('POST', keys, { key_name: 'gone', project_id: gone.project.id });
    await done('DELETE', `/projects/${gone.project.id}`);

    const yaml = worldToYaml(world.plane.exportWorld());
    const again = makeWorld({ seed: worldFromYaml(yaml), clock: world.clock });
    const { branches } = (await world.send('GET', `${path}/branches`)).body;
    expect(branches.map(({ name }) => name).toSorted()).toEqual(['bones', 'lease', 'main', 'stage']);
    const below = branches.flatMap(({ id }) => ['', '/roles', '/databases'].map((rest) => `/branches/${id}${rest}`));
    for (const rest of ['', '/branches', '/endpoints', '/permissions', ...below]) {
      const [before, after] = await Promise.all(
        [world, again].map(async (each) =>
          steady((await each.send('GET', path + rest, undefined, { key: world.key })).body),
        ),
      );
      expect(after, rest).toEqual(before);
    }

    const { truth } = again.plane;
    for (const kind of ['projects', 'branches', 'computes'] as const)
      expect(truth[kind]().map(kept), kind).toEqual(world.plane.truth[kind]().map(kept));
    const [orphans, others] = [true, false].map((isOrphan) =>
      world.plane.truth.keys().filter(({ name }) => (name === 'gone') === isOrphan),
    );
    expect(orphans).toHaveLength(1);
    expect(truth.keys()).toEqual(expect.arrayContaining(others ?? []));
    expect(truth.keys().map(({ name }) => name)).not.toContain('gone');
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
