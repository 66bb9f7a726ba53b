// Sets and retention rules under faults, crashes, and others at work: rules touch only what they may. RULE_STORIES sets the number of runs.
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import type { FaultRule } from '../../src/control-plane/index.ts';
import { ruleViolations } from './laws/rules.ts';
import { diceOf } from './random-world.ts';
import { scheduleOf } from './random-schedule.ts';
import { drawMeddling, rulesWorkload } from './rule-worlds.ts';
import type { Schedule } from './schedule.ts';
import { play } from './simulate.ts';
import { useLightWeb } from './world/light-web.ts';
import { desiredOf } from './world/workload.ts';

const RUNS = Number(process.env['RULE_STORIES'] ?? 150);
const FIRST = Number(process.env['RULE_FIRST'] ?? 0);
/** Keeps the draws of these workloads apart from those of other ones. */
const RULES = 0x7e7e_0000;

function ruleSchedule(seed: number): Schedule {
  const dice = diceOf(seededRandom(RULES + seed));
  const workload = rulesWorkload(dice, `rules ${seed}`);
  const { deeds: _deeds, beside: _beside, ...drawn } = scheduleOf(seed);
  // The law judges by true ages, and these faults show others.
  const isTrue = ({ fault }: FaultRule): boolean => fault.kind !== 'created' && fault.kind !== 'date';
  return {
    ...drawn,
    faults: drawn.faults.filter(isTrue),
    nature: (drawn.nature ?? []).filter(isTrue),
    name: `rules ${seed}`,
    workload: { ...workload, ...(drawn.workload.switches === undefined ? {} : { switches: drawn.workload.switches }) },
    deeds: drawMeddling(dice, workload),
    beside: dice.chance(0.25) ? [{ afterMs: dice.below(4000), folder: '/home/.elsewhere' }] : [],
  };
}

it('rules touch only what they may', async () => {
  useLightWeb();
  const problems: string[] = [];
  let deleted = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const schedule = ruleSchedule(seed);
    const { site, runs, violations } = await play(schedule, { heals: false });
    const story = { site, workload: schedule.workload, runs, native: new Set<string>(), leniency: NO_LENIENCY };
    const found = [...violations, ...ruleViolations(story, await desiredOf(schedule.workload.yaml))];
    deleted += site.plane.ledger().filter(({ kind, verb }) => kind === 'branch' && verb === 'DELETE').length;
    problems.push(...found.map((problem) => `${schedule.name}: ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(deleted).toBeGreaterThan(RUNS / 4);
}, 3_600_000);

const NO_LENIENCY = {
  serverLies: false,
  pretends: false,
  lateCommits: false,
  brokenOperations: false,
  emptySuccess: false,
  othersWrite: false,
  wrongDates: false,
  journalLost: false,
};
