// The result of a run from its events, the read-back, and the one word for it all.
import { describe, expect, it } from 'vitest';
import { RunningResult } from '../../../src/apply/run/result.ts';
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
const operation = (status: string) => ({ id: 'op', action: 'start_compute', status, failuresCount: 0 });
const progress = (status: string): Extract<ApplyEvent, { readonly type: 'apply_progress' }> => ({
  type: 'apply_progress',
  ...ref('a'),
  elapsedMs: 1,
  operation: operation(status),
  progress: { done: 0, total: 4 },
  waitingFor: null,
});

const reduce = (...events: ApplyEvent[]): RunResult => resultOf(planOf(STEPS), events);

describe('a result', () => {
  it('carries the hash of its plan, and what was read back', () => {
    const running = new RunningResult({ steps: STEPS, summary: planOf(STEPS).summary, planHash: 'sha256:1' });
    const resources = { 'shop/a': { id: 'ep-a', columns: { state: null }, pinned: true } };
    expect(running.now()).toMatchObject({ planHash: 'sha256:1', resources: {} });
    running.readBack({ resources, vacated: [] });
    expect(running.now()).toMatchObject({ planHash: 'sha256:1', resources });
  });

  it('follows a step from its start to its end, with its operations as last seen', () => {
    const result = reduce(
      { type: 'apply_start', ...ref('a'), resourceId: null },
      progress('running'),
      progress('finished'),
      { type: 'apply_complete', ...ref('a'), resourceId: 'ep-a', elapsedMs: 9 },
    );
    expect(result.steps[0]).toMatchObject({
      outcome: 'done',
      resourceId: 'ep-a',
      elapsedMs: 9,
      operations: [operation('finished')],
    });
    expect(result.counts).toMatchObject({ done: 1, added: 1, notStarted: 3 });
  });

  it('keeps what others do to itself: it was waited for, and is no operation of the step', () => {
    const waited: ApplyEvent = {
      ...progress('running'),
      operation: null,
      waitingFor: 'start_compute op of ep-z',
    };
    const { counts } = reduce();
    const last: ApplyEvent = { type: 'run_finished', atMs: 9, status: 'interrupted', counts, requests: 3, seconds: 1 };
    const stopped = reduce({ type: 'apply_start', ...ref('a'), resourceId: null }, waited, last);
    expect(stopped.steps[0]).toMatchObject({
      outcome: 'not_started',
      operations: [],
      message: 'waited for start_compute op of ep-z',
    });
    const running = reduce({ type: 'apply_start', ...ref('a'), resourceId: null }, waited, progress('running'));
    expect(running.steps[0]).toMatchObject({ operations: [operation('running')], message: null });
  });

  it('tells every way to end apart', () => {
    const { steps, counts } = reduce(
      { type: 'apply_errored', ...ref('a'), elapsedMs: 1, diagnostic: failure },
      {
        type: 'step_skipped',
        ...ref('b'),
        reason: 'the live state already matches',
        satisfied: true,
        resourceId: 'ep-b',
      },
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

  it('ends with what was never started', () => {
    const counts = reduce().counts;
    const result = reduce({ type: 'run_finished', atMs: 9, status: 'interrupted', counts, requests: 3, seconds: 1 });
    expect(result).toMatchObject({ status: 'interrupted', requests: 3 });
    expect(result.steps.every(({ outcome }) => outcome === 'not_started')).toBe(true);
  });

  it('lists the secrets at risk', () => {
    const diagnostic = { ...failure, code: 'secret_at_risk', address: 'api_keys/ci' };
    expect(reduce({ type: 'diagnostic', atMs: 1, diagnostic, resourceId: '7' }).secretsAtRisk).toEqual([
      { address: 'api_keys/ci', id: '7' },
    ]);
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
