// Replicas are known by their names in the API; what has neither id nor name is only counted, and whatever would hit one of several is blocked.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/plan/make-plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { runs } from '../../support/property-runs.ts';
import { processorMs } from '../../support/processor-time.ts';
import { allowing, inputOf, planOf, type World } from './support/world.ts';

/** What is done to whom, and what is blocked. */
function told(world: World): string[] {
  return planOf(world)
    .changes.filter(({ action }) => action !== 'none')
    .map(({ action, address, resourceId, blockedBy }) => {
      const who = resourceId === null || address.endsWith(resourceId) ? '' : ` ${resourceId}`;
      return `${action} ${address}${who}${blockedBy.length === 0 ? '' : ` (${blockedBy.join(', ')})`}`;
    });
}

/** Which live one each declaration is. */
function matched(world: World): string[] {
  return planOf(world).changes.flatMap(({ address, resourceId, matchedBy }) =>
    matchedBy === 'no declaration claims the resource' ? [] : [`${address} ${resourceId}`],
  );
}

const R = 'branch: br-1, type: read_only';
const ONE = `shop: { ep-1: { ${R}, max: 1 } }`;
const TWO = `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1 } }`;
const shop = (computes: string, more = ''): string => `shop: { ${more} computes: { ${computes} } }`;

