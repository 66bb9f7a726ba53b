// Labels of interchangeable replicas are no promises: what would hit one of them by a guess is blocked until somebody says which.
import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../../src/plan/input.ts';
import { NOW_MS, planOf, type World } from './support/world.ts';
import { processorMs } from '../../support/processor-time.ts';

/** What is done to whom, and what is held back. */
function told(world: World): string[] {
  return planOf(world)
    .changes.filter(({ action }) => action !== 'none')
    .map(({ action, address, resourceId, blockedBy }) => {
      const who = resourceId === null || address.endsWith(resourceId) ? '' : ` ${resourceId}`;
      return `${action} ${address}${who}${blockedBy.length === 0 ? '' : ` (${blockedBy.join(', ')})`}`;
    });
}

const R = 'branch: br-1, type: read_only';
const THREE = `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1 }, ep-3: { ${R}, max: 1 } }`;
const TWO = `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1 } }`;
const shop = (computes: string, more = ''): string => `shop: { ${more} computes: { ${computes} } }`;
const allow = (...words: string[]): { readonly allow: readonly Allowance[] } => ({
  allow: words.map((word) => ({
    action: word.slice(0, word.indexOf(':')),
    address: word.slice(word.indexOf(':') + 1),
  })),
});

describe('a change that disturbs one of several alike', () => {
  it.each<[string, World, string[]]>([
    [
      'a resize of one label',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 2 }`), live: THREE },
      ['update shop/c ep-3 (ambiguous)'],
    ],
    [
      'the same resize of all labels, with a live one for each',
      { file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 2 }, c: { ${R}, max: 2 }`), live: THREE },
      ['update shop/a ep-1', 'update shop/b ep-2', 'update shop/c ep-3'],
    ],
    [
      'the same resize of all labels, where one more is live',
      { file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 2 }`), live: THREE },
      ['update shop/a ep-1 (ambiguous)', 'update shop/b ep-2 (ambiguous)'],
    ],
    [
      'two labels that want different sizes',
      { file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 4 }`), live: TWO },
      ['update shop/a ep-1 (ambiguous)', 'update shop/b ep-2 (ambiguous)'],
    ],
    [
      'the only one that can be meant, since the others are as they shall be',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 2, pooler_enabled: true }`),
        live: `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1, pooler_enabled: true } }`,
      },
      ['update shop/b ep-2'],
    ],
    [
      'one replica, one label',
      { file: shop(`a: { ${R}, max: 2 }`), live: `shop: { ep-1: { ${R}, max: 1 } }` },
      ['update shop/a ep-1'],
    ],
    [
      'what drops nothing is done to whichever it is',
      {
        file: shop(`a: { ${R}, suspend_timeout_seconds: 600 }, b: { ${R} }`),
        live: `shop: { ep-1: { ${R} }, ep-2: { ${R} } }`,
      },
      ['update shop/a ep-1'],
    ],
    [
      'but not beside a change that is ambiguous: it would settle who is who',
      {
        file: shop(
          `a: { ${R}, max: 2, suspend_timeout_seconds: 600 }, b: { ${R}, max: 1, suspend_timeout_seconds: 900 }`,
        ),
        live: TWO,
      },
      ['update shop/a ep-1 (ambiguous)', 'update shop/b ep-2 (ambiguous)'],
    ],
    [
      'a disabled one',
      { file: shop(`a: { ${R}, disabled: true }, b: { ${R} }`), live: `shop: { ep-1: { ${R} }, ep-2: { ${R} } }` },
      ['update shop/a ep-1 (ambiguous)'],
    ],
    [
      'one more label is only made',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 2 }`), live: TWO },
      ['create shop/c'],
    ],
    [
      'pinned',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, id: ep-2, max: 2 }`), live: THREE },
      ['update shop/c ep-2'],
    ],
    [
      'told by its name in the API',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, name: reports, max: 2 }`),
        live: `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1, name: reports }, ep-3: { ${R}, max: 1 } }`,
      },
      ['update shop/c ep-2'],
    ],
    [
      'allowed by its live id',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 2 }`),
        live: THREE,
        input: allow('restart:shop/ep-3'),
      },
      ['update shop/c ep-3'],
    ],
    [
      'allowed by the live id of another candidate: that one is meant',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 2 }`),
        live: THREE,
        input: allow('restart:shop/ep-2'),
      },
      ['update shop/c ep-2'],
    ],
    [
      'all of them pinned but the one: it can be no other',
      { file: shop(`a: { ${R}, id: ep-1 }, b: { ${R}, id: ep-2 }, c: { ${R}, max: 2 }`), live: THREE },
      ['update shop/c ep-3'],
    ],
    [
      'another pool has nothing to do with it',
      {
        file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 1 }, x: { branch: br-2, type: read_only, max: 2 }`),
        live: `shop: { ep-1: { ${R}, max: 1 }, ep-2: { ${R}, max: 1 }, ep-9: { branch: br-2, type: read_only, max: 1 } }`,
      },
      ['update shop/a ep-2 (ambiguous)', 'update shop/x ep-9'],
    ],
    [
      'the same of all, of which only one is targeted',
      {
        file: shop(`a: { ${R}, max: 2 }, b: { ${R}, max: 2 }`),
        live: TWO,
        input: { target: ['shop/a'] },
      },
      ['update shop/a ep-1 (ambiguous)'],
    ],
    [
      'a hold on one of them',
      {
        file: shop(
          `a: { ${R}, max: 2 }, b: { ${R}, max: 2, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 1, until: 2027-01-01 }] } }`,
        ),
        live: TWO,
      },
      ['update shop/a ep-1 (ambiguous)'],
    ],
  ])('%s', (_name, world, expected) => {
    expect(told(world)).toEqual(expected);
  });

  it.each(['*:*', '*:shop/*', 'restart:shop/ep-*', 'restart:shop/c', 'restart:shop/ep-9', 'delete:shop/ep-3'])(
    'is not lifted by --allow %s',
    (word) => {
      const file = shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 2 }`);
      for (const consent of ['reviewed', 'unattended'] as const)
        expect(told({ file, live: THREE, input: { ...allow(word), consent } })).toEqual([
          'update shop/c ep-3 (ambiguous)',
        ]);
    },
  );
});

