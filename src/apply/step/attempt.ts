// Tries to send a step once: waits for a slot and a turn, looks, notes the intent, and writes.
import { ApiFailure } from '../../client/failure.ts';
import type { Turn } from '../../client/types.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Timing } from './await-operations.ts';
import { comparing } from '../../plan/diff/difference.ts';
import { isProvedBy, notNewBy } from '../judge/recognise.ts';
import { shows } from '../judge/attributes.ts';
import { heldBy } from '../judge/held.ts';
import { completed } from './resolve-step.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import type { Pass } from '../run/lanes.ts';
import { ageFor, lookAt, type Before, type Look } from '../judge/look.ts';
import { kindOf, laneOf, makesCredential, recognition, remakesSecret, targetIdOf, type Run } from '../run/run.ts';

/** A step in its queue, with the state of its requests. */
export interface Sending {
  readonly run: Run;
  readonly step: Step;
  readonly pass: Pass;
  readonly timing: Timing;
  readonly delivery: Delivery;
  /** Reports once that the step has begun: its time starts then. */
  readonly begin: () => void;
}

export interface Delivery {
  /** When the scope may have changed last, monotonic: only a later reading counts. */
  changedAtMs: number;
  /** The number of requests that the service may have carried out. */
  sent: number;
  /** The number of all requests. */
  made: number;
  /** The number of pauses in a row. */
  pauses: number;
  /** The journal has the intent. */
  isIntended: boolean;
  /** The state before the first request that may have been carried out: its reply was lost, or the service put it off; null if there is none. */
  first: Before | null;
  /** A reply was lost: that request may be the cause of a later refusal. */
  isLost: boolean;
  /** The service may have carried out the newest request, and no reading shows it yet. */
  isUnproven: boolean;
  /** When the first request was sent, by the service's time; null if that is not known. */
  sentAtMs: number | null;
}

/** A try that sent nothing, because of its look or of a guard. */
export interface Withheld {
  readonly look: Look;
  readonly held: string | null;
}

type Tried =
  | { readonly outcome: WriteOutcome; readonly before: Before }
  | { readonly failure: ApiFailure; readonly before: Before }
  | Withheld;

/** Ends the wait for sending: at a soft stop if no request was sent, else at a hard one. */
export function patienceOf({ run: { use }, delivery: { sent } }: Pick<Sending, 'run' | 'delivery'>): AbortSignal {
  return sent === 0 ? use.signals.admission : use.signals.waits;
}

/** A write needs a reading that is no older; after so many looks the newest one has to do, because a slow pace is never in time. */
const OLDEST_READING_MS = 2000;
const MOST_LOOKS = 3;

/** Looks, waits for the turn, notes the intent and writes. Rejects with `ApiFailure` if the live state cannot be read, or with a signal's reason. */
export async function attempt(sending: Sending): Promise<Tried> {
  const { run, step, delivery } = sending;
  const { client, clock, lanes, signals, world } = run.use;
  const { first, isLost, sent } = delivery;
  const signal = sent === 0 ? signals.admission : signals.requests;
  return lanes.inSlot(laneOf(run, step), signal, async () => {
    for (let looks = 1; ; looks++) {
      const askedMs = clock.monotonicMs();
      const look = await lookAt(run, step, ageFor(run, step, delivery.changedAtMs), signal);
      const held = isLost ? null : heldBy(run, step, look);
      const isDone = look.verdict.state !== 'send' || (first !== null && isProvedBy(run, step, first, look.log));
      if (held !== null || isDone || underWayOn(step, look).length > 0) return { look, held };
      const readAtMs = world.readAtMs(step);
      // A reading of this look waited for its own turn first.
      const lookedMs = readAtMs < askedMs ? readAtMs : clock.monotonicMs();
      const turn = await client.turn(signal);
      try {
        const isOld = world.readAtMs(step) > readAtMs || clock.monotonicMs() - lookedMs > OLDEST_READING_MS;
        if (isOld && looks < MOST_LOOKS) continue;
        await noteIntent(sending, look);
        // A look that steps share also ends after a stop.
        signal.throwIfAborted();
        return await write(sending, look, turn);
      } finally {
        turn.giveBack();
      }
    }
  });
}

/** The operations under way on the target of a step that only the log shows: one of them may make the step needless. */
export function underWayOn(step: Step, { log }: Before): readonly OperationRecord[] {
  return (log ?? []).filter((operation) => isBusy(operation) && operation.resourceId === targetIdOf(step));
}

/** Writes the intent to the disk before the request goes. A request that is sent again has one intent. */
async function noteIntent({ run, step, delivery }: Sending, { live }: Before): Promise<void> {
  const isSecret = makesCredential(run, step) || remakesSecret(run, step);
  if (delivery.isIntended || !isJournaled(run, step)) return;
  const canonical = comparing(kindOf(run, step));
  const where = step.expects.joins?.where;
  const known = where === undefined ? [] : live.filter(({ spec }) => shows(spec, where, canonical)).map(({ id }) => id);
  delivery.isIntended = true;
  await run.use.journal.intent(step, known.sort(), isSecret);
}

/** A change that does no harm when it is repeated needs no intent, unless it makes a new secret. */
export function isJournaled(run: Run, step: Step): boolean {
  return recognition(run, step) !== 'attributes' || remakesSecret(run, step);
}

/** Notes that nothing was done. A request for a key that was put off stays open: a key that it made would work, and nobody has it. */
export async function dropIntent({ run, step, delivery }: Sending): Promise<void> {
  const mayBeMade = delivery.first !== null && makesCredential(run, step);
  const isDropped = delivery.isIntended && !delivery.isUnproven && !mayBeMade;
  if (isDropped) await run.use.journal.note(step, 'failed', null);
}

async function write(sending: Sending, before: Before, turn: Turn): Promise<Tried> {
  const { run, step, pass, delivery } = sending;
  const { client, runId, signals, world } = run.use;
  const { method, path } = step;
  sending.begin();
  run.tell.reach('intended');
  delivery.isUnproven = true;
  delivery.made++;
  const nowMs = client.serverTime();
  delivery.sentAtMs ??= nowMs;
  world.writes(step);
  try {
    const body = completed(step.body, { nowMs, runId, projectId: step.projectId });
    const options = { signal: signals.requests, deadlineMs: answerBy(sending), turn };
    const reply = await client.write(method, path, body, options);
    run.tell.reach('answered');
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

/** A reply may come this long after the deadline of the run; the looks after a lost reply follow. */
const LAST_ANSWER_MS = 3000;

/** Monotonic; a reply that is a little late for the run is better than none. */
export function answerBy({ run: { use }, timing: { deadlineMs } }: Sending): number {
  return deadlineMs < use.runDeadlineMs ? deadlineMs : use.runDeadlineMs + LAST_ANSWER_MS;
}

/** A reply with the credential of the run itself names no new one. */
function isNewSecret({ use: { client } }: Pick<Run, 'use'>, { secret }: WriteOutcome): boolean {
  return secret !== null && !client.usesCredential(secret);
}
