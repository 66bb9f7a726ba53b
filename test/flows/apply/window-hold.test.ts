// Safety windows at the moment of sending: what is held, what is carried through, and how the run ends.
import { describe, expect, it } from 'vitest';
import { createSchedule } from '../../../src/apply/run/scheduler.ts';
import { statusOf } from '../../../src/apply/judge/verify.ts';
import { windowHold } from '../../../src/apply/judge/look.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Change, Plan, Step } from '../../../src/model/outcome/plan.ts';
import { createStep, deleteStep, planOf, resultOf } from './harness.ts';

const THURSDAY = Date.parse('2026-01-01T12:00:00Z');
const gone = deleteStep('gone', 'ep-cool-darkness-123456', {});
const made = createStep('made', { branch_id: 'br-a', type: 'read_write' }, [], ['gone']);
const after = createStep('after', { branch_id: 'br-b', type: 'read_write' }, [], ['made']);
const moved = { ...deleteStep('moved', 'ep-misty-pond-300009', {}), needs: ['made'] };
const disruptive = ({ address }: Step): Change =>
  ({ address, action: 'delete', blockedBy: [], impact: ['permanent', 'drops_connections'] }) as unknown as Change;
const plan: Plan = {
  ...planOf([gone, made, after, moved]),
  changes: [disruptive(gone), disruptive(moved)],
  windows: [
    {
      project: null,
      windows: [{ text: 'Sun 02:00-04:00 UTC', weekdays: [0], startMinute: 120, endMinute: 240, timeZone: 'UTC' }],
    },
  ],
};

describe('a safety window', () => {
  it.each<[string, Step, readonly string[], number, RegExp | null]>([
    ['holds what is disruptive outside of it', gone, [], THURSDAY, /no safety window is open \(Sun 02:00-04:00 UTC\)/],
    ['lets it go within', gone, [], Date.parse('2026-01-04T03:00:00Z'), null],
    ['does not concern what disrupts nobody', made, [], THURSDAY, null],
    ['lets a chain that has begun come to its end', { ...moved, needs: ['gone'] }, ['gone'], THURSDAY, null],
    ['lets it also where what comes between disrupts nobody', moved, ['gone', 'made'], THURSDAY, null],
    ['holds a chain that has not', { ...moved, needs: ['gone'] }, [], THURSDAY, /disruptive/],
    ['holds one of which nothing is done but what disrupts nobody', moved, ['made'], THURSDAY, /disruptive/],
  ])('%s', (_name, step, carriedOut, nowMs, words) => {
    const hold = windowHold({ plan, carriedOut: new Set(carriedOut) }, step, nowMs);
    if (words === null) expect(hold).toBeNull();
    else expect(hold).toMatch(words);
  });

  it('is not open at a time that nobody knows, and a chain that has begun comes to its end all the same', () => {
    expect(windowHold({ plan, carriedOut: new Set() }, gone, null)).toMatch(/cannot check the safety windows \(Sun/);
    expect(windowHold({ plan, carriedOut: new Set() }, made, null)).toBeNull();
    expect(windowHold({ plan, carriedOut: new Set(['gone']) }, { ...moved, needs: ['gone'] }, null)).toBeNull();
  });

  it('holds with a step all that needs it, and the run is blocked, not incomplete', () => {
    const schedule = createSchedule(plan.steps);
    schedule.first();
    schedule.start('gone');
    const { skipped } = schedule.end('gone', 'blocked');
    expect(skipped.map(({ step, reason, blocked }) => [step.id, reason, blocked])).toEqual([
      ['made', 'depends on delete of shop/gone, which is blocked', true],
      ['after', 'depends on create of shop/made, which is blocked', true],
      ['moved', 'depends on create of shop/made, which is blocked', true],
    ]);
    const events: ApplyEvent[] = plan.steps.map(({ id, address, action }) => ({
      type: 'step_skipped',
      atMs: 0,
      step: id,
      address,
      action,
      reason: 'held',
      blocked: true,
    }));
    const result = resultOf({ ...plan, summary: { ...plan.summary, blocked: 2 } }, events);
    expect(result.counts).toMatchObject({ blocked: 6, skipped: 0, notStarted: 0, destroyed: 0 });
    const verification = { converged: true, remaining: [], diagnostics: [] };
    expect(statusOf({ halted: null, result, verification })).toBe('blocked');
  });
});
