// A reviewed step held against a newer plan and a newer reading: the stake, the contents, gaps, errors, and ids that were to come.
import { describe, expect, it } from 'vitest';
import { decidePlan, type PlannedAgain } from '../../../src/apply/judge/decide-plan.ts';
import type { Contents, LiveResource, LiveState, Stake, Unread } from '../../../src/model/live.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Change, Plan, Step } from '../../../src/model/outcome/plan.ts';
import { AFTER, BEFORE, CREATION, kind, REMOVAL, resource, scriptedRun, stepOf } from './scripted-run.ts';

interface Newer {
  readonly steps?: readonly Step[];
  readonly changes?: readonly Partial<Change>[];
  readonly live?: readonly LiveResource[];
  readonly projects?: readonly { readonly label: string; readonly id: string }[];
  readonly unread?: readonly Partial<Unread>[];
  readonly diagnostics?: readonly Partial<Diagnostic>[];
  readonly unplanned?: readonly { readonly project: string; readonly diagnostics: readonly Partial<Diagnostic>[] }[];
  /** True if the newer plan has errors. */
  readonly isBroken?: boolean;
  readonly stake?: Stake;
}

const NO_STAKE: Stake = { usedAt: null, version: null, bytes: null };

function decidedAll(
  reviewed: readonly Step[],
  newer: Newer,
): { readonly words: readonly string[]; readonly ids: object } {
  const { stake = NO_STAKE, live = [], isBroken = false } = newer;
  const contents: Contents = { kinds: [], of: () => [], stake: () => stake };
  const { run } = scriptedRun(kind({ contents }));
  const state = { projects: newer.projects ?? [], resources: live, unread: newer.unread ?? [] } as unknown as LiveState;
  const plan = {
    steps: newer.steps ?? [],
    changes: (newer.changes ?? []).map((change) => ({ notes: [], blockedBy: [], ...change })),
    unread: newer.unread ?? [],
    unplanned: newer.unplanned ?? [],
  } as unknown as Plan;
  const diagnostics = (newer.diagnostics ?? []) as readonly Diagnostic[];
  const again: PlannedAgain = { plan: isBroken ? null : plan, live: state, diagnostics };
  const { decisions, ids } = decidePlan(run, { steps: reviewed } as unknown as Plan, again);
  const words = [...decisions.values()].map((one) => ('reason' in one ? `${one.state}: ${one.reason}` : one.state));
  return { words, ids: Object.fromEntries(ids) };
}

const decided = (step: Step, newer: Newer): string => decidedAll([step], newer).words[0] ?? '';

describe('what a removal deletes', () => {
  const removalOf = (stake?: Stake): Step => {
    const { expects } = stepOf();
    return stepOf({
      ...REMOVAL,
      expects: { ...expects, ...(stake === undefined ? {} : { stake }) } as Step['expects'],
    });
  };
  const EARLY = '2026-01-01T00:00:00Z';
  const LATE = '2026-01-02T00:00:00Z';

  it.each<[string, Partial<Stake>, Partial<Stake>, string | null]>([
    ['is as it was', {}, {}, null],
    ['was used', { usedAt: EARLY }, { usedAt: LATE }, `was in use (${LATE})`],
    ['was used for the first time', {}, { usedAt: EARLY }, `was in use (${EARLY})`],
    ['was used no later', { usedAt: EARLY }, { usedAt: EARLY }, null],
    ['came into use', { usedAt: EARLY }, { usedAt: 'now' }, 'came into use'],
    ['is in use still', { usedAt: 'now' }, { usedAt: 'now' }, null],
    ['is in use no more', { usedAt: 'now' }, { usedAt: LATE }, null],
    ['is used at a time that is no longer told', { usedAt: EARLY }, {}, null],
    ['was written to', { version: '1' }, { version: '2' }, 'was written to or reset'],
    ['grew by a tenth', { bytes: 1000 }, { bytes: 1100 }, null],
    ['grew by more', { bytes: 1000 }, { bytes: 1101 }, 'grew from 1000 B to 1.1 KiB'],
    ['had an unknown size', {}, { bytes: 9999 }, null],
    ['has an unknown size', { bytes: 0 }, {}, null],
  ])('%s', (_, then, now, words) => {
    const step = removalOf({ ...NO_STAKE, ...then });
    const found = decided(step, { steps: [step], live: [resource('ep-0'), BEFORE], stake: { ...NO_STAKE, ...now } });
    expect(found).toBe(words === null ? 'send' : `changed: ep-1 ${words} since the plan was made`);
  });

  it('is not judged where the plan knew nothing of it, or where the target is gone', () => {
    const grown: Stake = { usedAt: 'now', version: '2', bytes: 9 };
    const step = removalOf();
    expect(decided(step, { steps: [step], live: [BEFORE], stake: grown })).toBe('send');
    const known = removalOf(NO_STAKE);
    expect(decided(known, { steps: [known], stake: grown })).toBe('send');
  });
});

