// A hash stands for the plan that was reviewed: with what it was allowed, and under no limit that was lifted for it. For nothing else.
import { describe, expect, it } from 'vitest';
import { asReviewed } from '../../../src/cli/plans/named-losses.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { IN_ONE_HOUR, inputOf, NOW_MS, recordOf, type World } from '../plan/support/world.ts';

/** Two removals and a resize, in a project of as many computes as it takes. */
const world = (computes: number, more: Partial<World>): World => ({
  file: `shop: { computes: { one: { id: ep-one, state: absent }, two: { id: ep-two, state: absent }, ${Array.from(
    { length: computes },
    (_, n) => `c${n}: { branch: br-${n}, max: ${n === 0 ? 2 : 1} }`,
  ).join(', ')} } }`,
  live: `shop: { ep-one: { branch: br-one }, ep-two: { branch: br-two }, ${Array.from(
    { length: 40 },
    (_, n) => `ep-${n}: { branch: br-${n}, max: 1 }`,
  ).join(', ')} }`,
  log: [],
  ...more,
});
const NIGHT_MS = NOW_MS + 90 * 60_000;
const DELETES = [{ action: 'delete', address: 'shop/*' }];
/** Two of twelve computes are resized and restarted. */
const TWICE = (input: World['input']): World => {
  const each = (text: (n: number) => string): string => Array.from({ length: 12 }, (_, n) => text(n)).join(', ');
  const twice = 'suspend_timeout_seconds: 600, restart: { not_before: 2026-11-01 }';
  return {
    file: `shop: { computes: { ${each((n) => `c${n}: { branch: br-${n}${n < 2 ? `, ${twice}` : ''} }`)} } }`,
    live: `shop: { ${each((n) => `ep-${n}: { branch: br-${n}, created: 2026-01-01, started: 2026-10-01 }`)} }`,
    log: ['60d start_compute finished ep-0'],
    safety: [{ maxChangePercent: 10 }],
    input: { due: true, ...input },
  };
};
/** A compute that is changed, and restarted for another reason. */
const BOTH = (allow: PlanInput['allow']): World => ({
  file: 'shop: { computes: { c0: { branch: br-0, suspend_timeout_seconds: 600, restart: { not_before: 2026-11-01 } } } }',
  live: 'shop: { ep-0: { branch: br-0, created: 2026-01-01, started: 2026-10-01 } }',
  log: ['60d start_compute finished ep-0'],
  safety: [{ maxRestarts: 0 }],
  input: { due: true, allow },
});
const RESTART = [{ action: 'restart', address: 'shop/c0' }];
const ONE = [{ action: 'delete', address: 'shop/one' }];
const operators = { isOperators: true } as const;

const planned = (one: World): Plan => makePlan(inputOf(one));

/** What is carried out of the plan `applied` by the hash of the plan `reviewed`; null where it stands for no such plan. */
function stepsBy(reviewed: World, applied: World): readonly string[] | null {
  const { planHash } = planned(reviewed);
  const record = recordOf(inputOf(applied));
  const found = [...asReviewed({ plan: planned(applied), record }, record, planHash)].find(
    ({ plan }) => plan.planHash === planHash,
  );
  return found?.plan.steps.map(({ address }) => address) ?? null;
}

const ALL = ['shop/two', 'shop/one', 'shop/c0'].sort();

describe('the hash of a plan', () => {
  const limit = { maxDeletes: 1 };
  const lifted = world(3, { safety: [limit], input: { allow: DELETES } });

  it.each<[string, World, World, readonly string[] | null]>([
    ['whose --allow lifts a limit stands for it', lifted, world(3, { safety: [limit] }), ALL],
    ['lifts no limit of the operator', lifted, world(3, { safety: [limit, { maxDeletes: 1, ...operators }] }), []],
    [
      'lifts none of the operator for what it named nothing of',
      lifted,
      world(3, { safety: [limit, { maxRestarts: 0, ...operators }] }),
      [],
    ],
    [
      'whose --allow lifts a limit stands for it within the window to come',
      world(3, { safety: [{ ...limit, windows: [IN_ONE_HOUR] }], input: { allow: DELETES } }),
      world(3, { safety: [{ ...limit, windows: [IN_ONE_HOUR] }], input: { nowMs: NIGHT_MS } }),
      ALL,
    ],
    [
      'whose --allow lifts a limit stands for it while the window is closed',
      world(3, { safety: [{ ...limit, windows: [IN_ONE_HOUR] }], input: { allow: DELETES } }),
      world(3, { safety: [{ ...limit, windows: [IN_ONE_HOUR] }] }),
      [],
    ],
    [
      'that exceeds no limit is held back where it does, in a smaller project',
      world(40, { safety: [{ maxChangePercent: 10 }] }),
      world(12, { safety: [{ maxChangePercent: 10 }] }),
      [],
    ],
    [
      'of which a limit lets nothing run is held back by it again',
      world(3, { safety: [limit] }),
      world(3, { safety: [limit] }),
      [],
    ],
    [
      'of which a limit lets nothing run is not that of one whose limit is lifted',
      world(3, { safety: [limit] }),
      lifted,
      null,
    ],
    [
      'whose --allow names some of what a limit counts needs it again',
      world(3, { safety: [limit], input: { allow: ONE } }),
      world(3, { safety: [limit] }),
      null,
    ],
    [
      'whose --allow names some of what a limit counts is met with it',
      world(3, { safety: [limit], input: { allow: ONE } }),
      world(3, { safety: [limit], input: { allow: ONE } }),
      ALL,
    ],
    [
      'whose --allow lifts a share lifts no greater one',
      world(28, { safety: [{ maxChangePercent: 8 }], input: { allow: ONE } }),
      world(12, { safety: [{ maxChangePercent: 8 }], input: { allow: ONE } }),
      [],
    ],
    [
      'whose --allow names one of two changes of a compute lifts nothing for the other',
      TWICE({ allow: [{ action: 'restart', address: 'shop/*' }] }),
      TWICE({}),
      [],
    ],
    [
      'whose --allow lifts a limit for all that it counts lifts it again, whatever else is done there',
      BOTH(RESTART),
      BOTH([]),
      ['shop/c0', 'shop/c0'],
    ],
    [
      'that a limit holds back is not that of one whose limit is lifted, whatever else is done there',
      BOTH([]),
      BOTH(RESTART),
      null,
    ],
  ])('%s', (_name, reviewed, applied, steps) => {
    expect(stepsBy(reviewed, applied)?.toSorted() ?? null).toEqual(steps);
  });
});
