// Limits on a whole plan: what counts where, and what is said when there is too much of it.
import { describe, expect, it } from 'vitest';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import type { ExceededLimit } from '../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { allowing, planOf, shop } from './support/world.ts';

/** In shop two deletions, two resizes, a replacement and a creation; in blog a deletion and a harmless update. */
const WORLD = {
  file: `
shop:
  computes:
    gone-b: { id: ep-b, state: absent }
    gone-a: { id: ep-a, state: absent }
    new: { branch: br-9, new: true }
    other: { id: ep-c, branch: br-3, type: read_only, max: 4 }
    size-b: { branch: br-5, max: 2 }
    size-a: { branch: br-4, max: 2 }
blog:
  computes:
    gone: { id: ep-x, state: absent }
    easy: { branch: br-2, pooler_enabled: true }`,
  live: `
shop:
  ep-a: { branch: br-1 }
  ep-b: { branch: br-2 }
  ep-c: { branch: br-3, max: 1 }
  ep-d: { branch: br-4, max: 1 }
  ep-e: { branch: br-5, max: 1 }
blog:
  ep-x: { branch: br-1 }
  ep-y: { branch: br-2, pooler_enabled: false }`,
};

function exceeded(limits: Partial<SafetyLimits>, input: Partial<PlanInput> = {}): readonly ExceededLimit[] {
  return planOf({ ...WORLD, safety: [limits], input }).limitsExceeded;
}

const DELETED = ['shop/gone-a', 'shop/gone-b', 'shop/other'];

describe('a limit', () => {
  it.each<[string, Partial<SafetyLimits>, ExceededLimit['planned'] | null, string[]]>([
    ['on deletions counts them everywhere', { maxDeletes: 3 }, 4, ['blog/gone', ...DELETED]],
    ['is kept by exactly as many', { maxDeletes: 4 }, null, []],
    ['of a project counts what is in it', { project: 'shop', maxDeletes: 2 }, 3, DELETED],
    ['of a project is kept whatever others do', { project: 'blog', maxDeletes: 1 }, null, []],
    ['of zero forbids the first', { project: 'blog', maxDeletes: 0 }, 1, ['blog/gone']],
    ['on restarts counts resizes, not replacements', { maxRestarts: 1 }, 2, ['shop/size-a', 'shop/size-b']],
    ['on restarts is kept where nothing restarts', { project: 'blog', maxRestarts: 0 }, null, []],
  ])('%s', (_name, limits, planned, addresses) => {
    expect(exceeded(limits).map((one) => [one.planned, one.addresses])).toEqual(
      planned === null ? [] : [[planned, addresses]],
    );
  });

  it('on restarts counts those that the file asks for by name', () => {
    const [limit] = planOf(
      shop(
        'a: { branch: br-1, restart: { not_before: 2026-11-01 } }',
        'ep-a: { branch: br-1, created: 2026-01-01, started: 2026-10-01 }',
        { safety: [{ maxRestarts: 0 }] },
      ),
    ).limitsExceeded;
    expect(limit).toMatchObject({ limit: 'max_restarts', planned: 1, addresses: ['shop/a'] });
  });

  it('that is exceeded is told and holds the whole plan, however wide another one is', () => {
    const safety = [{ maxDeletes: 4 }, { project: 'shop', maxDeletes: 2 }];
    const { limitsExceeded, steps, summary } = planOf({ ...WORLD, safety });
    expect(limitsExceeded).toEqual([
      { limit: 'max_deletes', project: 'shop', allowed: 2, planned: 3, addresses: DELETED },
    ]);
    expect([steps, summary.blocked]).toEqual([[], 8]);
  });

  it('is no word about what something else holds', () => {
    const { changes } = planOf({ ...WORLD, safety: [{ maxDeletes: 0 }, { protect: ['shop/gone-a'] }] });
    const gone = changes.filter(({ name }) => name.startsWith('gone'));
    expect(gone.map(({ blockedBy }) => blockedBy.join())).toEqual(['max_deletes', 'protect', 'max_deletes']);
  });

  it.each<[string, Partial<PlanInput>, string[]]>([
    ['what is allowed by name', allowing('delete:shop/gone-a'), ['shop/gone-b', 'shop/other']],
    ['what is allowed by its live id', allowing('replace:shop/ep-c'), ['shop/gone-a', 'shop/gone-b']],
    ['what is not selected', { exclude: ['shop/gone-*'] }, ['shop/other']],
  ])('does not count %s', (_name, input, addresses) => {
    expect(exceeded({ project: 'shop', maxDeletes: 0 }, input)[0]?.addresses).toEqual(addresses);
  });

  it('on restarts cannot be lifted for a deletion, nor by leave to delete', () => {
    const restart = [{ action: 'restart', address: '*' }] as const;
    const removal = [{ action: 'delete', address: '*' }] as const;
    expect(exceeded({ project: 'shop', maxDeletes: 2 }, { allow: restart })).toHaveLength(1);
    expect(exceeded({ project: 'shop', maxRestarts: 1 }, { allow: removal })).toHaveLength(1);
    expect(exceeded({ project: 'shop', maxRestarts: 1 }, { allow: restart })).toEqual([]);
  });

  it.each(['reviewed', 'unattended'] as const)('does not count what something else holds back (%s)', (consent) => {
    const [limit] = planOf({
      ...WORLD,
      safety: [{ maxDeletes: 0 }, { protect: ['shop/gone-*'] }],
      input: { consent },
    }).limitsExceeded;
    expect(limit?.addresses).toEqual(['blog/gone', 'shop/other']);
  });
});

