// The jobs of a campaign: all single faults, all crash points, all crashes of a key's birth with a fault beside them, and seeds.
import type { ExchangeFault } from '../../src/control-plane/faults/plan.ts';
import { scheduleOf } from './random-schedule.ts';
import type { Schedule } from './schedule.ts';
import { digestOf, play } from './simulate.ts';
import type { Played } from './simulate.ts';
import { faultWords, singleFaults } from './single-faults.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { Workload } from './world/workload.ts';

/** A share of a job: the tasks whose number leaves `part` when divided by `parts`. */
export interface Share {
  readonly part: number;
  readonly parts: number;
}

export interface Tally {
  schedules: number;
  /** Faults and crash points that were injected. */
  faults: number;
  crashPoints: number;
  runs: number;
  exchanges: number;
  simulatedMs: number;
  /** Schedules that were played twice, to the same bytes. */
  repeated: number;
  readonly violations: { readonly name: string; readonly words: readonly string[] }[];
}

export function emptyTally(): Tally {
  return {
    schedules: 0,
    faults: 0,
    crashPoints: 0,
    runs: 0,
    exchanges: 0,
    simulatedMs: 0,
    repeated: 0,
    violations: [],
  };
}

/** Operations end by the first look: each exchange is then a kind of its own, not the fifth look at the same log. */
const SWIFT = { min: 10, max: 20 };
/** One in so many seeds is played twice. */
const REPEAT_EVERY = 50;

function basic(workload: Workload, name: string, part: Partial<Schedule>): Schedule {
  return { name: `${workload.name}: ${name}`, seed: 1, workload, faults: [], runs: [{}], operationMs: SWIFT, ...part };
}

function count(tally: Tally, schedule: Schedule, played: Played): void {
  tally.schedules++;
  tally.faults += schedule.faults.length + (schedule.diskFault === null || schedule.diskFault === undefined ? 0 : 1);
  tally.crashPoints += schedule.runs.filter(({ crash }) => crash !== null && crash !== undefined).length;
  tally.runs += played.runs.length;
  tally.exchanges += played.site.exchanges;
  tally.simulatedMs += played.simulatedMs;
  if (played.violations.length > 0) tally.violations.push({ name: schedule.name, words: played.violations });
}

/** Takes every `parts`-th of the tasks that come by. */
function shareOf({ part, parts }: Share): () => boolean {
  let number = 0;
  return () => number++ % parts === part;
}

/** Every fault at every exchange of every reference workload. */
export async function playFaults(share: Share, tally: Tally): Promise<void> {
  const isMine = shareOf(share);
  for (const workload of referenceWorkloads) {
    const { runs, site } = await play(basic(workload, 'undisturbed', {}));
    const wire = site.wire.filter(({ run }) => run === runs[0]?.run).map(({ method, path }) => `${method} ${path}`);
    for (let nth = 1; nth <= wire.length; nth++)
      for (const fault of singleFaults) {
        // Megabytes cost more than all else together: once for each kind of exchange.
        const isHuge = fault.kind === 'garble' && fault.how === 'huge';
        if ((isHuge && wire.indexOf(wire[nth - 1] ?? '') !== nth - 1) || !isMine()) continue;
        const schedule = basic(workload, `${faultWords(fault)} at exchange ${nth}`, {
          faults: [{ when: { nth }, fault }],
        });
        count(tally, schedule, await play(schedule));
      }
  }
}

/** Death before and after every call to the outside of every reference workload, with and without the power. */
export async function playCrashes(share: Share, tally: Tally): Promise<void> {
  const isMine = shareOf(share);
  for (const workload of referenceWorkloads) {
    const { runs } = await play(basic(workload, 'undisturbed', {}));
    for (let call = 1; call <= (runs[0]?.life.calls.length ?? 0); call++)
      for (const when of ['before', 'after'] as const)
        for (const power of [false, true]) {
          if (!isMine()) continue;
          const words = `dies ${when} call ${call}${power ? ' with the power' : ''}`;
          const schedule = basic(workload, words, { runs: [{ crash: { call, when, power } }] });
          count(tally, schedule, await play(schedule));
        }
  }
}

const KEY_WORKLOADS = /^(W10|W11|W20|W21|W22) /;
const KEY_FAULTS: readonly ExchangeFault[] = [
  { kind: 'after-commit-before-reply' },
  { kind: 'late-commit', delayMs: 3000 },
  { kind: 'after-send-before-commit' },
  { kind: 'garble', how: 'malformed' },
  { kind: 'reply', status: 500, commit: true },
  { kind: 'before-connect' },
  { kind: 'reply', status: 401, commit: false, body: '{"message":"injected"}' },
  { kind: 'late-commit', delayMs: 600_000 },
];

export interface KeyExtent {
  /** How many of the key workloads, and how many faults for each. */
  readonly workloads: number;
  readonly faults: number;
}

/** Death before and after every call of a key's birth × a fault at each exchange of that run and of the one right after it. */
export async function playKeys(share: Share, extent: KeyExtent, tally: Tally): Promise<void> {
  const isMine = shareOf(share);
  for (const workload of referenceWorkloads.filter(({ name }) => KEY_WORKLOADS.test(name)).slice(0, extent.workloads)) {
    const { runs } = await play(basic(workload, 'undisturbed', {}));
    for (let call = 1; call <= (runs[0]?.life.calls.length ?? 0); call++)
      for (const when of ['before', 'after'] as const) {
        if (!isMine()) continue;
        const crash = { call, when };
        const alone = basic(workload, `dies ${when} call ${call}, runs again`, { runs: [{ crash }, {}] });
        const before = await play(alone);
        count(tally, alone, before);
        const disturbed = new Set(before.runs.slice(0, 2).map(({ run }) => run));
        const exchanges = before.site.wire.filter(({ run }) => disturbed.has(run)).length;
        for (let nth = 1; nth <= exchanges; nth++)
          for (const fault of KEY_FAULTS.slice(0, extent.faults)) {
            const words = `dies ${when} call ${call}, runs again; ${faultWords(fault)} at exchange ${nth}`;
            const schedule = basic(workload, words, { faults: [{ when: { nth }, fault }], runs: [{ crash }, {}] });
            count(tally, schedule, await play(schedule));
          }
      }
  }
}

/** The schedules of the seeds `from` to `to` (not included). */
export async function playSeeds({ part, parts }: Share, from: number, to: number, tally: Tally): Promise<void> {
  for (let seed = from + part; seed < to; seed += parts) {
    const schedule = scheduleOf(seed);
    const played = await play(schedule);
    count(tally, schedule, played);
    if (seed % REPEAT_EVERY !== 0) continue;
    tally.repeated++;
    if (digestOf(played) !== digestOf(await play(schedule)))
      tally.violations.push({ name: schedule.name, words: ['played twice, it went differently'] });
  }
}
