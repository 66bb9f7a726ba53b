// Executes a plan: starts the steps that are ready, and stops in good order.
import { isExpected } from '../client/failure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ApiClient } from '../client/types.ts';
import type { OperationWaiter } from '../client/operations/waiter.ts';
import type { Address } from '../model/address.ts';
import type { ResourceId } from '../model/desired.ts';
import type { OperationHistory } from '../model/live.ts';
import type { Plan, Step, StepId } from '../model/outcome/plan.ts';
import { decidePlan, type PlannedAgain } from './judge/decide-plan.ts';
import { foreignTo } from './judge/look.ts';
import type { Journal } from './journal/journal.ts';
import { conclude } from './run/conclude.ts';
import { createLanes } from './run/lanes.ts';
import {
  laneOf,
  recognition,
  targetsOf,
  unreadBecause,
  type ExecutableKind,
  type Happening,
  type Run,
  type StepEnd,
  type ExecutionReport,
  type SecretStatus,
  type RunPoint,
} from './run/run.ts';
import { hasUnknowns, resolveStep } from './step/resolve-step.ts';
import { findInherited } from './step/inherited.ts';
import { endedOutside, runStep, type RanStep } from './step/run-step.ts';
import { createSchedule, turnOf, type Schedule } from './run/scheduler.ts';
import type { SecretSink } from './sinks/sink.ts';
import { createSignals, type StopRequests } from './run/signals.ts';
import { createWorld } from './judge/world.ts';