describe('a removal of a copy that came with its parent', () => {
  const MINUTE_MS = 60_000;
  const copy = stepOf({
    ...REMOVAL,
    path: '/projects/shop-1/endpoints/{shop/primary}',
    parentId: 'br-1',
    expects: { ...stepOf().expects, id: '{shop/primary}', attributes: { disabled: false } } as Step['expects'],
  });
  const planned = stepOf({ ...REMOVAL, parentId: 'br-1' });
  const parent = { ...resource('br-1'), kind: 'branch', createdAtMs: 1000 };
  const child = { ...BEFORE, parentId: 'br-1' };
  const found = { address: 'shop/primary', action: 'delete', resourceId: 'ep-1' } as const;

  it.each<[string, number | null, number | null, boolean]>([
    ['made together with it', 1000, 1000, true],
    ['made within a minute of it', 1000 + MINUTE_MS, 1000, true],
    ['made later', 1001 + MINUTE_MS, 1000, false],
    ['made at an unknown time', null, 1000, true],
    ['whose parent is of an unknown age', 9 * MINUTE_MS, null, true],
  ])('%s', (_, madeMs, parentMs, isSent) => {
    const live = [
      { ...child, createdAtMs: madeMs },
      { ...parent, createdAtMs: parentMs },
      { ...parent, id: 'br-0', createdAtMs: 0 },
    ];
    const words = decided(copy, { steps: [planned], changes: [found], live });
    expect(words).toBe(
      isSent ? 'send' : 'changed: the resource ep-1, which the plan does not know, has taken the slot',
    );
  });

  it('is judged only where the id was to come, and where it is removed', () => {
    const live = [{ ...child, createdAtMs: 9 * MINUTE_MS }, parent];
    expect(decided(planned, { steps: [planned], live })).toBe('send');
    const update = stepOf({ parentId: 'br-1', path: copy.path, expects: copy.expects });
    const same = stepOf({ parentId: 'br-1' });
    expect(decided(update, { steps: [same], changes: [{ ...found, action: 'update' }], live })).toBe('send');
  });
});

