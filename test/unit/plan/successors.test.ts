// Protects against making a replacement twice: what an interrupted run made already is recognised, and nothing else is taken for it.
import { describe, expect, it } from 'vitest';
import { halfReplaced } from '../../../src/model/outcome/plan.ts';
import { eventLine } from '../../../src/render/machine/ndjson.ts';
import { planRows } from '../../../src/render/view/plan-rows.ts';
import { planOf, type Creation } from './support/world.ts';

/** The reply to the request of an earlier run told the id. */
const MADE_NEW: readonly Creation[] = [{ address: 'shop/one', id: 'ep-new', branch: 'br-1' }];

/** Steps for a pinned primary of 2026-02-01 that shall become a replica of at most 2 CU, beside these live ones. */
function stepsBeside(live: string, made: readonly Creation[] = MADE_NEW): string[] {
  const { steps } = planOf({
    made,
    file: 'shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only, max: 2 } } }',
    live: `shop:\n  ep-old: { branch: br-1, max: 1, created: 2026-02-01 }\n${live}`,
  });
  return steps.map(({ id }) => id);
}

const BOTH = ['create:shop/one', 'delete:shop/one'];
const MADE = ['delete:shop/one'];

it('a replacement restarts nothing, whatever else is to be of another size', () => {
  const plan = planOf({
    file: 'shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only, max: 2 } } }',
    live: 'shop:\n  ep-old: { branch: br-1, max: 1 }',
  });
  expect(plan.changes).toMatchObject([{ action: 'replace' }]);
  expect(plan.changes[0]?.attributes.map(({ path, restarts }) => [path, restarts])).toEqual([
    ['autoscaling_limit_max_cu', false],
    ['type', false],
  ]);
  expect(planRows(plan).counts.restart).toBe(0);
});

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
      made: [first, second].map((id) => ({ address: 'shop/one', id, branch: 'br-1' })),
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
      made: MADE_NEW,
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
      made: MADE_NEW,
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
      made: MADE_NEW,
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
      made: MADE_NEW,
      file: `shop: { computes: { one: ${declaration} } }`,
      live: `shop:\n  ${live}\n  ep-new: { branch: br-1, type: read_only, max: 2, created: 2026-03-01 }`,
    });
    expect(plan.unmanaged.map(({ id }) => id)).toEqual(unmanaged);
  });
});

