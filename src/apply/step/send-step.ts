// Sends a write so that it takes effect once: waits for a busy project, and finds the effect of a lost reply by reading.
import { unreachable } from '../../base/assert.ts';
import type { ApiFailure } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import { isUnborn } from '../../model/reference.ts';
import {
  answerBy,
  attempt,
  dropIntent,
  failedOr,
  lostWords,
  patienceOf,
  refusalHint,
  underWayOn,
  type Sending,
  type Withheld,
} from './attempt.ts';
import { tellWait, waitOptions } from './await-operations.ts';
import { lookNow, type Before } from '../judge/look.ts';
import { findEvidence, isNotNew, isUnique, sendsOf } from '../judge/recognise.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { ABSENCE_MS } from '../journal/entries.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import { failedBecause, makesCredential, satisfiedBy, staleBecause, unknownBecause, type StepEnd } from '../run/run.ts';
import { tellUnproven } from '../secret/sinks.ts';

const AGAIN = 'Nothing was done. Run trueup apply again.';
const LATER = 'Nothing was done. Run trueup apply again later.';

/** `replied`: a usable reply · `adopted`: no usable reply, but the live state shows the effect · `ended`: the step is over. */
export type Sent =
  | { readonly state: 'replied' | 'adopted'; readonly outcome: WriteOutcome }
  | { readonly state: 'ended'; readonly end: StepEnd };

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
async function afterLook(sending: Sending, { look, held }: Withheld): Promise<Sent | null> {
  const { step, delivery } = sending;
  const { first } = delivery;
  const { verdict } = look;
  switch (verdict.state) {
    case 'changed':
      return ended(staleBecause(step, verdict.reason));
    case 'done':
      return first === null ? ended(satisfiedBy(verdict)) : adopted(verdict.id);
    case 'send':
      return held === null ? waitForOthers(sending, look) : ended({ end: 'skipped', reason: held, isHeld: true });
    default:
      return unreachable(verdict);
  }
}

/** Waits for operations on the target that this run did not start; null if the step is tried again. */
async function waitForOthers({ run, step, timing, delivery }: Sending, look: Before): Promise<Sent | null> {
  const { clock, signals, waiter } = run;
  const options = { ...waitOptions(run, step, timing, true), signal: signals.admission };
  const { end } = await waiter.settled(underWayOn(step, look), options);
  const why = 'an operation that this run did not start was still running at the deadline';
  if (end === 'timed_out') return ended(failedBecause(step, 'busy', why));
  delivery.changedAtMs = clock.monotonicMs();
  return null;
}

/** An effect without a usable reply; a null `id` means the target of the step. */
function adopted(id: ResourceId | null): Sent {
  return { state: 'adopted', outcome: { id, operations: null, secret: null, record: {} } };
}

/** Handles a failed request; null if the step is tried again. */
async function recover(sending: Sending, failure: ApiFailure, before: Before): Promise<Sent | null> {
  const { failureClass } = failure;
  if (failureClass === 'not_sent' || failureClass === 'come_later') return sendLater(sending, failure);
  sending.delivery.sent++;
  return failureClass === 'refused' ? judgeRefusal(sending, failure) : settle(sending, failure, before);
}

/** Waits as long as the service or the network needs; null if the step is tried again. */
async function sendLater(sending: Sending, failure: ApiFailure): Promise<Sent | null> {
  const { run, step, delivery } = sending;
  const { failureClass, status } = failure;
  const { projectId } = step;
  if (status === 423 && projectId !== null && !isUnborn({ projectId }))
    return waitUntilQuiet(sending, projectId, failure);
  const why = await run.client.pauseAfter(failure, ++delivery.pauses, {
    signal: patienceOf(sending),
    deadlineMs: answerBy(sending),
    onRetry: ({ delayMs, cause }) => announceRepeat(sending, cause, delayMs),
  });
  delivery.changedAtMs = run.clock.monotonicMs();
  if (why === null) return null;
  if (isCalledOff(sending)) return ended({ end: 'not_started' });
  const words = why === '' ? failure.message : `${failure.message}; ${why}`;
  if (failureClass === 'not_sent') return ended(failedOr(delivery, step, 'not_sent', words, AGAIN));
  return ended(failedOr(delivery, step, 'come_later', words, LATER));
}

