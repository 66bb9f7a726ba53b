// What a plan made after a run says of the run: rotated keys, parts that could not be read, words; and the status that follows.
import { describe, expect, it } from 'vitest';
import { isWell, statusOf, verifyByPlan, type Verification } from '../../../src/apply/judge/verify.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Change, Plan, Step } from '../../../src/model/outcome/plan.ts';
import type { RunResult, StepResult } from '../../../src/model/outcome/result.ts';

const ADDRESS = 'shop/primary';
const change = (part: Partial<Change> = {}): Change =>
  ({
    address: ADDRESS,
    action: 'update',
    blockedBy: [],
    notes: [],
    attributes: [],
    source: null,
    due: false,
    ...part,
  }) as unknown as Change;
const step = (part: Partial<Step> = {}): Step => ({ address: ADDRESS, action: 'update', ...part }) as Step;
const outcome = (part: Partial<StepResult> = {}): StepResult =>
  ({ address: ADDRESS, action: 'update', outcome: 'done', resourceId: 'ep-1', ...part }) as StepResult;
const plan = (part: Partial<Plan> = {}): Plan =>
  ({ changes: [], steps: [], diagnostics: [], unread: [], unplanned: [], ...part }) as unknown as Plan;
const differs = plan({ changes: [change()], steps: [step()] });

function verified(executed: Plan, outcomes: readonly StepResult[], after: Plan): readonly string[] {
  return verifyByPlan(executed, outcomes, after).diagnostics.map(({ severity, code }) => `${severity} ${code}`);
}

describe('the predecessor of a rotated key', () => {
  const revoke = plan({ changes: [change({ action: 'revoke' as never })], steps: [step({ action: 'revoke' })] });
  const rotated = outcome({ action: 'rotate' });

  it.each<[string, readonly StepResult[], Plan, boolean]>([
    ['is no difference', [rotated], revoke, true],
    ['is none if the rotation was needless', [outcome({ action: 'rotate', outcome: 'satisfied' })], revoke, true],
    ['is one if nothing was rotated', [outcome()], revoke, false],
    ['is one if the rotation failed', [outcome({ action: 'rotate', outcome: 'failed' })], revoke, false],
    ['is one of another key', [outcome({ action: 'rotate', address: 'else' })], revoke, false],
    ['does not hide another change', [rotated], differs, false],
  ])('%s', (_, outcomes, after, converged) => {
    const verification = verifyByPlan(plan(), outcomes, after);
    expect([verification.converged, verification.remaining]).toEqual([converged, converged ? [] : [ADDRESS]]);
  });
});

