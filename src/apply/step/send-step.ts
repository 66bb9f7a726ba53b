// Sends a write so that it takes effect only once: waits while a project is busy, and reads whether a request without a reply took effect.
import { unreachable } from '../../base/assert.ts';
import type { ApiFailure } from '../../client/failure.ts';
import { isOfBusyProject } from '../../client/pace.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { OperationRecord } from '../../model/live.ts';
import {
  answerBy,
  attempt,
  dropIntent,
  failedOr,
  lostWords,
  patienceOf,
  refusalHint,
  type Sending,
  type Withheld,
} from './attempt.ts';
import { tellWait, waitOptions } from './await-operations.ts';
import { lookAfresh, lookAlone, type Before } from '../judge/look.ts';
import {
  DOUBTFUL,
  findEvidenceBy,
  isDoubtful,
  isNotNew,
  isUnique,
  sendsOf,
  type Evidence,
} from '../judge/recognise.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { ABSENCE_MS } from '../journal/entries.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import {
  failedBecause,
  makesCredential,
  poolOf,
  recognition,
  satisfiedBy,
  staleBecause,
  unknownBecause,
  type Decision,
  type StepEnd,
} from '../run/run.ts';
import { tellUnproven } from '../secret/undo.ts';

const AGAIN = 'Nothing was done. Run trueup apply again.';
const LATER = 'Nothing was done. Run trueup apply again later.';

/** An accepted write. `replied`: a usable reply · `adopted`: no usable reply, but the live state shows the effect. */
export interface Accepted {
  readonly state: 'replied' | 'adopted';
  readonly outcome: WriteOutcome;
  readonly before: Before;
}

/** The accepted write, or else the step's end. */
export type Sent = Accepted | StepEnd;

/** Sends the step. Rejects with `ApiFailure` if the live state cannot be read, or with a signal's reason. */
export async function sendStep(sending: Sending): Promise<Sent> {
  try {
    for (;;) {
      const tried = await attempt(sending);
      if ('outcome' in tried) return { state: 'replied', ...tried };
      const next =
        'failure' in tried ? await recover(sending, tried.failure, tried.before) : await afterLook(sending, tried);
      if (next !== null) return next;
    }
  } finally {
    await dropIntent(sending);
  }
}

/** Handles an attempt that sent nothing; null if the step is tried again. */
async function afterLook(sending: Sending, { look, proved, underWay, held }: Withheld): Promise<Sent | null> {
  const { run, step, pass, delivery } = sending;
  const { first } = delivery;
  // The log proves the effect: the service carried out a request that it asked to repeat later, or somebody else made the change.
  if (proved !== null) return adopted(null, proved);
  if (look.verdict.state === 'send' && underWay.length > 0) return waitForOthers(sending, underWay);
  const isSecret = makesCredential(run, step);
  const mayBeSiblings = step.expects.state === 'absent' && !isSecret;
  // The new resource of another step may look foreign, or like this step's own, so this step looks again once no other write is under way.
  const isSure = look.verdict.state === 'send' || !mayBeSiblings;
  const { verdict } = isSure ? look : await lookAlone(run, step, pass);
  if (isDoubtful(run, step)) return DOUBTFUL;
  if (isSecret && first !== null && verdict.state !== 'send')
    return notProved(sending, await evidenceFor(sending, first, []), 'the service asked for a later retry');
  switch (verdict.state) {
    case 'changed':
      return staleBecause(step, verdict.reason);
    case 'done':
      if (first !== null && recognition(run, step) === 'attributes' && step.achieves !== null)
        return adopted(null, first);
      return metMeanwhile(sending, verdict);
    case 'send':
      return held === null ? null : { end: 'blocked', reason: held };
    default:
      return unreachable(verdict);
  }
}

/** Waits for operations on the target that this run did not start; null if the step is tried again. */
async function waitForOthers(sending: Sending, underWay: readonly OperationRecord[]): Promise<Sent | null> {
  const { run, step, timing, delivery } = sending;
  const { clock, signals, waiter } = run;
  const options = { ...waitOptions(run, step, timing, true), signal: signals.admission };
  const { end } = await waiter.settled(underWay, options);
  const why = 'an operation that this run did not start was still running at the deadline';
  if (end === 'timed_out') return failedBecause(step, 'busy', why);
  delivery.changedAtMs = clock.monotonicMs();
  return null;
}

