// Runs a step from its position in the queue to its end: reads the live state, sends, and waits for operations.
import { ApiFailure, isExpected } from '../../client/failure.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { begin, isJournaled, timingOf, type Delivery, type Sending } from './attempt.ts';
import { awaitOperations, openOperations, proveEnd } from './await-operations.ts';
import { DOUBTFUL, isDoubtful } from '../judge/recognise.ts';
import type { Pass } from '../run/lanes.ts';
import { readAfter, isAlwaysLookedAt, lookAt } from '../judge/look.ts';
import {
  keepsSecret,
  kindOf,
  laneOf,
  recognition,
  remakesSecret,
  satisfiedBy,
  staleBecause,
  targetIdOf,
  unknownBecause,
  unreadBecause,
  type Run,
  type StepEnd,
} from '../run/run.ts';
import { runSecretStep } from '../secret/secret-step.ts';
import { findInherited, hasUnknowns, resolveStep } from './resolve-step.ts';
import type { Accepted } from './send-step.ts';

export interface RanStep {
  readonly end: StepEnd;
  /** Time since the step began, without the wait in the queue. */
  readonly elapsedMs: number;
  /** Leaves the queue to the next step; called once the dependents of this step wait there, so that they go first. */
  readonly leave: () => void;
}

export function endedOutside(end: StepEnd): RanStep {
  return { end, elapsedMs: 0, leave: () => undefined };
}

/** Runs `planned`. Rejects only for a bug. */
export async function runStep(all: Run, planned: Step): Promise<RanStep> {
  // An earlier step that this step needs may have changed the scope until now.
  const readyAtMs = planned.needs.length > 0 ? all.clock.monotonicMs() : -Infinity;
  const resolved = resolveStep(planned, all.madeIds);
  const known = hasUnknowns(resolved) ? await findInherited(all, resolved) : null;
  if (known !== null) return endedOutside(known);
  const step = resolveStep(resolved, all.madeIds);
  const run = finishesChain(all, step) ? finishing(all) : all;
  const changedAtMs = isAlwaysLookedAt(run, step) ? run.clock.monotonicMs() : readyAtMs;
  const letIn = looksOf(run, step);
  let pass: Pass;
  try {
    pass = await run.lanes.enter(laneOf(run, step), run.turnOf(step), letIn);
  } catch (error) {
    if (letIn.aborted) return endedOutside({ end: 'not_started' });
    throw error;
  }
  const timing = timingOf(run);
  const delivery: Delivery = {
    changedAtMs,
    sent: 0,
    made: 0,
    pauses: 0,
    isIntended: false,
    first: null,
    isLost: false,
    isUnproven: false,
    sentAtMs: null,
  };
  const sending: Sending = { run, step, pass, delivery, timing };
  try {
    const end = await runInLane(sending).catch((error: unknown) => endOfError(run, step, error, delivery));
    return { end, elapsedMs: run.clock.monotonicMs() - timing.startedAtMs, leave: () => pass.leave() };
  } catch (error) {
    pass.leave();
    throw error;
  }
}

async function runInLane(sending: Sending): Promise<StepEnd> {
  const { run, step } = sending;
  if (isDoubtful(run, step)) return DOUBTFUL;
  if (step.with !== undefined || keepsSecret(run, step)) {
    const there = await foundThere(sending);
    if (there !== null) return there;
  }
  return runSecretStep(sending, async (sent) => {
    const end = await follow(sending, sent);
    const { id, secret, record } = sent.outcome;
    const mayRestOnIt = kindOf(run, step).reveal !== undefined && end.end === 'done';
    if (id !== null && secret !== null && mayRestOnIt) run.inHand.set(step.address, { facts: record, secret });
    return end;
  });
}

