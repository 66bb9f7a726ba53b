// The saved plan: a Terraform plan for others, exactly ours for us, and refused when it was touched.
import { describe, expect, it } from 'vitest';
import { digestOf, parseJson, stringifyJson, type Json, type JsonObject } from '../../../src/base/json.ts';
import type { PlanFile } from '../../../src/model/generated/types.ts';
import { PlanFile as isPlanFile } from '../../../src/model/generated/validators.js';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan, type OpenedPlan } from '../../../src/plan/json/saved-plan.ts';
import { allowing, inputOf, planOf, recordOf, shop, type World } from './support/world.ts';

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
    expect(isPlanFile(saved())).toBe(true);
    expect(isPlanFile.errors ?? []).toEqual([]);
  });

  it('is incomplete when something was not read', () => {
    expect(saved()).toMatchObject({ applyable: true, complete: false, errored: false });
    expect(saved({ ...world, unread: [] })).toMatchObject({ complete: true });
  });

  it('is incomplete when something is held back', () => {
    const safety = [{ protect: ['shop/one'] }];
    expect(saved({ ...world, unread: [], safety })).toMatchObject({ complete: false });
  });

  it('has nothing to apply where everything fits', () => {
    const fits = shop('a: { branch: br-1 }', 'ep-a: { branch: br-1 }');
    expect(saved(fits)).toMatchObject({ applyable: false, complete: true, errored: false });
  });
});

describe('a plan tells other tools', () => {
  const changing: World = {
    file: `
shop:
  prune: true
  computes:
    made: { branch: { ref: shop/branches/a, field: id } }
    moved: { id: ep-m, branch: { ref: shop/branches/b, field: id } }
    one: { id: ep-a, branch: br-1, type: read_only }
    kept: { id: ep-k, branch: br-2, type: read_only, lifecycle: { protect: true } }
    same: { branch: br-3 }`,
    live: `
shop:
  ep-a: { branch: br-1 }
  ep-k: { branch: br-2 }
  ep-m: { branch: br-4 }
  ep-s: { branch: br-3 }
  ep-x: { branch: br-3, type: read_only }`,
  };
  const read = (json: JsonObject): unknown[] =>
    (json['resource_changes'] as unknown as PlanFile['resource_changes']).map((one) => {
      const { actions, after_unknown: unknown } = one.change;
      return [one.address, actions.join(), unknown, one.action_reason];
    });

  it('the order of a replacement, which values are not known yet, and why something goes', () => {
    const replaced = 'replace_because_cannot_update';
    expect(read(saved(changing))).toEqual([
      ['shop/ep-x', 'delete', {}, 'delete_because_no_resource_config'],
      ['shop/kept', 'delete,create', {}, replaced],
      ['shop/made', 'create', { id: true, branch_id: true }, undefined],
      ['shop/moved', 'update', { branch_id: true }, undefined],
      ['shop/one', 'create,delete', {}, replaced],
      ['shop/same', 'no-op', {}, undefined],
    ]);
  });

  it('that the old one goes first where its removal waits for nothing', () => {
    const plan = planOf(changing);
    const steps = plan.steps.map((step) => ({ ...step, needs: [] }));
    const json = planToJson({ ...plan, steps }, { ...stamp, record: recordOf(inputOf(changing)) });
    expect(read(json)).toContainEqual(['shop/one', 'delete,create', {}, 'replace_because_cannot_update']);
  });

  it('the state to come, without what goes', () => {
    const { resources = [] } = (saved(changing) as unknown as PlanFile).planned_values.root_module ?? {};
    expect(resources.map(({ address }) => address)).toEqual(
      ['kept', 'made', 'moved', 'one', 'same'].map((name) => `shop/${name}`),
    );
  });

  it('for which other change one waits that does not run', () => {
    const chain = shop(
      'a: { id: ep-a, branch: br-2 }, b: { id: ep-b, branch: br-3 }',
      'ep-a: { branch: br-1 }, ep-b: { branch: br-2 }',
      { input: { consent: 'unattended', ...allowing('move:shop/a') } },
    );
    const changes = saved(chain)['resource_changes'] as unknown as PlanFile['resource_changes'];
    expect(changes[0]?.trueup.notes).toContain('depends on shop/b, whose change does not run');
    expect(changes[1]?.trueup.notes.join()).not.toContain('depends on');
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
    ['a format that is no number', forged((details) => (details['version'] = '3')), /cannot read/],
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

describe('a plan that differs from what its record gives', () => {
  const moved = (tool: string): JsonObject =>
    forged((details) => {
      redirect(details, '/projects/other');
      details['tool_version'] = tool;
    });

  it.each([
    ['0.1.0', /the plan was changed after it was made$/],
    ['0.0.9', /the plan was changed after it was made, or another version made it \(0\.0\.9; this is 0\.1\.0\)$/],
  ])('is refused with its version, where that is another: %s', (tool, problem) => {
    const read = opened(moved(tool));
    expect('problem' in read ? [read.code, problem.test(read.problem)] : read).toEqual(['plan_altered', true]);
  });

  it('is refused also where the record breaks the rules of a kind', () => {
    const verdict = (): never => {
      throw new Error('no such state');
    };
    const kinds = [{ ...compute, verdict }];
    expect(openPlan(saved(), { kinds, toolVersion: '0.1.0' })).toMatchObject({ code: 'plan_altered' });
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

  it('has its files and the control plane that it was made for', () => {
    const files = { paths: ['trueup.yaml'], digest: `sha256:${'0'.repeat(64)}` };
    const read = readBack({ ...world, input: { store: 'one-of-two' } }, { files });
    expect([read.files, read.record.input.store, read.plan.store]).toEqual([files, 'one-of-two', 'one-of-two']);
    expect(readBack(world, {}).files).toBeNull();
  });

  it.each([
    ['none', null],
    ['one', { fromThisChange: ['shop/a'], alreadyPending: ['shop/b'], noLongerManaged: ['shop/c'], guardsChanged: [] }],
  ])('has the comparison that it was made with: %s', (_name, comparison) => {
    expect(readBack(world, { comparison }).comparison).toEqual(comparison);
  });
});
