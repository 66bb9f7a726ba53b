// Tries to send a step once: waits for a slot and a turn, looks, notes the intent, and writes.
import { ApiFailure } from '../../client/failure.ts';
import type { RetryNotice, Turn } from '../../client/types.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Timing } from './await-operations.ts';
import { isProvedBy, notNewBy } from '../judge/recognise.ts';
import { shows } from '../judge/attributes.ts';
import { heldBy } from '../judge/held.ts';
import { completed } from './resolve-step.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import type { Pass } from '../run/lanes.ts';
import { ageFor, lookAt, type Before, type Look } from '../judge/look.ts';
import { kindOf, laneOf, makesCredential, recognition, remakesSecret, type Run } from '../run/run.ts';

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
  /** The state before the first request whose reply was lost, null if none was: it may be the cause of a later refusal. */
  lost: Before | null;
  /** The service may have carried out the newest request, and no reading shows it yet. */
  isUnproven: boolean;
  /** The state before the first request that the service put off, null if none was: it may have been carried out all the same. */
  putOff: Before | null;
  /** When the first request was sent, by the service's time; null if that is not known. */
  sentAtMs: number | null;
}

/** A try that sent nothing, because of its look or of a guard. */
export interface Withheld {
  readonly look: Look;
  readonly held: string | null;
}

export type Tried =
  | { readonly outcome: WriteOutcome; readonly before: Before }
  | { readonly failure: ApiFailure; readonly before: Before }
  | Withheld;

/** Ends the wait for sending: at a soft stop if no request was sent, else at a hard one. */
export function patienceOf({ run: { use }, delivery: { sent } }: Pick<Sending, 'run' | 'delivery'>): AbortSignal {
  return sent === 0 ? use.signals.admission : use.signals.waits;
}

/** Rejects with `ApiFailure` when the live state cannot be read, or with a signal's reason. */
export async function attempt(sending: Sending): Promise<Tried> {
  const { run, step, delivery } = sending;
  const { lanes, signals } = run.use;
  const waiting = delivery.sent === 0 ? signals.admission : signals.requests;
  return lanes.inSlot(laneOf(run, step), waiting, async () => {
    const seen = await lookInTurn(sending, waiting);
    return seen.turn === null ? seen : write(sending, seen.look.before, seen.turn).finally(() => seen.turn.giveBack());
  });
}

/** The last look before a request, and the turn to send it; no turn if the look or a guard withholds it. */
type Seen = { readonly look: Look } & (
  { readonly turn: Turn; readonly held: null } | { readonly turn: null; readonly held: string | null }
);

/** A write needs a reading that is no older; after so many looks the newest one has to do, because a slow pace is never in time. */
const OLDEST_READING_MS = 2000;
const MOST_LOOKS = 3;

/** Looks, waits for the turn, and notes the intent: only the request is left to do. */
async function lookInTurn(sending: Sending, signal: AbortSignal): Promise<Seen> {
  const { run, step, delivery } = sending;
  const { client, clock, world } = run.use;
  for (let looks = 1; ; looks++) {
    const askedMs = clock.monotonicMs();
    const age = ageFor(run, step, delivery.changedAtMs);
    const look = await lookAt(run, step, age, signal);
    const held = delivery.lost === null ? heldBy(run, step, look) : null;
    if (held !== null || look.verdict.state !== 'send' || look.foreign.length > 0) return { look, held, turn: null };
    const readAtMs = world.readAtMs(step);
    // A reading of this look waited for its own turn first.
    const lookedMs = readAtMs < askedMs ? readAtMs : clock.monotonicMs();
    const turn = await client.turn(signal);
    const isOld = world.readAtMs(step) > readAtMs || clock.monotonicMs() - lookedMs > OLDEST_READING_MS;
    if (isOld && looks < MOST_LOOKS) {
      turn.giveBack();
      continue;
    }
    await noteIntent(sending, look.before);
    // A look that steps share also ends after a stop.
    if (!signal.aborted) return { look, held, turn };
    turn.giveBack();
    await dropIntent(sending);
    signal.throwIfAborted();
  }
}