describe('a restart of one of several alike', () => {
  const started = (day: number): string => `started: 2026-11-${day}T00:00:00Z`;
  const live = (...days: number[]): string =>
    `shop: { ${days.map((day, at) => `ep-${at + 1}: { ${R}, ${started(day)} }`).join(', ')} }`;
  const asks = 'restart: { not_before: 2026-11-15T00:00:00Z }';

  it.each<[string, World, string[]]>([
    [
      'of one label',
      { file: shop(`a: { ${R}, ${asks} }, b: { ${R} }`), live: live(10, 10) },
      ['restart shop/a ep-1 (ambiguous)'],
    ],
    [
      'of all labels',
      { file: shop(`a: { ${R}, ${asks} }, b: { ${R}, ${asks} }`), live: live(10, 10) },
      ['restart shop/a ep-1', 'restart shop/b ep-2'],
    ],
    [
      'of one label, where one has started since',
      { file: shop(`a: { ${R}, ${asks} }, b: { ${R} }`), live: live(10, 16) },
      [],
    ],
    [
      'of the one that is allowed by its id',
      { file: shop(`a: { ${R}, ${asks} }, b: { ${R} }`), live: live(10, 10), input: allow('restart:shop/ep-2') },
      ['restart shop/a ep-2'],
    ],
    [
      'by the clock',
      { file: shop(`a: { ${R}, restart: { max_age: 3d } }, b: { ${R} }`), live: live(10, 10), input: { due: true } },
      ['restart shop/a ep-1 (ambiguous)'],
    ],
  ])('%s', (_name, world, expected) => {
    expect(told(world)).toEqual(expected);
  });
});

describe('the repair of a failed change', () => {
  const log = ['1h apply_config failed ep-2'];
  it('is done where every label would have it done', () => {
    const file = shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, c: { ${R}, max: 1 }`);
    expect(told({ file, live: THREE, log })).toEqual(['update shop/b ep-2']);
  });

  it('is ambiguous where the failed one may be nobody’s', () => {
    const file = shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }`);
    expect(told({ file, live: THREE, log })).toEqual(['update shop/b ep-2 (ambiguous)']);
  });
});