/** Waits until a busy project has no open operations; null if the step is tried again. */
async function waitUntilQuiet(sending: Sending, projectId: string, failure: ApiFailure): Promise<Sent | null> {
  const { run, step, pass, timing, delivery } = sending;
  const { clock, waiter, runDeadlineMs } = run;
  if (isCalledOff(sending)) return ended({ end: 'not_started' });
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
    return ended(failedOr(delivery, step, 'busy', why, LATER));
  }
  delivery.changedAtMs = queuedAtMs;
  delivery.pauses = 0;
  if (isCalledOff(sending)) return ended({ end: 'not_started' });
  announceRepeat(sending, failure.message);
  return null;
}

/** Reads whether a refused step was already satisfied, is stale, or stays refused. */
async function judgeRefusal(sending: Sending, failure: ApiFailure): Promise<Sent> {
  const { run, step, delivery } = sending;
  const { first } = delivery;
  const { message } = failure;
  if (failure.status === 401) {
    run.halt('unauthorized');
    return ended(
      failedOr(delivery, step, 'unauthorized', message, 'Set a valid credential, then run trueup apply again.'),
    );
  }
  const refused = ended(failedOr(delivery, step, 'refused', message, refusalHint(failure)));
  if (first !== null) {
    // The request whose reply was lost may be the cause of the refusal.
    const evidence = await findEvidence(run, step, first, LAG_PAUSES_MS);
    return evidence.state === 'done' ? adopted(evidence.id) : refused;
  }
  // If the service allows several such resources, one that appeared did not cause the refusal.
  if (step.expects.state === 'absent' && !isUnique(run, step)) return refused;
  const { verdict } = await lookNow(run, step);
  if (verdict.state === 'changed') return ended(staleBecause(step, `${verdict.reason} (${message})`));
  return verdict.state === 'done' ? ended(satisfiedBy(verdict)) : refused;
}

/** Reads whether a request without a usable reply was carried out; null if the step is tried again. */
async function settle(sending: Sending, failure: ApiFailure, before: Before): Promise<Sent | null> {
  const { run, step, timing, delivery } = sending;
  const { signals, clock } = run;
  delivery.first ??= before;
  run.reach('settling');
  const evidence = await findEvidence(run, step, before, [ABSENCE_MS]);
  if (evidence.state === 'done') return adopted(evidence.id);
  if (evidence.state === 'changed') return ended(staleBecause(step, evidence.reason));
  if (evidence.state === 'unclear') {
    // The value of a key that appeared is lost if this run created the key.
    if (makesCredential(run, step)) for (const id of evidence.newcomers) tellUnproven(run, step, id);
    return ended(unknownBecause(`${lostWords(failure)}: ${evidence.reason}`));
  }
  const isTooLate = signals.waits.aborted || clock.monotonicMs() >= timing.deadlineMs;
  // A service that replied with an older resource may have changed that resource, so the request is not repeated.
  if (isNotNew(failure) || delivery.sent >= sendsOf(run, step) || isTooLate) {
    const lost = lostWords(failure, delivery.sent > 1 ? ` ${delivery.sent} times in a row` : '');
    const then = 'the next plan shows whether the step was carried out';
    return ended(unknownBecause(`${lost}, and the account does not show the outcome; ${then}`));
  }
  announceRepeat(sending, 'the reply was lost, and two checks show no effect of the request');
  return null;
}

/** True if the run was stopped and no request of the step can have been carried out. */
function isCalledOff({ run: { signals }, delivery: { sent } }: Sending): boolean {
  return sent === 0 && signals.admission.aborted;
}

function announceRepeat({ run, step, delivery }: Sending, cause: string, delayMs: number = 0): void {
  const { id, address, method, path } = step;
  const attempt = delivery.made + 1;
  run.emit({ type: 'retry', step: id, address, method, path, attempt, delayMs, cause });
}

function ended(end: StepEnd): Sent {
  return { state: 'ended', end };
}
