// Builds the result of a run from its events; at any moment, the result contains everything that has happened so far.
import type { ApplyEvent, OperationGlimpse, OutcomeCounts } from '../../model/outcome/event.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Plan, Step, StepAction, StepId } from '../../model/outcome/plan.ts';
import type { UpkeepResult } from '../../model/outcome/upkeep.ts';
import type { RunResult, SecretLeft, StepOutcome, StepResult } from '../../model/outcome/result.ts';
import type { SecretStatus } from './run.ts';

/** Collects the result; only the last event takes longer if the plan has more steps. */
export class RunningResult {
  readonly #blocked: number;
  readonly #steps: Map<StepId, StepResult>;
  readonly #upkeep: UpkeepResult[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  /** Secrets that would be lost if the run ended now. */
  readonly #secrets = new Map<ResourceId, SecretLeft>();
  #rest: Pick<RunResult, 'status' | 'planHash' | 'requests' | 'seconds' | 'resources' | 'vacated'>;

  constructor({ planHash, steps, summary }: Pick<Plan, 'planHash' | 'steps' | 'summary'>) {
    this.#blocked = summary.blocked;
    this.#steps = new Map(steps.map((step) => [step.id, pending(step)]));
    this.#rest = { status: 'incomplete', planHash, requests: 0, seconds: 0, resources: {}, vacated: [] };
  }

  get counts(): OutcomeCounts {
    return countsOf([...this.#steps.values()], this.#blocked);
  }

  readBack(shown: Pick<RunResult, 'resources' | 'vacated'>): void {
    this.#rest = { ...this.#rest, ...shown };
  }

  now(): RunResult {
    return {
      ...this.#rest,
      steps: [...this.#steps.values()],
      upkeep: [...this.#upkeep],
      counts: this.counts,
      diagnostics: [...this.#diagnostics],
      secretsAtRisk: [...this.#secrets.values()],
    };
  }

  /** Records the state of a new secret. This state has no event of its own, because only the result of an interrupted run needs it. */
  noteSecret({ step, status, what }: SecretStatus): void {
    if (status === 'open') this.#secrets.set(what.id, what);
    else this.#secrets.delete(what.id);
    this.#change(step, () => ({ resourceId: status === 'gone' ? null : what.id }));
  }

  add(event: ApplyEvent): void {
    if ('step' in event && event.step !== null) this.#change(event.step, (before) => changeBy(event, before));
    if (event.type === 'upkeep') {
      const { address, action, outcome, message, sinks } = event;
      this.#upkeep.push({ address, action, outcome, message, sinks });
    }
    if (event.type === 'diagnostic') {
      const { diagnostic, resourceId: id, command } = event;
      this.#diagnostics.push(diagnostic);
      const { address, code } = diagnostic;
      if (code === 'secret_at_risk' && id !== undefined && address !== undefined)
        this.#secrets.set(id, { address, id, command });
    }
    if (event.type === 'run_finished') {
      const { status, requests, seconds } = event;
      this.#rest = { ...this.#rest, status, requests, seconds };
      // A step that was stopped before it took effect has no final event, so its outcome is still `pending` or `running`.
      for (const id of this.#steps.keys())
        this.#change(id, ({ outcome }) => (COUNTED[outcome] === 'notStarted' ? { outcome: 'not_started' } : {}));
    }
  }

  #change(id: StepId, how: (step: StepResult) => Partial<StepResult>): void {
    const step = this.#steps.get(id);
    if (step !== undefined) this.#steps.set(id, { ...step, ...how(step) });
  }
}

function changeBy(event: ApplyEvent, before: StepResult): Partial<StepResult> {
  switch (event.type) {
    case 'apply_start': {
      const { resourceId, atMs: startedAtMs } = event;
      return { outcome: 'running', resourceId, startedAtMs, attempts: 1 };
    }
    case 'apply_progress': {
      const { operation, waitingFor } = event;
      if (waitingFor !== null) return { message: `waited for ${waitingFor}` };
      return operation === null ? {} : { operations: withGlimpse(before.operations, operation), message: null };
    }
    case 'apply_complete': {
      const { resourceId, elapsedMs } = event;
      return { outcome: 'done', resourceId, elapsedMs, message: null };
    }
    case 'apply_errored': {
      const { elapsedMs, diagnostic } = event;
      const { message, hint } = diagnostic;
      return { outcome: 'failed', elapsedMs, message, hint };
    }
    case 'step_skipped': {
      const { reason: message, resourceId = null, satisfied = false, blocked = false } = event;
      return satisfied
        ? { outcome: 'satisfied', resourceId, message }
        : { outcome: blocked ? 'blocked' : 'not_started', message };
    }
    case 'step_unknown': {
      const { elapsedMs, reason: message, timedOut } = event;
      return { outcome: timedOut ? 'timed_out' : 'unknown', elapsedMs, message };
    }
    case 'retry':
      return { attempts: Math.max(before.attempts, event.attempt) };
    default:
      return {};
  }
}

/** Counts the steps by outcome, and the changes that this run made itself. A move by way of another slot has two steps but is one change. */
function countsOf(steps: readonly StepResult[], blocked: number): OutcomeCounts {
  const counts = { ...NO_COUNTS, blocked };
  const keyOf = ({ address, resourceId }: StepResult, action: StepAction): string =>
    JSON.stringify([address, action, resourceId]);
  const changes = new Map<string, StepResult>();
  for (const step of steps) {
    counts[COUNTED[step.outcome]]++;
    if (step.outcome === 'done') changes.set(keyOf(step, step.action), step);
  }
  for (const step of changes.values())
    // An update that completes a creation of this run counts as part of the creation.
    if (step.action !== 'update' || !changes.has(keyOf(step, 'create'))) counts[TALLY[step.action]]++;
  return counts;
}

const NO_COUNTS: Record<keyof OutcomeCounts, number> = {
  done: 0,
  satisfied: 0,
  failed: 0,
  unknown: 0,
  timedOut: 0,
  skipped: 0,
  notStarted: 0,
  blocked: 0,
  added: 0,
  changed: 0,
  destroyed: 0,
};

function pending({ id, address, action }: Step): StepResult {
  return {
    id,
    address,
    action,
    outcome: 'pending',
    resourceId: null,
    operations: [],
    startedAtMs: null,
    elapsedMs: null,
    attempts: 0,
    message: null,
  };
}

function withGlimpse(operations: readonly OperationGlimpse[], seen: OperationGlimpse): readonly OperationGlimpse[] {
  const isKnown = operations.some(({ id }) => id === seen.id);
  return isKnown ? operations.map((known) => (known.id === seen.id ? seen : known)) : [...operations, seen];
}

const TALLY: Readonly<Record<StepAction, 'added' | 'changed' | 'destroyed'>> = {
  create: 'added',
  rotate: 'added',
  update: 'changed',
  move: 'changed',
  restart: 'changed',
  delete: 'destroyed',
  revoke: 'destroyed',
};

const COUNTED: Readonly<Record<StepOutcome, keyof OutcomeCounts>> = {
  pending: 'notStarted',
  running: 'notStarted',
  not_started: 'notStarted',
  done: 'done',
  satisfied: 'satisfied',
  failed: 'failed',
  unknown: 'unknown',
  timed_out: 'timedOut',
  skipped: 'skipped',
  blocked: 'blocked',
};
