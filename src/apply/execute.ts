// Executes a plan: starts each step once the steps that it needs have ended, and stops in an orderly way on a signal.
import { isExpected } from '../client/failure.ts';
import { errorOf, type Diagnostic } from '../model/diagnostic.ts';
import type { Step, StepId } from '../model/outcome/plan.ts';
import { decidePlan, type PlannedAgain } from './judge/decide-plan.ts';
import { confirmed } from './judge/look.ts';
import { createLanes } from './run/lanes.ts';
import {
  laneOf,
  recognition,
  targetsOf,
  unreadBecause,
  poolOf,
  refOf,
  targetIdOf,
  type Run,
  type StepEnd,
  type ExecutionReport,
  type RunInput,
  type Happening,
} from './run/run.ts';
import { resolveStep } from './step/resolve-step.ts';
import { endedOutside, runStep } from './step/run-step.ts';
import { createSchedule, turnOf, type Schedule } from './run/scheduler.ts';
import { createSignals, type StopRequests } from './run/signals.ts';
import { World } from './judge/world.ts';
import { assert, unreachable } from '../base/assert.ts';
import { SO_ALREADY } from '../model/outcome/event.ts';

export interface ExecuteInput extends RunInput {
  /** Plans again from newer live state before the first write; null for a plan that was just made. Rejects with `ApiFailure`. */
  readonly planAgain: ((signal: AbortSignal) => Promise<PlannedAgain>) | null;
  readonly stop: StopRequests;
  readonly parallelism: number;
}

/** Runs the plan. Rejects with `ApiFailure`, before any write, if the plan cannot be checked. After a bug, rejects once all running steps end. */
export async function execute(input: ExecuteInput): Promise<ExecutionReport> {
  const schedule = createSchedule(input.plan.steps);
  const signals = createSignals(input.clock, input.stop, input.runDeadlineMs);
  const run = createRun(input, schedule, signals);
  try {
    await runChecked(run, schedule, input);
    return { halted: signals.halted(), inHand: run.inHand };
  } finally {
    signals.close();
  }
}

/** Checks the whole plan first: if a single step no longer fits the live state, no step runs. */
async function runChecked(run: Run, schedule: Schedule, { plan, planAgain }: ExecuteInput): Promise<void> {
  if (planAgain === null) return runAll(run, schedule, new Map());
  const { admission } = run.signals;
  const again = await planAgain(admission).catch((error: unknown) => {
    if (admission.aborted && isExpected(error)) return null;
    throw error;
  });
  if (again === null) return;
  const { decisions, ids } = decidePlan(run, plan, again);
  const ends = new Map<StepId, StepEnd>();
  const changed = new Map<string, Diagnostic>();
  const hint = 'Nothing was sent. Run trueup plan again.';
  for (const step of plan.steps) {
    const { address } = step;
    const planned = decisions.get(step.id);
    assert(planned !== undefined, 'every step of the plan has a decision');
    // No check for `mark`: `confirmed` may accept only the annotation of this run, but an earlier run of this plan may have created the resource.
    const isJudged = planned.state === 'done' && recognition(run, step) !== 'mark';
    const decision = isJudged ? await confirmed(run, step, again.live.resources, planned) : planned;
    // Several steps on one resource may have the same reason. The map keeps that reason once.
    if (decision.state === 'changed')
      changed.set(`${address} ${decision.reason}`, errorOf('stale', decision.reason, hint, { address }));
    if (decision.state === 'unread') ends.set(step.id, unreadBecause(step, new Error(decision.reason)));
    if (decision.state !== 'done') continue;
    ends.set(step.id, { end: 'satisfied', id: decision.id });
    if (decision.id !== null) run.claims.add(decision.id);
  }
  for (const diagnostic of changed.values()) run.emit({ type: 'diagnostic', diagnostic });
  if (changed.size > 0) return run.halt('stale');
  for (const [address, id] of ids) run.madeIds.set(address, id);
  await runAll(run, schedule, ends);
}