/** Returns the end of a step that is not sent: another creation made its resource, or the live state fits, or the step is stale. Else null. */
async function foundThere({ run, step, timing, delivery }: Sending): Promise<StepEnd | null> {
  const { verdict } = await lookAt(run, step, readAfter(run, step, delivery.changedAtMs), looksOf(run, step));
  if (verdict.state === 'send') return run.signals.admission.aborted ? { end: 'not_started' } : null;
  if (verdict.state === 'changed') return staleBecause(step, verdict.reason);
  if (step.with === undefined) return satisfiedBy(verdict);
  begin({ run, step, timing });
  if (verdict.id !== null) run.onMade(step, verdict.id);
  return { end: 'done', id: verdict.id };
}

/** A step without a request of its own only reads, so a soft stop does not end it. */
function looksOf({ signals }: Run, step: Step): AbortSignal {
  return step.with === undefined ? signals.admission : signals.requests;
}

/** True if the step fills a slot that an earlier step has freed, and that would otherwise stay empty. */
function finishesChain({ plan }: Run, { action, needs }: Step): boolean {
  if (action !== 'move' && action !== 'create') return false;
  return plan.steps.some((one) => (one.action === 'move' || one.achieves === null) && needs.includes(one.id));
}

/** Returns a run for a step that fills a freed slot (`finishesChain`): such a step may start even after another step was found stale. */
function finishing(run: Run): Run {
  const { signals } = run;
  return { ...run, signals: { ...signals, admission: signals.finishing } };
}

/** Waits for the operations of the step; meanwhile a queue that takes one write at a time stays occupied. */
async function follow(sending: Sending, sent: Accepted): Promise<StepEnd> {
  const { run, step, pass, delivery } = sending;
  delivery.isUnproven = true;
  const answeredAtMs = run.clock.monotonicMs();
  const { outcome } = sent;
  const id = outcome.id ?? targetIdOf(step);
  if (id !== null) run.claims.add(id);
  if (!pass.alone()) pass.leave();
  const isRemade = remakesSecret(run, step);
  if (isJournaled(run, step)) await run.journal.note(step, 'acked', id, outcome.madeAtMs);
  if (id !== null && step.action === 'create') run.onMade(step, id);
  run.reach('acked');
  const awaited = { step, id, before: sent.before, sinceMs: delivery.sentAtMs, timing: sending.timing };
  const found = outcome.operations ?? (await openOperations(run, awaited));
  const operations = found ?? [];
  const { operations: table } = kindOf(run, step);
  const mustStart = step.action === 'create' && table !== undefined && table.mayStartNone?.(step) !== true;
  // The live state may fit before the operations end, and these operations may still fail.
  if (sent.state === 'adopted' && operations.length === 0 && (mustStart || (found === null && step.achieves !== null)))
    return unknownBecause(
      `the reply was lost, and the operation log ${found === null ? 'could not be read' : `shows no operation of ${id ?? step.address}`}`,
    );
  const ended = await awaitOperations(run, { ...awaited, operations });
  const isProvable = sent.state !== 'adopted' && (operations.length === 0 || step.achieves === null);
  const end = isProvable ? await proveEnd(run, step, id, ended, answeredAtMs) : ended;
  // Notes two types of steps as complete: a restart, which only the log could prove later, and a replaced secret that no sink stores.
  const isShown = recognition(run, step) === 'operation' || (isRemade && !keepsSecret(run, step));
  if (isShown && end.end === 'done') await run.journal.note(step, 'stored', id);
  return end;
}

function endOfError(run: Run, step: Step, error: unknown, delivery: Delivery): StepEnd {
  if (error instanceof ApiFailure) {
    if (error.status === 401) run.halt('unauthorized');
    if (delivery.isUnproven) return unknownBecause(`the live state could not be read again: ${error.message}`);
    return unreadBecause(step, error);
  }
  if (!isExpected(error)) throw error;
  if (delivery.isUnproven) return unknownBecause('the run ended before the outcome of the step was known', true);
  return { end: 'not_started' };
}
