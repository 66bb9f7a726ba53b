// From a seed to a schedule: a workload, up to three faults at any exchange, deaths, and up to two more who do something meanwhile.
import { seededRandom } from '../../src/base/random.ts';
import type { Switches } from '../../src/control-plane/index.ts';
import type { FaultRule } from '../../src/control-plane/faults/plan.ts';
import { drawOthers } from './random-others.ts';
import { diceOf, namedAlone, randomWorkload, type Dice } from './random-world.ts';
import type { Schedule } from './schedule.ts';
import { operationFaults, singleFaults } from './single-faults.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { RunOptions } from './world/run.ts';
import type { Workload } from './world/workload.ts';
import { always } from '../support/faults.ts';

const DISK_CODES = ['ENOSPC', 'EIO', 'EROFS', 'EACCES', 'EMFILE'] as const;
const SWITCHES: readonly Partial<Switches>[] = [
  {},
  { locking: 'project' },
  { locking: 'off' },
  { neverUsedKey: 'absent' },
  { neverUsedKey: 'epoch' },
  { neverUsedKey: 'empty_string' },
  { lastUse: 'each_minute' },
  { keyCreateReply: 'id_and_key' },
  { restartBody: 'no_content' },
  { restartBody: 'operations_only' },
  { afterRestart: 'idle' },
  { resizeActive: 'suspend_only' },
  { deleteActive: 'no_operation' },
  { missingDelete: 404 },
  { missingKey: 400 },
  { conflictStatus: 422 },
  { conflictStatus: 412 },
  { operationsPageSize: 10, operationsLastCursor: 'absent' },
  { errorBody: 'plain_text' },
  { afterFailure: 'continue' },
];

/** So many seeds in a row happen to one workload: those that leave the same behind share what comes after. */
export const SEEDS_PER_WORKLOAD = 40;
/** Keeps the draws of workloads apart from those of schedules. */
const WORKLOADS = 0x5eed_0000;
/** And those of a third actor. */
const OTHERS = 0x0ac7_0000;
/** One in so many workloads is looked at again after computes have fallen asleep and woken. */
const NOISE_EVERY = 4;
/** And those of what the service is by nature and of how people mend. */
const MANNERS = 0x3a77_0000;
/** How long operations take: mostly less than a look at them. */
const OPERATION_MS = [
  { min: 10, max: 20 },
  { min: 200, max: 3000 },
  { min: 10, max: 20 },
  { min: 3000, max: 12_000 },
] as const;
/** How long a step waits: ten minutes of looks are in most stories ten minutes of the same. */
const STEP_TIMEOUT_MS = [20_000, 600_000, 60_000] as const;

/** The schedule of a seed; always the same one. */
export function scheduleOf(seed: number): Schedule {
  const dice = diceOf(seededRandom(seed));
  const place = Math.floor(seed / SEEDS_PER_WORKLOAD);
  const workload = workloadOf(place);
  const faults = Array.from({ length: dice.below(4) }, () => drawFault(dice));
  const manners = diceOf(seededRandom(MANNERS + seed));
  const repairs = manners.chance(0.2) ? manners.pick(['as shown', 'saved twice'] as const) : null;
  const makesKeys = workload.yaml.includes('api_keys');
  const stepTimeoutMs = STEP_TIMEOUT_MS[place % STEP_TIMEOUT_MS.length] ?? null;
  return {
    name: `seed ${seed}`,
    seed: place,
    workload,
    faults,
    diskFault: makesKeys && dice.chance(0.1) ? { call: 1 + dice.below(90), code: dice.pick(DISK_CODES) } : null,
    runs: [
      ...Array.from({ length: 1 + dice.below(2) }, () => ({ ...drawRun(dice), stepTimeoutMs })),
      ...drawReviewed(manners, repairs),
    ],
    nature: drawNature(manners, workload),
    repairs,
    ...drawOthers(dice, diceOf(seededRandom(OTHERS + seed)), workload),
    journal: dice.chance(0.05) ? dice.pick(['erased', 'flipped', 'cut'] as const) : null,
    noise: place % NOISE_EVERY === 0,
    operationMs: OPERATION_MS[place % OPERATION_MS.length] ?? { min: 10, max: 20 },
  };
}

