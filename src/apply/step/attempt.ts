// Tries a step once: waits until one more write may be in flight, reads the live state, waits for the client, notes the intent, and writes.
import { ApiFailure } from '../../client/failure.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/operation.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Timing } from './await-operations.ts';
import { isNotNew, isProvedBy, notNewBy } from '../judge/recognise.ts';
import { shows } from '../judge/decide.ts';
import { heldBy, readAfter, lookAt, type Before, type Look } from '../judge/look.ts';
import { completed } from './resolve-step.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import type { Pass } from '../run/lanes.ts';
import {
  failedBecause,
  kindOf,
  makesCredential,
  recognition,
  refOf,
  remakesSecret,
  targetIdOf,
  unknownBecause,
  type Run,
  type RunInput,
  type StepEnd,
} from '../run/run.ts';

/** A step in its queue, with what is known about its requests. */
export interface Sending {
  readonly run: Run;
  readonly step: Step;
  readonly pass: Pass;
  readonly timing: Timing;
  readonly delivery: Delivery;
}

export interface Delivery {
  /** Monotonic time when the scope may have changed last; only a later reading counts. */
  changedAtMs: number;
  /** The number of requests that reached the service and were not refused for now (423, 429, 503). */
  sent: number;
  /** The number of requests so far, also those that were refused or did not reach the service. */
  made: number;
  /** The number of pauses before repetitions, since the step began or last waited for a busy project. */
  pauses: number;
  /** True if the journal has the intent of the step. */
  isIntended: boolean;
  /** The live state before the first request that may have been carried out without a usable reply; null if there is no such request. */
  first: Before | null;
  /** True if a reply was lost; the lost request may be the cause of a later refusal. */
  isLost: boolean;
  /** True if the service may have carried out a request of the step, and no reading shows that yet. */
  isUnproven: boolean;
  /** The service's time when the first request was sent; null before that. */
  sentAtMs: number | null;
}

/** An attempt that sent nothing, because of the live state (`look`), operations or a guard (`held`). */
export interface Withheld {
  readonly look: Look;
  /** The live state before an earlier request whose effect the log proves; null if there is no such proof. */
  readonly proved: Before | null;
  /** The running operations on the target of the step: one of them may already do the work of the step. */
  readonly underWay: readonly OperationRecord[];
  readonly held: string | null;
}

type Tried =
  | { readonly outcome: WriteOutcome; readonly before: Before }
  | { readonly failure: ApiFailure; readonly before: Before }
  | Withheld;

/** Returns the signal that ends the wait for the next request: `admission` while no request counts as `sent`, later `waits`. */
export function patienceOf({ run: { signals }, delivery: { sent } }: Pick<Sending, 'run' | 'delivery'>): AbortSignal {
  return sent === 0 ? signals.admission : signals.waits;
}

/** The maximum age of the reading for a write; after `MOST_LOOKS` readings any age is accepted, or a slow service would never get a write. */
const OLDEST_READING_MS = 2000;
const MOST_LOOKS = 3;

/** Tries to send the step once, when one more write may be in flight. Rejects with `ApiFailure` after a failed read, or a signal's reason. */
export async function attempt(sending: Sending): Promise<Tried> {
  const { run, step, pass, delivery } = sending;
  const { client, clock, signals, world } = run;
  const { first, isLost, sent } = delivery;
  const signal = sent === 0 ? signals.admission : signals.requests;
  return pass.inSlot(signal, async () => {
    for (let looks = 1; ; looks++) {
      const askedMs = clock.monotonicMs();
      const look = await lookAt(run, step, readAfter(run, step, delivery.changedAtMs), signal);
      const held = isLost ? null : heldBy(run, step, look);
      const proved = first !== null && isProvedBy(run, step, first, look.log) ? first : null;
      const underWay = (look.log ?? []).filter((one) => isBusy(one) && one.resourceId === targetIdOf(step));
      if (held !== null || look.verdict.state !== 'send' || proved !== null || underWay.length > 0)
        return { look, proved, underWay, held };
      const readAtMs = world.readAtMs(step);
      // If this attempt read the lists itself, their age counts from the replies, because the requests had to wait for their turn.
      const lookedMs = readAtMs < askedMs ? readAtMs : clock.monotonicMs();
      await client.turn(signal);
      const isOld = world.readAtMs(step) > readAtMs || clock.monotonicMs() - lookedMs > OLDEST_READING_MS;
      if (isOld && looks < MOST_LOOKS) continue;
      await noteIntent(sending, look);
      // A reading that this step shares with another step ends without an error after a stop, so the stop is checked here.
      signal.throwIfAborted();
      return write(sending, look);
    }
  });
}