describe('a removal of one of several', () => {
  const gone = `c: { ${R}, state: absent }`;
  it.each<[string, World, string[]]>([
    [
      'state: absent of one label',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, ${gone}`), live: THREE },
      ['delete shop/c ep-3 (ambiguous)'],
    ],
    [
      'state: absent of one label, though the others differ from what is left',
      {
        file: shop(`a: { ${R}, max: 1 }, ${gone}`),
        live: `shop: { ep-1: { ${R}, max: 4 }, ep-2: { ${R}, max: 1 } }`,
      },
      ['delete shop/c ep-1 (ambiguous)'],
    ],
    [
      'prune of what no label is matched with',
      { file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }`, 'prune: true,'), live: THREE },
      ['delete shop/ep-3 (ambiguous)'],
    ],
    [
      'prune beside pinned labels',
      { file: shop(`a: { ${R}, id: ep-1 }, b: { ${R}, id: ep-3 }`, 'prune: true,'), live: THREE },
      ['delete shop/ep-2'],
    ],
    [
      'prune beside a label that is told by its name',
      {
        file: shop(`a: { ${R}, name: reports }`, 'prune: true,'),
        live: `shop: { ep-1: { ${R} }, ep-2: { ${R}, name: reports } }`,
      },
      ['delete shop/ep-1'],
    ],
    [
      'prune beside one pinned label and one that is not',
      { file: shop(`a: { ${R}, id: ep-1 }, b: { ${R} }`, 'prune: true,'), live: THREE },
      ['delete shop/ep-3 (ambiguous)'],
    ],
    [
      'prune of a branch that has no label',
      {
        file: shop('p: { branch: br-2 }', 'prune: { branch_id: [br-1] },'),
        live: `shop: { ep-p: { branch: br-2 }, ep-1: { ${R} }, ep-2: { ${R} } }`,
      },
      ['delete shop/ep-1', 'delete shop/ep-2'],
    ],
    [
      'state: absent, pinned',
      { file: shop(`a: { ${R} }, b: { ${R} }, c: { id: ep-2, state: absent }`), live: THREE },
      ['delete shop/c ep-2'],
    ],
    [
      'state: absent, told by its name',
      {
        file: shop(`a: { ${R} }, c: { ${R}, name: old, state: absent }`),
        live: `shop: { ep-1: { ${R}, name: old }, ep-2: { ${R} } }`,
      },
      ['delete shop/c ep-1'],
    ],
    [
      'state: absent by a name that nobody has is done',
      { file: shop(`a: { ${R} }, c: { ${R}, name: old, state: absent }`), live: TWO },
      [],
    ],
    [
      'state: absent where all others are pinned',
      { file: shop(`a: { ${R}, id: ep-1 }, b: { ${R}, id: ep-2 }, ${gone}`), live: THREE },
      ['delete shop/c ep-3'],
    ],
    [
      'state: absent of one of several that no label stays for',
      { file: shop(gone), live: THREE },
      ['delete shop/c ep-1 (ambiguous)'],
    ],
    [
      'all replicas of a branch by state: absent',
      { file: shop(`a: { ${R}, state: absent }, b: { ${R}, state: absent }`), live: TWO },
      ['delete shop/a ep-1', 'delete shop/b ep-2'],
    ],
    [
      'all replicas of a branch by state: absent and prune',
      { file: shop(gone, 'prune: true,'), live: TWO },
      ['delete shop/c ep-1', 'delete shop/ep-2'],
    ],
    [
      'all of them, of which one is protected by its label',
      { file: shop(`a: { ${R}, state: absent, lifecycle: { protect: true } }, b: { ${R}, state: absent }`), live: TWO },
      ['delete shop/a ep-1 (protect)', 'delete shop/b ep-2 (ambiguous)'],
    ],
    [
      'all of them, of which one is targeted',
      {
        file: shop(`a: { ${R}, state: absent }, b: { ${R}, state: absent }`),
        live: TWO,
        input: { target: ['shop/b'] },
      },
      ['delete shop/b ep-2 (ambiguous)'],
    ],
    [
      'all of them, of which one is consented to by its label',
      {
        file: shop(`a: { ${R}, state: absent }, b: { ${R}, state: absent }`),
        live: TWO,
        input: { ...allow('delete:shop/b'), consent: 'unattended' },
      },
      ['delete shop/a ep-1 (consent)', 'delete shop/b ep-2 (ambiguous)'],
    ],
    [
      'allowed by its live id',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, ${gone}`),
        live: THREE,
        input: { ...allow('delete:shop/ep-3'), consent: 'unattended' },
      },
      ['delete shop/c ep-3'],
    ],
    [
      'allowed by the live id of another candidate: that one is meant',
      {
        file: shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, ${gone}`),
        live: THREE,
        input: { ...allow('delete:shop/ep-1'), consent: 'unattended' },
      },
      ['delete shop/c ep-1'],
    ],
    [
      'pruned by the live id of a candidate that a label was matched with',
      {
        file: shop(`a: { ${R} }, b: { ${R} }`, 'prune: true,'),
        live: THREE,
        input: { ...allow('delete:shop/ep-1'), consent: 'unattended' },
      },
      ['delete shop/ep-1'],
    ],
    [
      'two pruned of four, one of them named: the other is still a guess',
      {
        file: shop(`a: { ${R} }`, 'prune: true,'),
        live: THREE,
        input: allow('delete:shop/ep-1'),
      },
      ['delete shop/ep-1', 'delete shop/ep-3 (ambiguous)'],
    ],
    [
      'an id that is allowed is kept where there is none too many',
      {
        file: shop(`a: { ${R} }, b: { ${R} }, c: { ${R} }`, 'prune: true,'),
        live: THREE,
        input: allow('delete:shop/ep-1'),
      },
      [],
    ],
  ])('%s', (_name, world, expected) => {
    expect(told(world)).toEqual(expected);
  });

  it.each(['*:*', 'delete:*', 'delete:shop/ep-*', 'delete:shop/c'])('is not lifted by --allow %s', (word) => {
    const file = shop(`a: { ${R}, max: 1 }, b: { ${R}, max: 1 }, ${gone}`);
    expect(told({ file, live: THREE, input: allow(word) })).toEqual(['delete shop/c ep-3 (ambiguous)']);
  });
});