describe('a step that the newer plan lacks', () => {
  const step = stepOf();
  const GONE = 'changed: ep-1 no longer exists';

  it.each<[string, Partial<Unread>, boolean]>([
    ['its project by its label', { what: 'shop' }, true],
    ['its project by its id', { what: 'other', projectId: 'shop-1' }, true],
    ['itself', { what: 'shop/primary' }, true],
    ['the list of its kind', { what: 'x', projectId: 'shop-1', kind: 'compute' }, true],
    ['another project', { what: 'else', projectId: 'else-1' }, false],
    ['the list of another kind', { what: 'shop', projectId: 'shop-1', kind: 'role' }, false],
    ['that list of another project', { what: 'shop', projectId: 'else-1', kind: 'compute' }, false],
    ['that list of another parent', { what: 'shop', projectId: 'shop-1', kind: 'compute', parentId: 'br-2' }, false],
    ['a part of it', { what: 'shop', part: 'sink' } as never, false],
  ])('is unread if what was not read is %s', (_, gap, isUnread) => {
    const other = { what: 'nothing', projectId: 'nothing', reason: 'other' };
    const unread = [other, { reason: 'no answer', ...gap }];
    expect(decided(step, { unread })).toBe(isUnread ? 'unread: no answer' : GONE);
    expect(decided(step, { unread, isBroken: true })).toBe(isUnread ? 'unread: no answer' : GONE);
  });

  it('of the account is not unread with another part of the account', () => {
    const unread = [{ what: 'else', projectId: null, reason: 'no' }] as never;
    expect(decided(stepOf({ projectId: null }), { unread })).toBe(GONE);
  });

  const error = (address: string, part: Partial<Diagnostic> = {}): Partial<Diagnostic> => ({
    severity: 'error',
    message: `bad ${address}`,
    address,
    ...part,
  });

  it.each<[string, readonly Partial<Diagnostic>[], string]>([
    ['with its own error', [error('shop/x'), error('shop/primary')], 'changed: bad shop/primary'],
    ['with another error', [error('shop/x')], 'changed: the project can no longer be planned: bad shop/x'],
    ['not with a warning', [error('shop/primary', { severity: 'warning' })], GONE],
    ['not without any', [], GONE],
  ])('is told %s', (_, diagnostics, words) => {
    expect(decided(step, { diagnostics, isBroken: true })).toBe(words);
    const unplanned = [
      { project: 'else', diagnostics: [error('else')] },
      { project: 'shop', diagnostics },
    ];
    expect(decided(step, { unplanned, diagnostics: [error('elsewhere')] })).toBe(words);
  });

  it('is done only by its own target, which no change is due for', () => {
    const none = { address: 'shop/primary', action: 'none', resourceId: 'ep-1' } as const;
    const live = [AFTER];
    expect(decided(step, { live, changes: [none] })).toBe('done');
    expect(decided(step, { live, changes: [{ ...none, address: 'shop/other' }] })).not.toBe('done');
    expect(decided(step, { live, changes: [{ ...none, blockedBy: ['x'] as never }] })).not.toBe('done');
    expect(decided(step, { live, changes: [{ ...none, action: 'update' }] })).not.toBe('done');
    expect(decided(step, { live, changes: [{ ...none, resourceId: null }] })).not.toBe('done');
    expect(decided(step, { live, changes: [{ ...none, resourceId: 'ep-2' }] })).not.toBe('done');
    const creation = stepOf(CREATION);
    expect(decided(creation, { changes: [{ ...none, resourceId: 'ep-2' }] })).toBe('done');
    expect(decided(creation, { changes: [{ ...none, resourceId: null }] })).not.toBe('done');
  });

  it('is not done while another request is planned for it', () => {
    const none = { address: 'shop/primary', action: 'none', resourceId: 'ep-1' } as const;
    const other = stepOf({ action: 'restart', method: 'POST', path: '/x' });
    expect(decided(step, { live: [BEFORE], changes: [none], steps: [other] })).toBe(
      'changed: a new plan has a restart instead of the update',
    );
  });

  it('that removes is done where its target is gone, and stands while it is there', () => {
    const removal = stepOf(REMOVAL);
    expect(decided(removal, { live: [resource('ep-2')] })).toBe('done');
    expect(decided(removal, { live: [BEFORE] })).toBe('changed: a new plan does not have this change');
  });

  it.each<[string, readonly Partial<Change>[], string]>([
    ['its notes', [{ action: 'update', blockedBy: ['protect'], notes: ['a', 'b'] }], 'the change is blocked now: a; b'],
    ['its guard', [{ action: 'update', blockedBy: ['protect'] }], 'the change is blocked now: protect'],
    [
      'nothing, if no change is left',
      [{ action: 'none', blockedBy: ['protect'] }],
      'a new plan does not have this change',
    ],
    ['nothing, if the change is free', [{ action: 'update' }], 'a new plan does not have this change'],
  ])('is blocked with %s', (_, changes, words) => {
    const found = changes.map((change) => ({ address: 'shop/primary', ...change }));
    expect(decided(step, { live: [BEFORE], changes: found })).toBe(`changed: ${words}`);
  });

  it.each<[string, readonly Partial<Step>[], string]>([
    ['another path', [{ path: '/y' }], `a new plan sends the request to /y, not to ${step.path}`],
    [
      'another body',
      [{ body: { endpoint: { disabled: null } } }],
      'a new plan has another request: endpoint.disabled is null, but the plan expects true',
    ],
    ['another method', [{ method: 'PUT' }], 'a new plan has another request: '],
    [
      'the same action first',
      [{ action: 'restart', path: '/x' }, { path: '/y' }],
      `a new plan sends the request to /y, not to ${step.path}`,
    ],
    ['another action', [{ action: 'move' }], 'a new plan has a move instead of the update'],
  ])('is told with %s', (_, parts, words) => {
    const steps = parts.map((part) => stepOf(part));
    expect(decided(step, { live: [BEFORE], steps })).toBe(`changed: ${words}`);
  });
});