/** Returns the outcome of a request that took effect without a usable reply; a null `id` means the target of the step. */
function adopted(id: ResourceId | null, before: Before): Sent {
  return { state: 'adopted', outcome: { id, operations: null, secret: null, record: {} }, before };
}

/** Returns the outcome of a step that a reading shows as done: by its own earlier request, by somebody else, or unknown if nothing shows which. */
function metMeanwhile(
  { run, step, delivery: { first, isLost } }: Sending,
  verdict: Extract<Decision, { readonly state: 'done' }>,
): Sent {
  const { id } = verdict;
  if (first === null) return satisfiedBy(verdict);
  if (step.expects.state !== 'absent') return isLost ? { end: 'done', id } : satisfiedBy(verdict);
  if (isLost && isUnique(run, step)) return adopted(id, first);
  const came = `the service asked for a later retry, and ${id} appeared since then`;
  if (isUnique(run, step)) return satisfiedBy({ reason: `${came}, perhaps created by another run`, ...verdict });
  run.claims.delete(id ?? '');
  run.uncertain.add(poolOf(step) ?? '');
  return unknownBecause(`${came}: the service may have carried out the refused request`);
}

/** Handles a failed request; null if the step is tried again. */
async function recover(sending: Sending, failure: ApiFailure, before: Before): Promise<Sent | null> {
  const { delivery } = sending;
  const { failureClass } = failure;
  const isLost = failureClass === 'ambiguous' || failureClass === 'unusable';
  delivery.isUnproven = isLost || delivery.isLost;
  if (failureClass === 'not_sent' || failureClass === 'come_later') return sendLater(sending, failure, before);
  delivery.sent++;
  return isLost ? settle(sending, failure, before) : judgeRefusal(sending, failure);
}

/** Waits as long as the service or the network needs; null if the step is tried again. */
async function sendLater(sending: Sending, failure: ApiFailure, before: Before): Promise<Sent | null> {
  const { run, step, delivery } = sending;
  const { failureClass, status } = failure;
  // Keeps the state from before a request that may have taken effect. After a 423 (busy project), only a creation may have taken effect.
  if (failureClass === 'come_later' && (status !== 423 || step.expects.state === 'absent')) delivery.first ??= before;
  const { projectId } = step;
  if (projectId !== null && isOfBusyProject(failure)) return waitUntilQuiet(sending, projectId, failure);
  const why = await run.client.pauseAfter(failure, ++delivery.pauses, {
    signal: patienceOf(sending),
    deadlineMs: answerBy(sending),
    onRetry: ({ delayMs, cause }) => announceRepeat(sending, cause, delayMs),
  });
  delivery.changedAtMs = run.clock.monotonicMs();
  if (why === null) return null;
  if (isCalledOff(sending)) return { end: 'not_started' };
  const words = why === '' ? failure.message : `${failure.message}; ${why}`;
  if (failureClass === 'not_sent') return failedOr(sending, 'not_sent', words, AGAIN);
  return failedOr(sending, 'come_later', words, LATER);
}

/** Waits until a busy project has no open operations; null if the step is tried again. */
async function waitUntilQuiet(sending: Sending, projectId: string, failure: ApiFailure): Promise<Sent | null> {
  const { run, step, pass, timing, delivery } = sending;
  const { clock, waiter, runDeadlineMs } = run;
  if (isCalledOff(sending)) return { end: 'not_started' };
  tellWait(run, step, timing, 'other operations of the project');
  pass.refusedAsBusy();
  const queuedAtMs = clock.monotonicMs();
  const patience = patienceOf(sending);
  await pass.turnAgain(patience);
  // The time limit of the step does not run while other steps have their turn.
  timing.deadlineMs = Math.min(timing.deadlineMs + clock.monotonicMs() - queuedAtMs, runDeadlineMs);
  const options = { ...waitOptions(run, step, timing, true), signal: patience };
  const isQuiet = await waiter.quiet(projectId, options);
  if (!isQuiet || clock.monotonicMs() >= timing.deadlineMs) {
    const why = `the project was busy until the deadline: ${failure.message}`;
    return failedOr(sending, 'busy', why, LATER);
  }
  delivery.changedAtMs = queuedAtMs;
  delivery.pauses = 0;
  if (isCalledOff(sending)) return { end: 'not_started' };
  announceRepeat(sending, failure.message);
  return null;
}

