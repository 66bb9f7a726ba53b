// Stories of one workload with one thing wrong, or a death and a fault; each has a name that says all of it, and is found by it.
import type { ExchangeFault, FaultRule } from '../../src/control-plane/faults/plan.ts';
import { scheduleOf } from './random-schedule.ts';
import { ruleScheduleOf } from './rule-schedule.ts';
import type { Schedule } from './schedule.ts';
import { faultWords, operationFaults, removalLies, singleFaults } from './single-faults.ts';
import type { CrashPoint } from './world/life.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { Workload } from './world/workload.ts';
import { always } from '../support/faults.ts';

/** Operations end by the first look: each exchange is then a kind of its own, not the fifth look at the same log. */
const SWIFT = { min: 10, max: 20 };

function story(workload: Workload, name: string, part: Partial<Schedule> = {}): Schedule {
  return { name: `${workload.name}: ${name}`, seed: 1, workload, faults: [], runs: [{}], operationMs: SWIFT, ...part };
}

export function undisturbed(workload: Workload): Schedule {
  return story(workload, 'undisturbed');
}

/** A fault of the n-th exchange, or of the n-th operation. */
export function faulted(workload: Workload, nth: number, fault: FaultRule['fault']): Schedule {
  const where = 'on' in fault ? 'operation' : 'exchange';
  return story(workload, `${faultWords(fault)} at ${where} ${nth}`, { faults: [{ when: { nth }, fault }] });
}

/** Every removal of the workload is answered as if done, and none is. */
function lied(workload: Workload, words: string): Schedule {
  const faults = (removalLies[words] ?? []).map((fault) => always({ method: 'DELETE' }, fault));
  return story(workload, `removals that answer ${words}`, { faults });
}

/** The replies to changes name no operation, and the first change that takes one fails. */
function unnamed(workload: Workload): Schedule {
  const fault = { kind: 'garble', how: 'empty-operations' } as const;
  return story(workload, 'unnamed operations that fail', {
    faults: [
      always({ method: 'PATCH' }, fault),
      { when: { action: 'apply_config', nth: 1 }, fault: { on: 'operation', kind: 'fail' } },
    ],
  });
}

/** Lists that lag so far behind, all the time. */
function lagging(workload: Workload, ms: number): Schedule {
  const fault = { kind: 'list', how: 'lagging', ms } as const;
  return story(workload, `lists lag by ${ms}`, { faults: [always({ method: 'GET' }, fault)] });
}

/** Pages of so many items, all the time. */
function paged(workload: Workload, size: number): Schedule {
  return story(workload, `pages of ${size}`, { faults: [{ times: 'always', fault: { kind: 'capped', size } }] });
}

/** The machine's clock is off by so much from the first moment. */
function untimely(workload: Workload, offMs: number): Schedule {
  return story(workload, `clock off by ${offMs}`, { runs: [{ offMs }] });
}

/** All that is made is dated by a clock that is off by so much, for ever. */
function dated(workload: Workload, byMs: number): Schedule {
  const nature = [{ times: 'always', fault: { kind: 'created', byMs } } as const];
  return story(workload, `creations dated off by ${byMs}`, { nature });
}

/** A change that takes an operation fails, and is mended by a plan that was shown or saved before. */
function mended(workload: Workload, repairs: NonNullable<Schedule['repairs']>): Schedule {
  const fault = { on: 'operation', kind: 'fail' } as const;
  return story(workload, `a failure mended ${repairs}`, { faults: [{ when: { nth: 1 }, fault }], repairs });
}

/** How far lists may lag, clocks may be off, and how small pages may be. */
const LAGS_MS: readonly number[] = [500, 1000, 2500, 5000];
const SKEWS_MS: readonly number[] = [-36_000_000, -7_200_000, 7_200_000, 36_000_000];
const PAGE_SIZES: readonly number[] = [1, 2, 10, 100];
const DATES_MS: readonly number[] = [-7_200_000, -90_000, 90_000, 7_200_000];
const REPAIRS = ['as shown', 'saved twice'] as const;

