// The saved plan: a Terraform plan for others, exactly ours for us, and refused when it was touched.
import { describe, expect, it } from 'vitest';
import { digestOf, parseJson, stringifyJson } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { DriftFile, PlanFile } from '../../../src/model/generated/validators.js';
import type { Plan } from '../../../src/model/plan.ts';
import { driftFromJson, driftOf, driftToJson } from '../../../src/plan/drift.ts';
import { planFromJson, planToJson } from '../../../src/plan/plan-json.ts';
import { inputOf, planOf } from './support/world.ts';
import type { World } from './support/world.ts';

const world: World = {
  file: `
shop:
  prune: true
  computes:
    primary: { branch: br-1, min: 2, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2027-01-01 }] }, max: 4 }
    moved: { id: ep-b, branch: br-3 }
    one: { id: ep-c, branch: br-4, type: read_only }
    two: { id: ep-d, branch: br-5, type: read_write }
    reader: { branch: br-1, type: read_only, lifecycle: { ignore: [pooler_enabled] } }
    stale: { id: ep-none, branch: br-9, type: read_only }
    rested: { branch: br-7, restart: { max_age: 1d } }
blog: { computes: { primary: { branch: br-8 } } }`,
  live: `
shop:
  ep-a: { branch: br-1, min: 1, max: 8 }
  ep-b: { branch: br-2 }
  ep-c: { branch: br-4 }
  ep-d: { branch: br-5, type: read_only }
  ep-x: { branch: br-6, type: read_only }
  ep-e: { branch: br-7, created: 2026-01-01 }`,
  log: ['3d apply_config finished ep-a', '5d start_compute finished ep-e'],
  unread: ['blog'],
};
const stamp = {
  timestamp: '2026-11-20T12:00:00.000Z',
  toolVersion: '0.1.0',
  expiresAt: '2026-11-23T12:00:00.000Z',
};

function saved(plan: Plan = planOf(world)): JsonObject {
  return parseJson(stringifyJson(planToJson(plan, stamp), 2)) as JsonObject;
}

/** Edits the plan and mends its digest, as somebody who knows the format could. */
function forged(edit: (details: Record<string, Json>, whole: Record<string, Json>) => void): JsonObject {
  const whole = structuredClone(saved()) as Record<string, Json>;
  const details = whole['trueup'] as Record<string, Json>;
  edit(details, whole);
  delete details['plan_digest'];
  details['plan_digest'] = digestOf(whole);
  return whole;
}

function redirect(details: Record<string, Json>, path: string): void {
  const steps = details['steps'] as Record<string, Json>[];
  details['steps'] = steps.map((step) => ({ ...step, path }));
}

describe('planToJson', () => {
  it('fits its schema', () => {
    expect(PlanFile(saved())).toBe(true);
    expect(PlanFile.errors ?? []).toEqual([]);
  });

  it('speaks the words of Terraform', () => {
    const changes = saved()['resource_changes'] as JsonObject[];
    const words = changes.map((change) => {
      const { actions, replace_paths: paths } = change['change'] as JsonObject;
      return [change['address'], change['type'], (actions as string[]).join('+'), JSON.stringify(paths)].join(' ');
    });
    expect(words).toEqual([
      'shop/ep-x compute delete []',
      'shop/moved compute update []',
      'shop/one compute create+delete [["type"]]',
      'shop/primary compute update []',
      'shop/reader compute create []',
      'shop/rested compute update []',
      'shop/stale compute create []',
      'shop/two compute create+delete [["type"]]',
    ]);
  });

  it('is incomplete when something was not read', () => {
    expect(saved()).toMatchObject({ applyable: true, complete: false, errored: false });
    expect(saved(planOf({ ...world, unread: [] }))).toMatchObject({ complete: true });
  });
});