/** Writes the intent to the disk before the request; a repeated request has no second intent. */
async function noteIntent({ run, step, delivery }: Sending, { live }: Before): Promise<void> {
  const isSecret = makesCredential(run, step) || remakesSecret(run, step);
  if (delivery.isIntended || !isJournaled(run, step)) return;
  const where = step.expects.joins?.where;
  const known =
    where === undefined ? [] : live.filter(({ spec }) => shows(kindOf(run, step), spec, where)).map(({ id }) => id);
  delivery.isIntended = true;
  await run.journal.intent(step, known.sort(), isSecret);
}

/** True if an intent is written before the request: the step creates or restarts a resource, or makes a new secret. */
export function isJournaled(run: Run, step: Step): boolean {
  return recognition(run, step) !== 'attributes' || remakesSecret(run, step);
}

/** Closes the intent if nothing was done. After an unclear request for a key, the intent stays open, because the key may exist. */
export async function dropIntent({ run, step, delivery }: Sending): Promise<void> {
  const mayBeMade = delivery.first !== null && makesCredential(run, step);
  if (delivery.isIntended && !delivery.isUnproven && !mayBeMade) await run.journal.note(step, 'failed', null);
}

async function write(sending: Sending, before: Before): Promise<Tried> {
  const { run, step, pass, delivery } = sending;
  const { client, runId, signals } = run;
  const { method, path } = step;
  if (delivery.made++ === 0) begin(sending);
  run.reach('intended');
  delivery.isUnproven = true;
  const nowMs = client.serverTime();
  delivery.sentAtMs ??= nowMs;
  try {
    const body = completed(step.body, { nowMs, runId, projectId: step.projectId });
    const options = { signal: signals.requests, deadlineMs: answerBy(sending), hasTurn: true };
    const reply = await client.write(method, path, body, options);
    run.reach('answered');
    pass.accepted();
    const outcome = kindOf(run, step).outcome(step, reply);
    const notNew = outcome && notNewBy(run, step, outcome, { ...before, sentAtMs: delivery.sentAtMs });
    if (notNew !== null) return { failure: notNew, before };
    if (outcome !== null && (!makesCredential(run, step) || isNewSecret(run, outcome))) return { outcome, before };
    return { failure: new ApiFailure('the reply cannot be used', { failureClass: 'unusable', method, path }), before };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return { failure: error, before };
  }
}

/** Reports that the step has begun, and starts its time limit. */
export function begin({ run, step, timing }: Pick<Sending, 'run' | 'step' | 'timing'>): void {
  Object.assign(timing, timingOf(run));
  run.emit({ type: 'apply_start', ...refOf(step), resourceId: targetIdOf(step) });
}

export function timingOf({ clock, stepTimeoutMs, runDeadlineMs }: RunInput): Timing {
  const startedAtMs = clock.monotonicMs();
  return { startedAtMs, deadlineMs: Math.min(startedAtMs + stepTimeoutMs, runDeadlineMs) };
}

/** The time after the deadline of the run for which a reply is still awaited. */
const LAST_ANSWER_MS = 3000;

/** Returns the monotonic time until which a reply is awaited; a reply shortly after the deadline of the run is better than none. */
export function answerBy({ run: { runDeadlineMs }, timing: { deadlineMs } }: Sending): number {
  return deadlineMs < runDeadlineMs ? deadlineMs : runDeadlineMs + LAST_ANSWER_MS;
}

/** True if the reply has a new secret; false also if the reply repeats the credential of this run. */
function isNewSecret({ client }: Pick<Run, 'client'>, { secret }: WriteOutcome): boolean {
  return secret !== null && !client.usesCredential(secret);
}

export function lostWords(failure: ApiFailure, times: string = ''): string {
  return `the reply ${isNotNew(failure) ? 'cannot be used' : `was lost${times}`} (${failure.message})`;
}

/** Returns the end of a step that is not sent again: failed, or unknown after a lost reply, because the lost request may have succeeded. */
export function failedOr({ step, delivery }: Sending, code: string, message: string, hint?: string): StepEnd {
  if (!delivery.isLost) return failedBecause(step, code, message, hint);
  return unknownBecause(`an earlier reply was lost, and the account does not show the outcome: ${message}`);
}

/** Returns a hint for a refusal because of a limit; the message of any other refusal says what to do. */
export function refusalHint({ code }: ApiFailure): string | undefined {
  return code.endsWith('LIMIT_EXCEEDED')
    ? 'A limit of the subscription plan is reached: delete a resource that you do not need, or upgrade the subscription plan.'
    : undefined;
}
