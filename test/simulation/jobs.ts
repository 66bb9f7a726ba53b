// The jobs of a campaign: all faults, all crash points, all crashes of a key's birth with a fault beside them, and seeds.
import { setImmediate as breathe } from 'node:timers/promises';
import { scheduleOf, SEEDS_PER_WORKLOAD } from './random-schedule.ts';
import { ruleScheduleOf } from './rule-schedule.ts';
import type { Schedule } from './schedule.ts';
import { digestOf, play, type Played } from './simulate.ts';
import { operationFaults, singleFaults } from './single-faults.ts';
import { crashed, crashedTwice, faulted, keyFaults, lasting, undisturbed } from './single-stories.ts';
import { count, type Tally } from './tally.ts';
import type { CrashPoint } from './world/life.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { Workload } from './world/workload.ts';

/** One in so many seeds is played twice. */
const REPEAT_EVERY = 50;

/** When a run dies beside a call, and whether the power fails with it. */
const DEATHS = [
  ['before', false],
  ['after', true],
  ['after', false],
  ['before', true],
] as const;

function workloadAt(index: number): Workload {
  const workload = referenceWorkloads[index];
  if (workload === undefined) throw new Error(`there is no workload ${index}`);
  return workload;
}

/** A workload, and how much of it: all, or the part that falls to this one of so many workloads. */
export interface Share {
  readonly workload: number;
  readonly part: { readonly at: number; readonly of: number } | null;
}

/** Plays the schedules of one workload; they share what comes after their faults. */
function playerOf(tally: Tally): (schedule: Schedule) => Promise<Played> {
  const ends = new Set<string>();
  return async (schedule) => {
    const played = await play(schedule, { ends });
    count(tally, schedule, played);
    // A simulated world never waits for the machine: without this nobody could end the process.
    await breathe();
    return played;
  };
}

function wireOf({ site }: Played, run: number): readonly string[] {
  return site.wire.filter((entry) => entry.run === run).map(({ method, path }) => `${method} ${path}`);
}

/** Every fault at every exchange and every operation of a reference workload; as a part, each fault of the part at one read, one write and one operation. */
export async function playFaults({ workload: index, part }: Share, tally: Tally): Promise<void> {
  const workload = workloadAt(index);
  const player = playerOf(tally);
  const whole = await player(undisturbed(workload));
  const wire = wireOf(whole, 1);
  const operations = whole.site.plane.ledger().flatMap((entry) => entry.operations).length;
  const ofPart = <T>(items: readonly T[]): readonly T[] =>
    part === null ? items : items.filter((_, at) => at % part.of === part.at);
  const isRead = (nth: number): boolean => (wire[nth - 1] ?? '').startsWith('GET');
  const exchanges = wire.map((_, at) => at + 1);
  const kinds = [exchanges.filter(isRead), exchanges.filter((nth) => !isRead(nth))];
  for (const [at, fault] of ofPart(singleFaults).entries())
    for (const nth of part === null ? exchanges : kinds.flatMap((of) => of[at % of.length] ?? [])) {
      // Megabytes cost more than all else together: once for each kind of exchange.
      const isHuge = part === null && fault.kind === 'garble' && fault.how === 'huge';
      if (isHuge && wire.indexOf(wire[nth - 1] ?? '') !== nth - 1) continue;
      await player(faulted(workload, nth, fault));
    }
  for (const schedule of ofPart(lasting(workload))) await player(schedule);
  for (const [at, fault] of operationFaults.entries())
    for (let nth = 1; nth <= operations; nth++)
      if (part === null || nth === 1 + ((index + at) % operations))
        await player(faulted(workload, nth, { on: 'operation', ...fault }));
}

/** Death before and after every call to the outside of a reference workload, with and without the power; as a part, of these four one for every second call, in turn. */
export async function playCrashes({ workload: index, part }: Share, tally: Tally): Promise<void> {
  const workload = workloadAt(index);
  const player = playerOf(tally);
  const { runs } = await play(undisturbed(workload));
  for (let call = 1; call <= (runs[0]?.life.calls.length ?? 0); call++)
    for (const [nth, [when, power]] of DEATHS.entries())
      if (part === null || call % (2 * DEATHS.length) === 2 * nth)
        await player(crashed(workload, { call, when, power }));
}

const KEY_WORKLOADS = /^(W10|W11|W20|W21|W22) /;

/** Indexes of the workloads in which a key is made. */
export const keyWorkloads: readonly number[] = referenceWorkloads.flatMap(({ name }, index) =>
  KEY_WORKLOADS.test(name) ? [index] : [],
);

/**
 * Death before and after every call of a key's birth × a fault at each exchange of that run and of the one right after it.
 * Deaths that leave everything the same to the byte share the faults of the run after them.
 */
export async function playKeys(index: number, tally: Tally): Promise<void> {
  const workload = workloadAt(index);
  const player = playerOf(tally);
  const { runs } = await play(undisturbed(workload));
  const strike = async (crash: CrashPoint, nth: number): Promise<void> => {
    for (const fault of keyFaults) await player(crashedTwice(workload, crash, { nth, fault }));
  };
  const left = new Set<string>();
  for (let call = 1; call <= (runs[0]?.life.calls.length ?? 0); call++)
    for (const when of ['before', 'after'] as const) {
      const crash = { call, when };
      const dead = await play(crashed(workload, crash), { ends: left });
      const alone = await player(crashedTwice(workload, crash, null));
      const before = wireOf(alone, 1).length;
      for (let nth = 1; nth <= before; nth++) await strike(crash, nth);
      if (dead.isRejoined) continue;
      const after = wireOf(alone, 2).length;
      for (let nth = before + 1; nth <= before + after; nth++) await strike(crash, nth);
    }
}

export interface Seeds {
  /** What is drawn from them: any workload and faults, or lists that rules are given. */
  readonly job: 'seeds' | 'rules';
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** One in so many is healed and must converge; of the others only what happens under faults is judged. */
  readonly healEvery: number;
}

/** The schedules of seeds; those of one workload share what comes after their faults. */
export async function playSeeds({ job, from, to, healEvery }: Seeds, tally: Tally): Promise<void> {
  const ends = new Set<string>();
  for (let seed = from; seed < to; seed++) {
    if (seed % SEEDS_PER_WORKLOAD === 0) ends.clear();
    const schedule = job === 'rules' ? ruleScheduleOf(seed) : scheduleOf(seed);
    const isRepeated = seed % REPEAT_EVERY === 0;
    const heals = seed % healEvery === 0;
    const played = await play(schedule, { ends: isRepeated ? null : ends, heals });
    count(tally, schedule, played);
    if (heals) tally.healed++;
    await breathe();
    if (!isRepeated) continue;
    tally.repeated++;
    if (digestOf(played) !== digestOf(await play(schedule, { heals })))
      tally.violations.push({ name: schedule.name, words: ['played twice, it went differently'] });
  }
}