/** Writes the intent to the disk before the request goes. */
async function noteIntent({ run, step }: Sending, { live }: Before): Promise<void> {
  if (!isJournaled(run, step)) return;
  const { canonical } = kindOf(run, step);
  const where = step.expects.joins?.where;
  const known = where === undefined ? [] : live.filter(({ spec }) => shows(spec, where, canonical)).map(({ id }) => id);
  const isSecret = makesCredential(run, step) || remakesSecret(run, step);
  await run.use.journal.intent(step, known.sort(), isSecret);
}

/** A change that does no harm when it is repeated needs no intent, unless it makes a new secret. */
export function isJournaled(run: Run, step: Step): boolean {
  return recognition(run, step) !== 'attributes' || remakesSecret(run, step);
}

/** Notes that nothing was done. A request for a key that was put off stays open: a key that it made would work, and nobody has it. */
export async function dropIntent({ run, step, delivery: { putOff } }: Sending): Promise<void> {
  const mayBeMade = putOff !== null && makesCredential(run, step);
  if (isJournaled(run, step) && !mayBeMade) await run.use.journal.note(step, 'failed', null);
}

async function write(sending: Sending, first: Before, turn: Turn): Promise<Tried> {
  const { run, step, pass, delivery } = sending;
  const { client, runId, signals, world } = run.use;
  const { remote } = kindOf(run, step);
  const { method, path } = step;
  const turns: Turn[] = [];
  let before = first;
  let withheld: Withheld | null = null;
  const onRetry = (notice: RetryNotice): void => {
    delivery.made++;
    delivery.putOff ??= first;
    run.tell.emit({ type: 'retry', step: step.id, address: step.address, ...notice, attempt: delivery.made });
  };
  const beforeAgain = async (): Promise<Turn | string> => {
    delivery.isUnproven = delivery.lost !== null;
    const seen = await lookBeforeAgain(sending);
    if (typeof seen === 'string') return seen;
    if (seen.turn !== null) turns.push(seen.turn);
    if (seen.turn === null || isProvedBy(run, step, first, seen.look.log)) {
      withheld = seen;
      await dropIntent(sending);
      return 'the request need not or must not be sent again';
    }
    before = seen.look.before;
    delivery.isUnproven = true;
    world.writes(step);
    return seen.turn;
  };
  sending.begin();
  run.tell.reach('intended');
  delivery.isUnproven = true;
  delivery.made++;
  const nowMs = client.serverTime();
  delivery.sentAtMs ??= nowMs;
  world.writes(step);
  try {
    const reply = await client.write(method, path, completed(step.body, { nowMs, runId }), {
      signal: signals.requests,
      deadlineMs: answerBy(sending),
      onRetry,
      patience: patienceOf(sending),
      turn,
      beforeAgain,
    });
    run.tell.reach('answered');
    pass.accepted();
    const outcome = remote.outcome(step, reply);
    const notNew = outcome && notNewBy(run, step, outcome, { ...before, sentAtMs: delivery.sentAtMs });
    if (notNew !== null) return { failure: notNew, before };
    if (outcome !== null && (!makesCredential(run, step) || isNewSecret(run, outcome))) return { outcome, before };
    return { failure: new ApiFailure('the reply cannot be used', { failureClass: 'unusable', method, path }), before };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return withheld ?? { failure: error, before };
  } finally {
    for (const one of turns) one.giveBack();
  }
}

/** Looks again after a pause that the service asked for; text says why there was no look. */
async function lookBeforeAgain(sending: Sending): Promise<Seen | string> {
  const { run, delivery } = sending;
  const patience = patienceOf(sending);
  delivery.changedAtMs = run.use.clock.monotonicMs();
  try {
    return await lookInTurn(sending, patience);
  } catch (error) {
    if (error instanceof ApiFailure) return `the live state could not be read again: ${error.message}`;
    if (patience.aborted) return 'the run was stopped';
    throw error;
  }
}

/** A reply may come this long after the deadline of the run; the looks after a lost reply follow. */
const LAST_ANSWER_MS = 3000;

/** Monotonic; a reply that is a little late for the run is better than none. */
function answerBy({ run: { use }, timing: { deadlineMs } }: Sending): number {
  return deadlineMs < use.runDeadlineMs ? deadlineMs : use.runDeadlineMs + LAST_ANSWER_MS;
}

/** A reply with the credential of the run itself names no new one. */
function isNewSecret({ use: { client } }: Pick<Run, 'use'>, { secret }: WriteOutcome): boolean {
  return secret !== null && !client.usesCredential(secret);
}