describe('steps that follow each other', () => {
  const first = stepOf({ id: '1' });
  const second = stepOf({ id: '2', body: { endpoint: { name: 'b' } }, needs: ['1'], achieves: { name: 'b' } });

  it('the earlier is done if only the later is planned', () => {
    expect(decidedAll([first, second], { live: [AFTER], steps: [second] }).words[0]).toBe('done');
  });

  it('the later is not, if only the earlier is', () => {
    const { words } = decidedAll([first, second], { live: [BEFORE], steps: [first] });
    expect(words).toEqual([
      'send',
      'changed: a new plan has another request: endpoint.name is null, but the plan expects "b"; endpoint.disabled is true, but the plan expects null',
    ]);
  });

  it('of two targets do not speak for each other', () => {
    const other = { ...second, expects: { ...second.expects, id: 'ep-2' } as Step['expects'] };
    expect(
      decidedAll([first, other], { live: [AFTER, resource('ep-2', { disabled: false })], steps: [other] }).words[0],
    ).not.toBe('done');
  });
});

describe('ids that were to come', () => {
  const creation = stepOf({ ...CREATION, projectId: '{shop}' });
  const found = { address: 'shop/primary', action: 'none', resourceId: 'ep-9' } as const;

  it.each<[string, Partial<Change>, object]>([
    ['are known by now', {}, { 'shop/primary': 'ep-9' }],
    ['are known if the resource is to change', { action: 'update' }, { 'shop/primary': 'ep-9' }],
    ['are not known if it is still to be made', { action: 'create' }, {}],
    ['are not known without an id', { resourceId: null }, {}],
    ['are not known if they are still to come', { resourceId: '{shop/primary}' }, {}],
    ['are not those of others', { address: 'shop/other' }, {}],
  ])('%s', (_, change, ids) => {
    expect(decidedAll([creation], { changes: [{ ...found, ...change }] }).ids).toEqual(ids);
    expect(decidedAll([stepOf()], { changes: [{ ...found, ...change }] }).ids).toEqual({});
  });

  it('are those of the live projects, too, and none without a plan', () => {
    const projects = [
      { label: 'shop', id: 'shop-1' },
      { label: 'new', id: '' },
    ];
    expect(decidedAll([creation], { projects, changes: [found], isBroken: true }).ids).toEqual({ shop: 'shop-1' });
  });

  it('complete the step before it is compared', () => {
    const path = '/projects/{shop}/endpoints';
    const planned = stepOf({ ...CREATION });
    const projects = [{ label: 'shop', id: 'shop-1' }];
    expect(decided(stepOf({ ...CREATION, projectId: '{shop}', path }), { projects, steps: [planned] })).toBe('send');
  });
});
