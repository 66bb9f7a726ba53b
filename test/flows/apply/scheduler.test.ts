// The schedule: what may run when, and what a failure takes with it.
import { describe, expect, it } from 'vitest';
import { createSchedule } from '../../../src/apply/run/scheduler.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { createStep } from './harness.ts';

const step = (id: string, ...needs: string[]): Step =>
  createStep(id, { branch_id: 'br-a', type: 'read_only' }, [], needs);
const ids = (steps: readonly Step[]): string[] => steps.map(({ id }) => id);

describe('a schedule', () => {
  it('starts what needs nothing, then what has become ready', () => {
    const schedule = createSchedule([step('c', 'a', 'b'), step('a'), step('b')]);
    expect(ids(schedule.first())).toEqual(['a', 'b']);
    schedule.start('a');
    schedule.start('b');
    expect(ids(schedule.end('a', 'done').ready)).toEqual([]);
    expect(ids(schedule.end('b', 'done').ready)).toEqual(['c']);
    expect(schedule.progress()).toEqual({ done: 2, total: 3 });
  });

  it.each([
    ['failed', 'depends on create of shop/a, which failed'],
    ['unknown', 'depends on create of shop/a, which has an unknown outcome'],
  ] as const)('%s: all that depends on it is skipped, with the reason', (state, reason) => {
    const schedule = createSchedule([step('a'), step('b', 'a'), step('c', 'b'), step('d')]);
    schedule.first();
    schedule.start('a');
    const { skipped, ready } = schedule.end('a', state);
    expect(ready).toEqual([]);
    expect(skipped.map((entry) => [entry.step.id, entry.reason])).toEqual([
      ['b', reason],
      ['c', 'depends on create of shop/b, which was skipped'],
    ]);
    expect(schedule.progress()).toEqual({ done: 3, total: 4 });
  });

  it('of what very many need takes them all with it, however it ends', () => {
    const many = Array.from({ length: 200_000 }, (_, at) => step(`b${at}`, 'a'));
    for (const state of ['done', 'failed'] as const) {
      const schedule = createSchedule([step('a'), ...many]);
      schedule.first();
      schedule.start('a');
      const { ready, skipped } = schedule.end('a', state);
      expect([ready.length, skipped.length]).toEqual(state === 'done' ? [200_000, 0] : [0, 200_000]);
    }
  });

  it('what was not started leaves those that need it waiting', () => {
    const schedule = createSchedule([step('a'), step('b', 'a')]);
    schedule.first();
    schedule.start('a');
    expect(schedule.end('a', 'not_started')).toEqual({ ready: [], skipped: [] });
    expect(schedule.progress()).toEqual({ done: 1, total: 2 });
  });

  it('a need that is not part of the plan is never met', () => {
    expect(createSchedule([step('a', 'x'), step('b', 'a')]).first()).toEqual([]);
  });

  it.each(['done', 'failed', 'unknown', 'blocked'] as const)(
    'removals wait until all else has ended (%s), but not the one that something needs',
    (state) => {
      const removal = (id: string, ...needs: string[]): Step => ({ ...step(id, ...needs), achieves: null });
      const schedule = createSchedule([removal('x'), removal('free'), step('a', 'free'), step('b'), removal('y', 'x')]);
      expect(ids(schedule.first())).toEqual(['free', 'b']);
      for (const id of ['free', 'b']) schedule.start(id);
      expect(ids(schedule.end('free', 'done').ready)).toEqual(['a']);
      schedule.start('a');
      expect(schedule.end('b', 'done').ready).toEqual([]);
      expect(ids(schedule.end('a', state).ready)).toEqual(['x']);
      schedule.start('x');
      expect(ids(schedule.end('x', 'done').ready)).toEqual(['y']);
    },
  );

  it('removals go at once where there is nothing else, and never after a stop', () => {
    const gone: Step = { ...step('x'), achieves: null };
    expect(ids(createSchedule([gone]).first())).toEqual(['x']);
    const stopped = createSchedule([gone, step('a'), step('b', 'a')]);
    stopped.first();
    stopped.start('a');
    expect(stopped.end('a', 'not_started').ready).toEqual([]);
  });
});
