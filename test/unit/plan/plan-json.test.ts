// The saved plan: a Terraform plan for others, exactly ours for us, and refused when it was touched.
import { describe, expect, it } from 'vitest';
import { digestOf, parseJson, stringifyJson, type Json, type JsonObject } from '../../../src/base/json.ts';
import { PlanFile } from '../../../src/model/generated/validators.js';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan, type OpenedPlan } from '../../../src/plan/json/saved-plan.ts';
import { inputOf, planOf, recordOf, type World } from './support/world.ts';

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
const stamp = { timestamp: '2026-11-20T12:00:00.000Z', toolVersion: '0.1.0', expiresInMs: 72 * 3_600_000 };

function written(of: World, own: object = {}): JsonObject {
  return planToJson(planOf(of), { ...stamp, record: recordOf(inputOf(of)), ...own });
}

function saved(of: World = world): JsonObject {
  return parseJson(stringifyJson(written(of), 2)) as JsonObject;
}

function opened(json: Json): ReturnType<typeof openPlan> {
  return openPlan(json, { kinds: [compute], toolVersion: stamp.toolVersion });
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

  it('is incomplete when something was not read', () => {
    expect(saved()).toMatchObject({ applyable: true, complete: false, errored: false });
    expect(saved({ ...world, unread: [] })).toMatchObject({ complete: true });
  });
});

describe('openPlan', () => {
  it('gives the same plan back', () => {
    const read = opened(saved());
    if ('problem' in read) throw new Error(read.problem);
    expect(read.expiresAtMs).toBe(Date.UTC(2026, 10, 23, 12));
    expect(stringifyJson(planToJson(read.plan, { ...stamp, record: read.record }))).toBe(stringifyJson(written(world)));
    const { changes, steps } = planOf(world);
    expect(read.plan.steps).toEqual(steps);
    expect(read.plan.changes.map((change) => ({ ...change, source: null }))).toEqual(
      changes.map((change) => ({ ...change, source: null })),
    );
  });

  const touched = { ...saved(), applyable: false };
  const bad: [name: string, json: Json, problem: RegExp][] = [
    ['another JSON', { format_version: '1.2' }, /not a plan of trueup/],
    ['no object', [], /not a plan of trueup/],
    ['an edited plan', touched, /changed later .*plan_digest/],
    ['a newer format', forged((details) => (details['version'] = 3)), /format 3, but this version of trueup reads/],
    [
      'an edited step with a mended digest',
      forged((details) => redirect(details, '/projects/other')),
      /differs from the one that its recorded files, flags and live state give/,
    ],
    ['a path that leaves the API', forged((details) => redirect(details, '/../x')), /cannot read/],
    ['a plan without steps', forged((details) => delete details['steps']), /cannot read th/],
  ];
  it.each(bad)('refuses %s', (_name, json, problem) => {
    const read = opened(json);
    expect('problem' in read ? read.problem : 'accepted').toMatch(problem);
  });
});

describe('a plan that is read back', () => {
  const readBack = (of: World, own: object): OpenedPlan => {
    const read = opened(parseJson(stringifyJson(written(of, own))));
    if ('problem' in read) throw new Error(read.problem);
    return read;
  };

  it.each([
    [72 * 3_600_000, Date.UTC(2026, 10, 23, 12)],
    [null, null],
  ])('expires as it was told to: %s', (expiresInMs, expiresAtMs) => {
    expect(readBack(world, { expiresInMs })).toMatchObject({ expiresAtMs, madeAtMs: Date.UTC(2026, 10, 20, 12) });
  });

  it.each([
    ['none', null],
    ['one', { fromThisChange: ['shop/a'], alreadyPending: ['shop/b'], noLongerManaged: ['shop/c'], guardsChanged: [] }],
  ])('has the comparison that it was made with: %s', (_name, comparison) => {
    expect(readBack(world, { comparison }).comparison).toEqual(comparison);
  });
});
