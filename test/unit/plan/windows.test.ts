// Weekly windows to the minute, and which of several must be open.
import { describe, expect, it } from 'vitest';
import type { SafetyLimits, TimeWindow } from '../../../src/model/desired.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import { isWithin, windowsAgainst, withOpenings } from '../../../src/plan/guard/limits.ts';
import { intent, planWith, saying } from './support/own-kind.ts';
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

  it('hold no step that interrupts nobody, beside one of the same resource that does', () => {
    const entry = 'a: { branch: br-1, pooler_enabled: true }';
    const small = shop(entry, 'ep-a: { branch: br-1, pooler_enabled: false }', {
      safety: [{ windows: [NIGHT] }],
      input: { nowMs: Date.parse(`${SUNDAY}T03:00:00Z`) },
    });
    const plan = planWith(
      saying(({ live }) => ({ intents: [intent('restart', live)] })),
      small,
    );
    const held = plan.steps.map((step) => [step.id, windowsAgainst(plan, step, Date.parse(`${SUNDAY}T05:00:00Z`))]);
    expect(held).toEqual([
      ['restart:shop/a', [NIGHT.text]],
      ['update:shop/a', []],
    ]);
  });

  it('the order in the files does not count', () => {
    const blocks = [
      { windows: [NIGHT] },
      { windows: [MONDAY] },
      { project: 'shop', windows: [MONDAY] },
      { windows: [MONDAY, NIGHT] },
    ];
    const time = `${SUNDAY}T02:30:00Z`;
    expect(resized([...blocks].reverse(), time).windows).toEqual(resized(blocks, time).windows);
  });
});

describe('the next opening', () => {
  const MONDAY_NIGHT = { ...utc('Mon 00:30-01:30 Europe/Berlin', [1], 30, 90), timeZone: 'Europe/Berlin' };
  const waiting = [{ address: 'shop/a', blockedBy: ['window'] }] as unknown as readonly Change[];
  const opensAt = (
    windows: readonly TimeWindow[],
    time: string,
    project: string | null,
    changes: readonly Change[],
  ): unknown => withOpenings([{ project, windows }], changes, Date.parse(time))[0]?.opensAt;

  it.each<[string, readonly TimeWindow[], string, string]>([
    ['is later on the day', [NIGHT], `${SUNDAY}T01:30:59Z`, `${SUNDAY}T02:00:00`],
    ['is a week after the window of the day', [NIGHT], `${SUNDAY}T04:00:00Z`, '2026-11-29T02:00:00'],
    ['is on the weekday', [OVER_MIDNIGHT], '2026-11-18T12:00:00Z', '2026-11-21T23:00:00'],
    ['is tomorrow for every day', [{ ...NIGHT, weekdays: [] }], '2026-11-18T12:00:00Z', '2026-11-19T02:00:00'],
    ['is the first of several', [MONDAY, NIGHT, OVER_MIDNIGHT], `${SUNDAY}T01:30:00Z`, `${SUNDAY}T02:00:00`],
    ['is by the clock of its time zone', [BERLIN], `${SUNDAY}T00:30:00Z`, `${SUNDAY}T01:00:00`],
    ['is by winter time after the change', [MONDAY_NIGHT], '2026-10-24T12:00:00Z', '2026-10-25T23:30:00'],
    ['is by summer time after the change', [MONDAY_NIGHT], '2027-03-27T12:00:00Z', '2027-03-28T22:30:00'],
  ])('%s', (_name, windows, time, opening) => {
    for (const project of [null, 'shop']) expect(opensAt(windows, time, project, waiting)).toBe(`${opening}.000Z`);
  });

  it.each<[string, readonly TimeWindow[], string | null, readonly Change[]]>([
    ['one is open', [MONDAY, ALL_SUNDAY], null, waiting],
    ['nothing waits', [MONDAY], null, []],
    ['only something else waits', [MONDAY], null, waiting.map((one) => ({ ...one, blockedBy: ['consent'] }))],
    ['something of another project waits', [MONDAY], 'blog', waiting],
  ])('is not told where %s', (_name, windows, project, changes) => {
    expect(opensAt(windows, `${SUNDAY}T12:00:00Z`, project, changes)).toBeUndefined();
  });
});