describe('a name in the API', () => {
  const NAMED = `shop: { ep-1: { ${R}, max: 1, name: b }, ep-2: { ${R}, max: 1, name: a } }`;

  it('is that of the label, where the file writes none', () => {
    expect(told({ file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 1 }`), live: NAMED })).toEqual([
      'update shop/a ep-2',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['the written one is', `x: { ${R}, name: a, max: 2 }`, ['update shop/x ep-2']],
    ['removes the one that has it', `b: { ${R}, state: absent }`, ['delete shop/b ep-1']],
    ['is gone where it is written and nobody has it', `c: { ${R}, name: c, state: absent }`, []],
    ['is given to what is made beside others', `c: { ${R}, max: 2 }`, ['create shop/c']],
  ])('%s', (_name, computes, expected) => {
    expect(told({ file: shop(computes), live: NAMED })).toEqual(expected);
  });

  it('lets prune go beside the labels that bear one', () => {
    expect(told({ file: shop(`a: { ${R}, max: 1 }`, 'prune: true,'), live: NAMED })).toEqual(['delete shop/ep-1']);
  });

  it('that two live ones bear matches neither', () => {
    const live = `shop: { ep-1: { ${R}, max: 1, name: a }, ep-2: { ${R}, max: 1, name: a } }`;
    expect(told({ file: shop(`a: { ${R}, max: 2 }`), live })).toEqual(['update shop/a ep-1 (ambiguous)']);
  });

  it('outranks equality, and a pin outranks it', () => {
    const live = `shop: { ep-1: { ${R}, max: 2 }, ep-2: { ${R}, max: 1, name: a } }`;
    expect(matched({ file: shop(`a: { ${R}, max: 2 }`), live })).toEqual(['shop/a ep-2']);
    expect(matched({ file: shop(`a: { ${R}, id: ep-1 }`), live })).toEqual(['shop/a ep-1']);
  });

  it('is sent with what is made, unless the file wants none', () => {
    const bodies = planOf({
      file: shop(`a: { ${R} }, b: { ${R}, name: Reports }, c: { ${R}, name: null }, p: { branch: br-1 }`),
      live: 'shop: {}',
    }).steps.map(({ address, body }) => [
      address,
      (body?.['endpoint'] as { readonly name?: string } | undefined)?.name,
    ]);
    expect(bodies).toEqual([
      ['shop/a', 'a'],
      ['shop/b', 'Reports'],
      ['shop/c', undefined],
      ['shop/p', undefined],
    ]);
  });

  it('is neither given to an existing one for its label, nor missed', () => {
    expect(told({ file: shop(`a: { ${R}, max: 1 }`), live: ONE })).toEqual([]);
    expect(
      told({ file: shop(`a: { ${R}, id: ep-1, max: 1 }`), live: ONE.replace('max: 1', 'max: 1, name: other') }),
    ).toEqual([]);
  });

  it('that is written is an attribute like others', () => {
    const file = shop(`a: { ${R}, id: ep-1, name: reports }`);
    expect(planOf({ file, live: ONE }).steps.map(({ body }) => body)).toEqual([{ endpoint: { name: 'reports' } }]);
  });
});

describe('counting', () => {
  it.each<[string, World, string[]]>([
    [
      'pairs equal ones first, oldest first',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 2 }`),
        live: `shop: { ep-1: { ${R}, max: 2, created: 2026-02-01 }, ep-2: { ${R}, max: 2, created: 2026-01-01 }, ep-3: { ${R}, max: 1 } }`,
      },
      ['shop/a ep-3', 'shop/b ep-2'],
    ],
    [
      'lets the one that says most choose first',
      {
        file: shop(`a: { ${R}, min: 1 }, b: { ${R}, min: 1, max: 2 }`),
        live: `shop: { ep-1: { ${R}, min: 1, max: 2 }, ep-2: { ${R}, min: 1, max: 3 } }`,
      },
      ['shop/a ep-2', 'shop/b ep-1'],
    ],
    [
      'takes a held difference for equal',
      {
        file: shop(
          `a: { ${R}, max: 1, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2027-01-01 }] } }, b: { ${R}, max: 1 }`,
        ),
        live: `shop: { ep-0: { ${R}, max: 4 }, ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 8 } }`,
      },
      ['shop/a ep-2', 'shop/b ep-1'],
    ],
    [
      'takes an equal one before an older one whose difference is held',
      {
        file: shop(
          `a: { ${R}, max: 1, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2027-01-01 }] } }`,
        ),
        live: `shop: { ep-1: { ${R}, max: 8 }, ep-2: { ${R}, max: 1 } }`,
      },
      ['shop/a ep-2'],
    ],
    [
      'pairs one that has another name only where it is equal',
      { file: shop(`a: { ${R}, max: 1 }`), live: `shop: { ep-1: { ${R}, max: 1, name: x } }` },
      ['shop/a ep-1'],
    ],
    [
      'makes what is missing beside one of another name',
      { file: shop(`a: { ${R}, max: 2 }`), live: `shop: { ep-1: { ${R}, max: 1, name: x } }` },
      ['shop/a null'],
    ],
    ['takes the one nameless for the one label', { file: shop(`a: { ${R}, max: 2 }`), live: ONE }, ['shop/a ep-1']],
    [
      'leaves alone what the file accepts',
      { file: shop(`a: { ${R}, max: 2 }`, 'unmanaged_ok: [ep-1],'), live: ONE },
      ['shop/a null'],
    ],
  ])('%s', (_name, world, expected) => {
    expect(matched(world)).toEqual(expected);
  });

  it.each<[string, World, string[]]>([
    ['changes the only one', { file: shop(`a: { ${R}, max: 2 }`), live: ONE }, ['update shop/a ep-1']],
    ['removes the only one', { file: shop(`a: { ${R}, state: absent }`), live: ONE }, ['delete shop/a ep-1']],
    ['makes one that is new', { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 2 }`), live: ONE }, ['create shop/b']],
    [
      'changes none of several',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 2 }`), live: TWO },
      ['update shop/b ep-2 (ambiguous)'],
    ],
    [
      'changes none beside a pinned one',
      { file: shop(`a: { ${R}, id: ep-1 }, b: { ${R}, max: 2 }`), live: TWO },
      ['update shop/b ep-2 (ambiguous)'],
    ],
    [
      'makes none while more than one nameless one could be meant',
      { file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 4 }, c: { ${R}, max: 8 }`), live: TWO },
      ['update shop/a ep-1 (ambiguous)', 'update shop/b ep-2 (ambiguous)', 'create shop/c (ambiguous)'],
    ],
    [
      'removes none of several',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, state: absent }`), live: TWO },
      ['delete shop/b ep-2 (ambiguous)'],
    ],
    [
      'prunes nothing beside a label that it matched',
      { file: shop(`a: { ${R}, max: 1 }`, 'prune: true,'), live: TWO },
      ['delete shop/ep-2 (ambiguous)'],
    ],
    ['prunes beside pins', { file: shop(`a: { ${R}, id: ep-2 }`, 'prune: true,'), live: TWO }, ['delete shop/ep-1']],
    [
      'prunes a branch without a label',
      {
        file: shop('p: { branch: br-2 }', 'prune: { branch_id: [br-1] },'),
        live: `shop: { ep-p: { branch: br-2 }, ep-1: { ${R} }, ep-2: { ${R} } }`,
      },
      ['delete shop/ep-1', 'delete shop/ep-2'],
    ],
    [
      'restarts none that has another name',
      {
        file: shop(`a: { ${R}, restart: { not_before: 2026-11-15T00:00:00Z } }`),
        live: `shop: { ep-1: { ${R}, name: x, started: 2026-11-10T00:00:00Z } }`,
      },
      ['restart shop/a ep-1 (ambiguous)'],
    ],
    [
      'repairs none of several',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }`), live: TWO, log: ['1h apply_config failed ep-2'] },
      ['update shop/b ep-2 (ambiguous)'],
    ],
  ])('%s', (_name, world, expected) => {
    expect(told(world)).toEqual(expected);
  });

  it.each(['*:*', 'restart:shop/ep-2', 'restart:shop/b', 'delete:shop/ep-2'])('yields to no --allow %s', (word) => {
    const file = shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 2 }`);
    for (const consent of ['reviewed', 'unattended'] as const)
      expect(told({ file, live: TWO, input: { ...allowing(word), consent } })).toEqual([
        'update shop/b ep-2 (ambiguous)',
      ]);
  });
});