describe('what an earlier run recorded here', () => {
  const made = [
    { address: 'shop/z', id: 'ep-1', branch: 'br-1' },
    { address: 'shop/a', id: 'ep-2', branch: 'br-1' },
  ];

  it('keeps labels where they were', () => {
    const file = shop(`a: { ${R} }, z: { ${R} }`);
    const match = planOf({ file, live: TWO, made }).changes.map(
      ({ address, resourceId }) => `${address} ${resourceId}`,
    );
    expect(match).toEqual(['shop/a ep-2', 'shop/z ep-1']);
  });

  it('consents to nothing', () => {
    const file = shop(`a: { ${R}, max: 2 }, z: { ${R}, max: 1 }`);
    expect(told({ file, live: TWO, made })).toEqual(['update shop/a ep-2 (ambiguous)']);
    const removal = shop(`a: { ${R}, state: absent }, z: { ${R}, max: 1 }`);
    expect(told({ file: removal, live: TWO, made })).toEqual(['delete shop/a ep-2 (ambiguous)']);
  });
});

describe('the candidates', () => {
  const live = `
shop:
  ep-1: { ${R}, min: 1, max: 2, host: ep-1.db.example, last_active: '2026-11-20T11:00:00Z' }
  ep-2: { ${R}, max: 1 }`;

  it('are told with id, host, size, last activity and the label that each is matched with', () => {
    const plan = planOf({ file: shop(`a: { ${R}, min: 1, max: 2 }`, 'prune: true,'), live });
    const [change] = plan.changes.filter(({ action }) => action === 'delete');
    expect(change?.candidates).toEqual([
      {
        id: 'ep-1',
        address: 'shop/a',
        facts: { host: 'ep-1.db.example', size: '1–2 CU', last_active: '2026-11-20T11:00:00Z' },
      },
      {
        id: 'ep-2',
        address: null,
        facts: { host: null, size: expect.stringContaining('1 CU') as string, last_active: null },
      },
    ]);
    expect(change?.notes.join('\n')).toContain(
      'ep-1 (shop/a), 1–2 CU, last active 2026-11-20T11:00:00Z, ep-1.db.example',
    );
  });

  it('stand only at what is ambiguous', () => {
    const plan = planOf({ file: shop(`a: { ${R}, id: ep-1 }`, 'prune: true,'), live });
    expect(plan.changes.every(({ candidates }) => candidates === undefined)).toBe(true);
  });
});

describe('large pools', () => {
  it('of 500 replicas are judged in less than a second', () => {
    const lives = Array.from({ length: 500 }, (_, at) => `ep-${at}: { ${R}, max: 1 }`).join(', ');
    const labels = Array.from({ length: 500 }, (_, at) => `l${at}: { ${R}, max: ${at % 5} }`).join(', ');
    const world: World = { file: shop(labels), live: `shop: { ${lives} }` };
    const started = processorMs();
    const ambiguous = told(world).filter((line) => line.endsWith('(ambiguous)'));
    expect(ambiguous).toHaveLength(400);
    expect(processorMs() - started).toBeLessThan(5000);
    expect(NOW_MS).toBeGreaterThan(0);
  });
});