/** Reads whether a refused step was already satisfied, is stale, or stays refused. */
async function judgeRefusal(sending: Sending, failure: ApiFailure): Promise<Sent> {
  const { run, step, pass, delivery } = sending;
  const { message } = failure;
  if (failure.status === 401) {
    run.halt('unauthorized');
    return failedOr(sending, 'unauthorized', message, 'Set a valid credential, then run trueup apply again.');
  }
  const refused = failedOr(sending, 'refused', message, refusalHint(failure));
  if (makesCredential(run, step)) return refused;
  if (delivery.isLost && delivery.first !== null) {
    // The request whose reply was lost may be the cause of the refusal.
    const evidence = await evidenceFor(sending, delivery.first, LAG_PAUSES_MS);
    return evidence.state === 'done' ? adopted(evidence.id, delivery.first) : refused;
  }
  const isNew = step.expects.state === 'absent';
  const { verdict } = isNew ? await lookAlone(run, step, pass) : await lookAfresh(run, step);
  if (verdict.state === 'changed') return staleBecause(step, `${verdict.reason} (${message})`);
  if (verdict.state !== 'done') return refused;
  if (!isNew) return satisfiedBy(verdict);
  if (isUnique(run, step)) return metMeanwhile(sending, verdict);
  // The service allows several such resources, so the one that appeared did not cause the refusal, and somebody else may have created it.
  run.claims.delete(verdict.id ?? '');
  const beside = `${verdict.id} appeared after the request, and another run or person may have created that resource`;
  return failedBecause(step, 'refused', `${message}; ${beside}`);
}

/** Reads whether a request without a usable reply was carried out; null if the step is tried again. */
async function settle(sending: Sending, failure: ApiFailure, before: Before): Promise<Sent | null> {
  const { run, step, timing, delivery } = sending;
  const { signals, clock } = run;
  delivery.first ??= before;
  delivery.isLost = true;
  run.reach('settling');
  const evidence = await evidenceFor(sending, before, [ABSENCE_MS]);
  if (evidence.state === 'done') return adopted(evidence.id, before);
  if (evidence.state !== 'send') return notProved(sending, evidence, lostWords(failure));
  const isTooLate = signals.waits.aborted || clock.monotonicMs() >= timing.deadlineMs;
  // A service that replied with an older resource may have changed that resource, so the request is not repeated.
  if (isNotNew(failure) || delivery.sent >= sendsOf(run, step) || isTooLate) {
    const lost = lostWords(failure, delivery.sent > 1 ? ` ${delivery.sent} times in a row` : '');
    const then = 'the next plan shows whether the step was carried out';
    return unknownBecause(`${lost}, and the account does not show the outcome; ${then}`);
  }
  announceRepeat(sending, 'the reply was lost, and two checks show no effect of the request');
  return null;
}

/** Ends the step as `unknown`. Reports each key that appeared meanwhile, because its value is lost if this run created the key. */
function notProved({ run, step }: Sending, evidence: Evidence, why: string): Sent {
  if (evidence.state === 'unclear' && makesCredential(run, step))
    for (const id of evidence.newcomers) tellUnproven(run, step, id);
  return unknownBecause(`${why}: ${'reason' in evidence ? evidence.reason : 'the account does not show the outcome'}`);
}

/** The time after the deadline of the step for checking a lost request: enough for two readings, two seconds apart. */
const LAST_LOOKS_MS = 3000;

/** Looks for evidence that the request took effect, before any other write of the queue; then the step has its turn again. */
async function evidenceFor(
  { run, step, pass, timing }: Sending,
  before: Before,
  pausesMs: readonly number[],
): Promise<Evidence> {
  const { signals, clock } = run;
  const untilMs = Math.max(timing.deadlineMs, clock.monotonicMs()) + LAST_LOOKS_MS;
  return pass.exclusively(signals.requests, async () => {
    const evidence = await findEvidenceBy(untilMs, run, step, before, pausesMs);
    const place = poolOf(step);
    const isOpen = evidence.state !== 'done' && sendsOf(run, step) === 1;
    if (place !== null && isOpen) run.uncertain.add(place);
    return evidence;
  });
}

/** True if the run was stopped, and every request of the step was refused for now or did not reach the service. */
function isCalledOff({ run: { signals }, delivery: { sent } }: Sending): boolean {
  return sent === 0 && signals.admission.aborted;
}

function announceRepeat({ run, step, delivery }: Sending, cause: string, delayMs = 0): void {
  const { id, address, method, path } = step;
  const attempt = delivery.made + 1;
  run.emit({ type: 'retry', step: id, address, method, path, attempt, delayMs, cause });
}