describe('whatever lives and is declared', () => {
  const name = fc.constantFrom('', 'l0', 'l1', 'other');
  const pool = fc.record({
    live: fc.array(fc.tuple(fc.constantFrom(1, 2), name), { maxLength: 4 }),
    wishes: fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 4 }),
    prune: fc.boolean(),
  });
  const inputFor = ({ live, wishes, prune }: Parameters<Parameters<typeof pool.map>[0]>[0]): PlanInput => {
    const computes = wishes.map((max, at) => `l${at}: { ${R}, max: ${max} }`).join(', ');
    const there = live.map(
      ([max, called], at) => `ep-${at}: { ${R}, max: ${max}${called === '' ? '' : `, name: ${called}`} }`,
    );
    return inputOf({
      file: `shop: { prune: ${prune}, computes: { ${computes} } }`,
      live: `shop: { ${there.join(', ')} }`,
    });
  };

  it('nothing that has neither id nor name is touched beside another', () => {
    fc.assert(
      fc.property(pool, (world) => {
        const { steps } = makePlan(inputFor(world));
        const isMany = Math.max(world.live.length, world.wishes.length) > 1;
        for (const { action, expects, address } of steps) {
          if (action === 'create' || expects.state === 'absent' || !isMany) continue;
          const [, called] = world.live[Number(expects.id.slice(3))] ?? [];
          const isOwn = called !== '' && address === `shop/${called}`;
          const isUnlisted = action === 'delete' && address === `shop/${expects.id}`;
          expect(isOwn || isUnlisted).toBe(true);
        }
      }),
      runs(300),
    );
  });
});

it('takes no time for thousands', () => {
  const entries = Array.from({ length: 3000 }, (_, at) => `l${at}: { ${R}, max: ${1 + (at % 3)} }`).join(', ');
  const live = Array.from({ length: 3000 }, (_, at) => `ep-${at}: { ${R}, max: ${1 + (at % 4)} }`).join(', ');
  const startedMs = processorMs();
  const plan = planOf({ file: shop(entries), live: `shop: { ${live} }` });
  expect(plan.summary).toMatchObject({ unchanged: 2250, blocked: 750, update: 0, create: 0 });
  expect(processorMs() - startedMs).toBeLessThan(10_000);
});
