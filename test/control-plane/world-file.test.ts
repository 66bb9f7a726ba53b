// World files: read, refused with reasons, exported and imported again without a loss.
import { describe, expect, it } from 'vitest';
import { WorldError } from '../../src/control-plane/index.ts';
import { worldFromYaml, worldToYaml } from '../../src/control-plane/world/world-file.ts';
import { ENDPOINTS, STAGING, createActive, makeWorld } from './world.ts';

const seeded = (yaml: string): ReturnType<typeof makeWorld> => makeWorld({ seed: worldFromYaml(yaml) });

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
    const [project] = world.plane.truth.projects();
    expect(project?.name).toBe('tiny');
    const computes = world.plane.truth.computes();
    expect(computes.map((item) => [item.type, item.maxCu, item.currentState])).toEqual(
      expect.arrayContaining([
        ['read_write', 0.25, 'idle'],
        ['read_only', 4, 'active'],
      ]),
    );
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
    expect(operations.map((item) => [item.action, item.status, item.failures_count])).toEqual([
      ['apply_config', 'failed', 1],
      ['tenant_attach', 'finished', 0],
    ]);
  });

  it('an export read again gives the same world', async () => {
    const world = makeWorld();
    await createActive(world, STAGING, { settings: { pg_settings: { work_mem: '8MB' } }, name: 'reports' });
    await world.send('POST', '/api_keys', { key_name: 'ci' });
    const yaml = worldToYaml(world.plane.exportWorld());
    const again = makeWorld({ seed: worldFromYaml(yaml), clock: world.clock });
    const exported = again.plane.exportWorld();
    const isOurs = (key: { readonly id?: unknown }): boolean => exported.api_keys?.at(-1)?.id !== key.id;
    expect({ ...exported, api_keys: exported.api_keys?.filter(isOurs) }).toEqual(worldFromYaml(yaml));
    expect((await again.send('GET', ENDPOINTS, undefined, { key: world.key })).body).toEqual(
      (await world.send('GET', ENDPOINTS)).body,
    );
  });

  it('a generator makes a world of any size, the same for the same seed', () => {
    const yaml = 'generate: { projects: 30, computes_per_project: 5, operations_per_project: 40, api_keys: 20 }';
    const world = seeded(yaml);
    expect(world.plane.truth.projects()).toHaveLength(30);
    expect(world.plane.truth.computes()).toHaveLength(150);
    expect(world.plane.truth.operations()).toHaveLength(1200);
    expect(world.plane.truth.keys()).toHaveLength(21);
    expect(
      seeded(yaml)
        .plane.truth.computes()
        .map((item) => item.id),
    ).toEqual(world.plane.truth.computes().map((item) => item.id));
  });

  it.each<[string, string, RegExp]>([
    ['no YAML', 'a: [', /not YAML/],
    ['another shape', 'projects: 7', /projects must be array/],
    ['an unknown member', 'project: []', /must NOT have additional properties/],
    ['two primaries on a branch', 'projects: [{name: a, computes: [{branch: main}, {branch: main}]}]', /read_write/],
    ['a branch that is not there', 'projects: [{name: a, computes: [{branch: dev}]}]', /does not have/],
    ['two projects with one id', 'projects: [{name: a, id: x}, {name: b, id: x}]', /two projects/],
    ['two keys with one id', 'api_keys: [{name: a, id: 1}, {name: b, id: 1}]', /two API keys/],
    ['a size that is none', 'projects: [{name: a, computes: [{branch: main, autoscaling_limit_min_cu: 0.3}]}]', /size/],
    [
      'two default branches',
      'projects: [{name: a, branches: [{name: a, default: true}, {name: b, default: true}]}]',
      /two default/,
    ],
    ['an id that a route hides', 'projects: [{name: a, id: shared}]', /cannot have the id/],
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
