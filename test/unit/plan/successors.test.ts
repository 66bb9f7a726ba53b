// Protects against making a replacement twice: what an interrupted run made already is recognised, and nothing else is taken for it.
import { describe, expect, it } from 'vitest';
import { halfReplaced } from '../../../src/model/plan.ts';
import { eventLine } from '../../../src/render/ndjson.ts';
import { planRows } from '../../../src/render/rows.ts';
import { planOf } from './support/world.ts';

/** Steps for a pinned primary of 2026-02-01 that shall become a replica of at most 2 CU, beside these live ones. */
function stepsBeside(live: string, own: string = ''): string[] {
  const { steps } = planOf({
    file: `shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only, max: 2${own} } } }`,
    live: `shop:\n  ep-old: { branch: br-1, max: 1, created: 2026-02-01 }\n${live}`,
  });
  return steps.map(({ id }) => id);
}

const BOTH = ['create:shop/one', 'delete:shop/one'];
const MADE = ['delete:shop/one'];

describe('the successor of what is to be replaced', () => {
  it.each<[string, string, string[]]>([
    [
      'is what is equal to the wish and younger',
      'ep-new: { branch: br-1, type: read_only, max: 2, created: 2026-03-01 }',
      MADE,
    ],
    ['is not what is older', 'ep-new: { branch: br-1, type: read_only, max: 2, created: 2026-01-01 }', BOTH],
    ['is not what is as old', 'ep-new: { branch: br-1, type: read_only, max: 2, created: 2026-02-01 }', BOTH],
    ['is not what differs', 'ep-new: { branch: br-1, type: read_only, max: 4, created: 2026-03-01 }', BOTH],
    ['is not what is elsewhere', 'ep-new: { branch: br-2, type: read_only, max: 2, created: 2026-03-01 }', BOTH],
  ])('%s', (_name, live, expected) => {
    expect(stepsBeside(`  ${live}`)).toEqual(expected);
  });

  it.each([
    ['the youngest', 'ep-n1', 'ep-n2', '2026-03-01', '2026-04-01', 'ep-n2'],
    ['the youngest, whatever its id', 'ep-n1', 'ep-n2', '2026-04-01', '2026-03-01', 'ep-n1'],
    ['of one age the lowest id', 'ep-n2', 'ep-n1', '2026-03-01', '2026-03-01', 'ep-n1'],
  ])('is %s of several', (_name, first, second, firstAt, secondAt, chosen) => {
    const { changes } = planOf({
      file: 'shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only } } }',
      live: `
shop:
  ep-old: { branch: br-1, created: 2026-02-01 }
  ${first}: { branch: br-1, type: read_only, created: ${firstAt} }
  ${second}: { branch: br-1, type: read_only, created: ${secondAt} }`,
    });
    expect(changes[0]?.notes).toContain(`its successor ${chosen} was made by an earlier run`);
  });

  it.each([
    ['is not counted as one to add', '2026-03-01', 0],
    ['is counted where it is still to be made', '2026-01-01', 1],
  ])('%s', (_, createdAt, add) => {
    const plan = planOf({
      file: 'shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only } } }',
      live: `
shop:
  ep-old: { branch: br-1, created: 2026-02-01 }
  ep-new: { branch: br-1, type: read_only, created: ${createdAt} }`,
    });
    expect(planRows(plan).counts).toMatchObject({ add, change: 0, destroy: 1 });
    const event = {
      type: 'change_summary',
      summary: plan.summary,
      halfReplaced: halfReplaced(plan).size,
      atMs: 0,
    } as const;
    expect(JSON.parse(eventLine(event, new Map()))).toMatchObject({
      '@message': `Plan: ${add} to add, 0 to change, 1 to destroy.`,
      changes: { add, change: 0, remove: 1 },
    });
  });

  it('is not what another declaration claims', () => {
    const { steps } = planOf({
      file: `
shop:
  computes:
    one: { id: ep-old, branch: br-1, type: read_only }
    two: { branch: br-1, type: read_only }`,
      live: `
shop:
  ep-old: { branch: br-1, created: 2026-02-01 }
  ep-new: { branch: br-1, type: read_only, created: 2026-03-01 }`,
    });
    expect(steps.map(({ id }) => id)).toEqual(BOTH);
  });

  it('is neither pruned nor reported as unmanaged', () => {
    const plan = planOf({
      file: 'shop: { prune: true, computes: { one: { id: ep-old, branch: br-1, type: read_only } } }',
      live: `
shop:
  ep-old: { branch: br-1, created: 2026-02-01 }
  ep-new: { branch: br-1, type: read_only, created: 2026-03-01 }`,
    });
    expect(plan.unmanaged).toEqual([]);
    expect(plan.steps.map(({ id }) => id)).toEqual(MADE);
  });

  it.each<[string, string, string, string[]]>([
    [
      'only changes',
      '{ id: ep-old, branch: br-1, type: read_only, max: 2 }',
      'ep-old: { branch: br-1, type: read_only, max: 1, created: 2026-02-01 }',
      ['ep-new'],
    ],
    [
      'only moves',
      '{ id: ep-old, branch: br-1, type: read_only, max: 2 }',
      'ep-old: { branch: br-2, type: read_only, max: 2, created: 2026-02-01 }',
      ['ep-new'],
    ],
    [
      'shall go',
      '{ id: ep-old, branch: br-1, type: read_only, max: 2, state: absent }',
      'ep-old: { branch: br-1, created: 2026-02-01 }',
      ['ep-new'],
    ],
    [
      'is not touched, because two hold its place',
      '{ id: ep-old, branch: br-1, type: read_only, max: 2 }',
      'ep-old: { branch: br-1, created: 2026-02-01 }\n  ep-other: { branch: br-1 }',
      ['ep-new', 'ep-other'],
    ],
    [
      'is not the one that its id means',
      '{ id: ep-none, branch: br-1, type: read_write }',
      'ep-old: { branch: br-1, created: 2026-02-01 }',
      ['ep-new'],
    ],
  ])('is not looked for when it %s', (_name, declaration, live, unmanaged) => {
    const plan = planOf({
      file: `shop: { computes: { one: ${declaration} } }`,
      live: `shop:\n  ${live}\n  ep-new: { branch: br-1, type: read_only, max: 2, created: 2026-03-01 }`,
    });
    expect(plan.unmanaged.map(({ id }) => id)).toEqual(unmanaged);
  });
});
