// Stories of one workload with one thing wrong, or a death and a fault; each has a name that says all of it, and is found by it.
import type { ExchangeFault, FaultRule } from '../../src/control-plane/faults/plan.ts';
import { scheduleOf } from './random-schedule.ts';
import type { Schedule } from './schedule.ts';
import { faultWords, operationFaults, singleFaults } from './single-faults.ts';
import type { CrashPoint } from './world/life.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { Workload } from './world/workload.ts';

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

const NAMES: readonly (readonly [RegExp, (workload: Workload, parts: readonly string[]) => Schedule | null])[] = [
  [/^undisturbed$/, undisturbed],
  [
    /^dies (before|after) call (\d+)( with the power)?$/,
    (workload, [when, call, power]) => crashed(workload, { ...crashOf(when, call), power: power !== undefined }),
  ],
  [
    /^dies (before|after) call (\d+), runs again$/,
    (workload, [when, call]) => crashedTwice(workload, crashOf(when, call), null),
  ],
  [
    /^dies (before|after) call (\d+), runs again; (.+) at exchange (\d+)$/,
    (workload, [when, call, words, nth]) => {
      const fault = keyFaults.find((one) => faultWords(one) === words);
      return fault === undefined ? null : crashedTwice(workload, crashOf(when, call), { nth: Number(nth), fault });
    },
  ],
  [
    /^(.+) at exchange (\d+)$/,
    (workload, [words, nth]) => {
      const fault = singleFaults.find((one) => faultWords(one) === words);
      return fault === undefined ? null : faulted(workload, Number(nth), fault);
    },
  ],
  [
    /^(.+) at operation (\d+)$/,
    (workload, [words, nth]) => {
      const faults = operationFaults.map((fault) => ({ on: 'operation', ...fault }) as const);
      const fault = faults.find((one) => faultWords(one) === words);
      return fault === undefined ? null : faulted(workload, Number(nth), fault);
    },
  ],
];

function crashOf(when: string | undefined, call: string | undefined): CrashPoint {
  return { call: Number(call), when: when === 'after' ? 'after' : 'before' };
}

/** The story with this name, as a campaign prints it. Throws when there is none. */
export function scheduleNamed(name: string): Schedule {
  const seed = /^seed (\d+)$/.exec(name)?.[1];
  if (seed !== undefined) return scheduleOf(Number(seed));
  const workload = referenceWorkloads.find((one) => name.startsWith(`${one.name}: `));
  if (workload === undefined) throw new Error(`no workload has a story of the name ${name}`);
  const what = name.slice(workload.name.length + 2);
  for (const [pattern, make] of NAMES) {
    const found = pattern.exec(what);
    const schedule = found === null ? null : make(workload, found.slice(1));
    if (schedule !== null) return schedule;
  }
  throw new Error(`${workload.name} has no story of the name ${what}`);
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