export interface ExecuteInput {
  readonly plan: Plan;
  /** Operation logs by project, as they were read for the plan. */
  readonly histories: ReadonlyMap<string, OperationHistory>;
  /** Plans a new reading before the first write; null for a plan that was just made. Rejects with `ApiFailure`. */
  readonly planAgain: ((signal: AbortSignal) => Promise<PlannedAgain>) | null;
  /** In the order of creation. */
  readonly kinds: readonly ExecutableKind[];
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The note that names this run and its plan in the resources that it creates. */
  readonly runId: string;
  readonly openSinks: (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[];
  readonly onSecret?: (secret: SecretStatus) => void;
  /** Takes the id of a resource that a step made, once it is in the journal. */
  readonly onMade?: (step: Step, id: ResourceId) => void;
  /** The requests of earlier runs for secrets, from the journal. */
  readonly earlier?: readonly JsonObject[];
  readonly stop: StopRequests;
  /** Writes in flight. */
  readonly parallelism: number;
  readonly stepTimeoutMs: number;
  /** Monotonic, for the whole run; null = none. */
  readonly runDeadlineMs: number | null;
  readonly emit: (event: Happening) => void;
  readonly reach?: (point: RunPoint) => void;
}

/** Runs the steps. Rejects with `ApiFailure` if the plan cannot be checked (nothing was sent), and for a bug when all steps have ended. */
export async function execute(input: ExecuteInput): Promise<ExecutionReport> {
  const schedule = createSchedule(input.plan.steps);
  const signals = createSignals(input.clock, input.stop, input.runDeadlineMs);
  const run = createRun(input, schedule, signals);
  try {
    await runChecked(run, schedule, input);
    return { halted: signals.halted(), inHand: run.known.inHand };
  } finally {
    signals.close();
  }
}

/** A single step that no longer fits keeps all from running. */
async function runChecked(run: Run, schedule: Schedule, { plan, planAgain }: ExecuteInput): Promise<void> {
  if (planAgain === null) return runAll(run, schedule, new Map());
  const { admission } = run.use.signals;
  const again = await planAgain(admission).catch((error: unknown) => {
    if (admission.aborted && isExpected(error)) return null;
    throw error;
  });
  if (again === null) return;
  const { decisions, ids } = decidePlan(run, plan, again);
  const ends = new Map<StepId, StepEnd>();
  const changed: { readonly address: Address; readonly message: string }[] = [];
  for (const step of plan.steps) {
    const decision = decisions.get(step.id) ?? { state: 'send' };
    const doneBy = decision.state === 'done' ? decision.id : null;
    const made = again.live.resources.find(({ kind, id }) => kind === step.kind && id === doneBy);
    // A mark shows only the resources of this very run.
    const isKnown = made === undefined || recognition(run, step) === 'mark';
    const foreign = isKnown ? null : await foreignTo(run, step, made);
    if (foreign !== null) changed.push({ address: step.address, message: foreign });
    if (decision.state === 'changed') changed.push({ address: step.address, message: decision.reason });
    if (decision.state === 'unread') ends.set(step.id, unreadBecause(step, new Error(decision.reason)));
    if (decision.state !== 'done') continue;
    ends.set(step.id, { end: 'satisfied', id: decision.id });
    if (decision.id !== null) run.known.claims.add(decision.id);
  }
  const hint = 'Nothing was sent. Run trueup plan again.';
  // Several steps on one resource have one reason.
  for (const one of new Map(changed.map((step) => [`${step.address} ${step.message}`, step])).values())
    run.tell.emit({ type: 'diagnostic', diagnostic: { severity: 'error', code: 'stale', hint, ...one } });
  if (changed.length > 0) return run.tell.halt('stale');
  for (const [address, id] of ids) run.known.madeIds.set(address, id);
  await runAll({ ...run, known: { ...run.known, histories: again.live.histories } }, schedule, ends);
}

function createRun(input: ExecuteInput, schedule: Schedule, signals: ReturnType<typeof createSignals>): Run {
  const { clock, client, waiter, journal, kinds, emit } = input;
  const remotes = new Map(kinds.map(({ remote }) => [remote.kind, remote]));
  const order = [...remotes.keys()];
  const carriedOut = new Set<StepId>();
  const madeIds: Run['known']['madeIds'] = new Map();
  return {
    use: {
      clock,
      client,
      waiter,
      journal,
      runId: input.runId,
      world: createWorld({ kinds: remotes, reader: client, clock, made: () => madeIds.values() }),
      lanes: createLanes(input.parallelism, () => client.isPaced()),
      turnOf: (step) => turnOf(step, order),
      signals: signals.signals,
      stepTimeoutMs: input.stepTimeoutMs,
      runDeadlineMs: input.runDeadlineMs ?? Infinity,
      kinds: new Map(kinds.map((kind) => [kind.remote.kind, kind])),
      openSinks: input.openSinks,
      plan: input.plan,
    },
    known: {
      histories: input.histories,
      earlier: input.earlier ?? [],
      claims: targetsOf(input.plan.steps),
      uncertain: new Set(),
      endedAtMs: new Map(),
      carriedOut,
      freed: new Set(),
      made: new Map(),
      madeIds,
      inHand: new Map(),
    },
    tell: {
      emit,
      reach: input.reach ?? (() => undefined),
      progress: () => schedule.progress(),
      halt: signals.halt,
      onSecret: input.onSecret ?? (() => undefined),
      onMade: input.onMade ?? (() => undefined),
    },
  };
}

/** Starts every ready step at once: queues and slots order them. */
async function runAll(run: Run, schedule: Schedule, ends: ReadonlyMap<string, StepEnd>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let running = 0;
    let bug: Error | null = null;
    const finish = (): void => {
      if (running > 0) return;
      if (bug === null) resolve();
      else reject(bug);
    };
    const isInTurn = (step: Step): boolean => laneOf(run, step).isNarrow;
    const runToEnd = async (planned: Step): Promise<void> => {
      const known = ends.get(planned.id);
      const { end, elapsedMs, leave } = await (known === undefined ? runWhole(run, planned) : endedOutside(known));
      let ready: readonly Step[] = [];
      try {
        ready = conclude(run, schedule, resolveStep(planned, run.known.madeIds), end, elapsedMs);
        run.tell.reach('ended');
        launch(ready.filter(isInTurn));
      } finally {
        leave();
      }
      launch(ready.filter((step) => !isInTurn(step)));
    };
    const launch = (steps: readonly Step[]): void => {
      running += steps.length;
      for (const planned of steps.toSorted((a, b) => run.use.turnOf(a) - run.use.turnOf(b))) {
        schedule.start(planned.id);
        runToEnd(planned)
          .catch((error: unknown) => {
            bug ??= error instanceof Error ? error : new Error(String(error));
            run.tell.halt('bug');
          })
          .finally(() => {
            running--;
            finish();
          });
      }
    };
    launch(schedule.first());
    finish();
  });
}

/** Runs a step once the ids that it needs are known. */
async function runWhole(run: Run, planned: Step): Promise<RanStep> {
  const step = resolveStep(planned, run.known.madeIds);
  if (step === planned || !hasUnknowns(step)) return runStep(run, step);
  const end = await findInherited(run, step);
  return end === null ? runStep(run, resolveStep(step, run.known.madeIds)) : endedOutside(end);
}