describe('a share of changes', () => {
  /** The share exceeded where so many of as many are resized, and one is made. */
  const share = (changed: number, of: number, limits: Partial<SafetyLimits>): readonly ExceededLimit[] => {
    const names = Array.from({ length: of }, (_, at) => at);
    return planOf({
      file: `shop:\n  computes:\n    new: { branch: br-new, new: true }\n${names.map((at) => `    c${at}: { branch: br-${at}, max: 2 }`).join('\n')}`,
      live: `shop:\n${names.map((at) => `  ep-${at}: { branch: br-${at}, max: ${at < changed ? 1 : 2} }`).join('\n')}`,
      safety: [limits],
    }).limitsExceeded;
  };

  it.each([
    ['is told to a tenth of a percent', 4, 12, 30, 33.3],
    ['is exceeded by one more', 4, 10, 30, 40],
    ['is kept by exactly as many', 3, 10, 30, null],
    ['is any where none is named', 10, 10, null, null],
    ['means nothing among fewer than ten', 9, 9, 10, null],
    ['does not count what is made', 0, 10, 0, null],
  ])('%s', (_name, changed, of, maxChangePercent, planned) => {
    expect(share(changed, of, { maxChangePercent }).map((one) => one.planned)).toEqual(
      planned === null ? [] : [planned],
    );
  });

  const many = (of: number, more: string): string =>
    Array.from({ length: of }, (_, at) => `c${at}: { branch: br-${at}, ${more} }`).join(', ');
  it('counts what prune deletes among what is managed', () => {
    const { limitsExceeded } = planOf({
      file: `shop: { prune: true, computes: { ${many(9, 'max: 1')} } }`,
      live: `shop: { ${many(10, 'max: 1')} }`,
      safety: [{ maxChangePercent: 9 }],
    });
    expect(limitsExceeded.map(({ planned, addresses }) => [planned, addresses])).toEqual([[10, ['shop/c9']]]);
  });

  it.each([
    [[], [40]],
    [['blog/c0'], []],
  ])('counts what could not be read among what is managed, but not what is excluded: %j', (exclude, planned) => {
    const { limitsExceeded } = planOf({
      file: `shop: { computes: { ${many(4, 'max: 2')} } }\nblog: { computes: { ${many(6, 'max: 1')} } }`,
      live: `shop: { ${many(4, 'max: 1')} }\nblog: {}`,
      unread: ['blog'],
      safety: [{ maxChangePercent: 30 }],
      input: { exclude },
    });
    expect(limitsExceeded.map((one) => one.planned)).toEqual(planned);
  });

  it('is that of a project, where a project is limited', () => {
    expect(share(4, 10, { project: 'shop', maxChangePercent: 30 })).toMatchObject([
      { limit: 'max_change_percent', project: 'shop', allowed: 30, addresses: [0, 1, 2, 3].map((at) => `shop/c${at}`) },
    ]);
    expect(share(4, 10, { project: 'blog', maxChangePercent: 30 })).toEqual([]);
  });
});
