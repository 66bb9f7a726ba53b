// Sends one write so that it is done once: waits while the project is busy, and settles by evidence when a reply is lost.
import { unreachable } from '../../base/assert.ts';
import type { ApiFailure } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { isUnborn } from '../../model/reference.ts';
import { attempt, whoIs, type Withheld, type Sending } from './attempt.ts';
import {
  givenUp,
  isCalledOff,
  isTooLate,
  judgeRefused,
  lookUntil,
  lostWords,
  failedOr,
  patienceOf,
  refusedFor,
  type Attempts,
} from './attempts.ts';
import { logShowsWhy, waitOptions } from './await-operations.ts';
import type { Assessment } from '../judge/assess.ts';
import {
  attributed,
  findEvidenceBy,
  isNotNew,
  isProvedBy,
  judgeAfresh,
  judgeAlone,
  proved,
  type Before,
  type Evidence,
} from '../judge/evidence.ts';
import { notDone } from './intent-note.ts';
import { busyElsewhere, joinForeign } from './joining.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import { REMEDIES, type Remedy } from './remedies.ts';
import {
  DOUBTFUL,
  failedBecause,
  isDoubtful,
  isFenced,
  isNamed,
  kindOf,
  laneOf,
  poolOf,
  refOf,
  remakesSecret,
  satisfiedBy,
  unknownBecause,
  type StepEnd,
} from '../run/run.ts';

const NOTHING_DONE = 'Nothing was done.';
const LATER = 'Run trueup apply again later.';
const NEW_CREDENTIAL = 'Set a valid credential, then run trueup apply again.';

/** `replied`: a usable reply · `adopted`: the reply was lost, and the evidence shows it done · `ended`: nothing more to do. */
export type Sent =
  | { readonly state: 'replied'; readonly outcome: WriteOutcome; readonly before: Before }
  | { readonly state: 'adopted'; readonly id: ResourceId | null; readonly before: Before }
  | { readonly state: 'ended'; readonly end: StepEnd };

/** Sends the step. Rejects with `ApiFailure` when the world cannot be read, or with a signal's reason. */
export async function sendStep(sending: Sending): Promise<Sent> {
  const attempts: Attempts = { sent: 0, made: 0, lost: false, beforeLost: null };
  for (;;) {
    const tried = await attempt(sending, attempts);
    if ('outcome' in tried) return { state: 'replied', ...tried };
    if ('failure' in tried) attempts.sent++;
    const next =
      'failure' in tried
        ? await recover(sending, tried.failure, tried.before, attempts)
        : await afterLook(sending, tried, attempts);
    if (next !== null) return next;
  }
}

/** What comes after a look that kept the step from being sent; null = it may be sent after all. */
async function afterLook(sending: Sending, { look, held, since }: Withheld, attempts: Attempts): Promise<Sent | null> {
  const { run, step, pass, timing, lastChange } = sending;
  // Told to come later, the service has done it all the same, or somebody else has.
  if (since !== null && isProvedBy(run, step, since, look.log)) return adoptTarget(step, since);
  if (look.foreign.length > 0) {
    if (!(await joinForeign(run, step, look.foreign, timing))) return ended(busyElsewhere(step));
    lastChange.endedAtMs = run.use.clock.monotonicMs();
    return null;
  }
  const isSecret = kindOf(run, step).remote.repeat(step) === 'secret';
  const mayBeSiblings = step.expects.state === 'absent' && !isSecret;
  // What a sibling has just put there looks like a stranger, or like what this step was to make.
  const isSure = look.verdict.state === 'ready' || !mayBeSiblings;
  const verdict = isSure ? look.verdict : await judgeAlone(run, step, pass);
  if (isDoubtful(run, step)) return ended(DOUBTFUL);
  switch (verdict.state) {
    case 'stale':
      return ended({ end: 'stale', reason: verdict.reason });
    case 'satisfied':
      if (since !== null && step.expects.state === 'present' && step.action !== 'restart' && step.achieves !== null)
        return adoptTarget(step, since);
      if (isSecret && since === null)
        return ended({ end: 'stale', reason: `${verdict.id ?? 'another resource'} took the name a moment ago` });
      return metMeanwhile(sending, verdict, attempts, since !== null);
    case 'ready':
      if (held !== null) return ended({ end: 'held', reason: held });
      await pass.turnAgain(patienceOf(run, attempts));
      return null;
    default:
      return unreachable(verdict);
  }
}

function adoptTarget({ expects }: Step, before: Before): Sent {
  return { state: 'adopted', id: expects.state === 'present' ? expects.id : null, before };
}

/**
 * What is asked for exists by the time that the step could be sent again. After a lost reply it is ours only if that is proved. After a
 * reply that said to come later (`isLater`) the service may have done what it refused: then a place that takes only one is filled, whoever
 * filled it, and of anything else nobody can tell whose it is.
 */
