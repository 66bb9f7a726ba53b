// From a seed to a schedule of rules: lists that change from run to run, two repositories with one set, others at work, and time that passes.
import { seededRandom } from '../../src/base/random.ts';
import type { FaultRule } from '../../src/control-plane/index.ts';
import { scheduleOf } from './random-schedule.ts';
import { diceOf } from './random-world.ts';
import { drawLists, drawMeddling, rulesWorkload } from './rule-worlds.ts';
import type { Schedule } from './schedule.ts';
import type { RunOptions } from './world/run.ts';

/** Keeps the draws of these workloads apart from those of other ones. */
const RULES = 0x7e7e_0000;
const MINUTE_MS = 60_000;
/** Between two runs. */
const PAUSES_MS = [0, 0, MINUTE_MS, 11 * MINUTE_MS, 90 * MINUTE_MS, 1500 * MINUTE_MS, 8 * 1440 * MINUTE_MS] as const;
/** Another repository, on another machine. */
const ELSEWHERE = '/home/.elsewhere';

export function ruleScheduleOf(seed: number): Schedule {
  const dice = diceOf(seededRandom(RULES + seed));
  const name = `rules ${seed}`;
  const workload = rulesWorkload(dice, name);
  const { deeds: _deeds, beside: _beside, repairs: _repairs, ...drawn } = scheduleOf(seed);
  // The law judges by true ages, and these faults show others.
  const isTrue = ({ fault }: FaultRule): boolean => fault.kind !== 'created' && fault.kind !== 'date';
  const own = drawLists(dice, drawn.runs.length + 1);
  const theirs = drawLists(dice, drawn.runs.length + 1);
  const [mode, isDisturbed] = [dice.pick(['alone', 'alone', 'in turn', 'beside'] as const), dice.chance(0.5)];
  const runs = drawn.runs.flatMap((options, at): readonly RunOptions[] => {
    const run = { ...options, variables: own[at] ?? {}, afterMs: at === 0 ? 0 : dice.pick(PAUSES_MS) };
    if (mode !== 'in turn' || options.carriesOut !== undefined) return [run];
    return [{ folder: ELSEWHERE, variables: theirs[at] ?? {}, afterMs: dice.pick(PAUSES_MS) }, run];
  });
  return {
    ...drawn,
    faults: isDisturbed ? drawn.faults.filter(isTrue) : [],
    nature: (drawn.nature ?? []).filter(isTrue),
    name,
    workload: {
      ...workload,
      variables: own.at(-1) ?? {},
      ...(drawn.workload.switches === undefined ? {} : { switches: drawn.workload.switches }),
    },
    runs,
    deeds: dice.chance(0.5) ? drawMeddling(dice, workload) : [],
    beside: mode === 'beside' ? [{ afterMs: dice.below(4000), folder: ELSEWHERE, variables: theirs[0] ?? {} }] : [],
    noise: false,
  };
}