describe('planFromJson', () => {
  it('gives the same plan back', () => {
    const read = planFromJson(saved());
    if ('problem' in read) throw new Error(read.problem);
    expect(read.expiresAtMs).toBe(Date.parse(stamp.expiresAt));
    expect(stringifyJson(planToJson(read.plan, stamp))).toBe(stringifyJson(planToJson(planOf(world), stamp)));
    const { changes, steps } = planOf(world);
    expect(read.plan.steps).toEqual(steps);
    expect(read.plan.changes.map((change) => ({ ...change, source: null }))).toEqual(
      changes.map((change) => ({ ...change, source: null })),
    );
  });

  const touched = { ...saved(), applyable: false };
  const bad: [name: string, json: Json, problem: RegExp][] = [
    ['another JSON', { format_version: '1.2' }, /not a plan made by trueup/],
    ['no object', [], /not a plan made by trueup/],
    ['an edited plan', touched, /changed after it was made .*plan_digest/],
    [
      'a newer format',
      forged((details) => (details['version'] = 2)),
      /format 2, and this version of trueup reads up to 1/,
    ],
    ['an edited step with a mended digest', forged((details) => redirect(details, '/projects/other')), /plan_hash/],
    ['a path that leaves the API', forged((details) => redirect(details, '/../x')), /cannot? ?|can read/],
    ['a plan without steps', forged((details) => delete details['steps']), /can read/],
  ];
  it.each(bad)('refuses %s', (_name, json, problem) => {
    const read = planFromJson(json);
    expect('problem' in read ? read.problem : 'accepted').toMatch(problem);
  });
});

describe('plan_hash', () => {
  const hash = (changed: Partial<World>, nowMs?: number): string =>
    planOf({ ...world, ...changed, ...(nowMs === undefined ? {} : { input: { nowMs } }) }).planHash;

  it('does not depend on the clock nor on runtime noise', () => {
    const noisy = world.live?.replace('ep-b: { branch: br-2 }', 'ep-b: { branch: br-2, state: idle }') ?? '';
    expect(hash({ live: noisy })).toBe(hash({}));
    expect(hash({}, Date.UTC(2026, 10, 21))).toBe(hash({}));
  });

  it('depends on what is sent and on what is live', () => {
    expect(hash({ live: world.live?.replace('min: 1', 'min: 1.5') ?? '' })).not.toBe(hash({}));
    expect(hash({ file: world.file?.replace('min: 2', 'min: 3') ?? '' })).not.toBe(hash({}));
  });
});

describe('drift', () => {
  const report = driftOf(planOf(world), inputOf(world).desired);

  it('sorts what was found into classes', () => {
    expect(report.status).toBe('incomplete');
    expect(report.changed.map(({ address }) => address)).toEqual([
      'shop/moved',
      'shop/one',
      'shop/primary',
      'shop/two',
    ]);
    expect(report.missing.map(({ address }) => address)).toEqual(['shop/reader', 'shop/stale']);
    expect(report.unmanaged.map(({ address, pruned }) => [address, pruned])).toEqual([['shop/ep-x', true]]);
    expect(report.held.map(({ address }) => address)).toEqual(['shop/primary']);
    expect(report.due.map(({ address }) => address)).toEqual(['shop/rested']);
    expect(report.notCompared).toEqual([
      { address: 'shop/reader', paths: ['pooler_enabled'], reason: 'lifecycle.ignore leaves it to others' },
    ]);
    expect(report.changed[2]?.lastOperation).toMatchObject({ action: 'apply_config', at: '2026-11-17T12:00:00.000Z' });
  });

  it.each([
    [
      'nothing',
      { file: 'shop: { computes: { a: { branch: br-1 } } }', live: 'shop: { ep-a: { branch: br-1 } }' },
      'in_sync',
    ],
    [
      'an unmanaged one',
      {
        file: 'shop: { computes: { a: { branch: br-1 } } }',
        live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }',
      },
      'in_sync',
    ],
    [
      'an unmanaged one under prune',
      {
        file: 'shop: { prune: true, computes: { a: { branch: br-1 } } }',
        live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }',
      },
      'drifted',
    ],
    ['a missing one', { file: 'shop: { computes: { a: { branch: br-1 } } }', live: 'shop: {}' }, 'drifted'],
  ])('%s', (_name, small, status) => {
    expect(driftOf(planOf(small)).status).toBe(status);
  });

  it('comes back from JSON as it went', () => {
    const json = driftToJson(report, stamp);
    expect(DriftFile(json)).toBe(true);
    const again = driftFromJson(parseJson(stringifyJson(json)));
    expect(again === undefined ? null : driftToJson(again, stamp)).toEqual(json);
    expect(driftFromJson({ status: 'in_sync' })).toBeUndefined();
  });
});
