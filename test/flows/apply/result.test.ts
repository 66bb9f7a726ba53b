// The result of a run from its events, the read-back, and the one word for it all.
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/apply/judge/verify.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { createStep, deleteStep, planOf, resultOf, updateStep } from './harness.ts';

const STEPS = [
  createStep('a', { branch_id: 'br-a', type: 'read_only' }),
  updateStep('b', 'ep-b', { name: 'x' }, { name: 'y' }),
  deleteStep('c', 'ep-c', {}),
  createStep('d', { branch_id: 'br-d', type: 'read_only' }),
];
const ref = (step: string) => ({ step, address: `shop/${step}`, action: 'create' as const, atMs: 5 });
const failure = { severity: 'error' as const, code: 'refused', message: 'no' };
const reduce = (...events: ApplyEvent[]): RunResult => resultOf(planOf(STEPS), events);

describe('a result', () => {
  it('tells every way to end apart', () => {
    const { steps, counts } = reduce(
      { type: 'apply_errored', ...ref('a'), elapsedMs: 1, diagnostic: failure },
      { type: 'step_skipped', ...ref('b'), reason: 'it matches already', satisfied: true, resourceId: 'ep-b' },
      { type: 'step_unknown', ...ref('c'), elapsedMs: 1, reason: 'lost', timedOut: false },
      { type: 'step_unknown', ...ref('d'), elapsedMs: 1, reason: 'slow', timedOut: true },
    );
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'satisfied', 'unknown', 'timed_out']);
    expect(counts).toMatchObject({
      done: 0,
      satisfied: 1,
      failed: 1,
      unknown: 1,
      timedOut: 1,
      added: 0,
      changed: 0,
      destroyed: 0,
    });
  });
});

describe('the status', () => {
  const verified = { converged: true, remaining: [], diagnostics: [] };
  const ended = (counts: Partial<RunResult['counts']>): RunResult => {
    const result = reduce();
    return { ...result, counts: { ...result.counts, notStarted: 0, ...counts } };
  };
  it.each([
    ['converged', null, ended({}), verified],
    ['blocked', null, ended({ blocked: 1 }), verified],
    ['incomplete', null, ended({ failed: 1, blocked: 1 }), verified],
    ['incomplete', null, ended({}), { ...verified, converged: false }],
    ['incomplete', null, ended({}), null],
    ['incomplete', 'timeout' as const, ended({}), verified],
    ['stale', 'stale' as const, ended({ failed: 1 }), null],
    ['interrupted', 'interrupted' as const, ended({ failed: 1 }), null],
  ])('%s', (expected, halted, result, verification) => {
    expect(statusOf({ halted, result, verification })).toBe(expected);
  });
});
