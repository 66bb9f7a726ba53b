// A saved result shown as events: whoever folds them again has the same steps and counts.
import { expect, it } from 'vitest';
import type { StepOutcome, StepResult } from '../../../src/model/outcome/result.ts';
import { eventSentence } from '../../../src/render/messages/events.ts';
import { resultEvents } from '../../../src/render/view/result-events.ts';
import { RESULT } from './runs.ts';
import { AT } from './worlds.ts';

const step = (outcome: StepOutcome, fields: Partial<StepResult> = {}): StepResult => ({
  id: `create:shop/${outcome}`,
  address: `shop/${outcome}`,
  action: 'create',
  outcome,
  resourceId: null,
  operations: [],
  startedAtMs: null,
  elapsedMs: null,
  attempts: 0,
  message: null,
  ...fields,
});

const typesOf = (steps: readonly StepResult[]): string[] =>
  resultEvents({ ...RESULT, steps, diagnostics: [] }, AT).map(({ type }) => type);

it.each<[StepOutcome, string[]]>([
  ['pending', []],
  ['not_started', []],
  ['running', ['apply_start']],
  ['done', ['apply_start', 'apply_complete']],
  ['failed', ['apply_start', 'apply_errored']],
  ['unknown', ['apply_start', 'step_unknown']],
  ['timed_out', ['apply_start', 'step_unknown']],
  ['satisfied', ['step_skipped']],
  ['skipped', ['step_skipped']],
  ['blocked', ['step_skipped']],
])('a step that is %s', (outcome, types) => {
  const begun = types.includes('apply_start') ? { startedAtMs: AT, elapsedMs: outcome === 'running' ? null : 10 } : {};
  const message = types.length === 0 ? null : 'why';
  expect(typesOf([step(outcome, { ...begun, message })])).toEqual([...types, 'run_finished']);
});

it.each<[StepOutcome, string]>([
  ['satisfied', 'shop/satisfied: created already'],
  ['failed', 'shop/failed: create failed after 0ms: the reason is not known'],
  ['unknown', 'shop/unknown: create outcome unknown after 0ms: the reason is not known'],
])('a step that is %s without a message has a whole sentence', (outcome, words) => {
  const [event] = resultEvents({ ...RESULT, steps: [step(outcome)], diagnostics: [] }, AT);
  expect(event === undefined ? '' : eventSentence(event)).toBe(words);
});

it('events of several steps stand in the order of time, and the end is the last', () => {
  const steps = [
    step('done', { startedAtMs: AT + 5, elapsedMs: 10 }),
    step('failed', { startedAtMs: AT, elapsedMs: 7, message: 'no' }),
    step('skipped', { message: 'its step failed' }),
  ];
  const events = resultEvents({ ...RESULT, steps, diagnostics: [] }, 0);
  expect(events.map(({ atMs }) => atMs - AT)).toEqual([0, 5, 7, 15, 15, 15]);
  expect(events.at(-1)).toMatchObject({ type: 'run_finished', status: RESULT.status, counts: RESULT.counts });
});

it('a secret that is kept nowhere is said with the id of what holds it', () => {
  const diagnostics = [
    { severity: 'error', code: 'secret_at_risk', message: 'revoke it', address: 'api_keys/a' },
  ] as const;
  const events = resultEvents(
    { ...RESULT, steps: [], diagnostics, secretsAtRisk: [{ address: 'api_keys/a', id: '17' }] },
    AT,
  );
  expect(events[0]).toMatchObject({ type: 'diagnostic', resourceId: '17' });
});