async function metMeanwhile(
  { run, step, delivery, timing }: Sending,
  verdict: Extract<Assessment, { readonly state: 'satisfied' }>,
  { lost, beforeLost }: Attempts,
  isLater: boolean,
): Promise<Sent> {
  const { id } = verdict;
  if (step.expects.state !== 'absent') return ended(lost ? { end: 'done', id } : satisfiedBy(verdict));
  if (lost && beforeLost !== null) {
    if (isNamed(run, step)) return { state: 'adopted', id, before: beforeLost };
    const evidence = await proved(run, step, { before: beforeLost, sinceMs: delivery.sentAtMs, timing }, verdict);
    if (evidence.state === 'found') return { state: 'adopted', id: evidence.id, before: beforeLost };
    return ended(unknownBecause(`the reply was lost: ${'reason' in evidence ? evidence.reason : 'no list shows it'}`));
  }
  if (!isLater) return ended(satisfiedBy(verdict));
  const came = `the service asked for a later retry, and ${id ?? 'another resource'} appeared since then`;
  if (isFenced(run, step)) return ended(satisfiedBy({ reason: `${came}, perhaps by another run`, ...verdict }));
  const place = poolOf(step);
  if (place !== null) run.known.uncertain.add(place);
  return ended(unknownBecause(`${came}: the service may have carried out the refused request`));
}

/** What comes after a failure; null = send it again. */
async function recover(
  sending: Sending,
  failure: ApiFailure,
  before: Before,
  attempts: Attempts,
): Promise<Sent | null> {
  const { run, step } = sending;
  const remedy: Remedy = REMEDIES[kindOf(run, step).remote.repeat(step)][failure.failureClass];
  // Of an earlier request whose reply was lost nothing but belief tells that it was not done.
  sending.delivery.isUnproven = remedy.act === 'settle' || attempts.lost;
  if (remedy.act === 'wait') sending.delivery.repeats++;
  // What a later run finds in its place was made by somebody else.
  if (!sending.delivery.isUnproven && (step.expects.state === 'absent' || remakesSecret(run, step)))
    await run.use.journal.note(step, notDone(run, step, failure.failureClass), null);
  if (remedy.act === 'fail' || remedy.act === 'wait') attempts.sent--;
  switch (remedy.act) {
    case 'fail':
      if (isCalledOff(run, attempts)) return ended({ end: 'not_started' });
      return ended(failedOr(attempts, step, 'not_sent', failure.message, `${NOTHING_DONE} Run trueup apply again.`));
    case 'wait':
      return waitUntilQuiet(sending, failure, before, attempts);
    case 'judge':
      return judgeRefusal(sending, failure, before, attempts);
    case 'settle':
      return settle(sending, remedy, failure, before, attempts);
    default:
      return unreachable(remedy);
  }
}

/** Nothing was done. Busy (423): waits for the project's operations, looks again, and sends again. Else the client has waited already. */
async function waitUntilQuiet(
  sending: Sending,
  failure: ApiFailure,
  before: Before,
  attempts: Attempts,
): Promise<Sent | null> {
  const { run, step, pass, timing } = sending;
  if (isCalledOff(run, attempts)) return ended({ end: 'not_started' });
  if (failure.status !== 423 || step.projectId === null || isUnborn({ projectId: step.projectId }))
    return ended(failedOr(attempts, step, 'come_later', failure.message, `${NOTHING_DONE} ${LATER}`));
  run.tell.emit({
    type: 'apply_progress',
    ...refOf(step),
    elapsedMs: run.use.clock.monotonicMs() - timing.startedAtMs,
    operation: null,
    progress: run.tell.progress(),
    waitingFor: 'other operations of the project',
  });
  pass.refusedAsBusy();
  await logShowsWhy(run, { step, before, timing });
  const queuedAtMs = run.use.clock.monotonicMs();
  const patience = patienceOf(run, attempts);
  await pass.turnAgain(patience);
  // Its own time does not run while others have their turn.
  timing.deadlineMs = Math.min(timing.deadlineMs + run.use.clock.monotonicMs() - queuedAtMs, run.use.runDeadlineMs);
  const isQuiet = await run.use.waiter.quiet(step.projectId, {
    ...waitOptions(run, step, timing, true),
    signal: patience,
  });
  if (!isQuiet || run.use.clock.monotonicMs() >= timing.deadlineMs) {
    const why = `the project was busy until the deadline: ${failure.message}`;
    return ended(failedOr(attempts, step, 'busy', why, `${NOTHING_DONE} ${LATER}`));
  }
  sending.lastChange.endedAtMs = queuedAtMs;
  const verdict = await judgeAfresh(run, step);
  if (isDoubtful(run, step)) return ended(DOUBTFUL);
  if (verdict.state === 'stale') return ended({ end: 'stale', reason: verdict.reason });
  if (verdict.state === 'ready') {
    if (isCalledOff(run, attempts)) return ended({ end: 'not_started' });
    const held = attempts.lost ? null : run.use.heldBy(step);
    if (held !== null) return ended({ end: 'held', reason: held });
    announceRepeat(sending, attempts, failure.message);
    return null;
  }
  return metMeanwhile(sending, verdict, attempts, true);
}

