// Protects what is expected of operations: learnt from the log, most of them over by then, nothing from nonsense.
import { describe, expect, it } from 'vitest';
import { createOperationDurations } from '../../../src/client/operations/durations.ts';
import type { OperationRecord } from '../../../src/model/live.ts';

let made = 0;
function finished(durationMs: number, more: Partial<OperationRecord> = {}): OperationRecord {
  return {
    id: `op-${++made}`,
    action: 'start',
    status: 'finished',
    projectId: 'p',
    branchId: null,
    resourceId: null,
    failuresCount: 0,
    error: null,
    retryAtMs: null,
    createdAtMs: 1_000_000,
    updatedAtMs: 1_000_000 + durationMs,
    ...more,
  };
}

/** What is expected after logs with operations that took so long, each log newest first. */
function expectedAfter(...logs: readonly (readonly number[])[]): number | null {
  const durations = createOperationDurations();
  for (const log of logs) durations.learn(log.map((ms) => finished(ms)));
  return durations.expectedMs('start');
}

describe('the expectation', () => {
  it.each<[string, readonly (readonly number[])[], number | null]>([
    ['nothing', [], null],
    ['one operation', [[700]], 700],
    ['two: the shorter, for there are too few', [[900, 100]], 100],
    ['eleven: seven tenths of them are shorter', [[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]], 8],
    ['eleven in any order', [[5, 11, 1, 10, 3, 9, 2, 8, 6, 4, 7]], 8],
    ['lengths that do not sort as text', [[1000, 200, 30]], 200],
    ['twenty times ten', [Array<number>(20).fill(10)], 10],
    ['one that took no time', [[0]], 0],
    ['one that took an hour', [[3_600_000]], 3_600_000],
    ['one that took longer than anybody believes', [[3_600_001]], null],
    ['one that ended before it began', [[-1]], null],
  ])('of %s', (_, logs, expected) => {
    expect(expectedAfter(...logs)).toBe(expected);
  });

  it('rests on the twenty newest', () => {
    expect(expectedAfter(Array<number>(20).fill(10), Array<number>(20).fill(500))).toBe(500);
    expect(expectedAfter(Array<number>(20).fill(10), Array<number>(6).fill(500))).toBe(10);
    expect(expectedAfter(Array<number>(20).fill(10), Array<number>(7).fill(500))).toBe(500);
    // Within one log too: the newest stand first.
    expect(expectedAfter([...Array<number>(20).fill(500), ...Array<number>(20).fill(10)])).toBe(500);
  });

  it.each<[string, Partial<OperationRecord>]>([
    ['is not finished', { status: 'failed' }],
    ['has no beginning', { createdAtMs: null }],
    ['has no end', { updatedAtMs: null }],
    ['is of another action', { action: 'stop' }],
  ])('is nothing by one that %s', (_, more) => {
    const durations = createOperationDurations();
    durations.learn([finished(700, { createdAtMs: 0, updatedAtMs: 700, ...more })]);
    expect(durations.expectedMs('start')).toBeNull();
  });

  it('is told of when it is the first, or sooner than before: nobody has to look earlier for a later end', () => {
    const durations = createOperationDurations();
    const one = finished(700);
    expect(durations.learn([])).toBe(false);
    expect(durations.learn([one])).toBe(true);
    expect(durations.learn([one])).toBe(false);
    expect(durations.learn([finished(700)])).toBe(false);
    expect(durations.learn(Array.from({ length: 6 }, () => finished(100)))).toBe(true);
    expect(durations.learn([finished(100, { status: 'running' })])).toBe(false);
    expect(durations.learn(Array.from({ length: 20 }, () => finished(900)))).toBe(false);
    expect(durations.expectedMs('start')).toBe(900);
  });

  it('is told of when it is clearly sooner, also by many small steps: each plan of looks anew costs all projects', () => {
    const durations = createOperationDurations();
    const learn = (ms: number): boolean => durations.learn(Array.from({ length: 20 }, () => finished(ms)));
    expect([1000, 980, 960, 940, 920, 900, 890].map(learn)).toEqual([true, false, false, true, false, false, true]);
  });
});

describe('the ages at which an unknown action is looked at', () => {
  const ages = (count: number, afterMs: number = 0): number[] => {
    const durations = createOperationDurations();
    return Array.from({ length: count }, () => durations.probeAgeMs('start', afterMs));
  };

  it('begin soon and grow by a third, each given once', () => {
    const given = ages(7);
    expect(given.slice(0, 3)).toEqual([300, 600, 900]);
    for (const [at, age] of given.entries()) {
      const before = given[at - 1];
      if (before !== undefined) expect(age - before).toBeCloseTo(Math.max(300, before * 0.35), 6);
    }
  });

  it('lie beyond the age reached', () => {
    expect(ages(1, 300)).toEqual([600]);
    expect(ages(1, 299)).toEqual([300]);
    const [age = 0] = ages(1, 10_000);
    expect(age).toBeGreaterThan(10_000);
    expect(age).toBeLessThan(14_000);
  });

  it('are given anew after one has ended, and apart for each action', () => {
    const durations = createOperationDurations();
    expect(durations.probeAgeMs('start', 0)).toBe(300);
    expect(durations.probeAgeMs('stop', 0)).toBe(300);
    expect(durations.probeAgeMs('start', 0)).toBe(600);
    durations.forgetProbes('start');
    expect(durations.probeAgeMs('start', 0)).toBe(300);
    expect(durations.probeAgeMs('stop', 0)).toBe(600);
  });

  it('end somewhere, however old one is', () => {
    const [age = 0] = ages(1, Number.POSITIVE_INFINITY);
    expect(age).toBeGreaterThanOrEqual(3_600_000);
    expect(age).toBeLessThan(5_000_000);
  });
});
