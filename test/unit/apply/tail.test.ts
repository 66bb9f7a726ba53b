// The tail of a run: which projects are told of as over, and when.
import { describe, expect, it } from 'vitest';
import { READ_BACK_FRESH_MS, Tail } from '../../../src/apply/tail.ts';
import type { Step } from '../../../src/model/plan.ts';
import { createStep } from './harness.ts';

const step = (id: string, projectId: string | null): Step => ({
  ...createStep(id, { branch_id: 'br-a', type: 'read_only' }),
  projectId,
});
const [A1, A2, B1, KEY] = [step('a1', 'A'), step('a2', 'A'), step('b1', 'B'), step('key', null)] as const;
const well = (elapsedMs = 1000): { isWell: boolean; elapsedMs: number } => ({ isWell: true, elapsedMs });

function follow(steps: readonly Step[]): { tail: Tail; told: string[]; at: (ms: number) => void } {
  let nowMs = 0;
  const told: string[] = [];
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => Promise.resolve() };
  return {
    tail: new Tail(clock, steps, (projectId) => told.push(projectId)),
    told,
    at: (ms) => void (nowMs = ms),
  };
}

describe('a project that is over', () => {
  it('is told of when the last write of the whole run is answered, keys too', () => {
    const { tail, told } = follow([A1, B1, KEY]);
    tail.written(A1);
    tail.ended(A1, well());
    tail.written(B1);
    expect(told).toEqual([]);
    tail.ended(KEY, well());
    expect(told).toEqual(['A']);
  });

  it('is over with its last step, and told of once', () => {
    const { tail, told } = follow([A1, A2, B1]);
    for (const one of [A1, A2, B1]) tail.written(one);
    tail.ended(A1, well());
    expect(told).toEqual([]);
    tail.ended(A2, well());
    tail.ended(B1, well());
    expect(told).toEqual(['A', 'B']);
  });

  it('is never told of where a step did not end well; that holds up no other', () => {
    const { tail, told } = follow([A1, A2, B1]);
    tail.ended(A1, { isWell: false, elapsedMs: 0 });
    tail.ended(A2, well());
    tail.ended(B1, well());
    expect(told).toEqual(['B']);
  });

  it('waits while the rest is expected to take so long that it would be read again', () => {
    const { tail, told, at } = follow([A1, A2, B1]);
    tail.written(A1);
    at(20_000);
    tail.ended(A1, well(20_000));
    tail.ended(A2, well());
    tail.written(B1);
    expect(told).toEqual([]);
    at(40_000 - READ_BACK_FRESH_MS);
    tail.written(B1);
    expect(told).toEqual(['A']);
  });
});