describe('a difference that is left', () => {
  const created = plan({ changes: [change({ action: 'create' })], steps: [step({ action: 'create' })] });

  it.each<[string, Plan, readonly StepResult[], Plan, readonly string[]]>([
    ['of a step that was done', differs, [outcome()], differs, ['error not_applied']],
    [
      'of a step that was needless, by another',
      differs,
      [outcome({ outcome: 'satisfied' })],
      differs,
      ['warning not_planned'],
    ],
    ['of a step that failed says nothing', differs, [outcome({ outcome: 'failed' })], differs, []],
    ['of nothing that was planned', plan(), [], differs, ['warning not_planned']],
    ['done without a change in the plan', plan(), [outcome()], differs, ['warning not_planned']],
    ['of a creation that the list lacks', created, [outcome({ action: 'create' })], created, ['error not_listed']],
    [
      'of a creation that was not done',
      created,
      [outcome({ action: 'create', outcome: 'satisfied' })],
      created,
      ['warning not_planned'],
    ],
    [
      'of a creation elsewhere',
      created,
      [outcome({ action: 'create', address: 'else' })],
      created,
      ['warning not_planned'],
    ],
    ['of an update that is a creation now', differs, [outcome()], created, ['error not_applied']],
    [
      'of a creation without an id',
      created,
      [outcome({ action: 'create', resourceId: null })],
      created,
      ['error not_applied'],
    ],
    ['of a creation that is an update now', created, [outcome({ action: 'create' })], differs, ['error not_applied']],
    ['that has no step', plan(), [], plan({ changes: [change()] }), []],
    ['that is none', plan(), [], plan({ changes: [change({ action: 'none' })], steps: [step()] }), []],
  ])('%s', (_, executed, outcomes, after, wanted) => {
    expect(verified(executed, outcomes, after)).toEqual(wanted);
  });

  it.each<[string, Plan, readonly StepResult[], Plan]>([
    [
      'the service accepted the create, but its list does not show ep-1',
      created,
      [outcome({ action: 'create' })],
      created,
    ],
    ['the live state differs (update), and the plan has no step for it', plan(), [], differs],
  ])('is told: %s', (message, executed, outcomes, after) => {
    expect(verifyByPlan(executed, outcomes, after).diagnostics).toMatchObject([{ message }]);
  });

  const words = (executed: Change, after: Change): string =>
    verifyByPlan(plan({ changes: [executed] }), [outcome()], plan({ changes: [after], steps: [step()] })).diagnostics[0]
      ?.message ?? '';
  const attributes = [
    { path: 'size', before: 1, after: 2 },
    { path: 'name', before: 'a', after: 'b' },
  ] as unknown as Change['attributes'];

  it('is told by the attributes that the run changed', () => {
    const [size] = attributes;
    expect(words(change({ attributes: size === undefined ? [] : [size] }), change({ attributes }))).toBe(
      'the service accepted the update, but the live state differs: size is 1, not 2',
    );
    expect(words(change({ action: 'create' }), change({ attributes }))).toContain(
      'size is 1, not 2; name is "a", not "b"',
    );
    expect(words(change(), change({ attributes }))).toContain('a new plan still has the update');
  });

  it('says where it stands in the files', () => {
    const source = { file: 'a.yaml', start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } as never;
    const { diagnostics } = verifyByPlan(
      differs,
      [outcome()],
      plan({ changes: [change({ source })], steps: [step()] }),
    );
    expect(diagnostics).toMatchObject([{ range: source }]);
  });

  it('is named once, in order', () => {
    const after = plan({
      steps: [step({ address: 'b' }), step({ address: 'a' }), step({ address: 'b' })],
      changes: [change({ address: 'c', blockedBy: ['protect'] as never })],
    });
    expect(verifyByPlan(plan(), [], after).remaining).toEqual(['a', 'b', 'c']);
  });
});

describe('a part that could not be read before', () => {
  const gap = { what: 'shop', projectId: 'p', reason: 'no' };
  const warning: Diagnostic = { severity: 'warning', code: 'c', message: 'm', address: ADDRESS };
  const after = (...diagnostics: readonly Diagnostic[]): Plan => plan({ diagnostics });

  it('tells its differences and problems as new', () => {
    const executed = plan({ unread: [gap] });
    expect(verified(executed, [], differs)).toEqual(['warning not_planned']);
    expect(verified(executed, [], after(warning))).toEqual(['warning c']);
    expect(verified(executed, [], after({ ...warning, address: 'else/x' }))).toEqual([]);
    expect(verified(executed, [], after({ severity: 'warning', code: 'c', message: 'm' }))).toEqual([]);
  });

  it('does not tell again what the executed plan said', () => {
    const said = (part: Partial<Diagnostic>): Plan =>
      plan({
        unread: [gap],
        diagnostics: [
          { ...warning, code: 'x' },
          { ...warning, ...part },
        ],
      });
    expect(verified(said({}), [], after(warning))).toEqual([]);
    expect(verified(said({ code: 'd' }), [], after(warning))).toEqual(['warning c']);
    expect(verified(said({ address: 'shop/else' }), [], after(warning))).toEqual(['warning c']);
  });

  it('is not a list within it', () => {
    const executed = plan({ unread: [{ ...gap, part: 'sink' } as never] });
    expect(verified(executed, [], differs)).toEqual(['warning not_planned']);
    expect(verified(executed, [], after(warning))).toEqual([]);
  });
});