/** What lasts for a whole run. */
export function lasting(workload: Workload): readonly Schedule[] {
  return [
    ...Object.keys(removalLies).map((words) => lied(workload, words)),
    unnamed(workload),
    ...LAGS_MS.map((ms) => lagging(workload, ms)),
    ...PAGE_SIZES.map((size) => paged(workload, size)),
    ...SKEWS_MS.map((offMs) => untimely(workload, offMs)),
    ...DATES_MS.map((byMs) => dated(workload, byMs)),
    ...REPAIRS.map((repairs) => mended(workload, repairs)),
  ];
}

/** Death of the first run. */
export function crashed(workload: Workload, crash: CrashPoint): Schedule {
  const power = crash.power === true ? ' with the power' : '';
  return story(workload, `dies ${crash.when} call ${crash.call}${power}`, { runs: [{ crash }] });
}

/** Death of the first run; the second one is under the same faults. */
export function crashedTwice(
  workload: Workload,
  crash: CrashPoint,
  strike: { readonly nth: number; readonly fault: ExchangeFault } | null,
): Schedule {
  const name = `dies ${crash.when} call ${crash.call}, runs again`;
  if (strike === null) return story(workload, name, { runs: [{ crash }, {}] });
  const { nth, fault } = strike;
  return story(workload, `${name}; ${faultWords(fault)} at exchange ${nth}`, {
    faults: [{ when: { nth }, fault }],
    runs: [{ crash }, {}],
  });
}

/** All stories of the workload whose death, if any, is beside this call, and whose fault strikes there. */
function storiesAt(workload: Workload, call: number, nth: number): readonly Schedule[] {
  const deaths = (['before', 'after'] as const).map((when) => ({ call, when }));
  return [
    undisturbed(workload),
    ...lasting(workload),
    ...singleFaults.map((fault) => faulted(workload, nth, fault)),
    ...operationFaults.map((fault) => faulted(workload, nth, { on: 'operation', ...fault })),
    ...deaths.flatMap((crash) => [
      crashed(workload, { ...crash, power: false }),
      crashed(workload, { ...crash, power: true }),
    ]),
    ...deaths.map((crash) => crashedTwice(workload, crash, null)),
    ...deaths.flatMap((crash) => keyFaults.map((fault) => crashedTwice(workload, crash, { nth, fault }))),
  ];
}

/** The story with this name, as a campaign prints it. Throws when there is none. */
export function scheduleNamed(name: string): Schedule {
  const seed = /^seed (\d+)$/.exec(name)?.[1];
  if (seed !== undefined) return scheduleOf(Number(seed));
  const rules = /^rules (\d+)$/.exec(name)?.[1];
  if (rules !== undefined) return ruleScheduleOf(Number(rules));
  const workload = referenceWorkloads.find((one) => name.startsWith(`${one.name}: `));
  if (workload === undefined) throw new Error(`no workload has a story of the name ${name}`);
  const numberIn = (pattern: RegExp): number => Number(pattern.exec(name)?.[1]);
  const stories = storiesAt(workload, numberIn(/ call (\d+)/), numberIn(/ (\d+)$/));
  const found = stories.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no story of the name ${name}`);
  return found;
}

/** What strikes beside a death, where keys are made. */
export const keyFaults: readonly ExchangeFault[] = [
  { kind: 'after-commit-before-reply' },
  { kind: 'late-commit', delayMs: 3000 },
  { kind: 'after-send-before-commit' },
  { kind: 'garble', how: 'malformed' },
  { kind: 'reply', status: 500, commit: true },
  { kind: 'before-connect' },
  { kind: 'reply', status: 401, commit: false, body: '{"message":"injected"}' },
  { kind: 'late-commit', delayMs: 600_000 },
];
