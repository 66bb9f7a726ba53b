// Protects the schedule of looks: when operations usually end, at growing steps, and never further apart than asked.
import { describe, expect, it } from 'vitest';
import type { OperationRecord } from '../../../src/model/live.ts';
import {
  Durations,
  dueMs,
  sight,
  watchOf,
  type ScheduleSetting,
  type WatchedOperation,
} from '../../../src/client/operations.ts';
import { UNDATED } from './waiting-support.ts';

const finished = (tookMs: number, more: Partial<OperationRecord> = {}): OperationRecord => ({
  ...UNDATED,
  status: 'finished',
  createdAtMs: 0,
  updatedAtMs: tookMs,
  ...more,
});

/** Operations take `usualMs`; the poll interval is 5 s. */
function settingOf(usualMs: number | null, more: Partial<ScheduleSetting> = {}): ScheduleSetting {
  const durations = new Durations();
  if (usualMs !== null) durations.learn([finished(usualMs)]);
  return { durations, pollIntervalMs: 5000, failedGapMs: 5000, ...more };
}

/** An operation that began, and is watched since, at this moment. */
function begun(atMs: number): WatchedOperation {
  return watchOf(UNDATED, { monotonicMs: atMs, wallMs: 0 });
}

/** The moments of the first looks at an operation that never ends. */
function looksAt(operation: WatchedOperation, setting: ScheduleSetting, count: number): number[] {
  return Array.from({ length: count }, () => (operation.lookedMs = dueMs(operation, setting)));
}

describe('one operation', () => {
  it('of a known duration is looked at then, and later at growing steps', () => {
    expect(looksAt(begun(10_000), settingOf(3000), 4)).toEqual([
      13_020,
      14_026 + 2 / 3,
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(looksAt(begun(0), settingOf(100), 3)).toEqual([120, 420, 720]);
  });

  it('is never left alone for longer than the poll interval', () => {
    expect(looksAt(begun(1000), settingOf(60_000), 4)).toEqual([6000, 11_000, 16_000, 21_000]);
  });

  it('of an unknown duration is looked at early; others of its action wait for what that shows', () => {
    const setting = settingOf(null);
    const scout = begun(2000);
    const other = begun(2000);
    expect(looksAt(scout, setting, 5)).toEqual([2300, 2600, 2900, 3200, 3600]);
    expect(dueMs(other, setting)).toBe(7000);
    scout.end = 'failed';
    expect(dueMs(other, setting)).toBe(2300);
    setting.durations.learn([finished(800)]);
    expect(dueMs(other, setting)).toBe(2820);
  });

  it('that was looked at before its time is due then', () => {
    expect(dueMs({ ...begun(0), lookedMs: 1000 }, settingOf(3000))).toBe(3020);
  });

  it('that failed is looked at again when that can be believed', () => {
    const failed = { ...begun(0), lookedMs: 1020 };
    sight(failed, { ...UNDATED, status: 'failed' }, { monotonicMs: 1020, wallMs: 0, failedGapMs: 3000 });
    expect(dueMs(failed, settingOf(1000, { failedGapMs: 3000 }))).toBe(4020);
    expect(dueMs(failed, settingOf(1000, { pollIntervalMs: 1000, failedGapMs: 3000 }))).toBe(2020);
  });
});

it('the newest operation that finished tells the duration, and only a shorter one brings looks forward', () => {
  const durations = new Durations();
  expect(
    durations.learn([{ ...UNDATED, createdAtMs: 0, updatedAtMs: 9 }, finished(9, { createdAtMs: null }), finished(-1)]),
  ).toBe(false);
  expect(durations.usualMs('start')).toBeUndefined();
  expect(durations.learn([finished(700), finished(100)])).toBe(true);
  expect(durations.learn([finished(900)])).toBe(false);
  expect(durations.usualMs('start')).toBe(900);
  expect(durations.learn([finished(200)])).toBe(true);
});
