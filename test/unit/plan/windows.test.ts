// Weekly windows to the minute, and which of several must be open.
import { describe, expect, it } from 'vitest';
import type { SafetyLimits, TimeWindow } from '../../../src/model/desired.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { isWithin, windowsAgainst } from '../../../src/plan/guard/limits.ts';
import { planOf, shop } from './support/world.ts';

function utc(text: string, weekdays: readonly number[], startMinute: number, endMinute: number): TimeWindow {
  return { text, weekdays, startMinute, endMinute, timeZone: 'UTC' };
}

const NIGHT = utc('Sun 02:00-04:00 UTC', [0], 120, 240);
const MONDAY = utc('Mon 02:00-04:00 UTC', [1], 120, 240);
const OVER_MIDNIGHT = utc('Sat 23:00-01:00 UTC', [6], 1380, 60);
const WHOLE_DAY = utc('Sun 02:00-02:00 UTC', [0], 120, 120);
const BERLIN = { ...NIGHT, timeZone: 'Europe/Berlin' };
const EVERY_NIGHT = { ...OVER_MIDNIGHT, weekdays: [] };
const ALL_SUNDAY = utc('Sun 00:00-24:00 UTC', [0], 0, 1440);
/** A Sunday. */
const SUNDAY = '2026-11-22';

describe('a window', () => {
  it.each<[string, TimeWindow, string, boolean]>([
    ['is closed a minute before its start', NIGHT, `${SUNDAY}T01:59:59Z`, false],
    ['is open at its start', NIGHT, `${SUNDAY}T02:00:00Z`, true],
    ['is open until its end', NIGHT, `${SUNDAY}T03:59:59Z`, true],
    ['is closed at its end', NIGHT, `${SUNDAY}T04:00:00Z`, false],
    ['over midnight is closed before its start', OVER_MIDNIGHT, '2026-11-21T22:59:59Z', false],
    ['over midnight is open at its start', OVER_MIDNIGHT, '2026-11-21T23:00:00Z', true],
    ['over midnight is open on the next day', OVER_MIDNIGHT, `${SUNDAY}T00:59:59Z`, true],
    ['over midnight is closed at its end', OVER_MIDNIGHT, `${SUNDAY}T01:00:00Z`, false],
    ['that ends where it starts is open for a day', WHOLE_DAY, `${SUNDAY}T02:00:00Z`, true],
    ['that ends where it starts is open on the next day', WHOLE_DAY, '2026-11-23T01:59:00Z', true],
    ['that ends where it starts is closed after a day', WHOLE_DAY, '2026-11-23T02:00:00Z', false],
    ['that ends where it starts is closed before', WHOLE_DAY, `${SUNDAY}T01:59:00Z`, false],
    ['of a day is open at its first minute', ALL_SUNDAY, `${SUNDAY}T00:00:00Z`, true],
    ['of a day is open at its last minute', ALL_SUNDAY, `${SUNDAY}T23:59:00Z`, true],
    ['of a day is closed on the next', ALL_SUNDAY, '2026-11-23T00:00:00Z', false],
    ['of another time zone is open at its start in winter', BERLIN, `${SUNDAY}T01:00:00Z`, true],
    ['of another time zone is open an hour earlier in summer', BERLIN, '2026-07-19T00:30:00Z', true],
    ['of no day is open every day', EVERY_NIGHT, '2026-11-18T00:30:00Z', true],
  ])('%s', (_name, window, time, open) => {
    expect(isWithin(window, Date.parse(time))).toBe(open);
  });
});

describe('of several windows', () => {
  const resized = (safety: Partial<SafetyLimits>[], time: string): Plan =>
    planOf(
      shop(
        'a: { branch: br-1, max: 2 }, b: { id: ep-b, branch: br-2, type: read_only }',
        'ep-a: { branch: br-1, max: 1 }, ep-b: { branch: br-2 }',
        { safety, input: { nowMs: Date.parse(time) } },
      ),
    );

  it.each<[string, Partial<SafetyLimits>[], string[]]>([
    ['one of a block is enough', [{ windows: [MONDAY, NIGHT] }], []],
    ['each block has its say', [{ windows: [MONDAY] }, { windows: [NIGHT] }], ['window']],
    ['a block without windows has none', [{ maxDeletes: 5 }, { windows: [NIGHT] }], []],
    ['a block of another project has none', [{ project: 'blog', windows: [MONDAY] }], []],
    ['a block of this project has', [{ project: 'shop', windows: [MONDAY] }], ['window']],
  ])('%s', (_name, safety, blockedBy) => {
    const plan = resized(safety, `${SUNDAY}T02:30:00Z`);
    expect(plan.changes.map((change) => change.blockedBy)).toEqual([blockedBy, blockedBy]);
  });

  it('those of a project hold a change of the project itself', () => {
    const plan = resized([{ project: 'shop', windows: [NIGHT] }], `${SUNDAY}T02:30:00Z`);
    const itself = <T extends { readonly address: string }>(one: T): T => ({ ...one, address: 'shop' });
    const ofProject = { ...plan, changes: plan.changes.map(itself), steps: plan.steps.map(itself) };
    for (const step of ofProject.steps) {
      expect(windowsAgainst(ofProject, step, Date.parse(`${SUNDAY}T03:00:00Z`))).toEqual([]);
      expect(windowsAgainst(ofProject, step, Date.parse('2026-11-23T03:00:00Z'))).toEqual([NIGHT.text]);
    }
  });

  it('the order in the files does not count', () => {
    const blocks = [{ windows: [NIGHT] }, { project: 'shop', windows: [MONDAY] }, { windows: [MONDAY, NIGHT] }];
    const time = `${SUNDAY}T02:30:00Z`;
    expect(resized([...blocks].reverse(), time).windows).toEqual(resized(blocks, time).windows);
  });
});
