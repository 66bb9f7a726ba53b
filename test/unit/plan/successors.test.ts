// Protects against making a replacement twice: what an interrupted run made already is recognised, and nothing else is taken for it.
import { describe, expect, it } from 'vitest';
import { halfReplaced } from '../../../src/model/outcome/plan.ts';
import { eventLine } from '../../../src/render/machine/ndjson.ts';
import { planRows } from '../../../src/render/view/plan-rows.ts';
import { planOf, shop } from './support/world.ts';

/** Steps for a pinned primary of 2026-02-01 that shall become a replica of at most 2 CU, beside these live ones. */
function stepsBeside(live: string): string[] {
  const old = 'ep-old: { branch: br-1, max: 1, created: 2026-02-01 }';
  const { steps } = planOf(shop('one: { id: ep-old, branch: br-1, type: read_only, max: 2 }', `${old}, ${live}`));
  return steps.map(({ id }) => id);
}

const ONE = 'one: { id: ep-old, branch: br-1, type: read_only }';
const WISH = 'id: ep-old, branch: br-1, type: read_only, max: 2';
const OLD = 'ep-old: { branch: br-1, created: 2026-02-01 }';
const BOTH = ['create:shop/one', 'delete:shop/one'];
const MADE = ['delete:shop/one'];

/** A live replica that was made at this time. */
const made = (created: string, max = 2, branch = 'br-1'): string =>
  `ep-new: { branch: ${branch}, type: read_only, name: one, max: ${max}, created: ${created} }`;

describe('the successor of what is to be replaced', () => {
  it.each<[string, string, string[]]>([
    ['is what is equal to the wish and younger', made('2026-03-01'), MADE],
    ['is not what is older', made('2026-01-01'), BOTH],
    ['is not what is as old', made('2026-02-01'), BOTH],
    ['is not what differs', made('2026-03-01', 4), BOTH],
    ['is not what is elsewhere', made('2026-03-01', 2, 'br-2'), BOTH],
  ])('%s', (_name, live, expected) => {
    expect(stepsBeside(live)).toEqual(expected);
  });

  it.each([
    ['is not counted as one to add', '2026-03-01', 0],
    ['is counted where it is still to be made', '2026-01-01', 1],
  ])('%s', (_, createdAt, add) => {
    const plan = planOf(shop(ONE, `${OLD}, ep-b: { branch: br-1, type: read_only, name: one, created: ${createdAt} }`));
    expect(planRows(plan).counts).toMatchObject({ add, change: 0, destroy: 1 });
    const counts = { summary: plan.summary, halfReplaced: halfReplaced(plan).size };
    const event = { type: 'change_summary', ...counts, atMs: 0 } as const;
    expect(JSON.parse(eventLine(event, new Map()))).toMatchObject({
      '@message': `Plan: ${add} to add, 0 to change, 1 to destroy.`,
      changes: { add, change: 0, remove: 1 },
    });
  });

  it('is neither pruned nor reported as unmanaged', () => {
    const plan = planOf({
      file: 'shop: { prune: true, computes: { one: { id: ep-old, branch: br-1, type: read_only } } }',
      live: `shop: { ${OLD}, ${made('2026-03-01')} }`,
    });
    expect(plan.unmanaged).toEqual([]);
    expect(plan.steps.map(({ id }) => id)).toEqual(MADE);
  });

  it.each<[string, string, string, string[]]>([
    ['only changes', WISH, 'ep-old: { branch: br-1, type: read_only, max: 1, created: 2026-02-01 }', ['ep-new']],
    ['only moves', WISH, 'ep-old: { branch: br-2, type: read_only, max: 2, created: 2026-02-01 }', ['ep-new']],
    ['shall go', `${WISH}, state: absent`, OLD, ['ep-new']],
    ['is not touched, because two hold its place', WISH, `${OLD}, ep-other: { branch: br-1 }`, ['ep-new', 'ep-other']],
    ['is not the one that its id means', 'id: ep-none, branch: br-1, type: read_write', OLD, ['ep-new']],
  ])('is not looked for when it %s', (_name, declaration, live, unmanaged) => {
    const plan = planOf(shop(`one: { ${declaration} }`, `${live}, ${made('2026-03-01')}`));
    expect(plan.unmanaged.map(({ id }) => id)).toEqual(unmanaged);
  });
});

describe('what looks like a successor', () => {
  const besides = (...news: readonly string[]): string =>
    [OLD]
      .concat(news.map((one, at) => `ep-n${at}: { branch: br-1, type: read_only, created: 2026-03-01${one} }`))
      .join(', ');

  it.each<[string, string, readonly string[]]>([
    ['has no name', besides(''), ['ep-n0']],
    ['has another name', besides(', name: other'), ['ep-n0']],
    ['shares its name', besides(', name: one', ', name: one'), ['ep-n0', 'ep-n1']],
  ])('and %s is reported, and left alone', (_name, live, ids) => {
    const { steps, diagnostics, unmanaged } = planOf(shop(ONE, live));
    expect([steps.map(({ id }) => id), diagnostics]).toEqual([BOTH, []]);
    expect(unmanaged.map(({ id }) => id)).toEqual(ids);
  });

  it('and was made by the run that is read back is the successor, beside others and whatever its name', () => {
    const made = new Map([['shop/one', 'ep-n1']]);
    for (const name of [', name: one', ', name: other', '']) {
      const plan = planOf(shop(ONE, besides(', name: one', name), { input: { made } }));
      expect([plan.steps.map(({ id }) => id), plan.unmanaged.map(({ id }) => id)]).toEqual([MADE, ['ep-n0']]);
    }
  });

  it.each([
    ['its id', 'ep-n0'],
    ['its branch', 'br-1'],
  ])('is none when unmanaged_ok lists %s', (_name, listed) => {
    const file = `shop: { unmanaged_ok: [${listed}], computes: { ${ONE} } }`;
    for (const name of ['', ', name: one'])
      expect(planOf({ file, live: `shop: { ${besides(name)} }` }).steps.map(({ id }) => id)).toEqual(BOTH);
  });

  it.each([
    ['is the successor', '', MADE, []],
    ['is not pruned', 'prune: true, ', MADE, []],
    ['holds the slot where it is accepted', 'unmanaged_ok: [ep-new], ', [], ['place_held']],
  ])('on the slot of a primary %s', (_name, rule, ids, codes) => {
    const { steps, diagnostics } = planOf({
      file: `shop: { ${rule}computes: { one: { id: ep-old, branch: br-1, type: read_write } } }`,
      live: `shop: {
        ep-old: { branch: br-1, type: read_only, created: 2026-02-01 },
        ep-new: { branch: br-1, created: 2026-03-01 } }`,
    });
    expect(steps.map(({ id }) => id)).toEqual(ids);
    expect(diagnostics.map((one) => one.code)).toEqual(codes);
  });
});
