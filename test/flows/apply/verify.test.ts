// The read-back: the plan made after the run is held against the one that was executed.
import { describe, expect, it } from 'vitest';
import { statusOf, verifyByPlan } from '../../../src/apply/judge/verify.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import type { StepOutcome, StepResult } from '../../../src/model/outcome/result.ts';
import { planOf, resultOf, updateStep } from './harness.ts';

function change(address: string, part: Partial<Change> = {}): Change {
  return {
    address,
    kind: 'compute',
    name: address,
    action: 'update',
    resourceId: 'ep-a',
    projectId: 'p',
    matchedBy: '',
    before: {},
    after: {},
    attributes: [{ path: 'size', before: 1, after: 2, restarts: false }],
    impact: [],
    impactDetails: {},
    notes: [],
    reasons: [],
    blockedBy: [],
    due: false,
    held: [],
    origin: 'file',
    replacePaths: [],
    source: null,
    lastOperation: null,
    ...part,
  };
}

const step = (address: string): Plan['steps'][number] => ({ ...updateStep('s1', 'ep-a', {}, {}), address });

function outcomeOf(address: string, outcome: StepOutcome): StepResult {
  return {
    id: 's1',
    address,
    action: 'update',
    outcome,
    resourceId: 'ep-a',
    operations: [],
    startedAtMs: 0,
    elapsedMs: 0,
    attempts: 1,
    message: null,
  };
}

const plan = (changes: readonly Change[], steps: Plan['steps'] = []): Plan => ({ ...planOf(steps), changes });
const same = change('shop/a', { action: 'none', attributes: [] });
const unread: Plan = { ...plan([]), unread: [{ what: 'shop', projectId: 'p', reason: 'no' }] };
const blocked = change('shop/a', { action: 'delete', blockedBy: ['protect'] });

type Case = readonly [name: string, before: Plan, outcomes: readonly StepResult[], after: Plan, says: string | null];

describe('the read-back by a plan made anew', () => {
  const asked = plan([change('shop/a')], [step('shop/a')]);
  const done = [outcomeOf('shop/a', 'done')];
  const failedBefore = plan([change('shop/a', { origin: 'last_operation_failed', attributes: [] })], [step('shop/a')]);
  const created = plan([change('shop/a', { action: 'create' })], [step('shop/a')]);
  const NOT_READ =
    'warning not_planned: the live state differs (update), and trueup could not read the resource completely when the plan was made';

  it.each<readonly [string, Plan, readonly StepResult[], Plan]>([
    ['nothing is left', asked, done, plan([same])],
    ['what was held back before is still', plan([blocked]), [], plan([blocked])],
    [
      'a step that the run itself held back',
      asked,
      [outcomeOf('shop/a', 'blocked')],
      plan([{ ...change('shop/a'), blockedBy: ['window'] }]),
    ],
    ['what is due is another matter', plan([same]), [], plan([{ ...blocked, due: true }])],
  ])('holds: %s', (_, before, outcomes, after) => {
    expect(verifyByPlan(before, outcomes, after)).toEqual({ converged: true, remaining: [], diagnostics: [] });
  });

  it.each<Case>([
    [
      'a finished step that does not hold',
      asked,
      done,
      asked,
      'error not_applied: the service accepted the update, but the live state differs: size is 1, not 2',
    ],
    [
      'what failed was sent again, and nothing shows that it took',
      failedBefore,
      done,
      failedBefore,
      'error not_applied: the service accepted the request, but the operation log still ends with the failed operation',
    ],
    [
      'a difference where no step was',
      plan([same]),
      [],
      asked,
      'warning changed_meanwhile: the live state differs again (update), and the plan has no step for it',
    ],
    ['a step that failed leaves its difference without words', asked, [outcomeOf('shop/a', 'failed')], asked, null],
    [
      'what could not be read before differs, and is held back',
      plan([]),
      [],
      plan([blocked]),
      'warning held_back: the live state differs (delete), and the change is blocked: protect',
    ],
    ['what could not be read before differs', unread, [], asked, NOT_READ],
    [
      'what was held back because not all of it could be read',
      plan([{ ...change('shop/a'), blockedBy: ['unread'] }]),
      [],
      asked,
      NOT_READ,
    ],
    [
      'what was made is not in the list',
      created,
      [{ ...outcomeOf('shop/a', 'done'), action: 'create' }],
      plan([change('shop/a', { action: 'create', resourceId: null })], [step('shop/a')]),
      'error not_listed: the service accepted the create, but its list does not show ep-a',
    ],
  ])('does not hold: %s', (_, before, outcomes, after, says) => {
    const { converged, remaining, diagnostics } = verifyByPlan(before, outcomes, after);
    expect([converged, remaining]).toEqual([false, ['shop/a']]);
    expect(diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual(
      says === null ? [] : [says],
    );
  });

  it('does not hold where a part cannot be read', () => {
    const after = { ...plan([same]), unread: unread.unread };
    expect(verifyByPlan(asked, done, after)).toEqual({ converged: false, remaining: [], diagnostics: [] });
  });

  it.each<[string, Plan, string]>([
    ['blocked when a guard is all that is left', plan([blocked]), 'blocked'],
    ['incomplete when a step is left as well', plan([blocked], [step('shop/b')]), 'incomplete'],
    ['incomplete when something is unread as well', { ...plan([blocked]), unread: unread.unread }, 'incomplete'],
  ])('makes a run %s', (_name, after, status) => {
    const verification = verifyByPlan(plan([]), [], after);
    expect(statusOf({ halted: null, result: resultOf(plan([]), []), verification })).toBe(status);
  });
});