describe('a change that is held back', () => {
  const held = change({ blockedBy: ['protect', 'window'] as never, notes: ['n'] });

  it('since the plan was made is told, with all that holds it', () => {
    const { diagnostics, heldBack, converged } = verifyByPlan(
      plan({ changes: [change()] }),
      [],
      plan({ changes: [held] }),
    );
    expect([heldBack, converged]).toEqual([true, false]);
    expect(diagnostics[0]?.message).toBe(
      'the live state differs (update), and the change is blocked: protect; window; n',
    );
  });

  it.each<[string, Change]>([
    ['is not one that is due', { ...held, due: true }],
    ['is not one without a difference', { ...held, action: 'none' }],
  ])('%s', (_, one) => {
    expect(verifyByPlan(plan(), [], plan({ changes: [one] }))).toEqual({
      converged: true,
      remaining: [],
      diagnostics: [],
    });
  });

  it('is not all that is left beside a step, or where a part cannot be read', () => {
    const beside = plan({ changes: [held], steps: [step({ address: 'shop/b' })] });
    const unread = plan({ changes: [held], unread: [{ what: 'shop', projectId: 'p', reason: 'no' }] });
    for (const after of [beside, unread]) expect(verifyByPlan(plan(), [], after)).not.toMatchObject({ heldBack: true });
    expect(verifyByPlan(plan(), [], { ...unread, changes: [] })).toMatchObject({ converged: false, remaining: [] });
  });

  it('was held back before, or held back by the run itself, is not told again', () => {
    const quiet = { converged: true, remaining: [], diagnostics: [] };
    expect(verifyByPlan(plan({ changes: [held] }), [], plan({ changes: [held] }))).toEqual(quiet);
    expect(verifyByPlan(differs, [outcome({ outcome: 'blocked' })], plan({ changes: [held] }))).toEqual(quiet);
  });

  it('with a project that could not be planned leaves the run incomplete', () => {
    const executed = plan({ unplanned: [{ project: 'shop', diagnostics: [] }] as never });
    expect(verifyByPlan(executed, [], plan())).toMatchObject({ converged: false, remaining: [] });
    expect(verifyByPlan(executed, [], plan({ changes: [held] })).heldBack).toBeUndefined();
  });
});

describe('the status of a run', () => {
  const counts = { failed: 0, unknown: 0, timedOut: 0, notStarted: 0, blocked: 0 };
  const good: Verification = { converged: true, remaining: [], diagnostics: [] };
  const unread: Verification = {
    ...good,
    converged: false,
    diagnostics: [{ severity: 'warning', code: 'not_verified', message: '' }],
  };
  const two: Verification = {
    ...unread,
    diagnostics: [{ severity: 'warning', code: 'x', message: '' }, ...unread.diagnostics],
  };
  type Input = Parameters<typeof statusOf>[0];

  interface Run extends Partial<Omit<Input, 'result'>> {
    readonly counts?: Partial<typeof counts>;
    readonly upkeep?: readonly string[];
  }

  function status({ counts: some = {}, upkeep = [], ...rest }: Run): string {
    const result = {
      counts: { ...counts, ...some },
      upkeep: upkeep.map((one) => ({ outcome: one })),
    } as unknown as RunResult;
    return statusOf({ halted: null, verification: good, result, ...rest });
  }

  it.each<[string, Run]>([
    ['converged', {}],
    ['converged', { isStopped: true }],
    ['converged', { upkeep: ['done'] }],
    ['blocked', { counts: { blocked: 1 } }],
    ['blocked', { verification: { ...good, converged: false, heldBack: true } }],
    ['incomplete', { verification: { ...good, converged: false } }],
    ['incomplete', { verification: null }],
    ['incomplete', { verification: unread }],
    ['interrupted', { verification: unread, isStopped: true }],
    ['interrupted', { verification: two, isStopped: true }],
    ['incomplete', { verification: null, isStopped: true }],
    ['interrupted', { halted: 'interrupted', counts: { failed: 1 } }],
    ['stale', { halted: 'stale', counts: { failed: 1 } }],
    ['incomplete', { halted: 'unauthorized' }],
    ['incomplete', { counts: { failed: 1 } }],
    ['incomplete', { counts: { unknown: 1 } }],
    ['incomplete', { counts: { timedOut: 1 } }],
    ['incomplete', { counts: { notStarted: 1 } }],
    ['incomplete', { counts: { failed: 1, unknown: 1, timedOut: 1, notStarted: 1 } }],
    ['incomplete', { upkeep: ['done', 'failed'] }],
    ['interrupted', { upkeep: ['failed'], isStopped: true }],
  ])('is %s: %j', (wanted, run) => expect(status(run)).toBe(wanted));
});

it('a step ended well if it was done or needless', () => {
  const ends = ['done', 'satisfied', 'failed', 'unknown', 'blocked'] as const;
  expect(ends.map(isWell)).toEqual([true, true, false, false, false]);
});
