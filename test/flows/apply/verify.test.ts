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

interface Case {
  readonly name: string;
  readonly before: Plan;
  readonly outcomes: readonly StepResult[];
  readonly after: Plan;
  readonly converged: boolean;
  readonly remaining?: readonly string[];
  readonly says?: string;
}

describe('the read-back by a plan made anew', () => {
  const asked = plan([change('shop/a')], [step('shop/a')]);
  const done = [outcomeOf('shop/a', 'done')];
  const cases: readonly Case[] = [
    { name: 'nothing is left', before: asked, outcomes: done, after: plan([same]), converged: true },
    {
      name: 'a finished step that does not hold',
      before: asked,
      outcomes: done,
      after: asked,
      converged: false,
      remaining: ['shop/a'],
      says: 'error not_applied: the service accepted the update, but the live state differs: size is 1, not 2',
    },
    {
      name: 'what failed was sent again, and nothing shows that it took',
      before: plan([change('shop/a', { origin: 'last_operation_failed', attributes: [] })], [step('shop/a')]),
      outcomes: done,
      after: plan([change('shop/a', { origin: 'last_operation_failed', attributes: [] })], [step('shop/a')]),
      converged: false,
      remaining: ['shop/a'],
      says: 'error not_applied: the service accepted the request, but the operation log still ends with the failed operation',
    },
    {
      name: 'a difference where no step was',
      before: plan([same]),
      outcomes: [],
      after: asked,
      converged: false,
      remaining: ['shop/a'],
      says: 'warning changed_meanwhile: the live state differs again (update), and the plan has no step for it',
    },
    {
      name: 'a step that failed leaves its difference without further words',
      before: asked,
      outcomes: [outcomeOf('shop/a', 'failed')],
      after: asked,
      converged: false,
      remaining: ['shop/a'],
    },
    {
      name: 'what was held back before is still',
      before: plan([blocked]),
      outcomes: [],
      after: plan([blocked]),
      converged: true,
    },
    {
      name: 'what could not be read before differs, and is held back',
      before: plan([]),
      outcomes: [],
      after: plan([blocked]),
      converged: false,
      remaining: ['shop/a'],
      says: 'warning held_back: the live state differs (delete), and the change is blocked: protect',
    },
    {
      name: 'what could not be read before differs',
      before: unread,
      outcomes: [],
      after: asked,
      converged: false,
      remaining: ['shop/a'],
      says: 'warning not_planned: the live state differs (update), and trueup could not read the resource completely when the plan was made',
    },
    {
      name: 'what was held back because not all of it could be read',
      before: plan([{ ...change('shop/a'), blockedBy: ['unread'] }]),
      outcomes: [],
      after: asked,
      converged: false,
      remaining: ['shop/a'],
      says: 'warning not_planned: the live state differs (update), and trueup could not read the resource completely when the plan was made',
    },
    {
      name: 'what was made is not in the list',
      before: plan([change('shop/a', { action: 'create' })], [step('shop/a')]),
      outcomes: [{ ...outcomeOf('shop/a', 'done'), action: 'create' }],
      after: plan([change('shop/a', { action: 'create', resourceId: null })], [step('shop/a')]),
      converged: false,
      remaining: ['shop/a'],
      says: 'error not_listed: the service accepted the create, but its list does not show ep-a',
    },
    {
      name: 'a step that the run itself held back',
      before: asked,
      outcomes: [outcomeOf('shop/a', 'blocked')],
      after: plan([{ ...change('shop/a'), blockedBy: ['window'] }]),
      converged: true,
    },
    {
      name: 'what is due is another matter',
      before: plan([same]),
      outcomes: [],
      after: plan([{ ...blocked, due: true }]),
      converged: true,
    },
    {
      name: 'a part that cannot be read',
      before: asked,
      outcomes: done,
      after: { ...plan([same]), unread: [{ what: 'shop', projectId: 'p', reason: 'no' }] },
      converged: false,
    },
  ];
  it.each(cases)('$name', ({ before, outcomes, after, converged, remaining = [], says }) => {
    const verdict = verifyByPlan(before, outcomes, after);
    expect(verdict.converged).toBe(converged);
    expect(verdict.remaining).toEqual(remaining);
    expect(verdict.diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual(
      says === undefined ? [] : [says],
    );
  });

  it.each<[string, Plan, string]>([
    ['blocked when a guard is all that is left', plan([blocked]), 'blocked'],
    ['incomplete when a step is left as well', plan([blocked], [step('shop/b')]), 'incomplete'],
    [
      'incomplete when something is unread as well',
      { ...plan([blocked]), unread: [{ what: 'shop', projectId: 'p', reason: 'no' }] },
      'incomplete',
    ],
  ])('makes a run %s', (_name, after, status) => {
    const verification = verifyByPlan(plan([]), [], after);
    expect(statusOf({ halted: null, result: resultOf(plan([]), []), verification })).toBe(status);
  });
});
