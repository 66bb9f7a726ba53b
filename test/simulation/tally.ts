// What a job of a campaign counts.
import type { Schedule } from './schedule.ts';
import type { Played } from './simulate.ts';

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
  /** Schedules after whose faults all was, to the byte, as after those of another one: the runs from there on were not repeated. */
  rejoined: number;
  /** Random schedules that were played on without faults, until nothing was left to do. */
  healed: number;
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
    rejoined: 0,
    healed: 0,
    violations: [],
  };
}

export function count(tally: Tally, schedule: Schedule, played: Played): void {
  tally.schedules++;
  tally.faults += schedule.faults.length + (schedule.diskFault === null || schedule.diskFault === undefined ? 0 : 1);
  tally.crashPoints += schedule.runs.filter(({ crash }) => crash !== null && crash !== undefined).length;
  tally.runs += played.runs.length;
  tally.exchanges += played.site.exchanges;
  tally.simulatedMs += played.simulatedMs;
  if (played.isRejoined) tally.rejoined++;
  if (played.violations.length > 0) tally.violations.push({ name: schedule.name, words: played.violations });
}