/** Refused for good. The live world tells whether it was so already, has changed since the plan, or is a true refusal. */
async function judgeRefusal(sending: Sending, failure: ApiFailure, before: Before, attempts: Attempts): Promise<Sent> {
  const { run, step, delivery } = sending;
  if (failure.status === 401) {
    run.tell.halt('unauthorized');
    return ended(failedOr(attempts, step, 'unauthorized', failure.message, NEW_CREDENTIAL));
  }
  const refused = (isSettled: boolean): Sent => ended(refusedFor(run, step, attempts, { failure, isSettled }));
  if (kindOf(run, step).remote.repeat(step) === 'secret') return refused(true);
  const { verdict, isSettled } = await judgeRefused(sending, attempts);
  if (verdict.state === 'ready') return refused(isSettled);
  if (verdict.state === 'stale') return ended({ end: 'stale', reason: `${verdict.reason} (${failure.message})` });
  if (step.expects.state !== 'absent')
    return attempts.lost ? { state: 'adopted', id: verdict.id, before } : ended(satisfiedBy(verdict));
  if (attempts.lost || isFenced(run, step)) return metMeanwhile(sending, verdict, attempts, delivery.repeats > 0);
  // Nothing keeps a second one out: what stands there is somebody else's, and this one was refused.
  if (verdict.id !== null) run.known.claims.delete(verdict.id);
  const beside = `${verdict.id ?? 'another resource'} appeared after the request, and another run or person may have created that resource`;
  return ended(failedBecause(step, 'refused', `${failure.message}; ${beside}`));
}

async function settle(
  sending: Sending,
  remedy: Extract<Remedy, { readonly act: 'settle' }>,
  failure: ApiFailure,
  before: Before,
  attempts: Attempts,
): Promise<Sent | null> {
  const { run, step, pass, timing } = sending;
  attempts.lost = true;
  attempts.beforeLost ??= before;
  run.tell.reach('settling');
  const request = { before, sinceMs: sending.delivery.sentAtMs, timing };
  const place = poolOf(step);
  if (place !== null) run.known.lost.set(place, new Set([...(run.known.lost.get(place) ?? []), step.id]));
  // First in line before the place is given back: nobody writes between the request and the look for its traces.
  const looking = run.use.lanes.exclusively(laneOf(run, step), run.use.signals.requests, async () => {
    const found = attributed(run, step, await findEvidenceBy(lookUntil(run, timing), run, step, request));
    if (place === null) return found;
    if (found.state === 'found') run.known.lost.get(place)?.delete(step.id);
    else if (remedy.absent === 'unknown') run.known.uncertain.add(place);
    return found;
  });
  pass.leave();
  const evidence = await looking;
  if (evidence.state === 'found') return { state: 'adopted', id: evidence.id, before };
  if (evidence.state !== 'absent') return ended(unproven(remedy, failure, evidence));
  // A service that answers with what was there before may have changed that: it is not asked again.
  const maySend =
    !isNotNew(failure) && remedy.absent === 'send_again' && attempts.sent < remedy.sends && !isTooLate(run, timing);
  // Until it is sent again or given up, its absence is a belief.
  sending.delivery.isUnproven = true;
  await run.use.journal.note(step, 'lost', null);
  if (!maySend) return ended(givenUp(failure, attempts.sent));
  announceRepeat(sending, attempts, 'the reply was lost, and two checks show no effect of the request');
  await pass.turnAgain(run.use.signals.waits);
  return null;
}

/** Says that the request is sent once more, as soon as it is its turn. */
function announceRepeat({ run, step }: Sending, attempts: Attempts, cause: string): void {
  const { method, path } = step;
  run.tell.emit({ type: 'retry', ...whoIs(step), method, path, attempt: attempts.made + 1, delayMs: 0, cause });
}

/** A place that somebody else holds is stale; a pool with a stranger leaves the outcome open. */
function unproven(
  remedy: Extract<Remedy, { readonly act: 'settle' }>,
  failure: ApiFailure,
  evidence: Extract<Evidence, { readonly reason: string }>,
): StepEnd {
  if (evidence.state === 'stale' && remedy.absent === 'send_again') return { end: 'stale', reason: evidence.reason };
  return unknownBecause(`${lostWords(failure)}: ${evidence.reason}`);
}

function ended(end: StepEnd): Sent {
  return { state: 'ended', end };
}
