// The result of a run as a function of its events: complete at any moment, so that it can be written as the run goes.
import type { ApplyEvent, OperationGlimpse, OutcomeCounts } from '../model/event.ts';
import type { Plan, StepAction, StepId } from '../model/plan.ts';
import type { RunResult, StepOutcome, StepResult } from '../model/result.ts';

const NO_COUNTS: OutcomeCounts = {
  done: 0,
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

/** The result before anything has happened: every step is pending. */
export function emptyResult(plan: Pick<Plan, 'planHash' | 'steps' | 'summary'>): RunResult {
  return {
    status: 'incomplete',
    planHash: plan.planHash,
    steps: plan.steps.map(({ id, address, action }) => ({
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
    })),
    resources: {},
    counts: { ...NO_COUNTS, blocked: plan.summary.blocked, notStarted: plan.steps.length },
    diagnostics: [],
    requests: 0,
    seconds: 0,
    secretsAtRisk: [],
  };
}

/** The result after one more event. */
export function reduceResult(result: RunResult, event: ApplyEvent): RunResult {
  switch (event.type) {
    case 'apply_start':
      return change(result, event.step, () => ({
        outcome: 'running',
        resourceId: event.resourceId,
        startedAtMs: event.atMs,
        attempts: 1,
      }));
    case 'apply_progress': {
      const { operation } = event;
      if (operation === null) return result;
      return change(result, event.step, (step) => ({ operations: withGlimpse(step.operations, operation) }));
    }
    case 'apply_complete':
      return conclude(result, event.step, 'done', {
        resourceId: event.resourceId,
        elapsedMs: event.elapsedMs,
        message: null,
      });
    case 'apply_errored':
      return conclude(result, event.step, 'failed', {
        elapsedMs: event.elapsedMs,
        message: event.diagnostic.message,
      });
    case 'step_skipped':
      return event.satisfied === true
        ? conclude(result, event.step, 'satisfied', { resourceId: event.resourceId ?? null, message: event.reason })
        : conclude(result, event.step, event.blocked === true ? 'blocked' : 'skipped', { message: event.reason });
    case 'step_unknown':
      return conclude(result, event.step, event.timedOut ? 'timed_out' : 'unknown', {
        elapsedMs: event.elapsedMs,
        message: event.reason,
      });
    case 'retry':
      return event.step === null
        ? result
        : change(result, event.step, (step) => ({ attempts: Math.max(step.attempts, event.attempt) }));
    case 'diagnostic':
      return withDiagnostic(result, event);
    case 'run_finished':
      return finish(result, event);
    default:
      return result;
  }
}

/** What it looks like when the run ends here. Steps that never had their turn, or were stopped before they sent anything, were not started. */
function finish(result: RunResult, event: Extract<ApplyEvent, { readonly type: 'run_finished' }>): RunResult {
  const steps = result.steps.map((step) =>
    step.outcome === 'pending' || step.outcome === 'running' ? { ...step, outcome: 'not_started' as const } : step,
  );
  return { ...result, steps, status: event.status, requests: event.requests, seconds: event.seconds };
}

function withDiagnostic(
  result: RunResult,
  { diagnostic, resourceId, command }: Extract<ApplyEvent, { readonly type: 'diagnostic' }>,
): RunResult {
  const diagnostics = [...result.diagnostics, diagnostic];
  const { address, code } = diagnostic;
  if (code !== 'secret_at_risk' || resourceId === undefined || address === undefined) return { ...result, diagnostics };
  const left = { address, id: resourceId, ...(command === undefined ? {} : { command }) };
  return { ...result, diagnostics, secretsAtRisk: [...result.secretsAtRisk, left] };
}

function change(result: RunResult, id: StepId, how: (step: StepResult) => Partial<StepResult>): RunResult {
  const steps = result.steps.map((step) => (step.id === id ? { ...step, ...how(step) } : step));
  return { ...result, steps };
}

function conclude(result: RunResult, id: StepId, outcome: StepOutcome, facts: Partial<StepResult>): RunResult {
  const before = result.steps.find((step) => step.id === id);
  const next = change(result, id, () => ({ ...facts, outcome }));
  return before === undefined ? next : { ...next, counts: recount(result, before, { ...before, ...facts, outcome }) };
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
  satisfied: 'done',
  failed: 'failed',
  unknown: 'unknown',
  timed_out: 'timedOut',
  skipped: 'skipped',
  blocked: 'blocked',
};

/** How many steps ended in which way, now that one of them did; only what this run did itself is added, changed or destroyed. */
function recount({ counts, steps }: RunResult, before: StepResult, after: StepResult): OutcomeCounts {
  const next = { ...counts };
  next[COUNTED[before.outcome]]--;
  next[COUNTED[after.outcome]]++;
  // A move that takes a detour is two steps and one change.
  const isTold = steps.some((step) => step.outcome === 'done' && step.id !== after.id && isSameChange(step, after));
  if (after.outcome === 'done' && !isTold) next[TALLY[after.action]]++;
  return next;
}

function isSameChange(one: StepResult, other: StepResult): boolean {
  return one.address === other.address && one.action === other.action && one.resourceId === other.resourceId;
}
