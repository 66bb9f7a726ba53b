// Keeps the result of a run from its events, so that it can be written at any moment.
import type { ApplyEvent, OperationGlimpse, OutcomeCounts } from '../../model/outcome/event.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Plan, Step, StepAction, StepId } from '../../model/outcome/plan.ts';
import type { UpkeepResult } from '../../model/outcome/upkeep.ts';
import type { RunResult, SecretLeft, StepOutcome, StepResult } from '../../model/outcome/result.ts';
import type { SecretStatus } from './run.ts';

type EventOf<T extends ApplyEvent['type']> = Extract<ApplyEvent, { readonly type: T }>;

const NO_COUNTS: OutcomeCounts = {
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

/** An event costs the same however many steps the plan has. */
export class RunningResult {
  readonly #planHash: string;
  readonly #steps: StepResult[];
  readonly #places: ReadonlyMap<StepId, number>;
  readonly #counts: Record<keyof OutcomeCounts, number>;
  readonly #upkeep: UpkeepResult[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #secretsAtRisk: SecretLeft[] = [];
  /** Secrets that are at risk if the run ends now. */
  readonly #openSecrets = new Map<ResourceId, SecretLeft>();
  /** Changes that are counted as added, changed or destroyed. */
  readonly #counted = new Set<string>();
  #end: Pick<RunResult, 'status' | 'requests' | 'seconds'> = { status: 'incomplete', requests: 0, seconds: 0 };
  #shown: Pick<RunResult, 'resources' | 'vacated'> = { resources: {}, vacated: [] };

  constructor({ planHash, steps, summary }: Pick<Plan, 'planHash' | 'steps' | 'summary'>) {
    this.#planHash = planHash;
    this.#steps = steps.map(pending);
    this.#places = new Map(steps.map(({ id }, at) => [id, at]));
    this.#counts = { ...NO_COUNTS, blocked: summary.blocked, notStarted: steps.length };
  }

  get counts(): OutcomeCounts {
    return { ...this.#counts };
  }

  readBack(shown: Pick<RunResult, 'resources' | 'vacated'>): void {
    this.#shown = shown;
  }

  now(): RunResult {
    return {
      ...this.#end,
      ...this.#shown,
      planHash: this.#planHash,
      steps: [...this.#steps],
      upkeep: [...this.#upkeep],
      counts: this.counts,
      diagnostics: [...this.#diagnostics],
      secretsAtRisk: [...this.#secretsAtRisk, ...this.#openSecrets.values()],
    };
  }

  /** No event reports a secret, because only a run that is cut off has to name it. */
  noteSecret({ step, status, what }: SecretStatus): void {
    this.#openSecrets.delete(what.id);
    if (status === 'open') this.#openSecrets.set(what.id, what);
    this.#change(step, () => ({ resourceId: status === 'gone' ? null : what.id }));
  }

  add(event: ApplyEvent): void {
    switch (event.type) {
      case 'apply_start': {
        const { resourceId, atMs } = event;
        return this.#change(event.step, () => ({ outcome: 'running', resourceId, startedAtMs: atMs, attempts: 1 }));
      }
      case 'apply_progress': {
        const { operation, waitingFor } = event;
        if (waitingFor !== null) return this.#change(event.step, () => ({ message: `waited for ${waitingFor}` }));
        if (operation === null) return;
        return this.#change(event.step, ({ operations }) => ({
          operations: withGlimpse(operations, operation),
          message: null,
        }));
      }
      case 'apply_complete': {
        const { resourceId, elapsedMs } = event;
        return this.#conclude(event.step, 'done', { resourceId, elapsedMs, message: null });
      }
      case 'apply_errored': {
        const { elapsedMs, diagnostic } = event;
        const { message, hint } = diagnostic;
        return this.#conclude(event.step, 'failed', { elapsedMs, message, ...(hint === undefined ? {} : { hint }) });
      }
      case 'step_skipped': {
        const { reason: message, resourceId = null } = event;
        return event.satisfied === true
          ? this.#conclude(event.step, 'satisfied', { resourceId, message })
          : this.#conclude(event.step, event.blocked === true ? 'blocked' : 'skipped', { message });
      }
      case 'step_unknown': {
        const { elapsedMs, reason: message } = event;
        return this.#conclude(event.step, event.timedOut ? 'timed_out' : 'unknown', { elapsedMs, message });
      }
      case 'retry':
        if (event.step === null) return;
        return this.#change(event.step, ({ attempts }) => ({ attempts: Math.max(attempts, event.attempt) }));
      case 'upkeep': {
        const { address, action, outcome, message, sinks } = event;
        this.#upkeep.push({ address, action, outcome, message, sinks });
        return;
      }
      case 'diagnostic':
        return this.#note(event);
      case 'run_finished':
        return this.#finish(event);
      default:
    }
  }

  #change(id: StepId, how: (step: StepResult) => Partial<StepResult>): void {
    const at = this.#places.get(id);
    const step = at === undefined ? undefined : this.#steps[at];
    if (at !== undefined && step !== undefined) this.#steps[at] = { ...step, ...how(step) };
  }

  #conclude(id: StepId, outcome: StepOutcome, facts: Partial<StepResult>): void {
    this.#change(id, (before) => {
      const after = { ...before, ...facts, outcome };
      this.#counts[COUNTED[before.outcome]]--;
      this.#counts[COUNTED[outcome]]++;
      if (outcome === 'done') this.#tally(after);
      return after;
    });
  }

  /** Counts the steps that this run did itself; a move by way of another slot is two steps and one change. */
  #tally({ address, action, resourceId }: StepResult): void {
    // An update after the creation belongs to it.
    if (action === 'update' && this.#counted.has(JSON.stringify([address, 'create', resourceId]))) return;
    const key = JSON.stringify([address, action, resourceId]);
    if (!this.#counted.has(key)) this.#counts[TALLY[action]]++;
    this.#counted.add(key);
  }

  #note({ diagnostic, resourceId, command }: EventOf<'diagnostic'>): void {
    this.#diagnostics.push(diagnostic);
    const { address, code } = diagnostic;
    if (code !== 'secret_at_risk' || resourceId === undefined || address === undefined) return;
    this.#openSecrets.delete(resourceId);
    this.#secretsAtRisk.push({ address, id: resourceId, ...(command === undefined ? {} : { command }) });
  }

  /** A step that sent nothing was not started. */
  #finish({ status, requests, seconds }: EventOf<'run_finished'>): void {
    for (const { id, outcome } of this.#steps)
      if (outcome === 'pending' || outcome === 'running') this.#change(id, () => ({ outcome: 'not_started' }));
    this.#end = { status, requests, seconds };
  }
}

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

type Tally = 'added' | 'changed' | 'destroyed';

const TALLY: Readonly<Record<StepAction, Tally>> = {
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
