// Protects when operations are looked at: not before they can have ended, soon after, and never rarer than asked.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import {
  createLookPace,
  noteLook,
  togetherMs,
  type ScheduleSetting,
} from '../../../src/client/operations/look-schedule.ts';
import { createOperationDurations } from '../../../src/client/operations/durations.ts';
import {
  sight,
  watchRecord,
  watchReply,
  type WatchedOperation,
} from '../../../src/client/operations/watched-operation.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import { NEVER } from './world.ts';

const RECORD: OperationRecord = {
  id: 'op',
  action: 'start',
  status: 'running',
  projectId: 'p',
  branchId: null,
  resourceId: null,
  failuresCount: 0,
  error: null,
  retryAtMs: null,
  createdAtMs: null,
  updatedAtMs: null,
};

/** Operations take so long; the poll interval is 5 s. */
function settingOf(expectedMs: number | null, more: Partial<ScheduleSetting> = {}): ScheduleSetting {
  const durations = createOperationDurations();
  if (expectedMs !== null)
    durations.learn([{ ...RECORD, id: 'old', status: 'finished', createdAtMs: 0, updatedAtMs: expectedMs }]);
  return { durations, pollIntervalMs: 5000, failedGapMs: 5000, lookGapMs: 0, ...more };
}

/** One that began (and is watched since) at this moment. */
function begun(atMs: number, action: string = 'start'): WatchedOperation {
  return watchRecord({ ...RECORD, action }, { monotonicMs: atMs, wallMs: 0 });
}

/** The moments of the looks at operations that never end, until there are so many. */
function looksAt(operations: readonly WatchedOperation[], setting: ScheduleSetting, count: number): number[] {
  return Array.from({ length: count }, () => {
    const atMs = togetherMs(operations, setting);
    for (const operation of operations) noteLook(operation, atMs, setting.durations);
    return atMs;
  });
}

describe('one operation', () => {
  it('that is known to take a second is looked at then, and soon again, at growing steps', () => {
    const looks = looksAt([begun(10_000)], settingOf(1000), 6);
    expect(looks.slice(0, 3)).toEqual([11_020, 11_122, 11_285.2]);
    const pauses = looks.map((lookMs, at) => lookMs - (looks[at - 1] ?? 0)).slice(2);
    for (const [at, pause] of pauses.entries()) if (at > 0) expect(pause / (pauses[at - 1] ?? 1)).toBeCloseTo(1.6, 6);
  });

  it('is given a twentieth of a second or two hundredths of its time, a quarter of a second at the most', () => {
    const firstLook = (expectedMs: number): number => looksAt([begun(0)], settingOf(expectedMs), 1)[0] ?? 0;
    expect(firstLook(100)).toBe(120);
    expect(firstLook(2000)).toBe(2040);
    expect(looksAt([begun(0)], settingOf(40_000, { pollIntervalMs: 90_000 }), 1)).toEqual([40_250]);
  });

  it('steps are never below a tenth of a second', () => {
    const looks = looksAt([begun(0)], settingOf(100), 3);
    expect(looks).toEqual([120, 220, 380]);
  });

  it('is never left alone for longer than the poll interval, a tenth more before the first look', () => {
    const looks = looksAt([begun(1000)], settingOf(60_000), 4);
    expect(looks).toEqual([6500, 11_500, 16_500, 21_500]);
    const late = looksAt([begun(0)], settingOf(1000), 12);
    expect(Math.max(...late.map((lookMs, at) => lookMs - (late[at - 1] ?? 0)))).toBe(5000);
  });

  it('of an unknown action is looked at early and at growing ages', () => {
    expect(looksAt([begun(2000)], settingOf(null), 4)).toEqual([2300, 2600, 2900, 3215]);
  });

  it('that another look came across keeps the age at which it is due', () => {
    const operation = begun(0);
    const setting = settingOf(null);
    expect(togetherMs([operation], setting)).toBe(300);
    noteLook(operation, 200, setting.durations);
    expect(togetherMs([operation], setting)).toBe(300);
    noteLook(operation, 300, setting.durations);
    expect(togetherMs([operation], setting)).toBe(600);
  });

  it('that was looked at before its time is due then', () => {
    const operation = begun(0);
    const setting = settingOf(3000);
    noteLook(operation, 1000, setting.durations);
    expect(togetherMs([operation], setting)).toBe(3060);
    noteLook(operation, 3060, setting.durations);
    expect(operation.overdueLooks).toBe(1);
    expect(togetherMs([operation], setting)).toBeCloseTo(3366, 6);
  });

  it('that failed is looked at again when that can be believed, one that is missing two seconds later', () => {
    const setting = settingOf(1000, { failedGapMs: 3000 });
    const failed = begun(0);
    noteLook(failed, 1020, setting.durations);
    sight(failed, { ...RECORD, status: 'failed' }, { monotonicMs: 1020, wallMs: 0, failedGapMs: 3000 });
    expect(togetherMs([failed], setting)).toBe(4020);
    const missing = begun(0);
    noteLook(missing, 1020, setting.durations);
    sight(missing, 'absent', { monotonicMs: 1020, wallMs: 0, failedGapMs: 3000 });
    expect(togetherMs([missing], setting)).toBe(3020);
    const hasty = settingOf(1000, { pollIntervalMs: 1000, failedGapMs: 3000 });
    expect(togetherMs([failed], hasty)).toBe(2020);
    expect(togetherMs([missing], hasty)).toBe(2020);
  });
});