function createRun(input: ExecuteInput, schedule: Schedule, { signals, halt }: ReturnType<typeof createSignals>): Run {
  const { client, clock, kinds, plan } = input;
  const order = [...kinds.keys()];
  const madeIds: Run['madeIds'] = new Map();
  return {
    ...input,
    world: new World({ kinds, reader: client, clock, made: () => madeIds.values() }),
    lanes: createLanes(input.parallelism),
    turnOf: (step) => turnOf(step, order),
    signals,
    progress: () => schedule.progress(),
    halt,
    claims: targetsOf(plan.steps),
    uncertain: new Set(),
    carriedOut: new Set(),
    made: new Map(),
    madeIds,
    inHand: new Map(),
  };
}

/** Starts every ready step at once; the queues decide which step sends first. */
async function runAll(run: Run, schedule: Schedule, ends: ReadonlyMap<string, StepEnd>): Promise<void> {
  const bugs: Error[] = [];
  const isInTurn = (step: Step): boolean => laneOf(run, step).isNarrow;
  const runToEnd = async (planned: Step): Promise<void> => {
    schedule.start(planned.id);
    const known = ends.get(planned.id);
    const { end, elapsedMs, leave } = await (known === undefined ? runStep(run, planned) : endedOutside(known));
    let ready: readonly Step[] = [];
    let inTurn: Promise<void> | null = null;
    try {
      ready = conclude(run, schedule, resolveStep(planned, run.madeIds), end, elapsedMs);
      run.reach('ended');
      inTurn = launch(ready.filter(isInTurn));
    } finally {
      leave();
    }
    await Promise.all([inTurn, launch(ready.filter((step) => !isInTurn(step)))]);
  };
  const launch = async (steps: readonly Step[]): Promise<void> => {
    const inOrder = steps.toSorted((a, b) => run.turnOf(a) - run.turnOf(b));
    const stop = (error: unknown): void => {
      bugs.push(error instanceof Error ? error : new Error(String(error)));
      run.halt('bug');
    };
    await Promise.all(inOrder.map(async (step) => runToEnd(step).catch(stop)));
  };
  await launch(schedule.first());
  if (bugs[0] !== undefined) throw bugs[0];
}

function conclude(run: Run, schedule: Schedule, step: Step, end: StepEnd, elapsedMs: number): readonly Step[] {
  if (end.end === 'done' || end.end === 'satisfied') remember(run, step, end.id);
  if (end.end === 'done') run.carriedOut.add(step.id);
  if (end.end === 'failed' && end.diagnostic.code === 'stale') run.halt('stale');
  if (end.end === 'unknown') run.uncertain.add(poolOf(step) ?? '');
  const event = eventOf(step, end, elapsedMs);
  if (event !== null) run.emit(event);
  const { ready, skipped } = schedule.end(step.id, end.end);
  for (const { step: later, reason, blocked } of skipped)
    run.emit({ type: 'step_skipped', ...refOf(later), reason, ...(blocked ? { blocked } : {}) });
  return ready;
}

function eventOf(step: Step, end: StepEnd, elapsedMs: number): Happening | null {
  const ref = refOf(step);
  switch (end.end) {
    case 'done':
      return { type: 'apply_complete', ...ref, resourceId: end.id, elapsedMs };
    case 'satisfied':
      return { type: 'step_skipped', ...ref, reason: end.reason ?? SO_ALREADY, satisfied: true, resourceId: end.id };
    case 'failed':
      return { type: 'apply_errored', ...ref, elapsedMs, diagnostic: end.diagnostic };
    case 'unknown':
      return { type: 'step_unknown', ...ref, elapsedMs, reason: end.reason, timedOut: end.timedOut };
    case 'skipped':
      return { type: 'step_skipped', ...ref, reason: end.reason };
    case 'blocked':
      return { type: 'step_skipped', ...ref, reason: end.reason, blocked: true };
    case 'not_started':
      return null;
    default:
      return unreachable(end);
  }
}

function remember(run: Run, step: Step, id: string | null): void {
  const target = targetIdOf(step) ?? id;
  if (target === null) return;
  run.claims.add(target);
  if (step.achieves === null) return;
  run.madeIds.set(step.address, target);
  run.made.set(target, [...(run.made.get(target) ?? []), step.achieves]);
}
