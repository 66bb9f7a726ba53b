// The rules of computes: equal meanings, impact by the rules on changes and the size table, and requests.
import { canonicalAt } from '../../../../src/model/attributes.ts';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { compute } from '../../../../src/kinds/compute/compute.ts';
import { requestOf } from '../../../../src/plan/diff/draft.ts';
import type { Impact } from '../../../../src/model/outcome/impact.ts';
import { planOf, shop } from '../../plan/support/world.ts';

const canonical = (path: string, value: Json | undefined): Json => canonicalAt(compute, path, value);

describe('canonical', () => {
  it.each<[string, Json | undefined, Json | undefined]>([
    ['suspend_timeout_seconds', 0, 300],
    ['suspend_timeout_seconds', undefined, 0],
    ['settings.pg_settings', undefined, {}],
    ['settings', undefined, { pg_settings: {} }],
    ['settings', null, {}],
    ['settings.pg_settings.max_wal_senders', 10, '10'],
    ['settings.pg_settings', { a: 1 }, { a: '1' }],
    ['name', undefined, null],
  ])('%s: %j is %j', (path, left, right) => {
    expect(canonical(path, left)).toEqual(canonical(path, right));
  });

  it.each<[string, Json, Json]>([
    ['suspend_timeout_seconds', -1, 300],
    ['autoscaling_limit_min_cu', 0.25, 0.5],
    ['settings.pg_settings.work_mem', '64MB', '64mb'],
    ['pooler_enabled', false, null],
  ])('%s: %j is not %j', (path, left, right) => {
    expect(canonical(path, left)).not.toEqual(canonical(path, right));
  });
});

describe('impact of an update', () => {
  const live =
    'min: 1, max: 2, suspend_timeout_seconds: 300, pooler_enabled: false, pooler_mode: session, passwordless_access: false, provisioner: k8s-pod, disabled: false';
  const change = (wish: string, more: string = '') =>
    planOf(shop(`a: { branch: br-1, ${wish} }`, `ep-a: { branch: br-1, ${live}${more} }`)).changes[0];

  it.each<[string, Impact[]]>([
    ['min: 2', ['drops_connections', 'max_connections']],
    ['max: 4', ['drops_connections']],
    ['suspend_timeout_seconds: 600', ['none']],
    ['pooler_enabled: true', ['access_changes']],
    ['pooler_mode: transaction', ['access_changes']],
    ['passwordless_access: true', ['access_changes']],
    ['name: reports', ['none']],
    ['disabled: true', ['refuses_connections', 'drops_connections']],
    ['settings: { pgbouncer_settings: { max_client_conn: 10 } }', ['access_changes', 'drops_connections']],
    ['provisioner: k8s-neonvm', ['drops_connections']],
    ['settings: { pg_settings: { work_mem: 64MB } }', ['drops_connections']],
  ])('%s', (wish, impact) => {
    expect(change(wish)?.impact).toEqual(impact);
  });

  it('enabling again harms nobody', () => {
    const [one] = planOf(
      shop('a: { branch: br-1, disabled: false }', 'ep-a: { branch: br-1, disabled: true }'),
    ).changes;
    expect(one?.impact).toEqual(['none']);
  });

  it('says when a size is off the table', () => {
    expect(change('min: 12, max: 12')).toMatchObject({
      impact: ['drops_connections', 'max_connections'],
      impactDetails: { max_connections: { before: 450, after: null } },
      notes: ['12 CU is not in the size table, so its connection limit is not known'],
    });
  });

  it('keeps the worst case for an idle one, with a note', () => {
    expect(change('max: 4', ', state: idle')).toMatchObject({
      impact: ['drops_connections'],
      notes: ['no connection is open now: the compute is idle'],
    });
  });

  it('the same limit on both sides is no change of limit', () => {
    const [one] = planOf(
      shop('a: { branch: br-1, min: 10, max: 10 }', 'ep-a: { branch: br-1, min: 9, max: 10 }'),
    ).changes;
    expect(one?.impact).toEqual(['drops_connections']);
  });
});

describe('request', () => {
  const live = {
    kind: 'compute',
    id: 'ep-a',
    projectId: 'p',
    spec: { settings: { pg_settings: { work_mem: '4MB', log_statement: 'all' }, pgbouncer_settings: { x: '1' } } },
    observed: {},
    createdAtMs: null,
  };
  const OF = { projectId: 'p', parentId: null };
  const draft = (
    action: 'create' | 'update' | 'delete' | 'restart',
    attributes: JsonObject = {},
    id: string | null = 'ep-a',
  ) => requestOf(compute, action, { ...OF, id, attributes, live: action === 'create' ? null : live });

  it('merges settings with those that nobody manages', () => {
    expect(draft('update', { settings: { pg_settings: { work_mem: '64MB', jit: false } } }).body).toEqual({
      endpoint: {
        settings: {
          pg_settings: { work_mem: '64MB', log_statement: 'all', jit: 'false' },
          pgbouncer_settings: { x: '1' },
        },
      },
    });
  });

  it('never sends settings without pg_settings', () => {
    expect(draft('create', { settings: { preload_libraries: { use_defaults: true } } }, null).body).toEqual({
      endpoint: { settings: { preload_libraries: { use_defaults: true }, pg_settings: {} } },
    });
  });

  it('lets no id lead elsewhere', () => {
    expect(draft('delete', {}, 'ep-a/../restart').path).toBe('/projects/p/endpoints/ep-a%2F..%2Frestart');
    for (const id of ['', '.', '..']) expect(() => draft('delete', {}, id)).toThrow(/bug in trueup/);
  });

  it('lets no such project into a path', () => {
    expect(() =>
      requestOf(compute, 'create', { projectId: '../p', parentId: null, id: null, attributes: {}, live: null }),
    ).toThrow(/bug/);
  });
});