describe('several operations', () => {
  it('none of them are due never', () => {
    expect(togetherMs([], settingOf(1000))).toBe(Number.POSITIVE_INFINITY);
  });

  it('are looked at together when that costs little, at the last of them', () => {
    expect(togetherMs([begun(90), begun(0), begun(50)], settingOf(1000))).toBe(1110);
    expect(togetherMs([begun(0), begun(300)], settingOf(1000))).toBe(1020);
    expect(togetherMs([begun(300), begun(0)], settingOf(1000))).toBe(1020);
  });

  it('wait for each other at least a tenth of a second, and at most half a second or a tenth of the poll interval', () => {
    expect(togetherMs([begun(0), begun(100)], settingOf(200))).toBe(320);
    expect(togetherMs([begun(0), begun(101)], settingOf(200))).toBe(220);
    const long = { pollIntervalMs: 60_000 };
    expect(togetherMs([begun(0), begun(500)], settingOf(20_000, long))).toBe(20_750);
    expect(togetherMs([begun(0), begun(501)], settingOf(20_000, long))).toBe(20_250);
    const short = { pollIntervalMs: 1000 };
    expect(togetherMs([begun(0), begun(100)], settingOf(1900, short))).toBe(1200);
    expect(togetherMs([begun(0), begun(101)], settingOf(1900, short))).toBe(1100);
  });
});

describe('where looks are few', () => {
  it('operations wait for each other as long as three looks take, and no longer than elsewhere', () => {
    expect(togetherMs([begun(0), begun(300)], settingOf(200, { lookGapMs: 100 }))).toBe(520);
    expect(togetherMs([begun(0), begun(301)], settingOf(200, { lookGapMs: 100 }))).toBe(220);
    expect(togetherMs([begun(0), begun(500)], settingOf(200, { lookGapMs: 60_000 }))).toBe(720);
    expect(togetherMs([begun(0), begun(501)], settingOf(200, { lookGapMs: 60_000 }))).toBe(220);
  });
});

describe('the beginning of an operation', () => {
  const startedMs = (createdAtMs: number | null): number =>
    watchRecord({ ...RECORD, createdAtMs }, { monotonicMs: 5000, wallMs: 1_000_000 }).startedMs;

  it.each<[string, number | null, number]>([
    ['is what the log says', 1_000_000 - 700, 4300],
    ['is now, when it says so', 1_000_000, 5000],
    ['is now, when it says nothing', null, 5000],
    ['is now, when it lies in the future', 1_000_001, 5000],
    ['is ten minutes ago at the most', 1_000_000 - 600_000, -595_000],
    ['is now, when it lies further back', 1_000_000 - 600_001, 5000],
  ])('%s', (_, createdAtMs, expected) => {
    expect(startedMs(createdAtMs)).toBe(expected);
  });

  it('is what the log says of an operation that a reply names; its status is that of the reply', () => {
    const ref = { id: 'op', projectId: 'p', action: 'start', status: 'scheduling', failuresCount: 2 };
    const moment = { monotonicMs: 5000, wallMs: 1_000_000, failedGapMs: 5000 };
    const logged = { ...RECORD, resourceId: 'ep-1', createdAtMs: 999_000 };
    const operation = watchReply(ref, logged, moment);
    expect(operation).toMatchObject({ startedMs: 4000, watchedMs: 5000, end: null });
    expect(operation.record).toEqual({ ...logged, status: 'scheduling', failuresCount: 2 });
    expect(watchReply(ref, undefined, moment).record).toMatchObject({ id: 'op', action: 'start', createdAtMs: null });
  });
});

describe('the pace of all looks', () => {
  it('spaces them evenly, and does not save up', async () => {
    const clock = new VirtualClock();
    const pace = createLookPace(clock, 250);
    const turns: number[] = [];
    const turn = async (): Promise<void> => {
      await pace.turn(NEVER);
      turns.push(clock.monotonicMs());
    };
    await clock.run(Promise.all([turn(), turn(), turn()]));
    await clock.advance(10_000);
    await clock.run(Promise.all([turn(), turn()]));
    expect(turns).toEqual([0, 250, 500, 10_500, 10_750]);
  });

  it('does not wait without a bound', async () => {
    const clock = new VirtualClock();
    const pace = createLookPace(clock, 0);
    await Promise.all([pace.turn(NEVER), pace.turn(NEVER)]);
    expect(clock.monotonicMs()).toBe(0);
  });
});