function workloadOf(number: number): Workload {
  const random = seededRandom(WORKLOADS + number);
  const dice = diceOf(random);
  const drawn = dice.chance(0.5) ? dice.pick(referenceWorkloads) : randomWorkload(random, `world ${number}`);
  const named = namedAlone(drawn, diceOf(seededRandom(MANNERS - number)));
  return { ...named, switches: { ...named.switches, ...dice.pick(SWITCHES) } };
}

/** What the service is by nature: its pages are short, it dates what it makes by another clock. */
function drawNature(dice: Dice, { twins = [] }: Workload): readonly FaultRule[] {
  const capped = { kind: 'capped', size: dice.pick([1, 2, 3, 100]) } as const;
  const created = { kind: 'created', byMs: dice.pick([-7_200_000, -90_000, 45_000, 90_000, 7_200_000]) } as const;
  return [
    ...(dice.chance(twins.length > 0 ? 0.7 : 0.05) ? [{ times: 'always', fault: capped } as const] : []),
    ...(dice.chance(0.15) ? [{ times: 'always', fault: created } as const] : []),
  ];
}

/** A plan, and a run that carries it out some time later: which dies as often as others do, and is then told to do the same once more. */
function drawReviewed(dice: Dice, repairs: Schedule['repairs']): readonly RunOptions[] {
  if (repairs === null || dice.chance(0.5)) return [];
  const carriesOut = repairs === 'as shown' ? 'shown' : 'saved';
  const crash = { call: 1 + dice.below(60), when: dice.pick(['before', 'after'] as const) };
  return [
    { planOnly: true },
    { carriesOut, promptMs: dice.below(5000), crash: dice.chance(0.4) ? crash : null },
    ...(carriesOut === 'saved' ? [{ carriesOut, promptMs: dice.below(40_000) } as const] : []),
  ];
}

/** Megabytes cost more than all else together; each kind of exchange has them once among the single faults. */
const cheapFaults = singleFaults.filter((fault) => fault.kind !== 'garble' || fault.how !== 'huge');

function drawFault(dice: Dice): FaultRule {
  if (dice.chance(0.2))
    return { when: { nth: 1 + dice.below(6) }, fault: { on: 'operation', ...dice.pick(operationFaults) } };
  const method = dice.chance(0.4) ? { method: dice.pick(['POST', 'PATCH', 'DELETE']) } : {};
  const fault = dice.chance(0.2)
    ? ({ kind: 'late-commit', delayMs: dice.below(dice.pick([3000, 60_000, 800_000])) } as const)
    : dice.pick(cheapFaults);
  // What a service does by nature it does all the time.
  if ((fault.kind === 'capped' || fault.kind === 'date' || fault.kind === 'list') && dice.chance(0.3))
    return always({ method: 'GET' }, fault);
  return { when: { nth: 1 + dice.below(method.method === undefined ? 25 : 5), ...method }, fault };
}

function drawRun(dice: Dice): RunOptions {
  return {
    crash: dice.chance(0.45)
      ? { call: 1 + dice.below(dice.pick([30, 110])), when: dice.pick(['before', 'after']), power: dice.chance(0.3) }
      : null,
    savedForMs: dice.chance(0.15) ? dice.below(20_000) : null,
    skewMs: dice.chance(0.1) ? dice.pick([-31_536_000_000, -600_000, 600_000, 31_536_000_000]) : 0,
    offMs: dice.chance(0.1) ? dice.pick([-36_000_000, -7_200_000, 7_200_000, 36_000_000]) : 0,
    promptMs: dice.chance(0.15) ? dice.below(40_000) : 0,
    isUnattended: dice.chance(0.1),
    stop: dice.chance(0.1) ? { kind: dice.pick(['soft', 'hard']), afterMs: dice.below(6000) } : null,
    timeoutMs: dice.chance(0.05) ? 500 + dice.below(5000) : null,
    requestsPerMinute: dice.chance(0.1) ? 600 : Infinity,
  };
}