describe('what looks like a successor', () => {
  const FILE = 'shop: { computes: { one: { id: ep-old, branch: br-1, type: read_only } } }';
  const LIVE = `
shop:
  ep-old: { branch: br-1, created: 2026-02-01 }
  ep-new: { branch: br-1, type: read_only, created: 2026-03-01 }`;
  const TWO = `${LIVE}\n  ep-two: { branch: br-1, type: read_only, created: 2026-03-01 }`;
  const lost = (more: Partial<Creation> = {}): Creation => ({
    address: 'shop/one',
    id: null,
    branch: 'br-1',
    ...more,
  });

  /** `ours: ID` · `nobody knows` · `made anew`, and nothing else may come of it. */
  function verdictOf(live: string, made: readonly Creation[], file: string = FILE): string {
    const { steps, diagnostics, changes } = planOf({ file, live, made });
    const [error] = diagnostics.filter(({ severity }) => severity === 'error');
    if (error?.code === 'unlisted_successor' && steps.length === 0) return 'nobody knows';
    const note = changes.flatMap(({ notes }) => notes).find((words) => words.startsWith('its successor '));
    const actions = steps.map(({ id }) => id).join(' ');
    if (actions === MADE.join(' ')) return `ours: ${note?.split(' ')[2]}`;
    return actions === BOTH.join(' ') && note === undefined ? 'made anew' : (error?.code ?? actions);
  }

  it.each<[string, string, string, readonly Creation[]]>([
    ['the id in the reply', 'ours: ep-new', LIVE, MADE_NEW],
    ['the id in the reply, whoever else came', 'ours: ep-new', TWO, MADE_NEW],
    ['the id in the reply, while the run goes on', 'ours: ep-new', LIVE, [{ ...lost(), id: 'ep-new', over: false }]],
    ['nothing', 'nobody knows', LIVE, []],
    ['the reply to another declaration', 'nobody knows', LIVE, [{ ...lost(), id: 'ep-new', address: 'shop/two' }]],
    ['a reply with another id', 'nobody knows', LIVE, [{ ...lost(), id: 'ep-gone' }]],
    ['a lost reply and one newcomer', 'ours: ep-new', LIVE, [lost()]],
    ['a lost reply of a run that goes on', 'nobody knows', LIVE, [lost({ over: false })]],
    ['a lost reply of another declaration', 'nobody knows', LIVE, [lost({ address: 'shop/two' })]],
    ['a lost reply, and it was there before', 'nobody knows', LIVE, [lost({ known: ['ep-new'] })]],
    ['a lost reply about another pool', 'nobody knows', LIVE, [lost({ branch: 'br-2' })]],
    ['a lost reply of a quarter of an hour before', 'ours: ep-new', LIVE, [lost({ at: '2026-02-28T23:45:00Z' })]],
    ['a lost reply of longer before', 'nobody knows', LIVE, [lost({ at: '2026-02-28T23:44:59Z' })]],
    ['a lost reply a minute later by our clock', 'ours: ep-new', LIVE, [lost({ at: '2026-03-01T00:01:00Z' })]],
    ['a lost reply later than that', 'nobody knows', LIVE, [lost({ at: '2026-03-01T00:01:01Z' })]],
    ['a lost reply and two newcomers', 'nobody knows', TWO, [lost()]],
    ['two lost replies and two newcomers', 'ours: ep-new', TWO, [lost(), lost({ known: [] })]],
    [
      'a lost reply, two newcomers, one of them explained',
      'ours: ep-two',
      TWO,
      [lost(), lost({ address: 'shop/two', id: 'ep-new' })],
    ],
  ])('with %s: %s', (_name, verdict, live, made) => {
    expect(verdictOf(live, made)).toBe(verdict);
  });

  it.each<[string, Creation, string]>([
    ['probably where the reply was lost', lost(), 'its successor ep-new was probably made by an earlier run'],
    ['made by it where a reply told', { ...lost(), id: 'ep-new' }, 'its successor ep-new was made by an earlier run'],
  ])('is called %s', (_name, made, words) => {
    const { changes } = planOf({ file: FILE, live: LIVE, made: [made] });
    expect(changes.flatMap(({ notes }) => notes).filter((note) => note.startsWith(words))).toHaveLength(1);
  });

  it.each([
    ['its id', 'ep-new'],
    ['its branch', 'br-1'],
  ])('is never one when unmanaged_ok lists %s, whatever the journal says', (_name, listed) => {
    const file = FILE.replace('shop: {', `shop: { unmanaged_ok: [${listed}],`);
    expect(verdictOf(LIVE, MADE_NEW, file)).toBe('made anew');
    expect(verdictOf(LIVE, [], file)).toBe('made anew');
  });

  it('is named with both ways out, at the line of the declaration', () => {
    const [one] = planOf({ file: FILE, live: LIVE }).diagnostics;
    expect(one).toMatchObject({ severity: 'error', address: 'shop/one', range: { start: { line: 2 } } });
    expect(one?.message).toContain('ep-new');
    expect(one?.hint).toMatch(/id: ep-new.*unmanaged_ok/);
    const [several] = planOf({ file: FILE, live: TWO }).diagnostics;
    expect(several?.message).toContain('ep-new and ep-two');
  });

  it.each([
    ['nothing is pruned either', 'prune: true, ', 'unlisted_successor'],
    ['the slot is held where it is accepted', 'unmanaged_ok: [ep-new], ', 'place_held'],
    ['it is an error', '', 'unlisted_successor'],
  ])('on the slot of a primary: %s', (_name, rule, code) => {
    const { steps, diagnostics } = planOf({
      file: `shop: { ${rule}computes: { one: { id: ep-old, branch: br-1, type: read_write } } }`,
      live: `
shop:
  ep-old: { branch: br-1, type: read_only, created: 2026-02-01 }
  ep-new: { branch: br-1, created: 2026-03-01 }`,
    });
    expect(steps).toEqual([]);
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
  });
});
