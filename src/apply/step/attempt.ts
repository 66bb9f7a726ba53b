// One try to send a step: waits for a slot and a turn, judges the step by the last look, and writes.
import { ApiFailure } from '../../client/failure.ts';
import type { RetryNotice, Turn } from '../../client/types.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { answerBy, patienceOf, type Attempts, type Delivery } from './attempts.ts';
import type { Timing } from './await-operations.ts';
import { isProvedBy, notNewBy, type Before } from '../judge/evidence.ts';
import { IntentNote } from './intent-note.ts';
import { completed } from './resolve-step.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import type { Pass } from '../run/lanes.ts';
import { keptInUse } from '../judge/in-use.ts';
import { ageFor, lookAt, type Look } from '../judge/look.ts';
import { kindOf, laneOf, type Run } from '../run/run.ts';

/** When the last thing ended that could have changed the scope of a step, monotonic: only a reading that began after it counts. */
export interface LastChange {
  endedAtMs: number;
}

/** One step on its way through its lane, with what is known of it so far. */
export interface Sending {
  readonly run: Run;
  readonly step: Step;
  readonly pass: Pass;
  readonly timing: Timing;
  readonly delivery: Delivery;
  readonly lastChange: LastChange;
  /** Says, the first time, that the step has begun: its time runs from here. */
  readonly begin: () => void;
}

/** A try that sent nothing: its look, or a guard, keeps the step from being sent. */
export interface Withheld {
  readonly look: Look;
  readonly held: string | null;
  /** What was known before a request of this try that was told to come later; null when none was made. */
  readonly since: Before | null;
}

export type Tried =
  | { readonly outcome: WriteOutcome; readonly before: Before }
  | { readonly failure: ApiFailure; readonly before: Before }
  | Withheld;

/** Rejects with `ApiFailure` when the world cannot be read, or with a signal's reason. */
export async function attempt(sending: Sending, attempts: Attempts): Promise<Tried> {
  const { run, step, delivery } = sending;
  const { lanes, signals } = run.use;
  const waiting = attempts.sent === 0 ? patienceOf(run, attempts) : signals.requests;
  const intent = new IntentNote(run, step);
  try {
    return await lanes.inSlot(laneOf(run, step), waiting, async () => {
      const seen = await lookInTurn(sending, intent, attempts, waiting);
      if (seen.turn === null) return { ...seen, since: null };
      try {
        return await write(sending, { intent, turn: seen.turn, before: seen.look.before }, attempts);
      } finally {
        seen.turn.giveBack();
      }
    });
  } catch (error) {
    if (!delivery.isUnproven) await intent.drop();
    throw error;
  }
}

/** What was seen of a step right before it is sent, and the turn by which it is; null where the look or a guard keeps it from that. */
interface Seen {
  readonly look: Look;
  readonly held: string | null;
  readonly turn: Turn | null;
}

/** A write goes by the newest reading, which is no older than this; not for ever, for there are budgets that are never in time. */
const OLDEST_READING_MS = 2000;
const MOST_LOOKS = 3;

/** Looks, waits for the turn, and notes the intent, so that nothing but the request is left to do. */
async function lookInTurn(
  sending: Sending,
  intent: IntentNote,
  attempts: Attempts,
  signal: AbortSignal,
): Promise<Seen> {
  const { run, step, lastChange } = sending;
  const { client, clock, world } = run.use;
  for (let looks = 1; ; looks++) {
    const askedMs = clock.monotonicMs();
    const look = await lookAt(run, step, ageFor(run, step, lastChange.endedAtMs), signal);
    const guard = attempts.lost ? null : heldBack(sending, signal);
    const held = guard instanceof Promise ? await guard : guard;
    if (held !== null || !isReady(look)) return { look, held, turn: null };
    const readAtMs = world.readAtMs(step);
    // A reading that this look made had to wait for its own turn first.
    const lookedMs = readAtMs < askedMs ? readAtMs : clock.monotonicMs();
    const turn = await client.turn(signal);
    const isOld = world.readAtMs(step) > readAtMs || clock.monotonicMs() - lookedMs > OLDEST_READING_MS;
    if (isOld && looks < MOST_LOOKS) {
      turn.giveBack();
      continue;
    }
    try {
      await intent.note(look.before.known);
      // A look that others share comes all the same, after a stop too.
      signal.throwIfAborted();
      return { look, held, turn };
    } catch (error) {
      turn.giveBack();
      throw error;
    }
  }
}

function isReady({ verdict, foreign }: Look): boolean {
  return verdict.state === 'ready' && foreign.length === 0;
}

interface Readied {
  readonly intent: IntentNote;
  readonly turn: Turn;
  readonly before: Before;
}

async function write(sending: Sending, { intent, turn, before: first }: Readied, attempts: Attempts): Promise<Tried> {
  const { run, step, pass, timing, delivery } = sending;
  const { remote } = kindOf(run, step);
  let before = first;
  let withheld: Withheld | null = null;
  const repeated: Turn[] = [];
  sending.begin();
  run.tell.reach('intended');
  intent.sent();
  delivery.isUnproven = true;
  attempts.made++;
  const nowMs = run.use.client.serverTime();
  delivery.sentAtMs ??= nowMs;
  delivery.listed ??= first.listed;
  const onRetry = (notice: RetryNotice): void => {
    attempts.made++;
    delivery.repeats++;
    run.tell.emit({ type: 'retry', ...whoIs(step), ...notice, attempt: attempts.made });
  };
  const beforeAgain = async (): Promise<Turn | string> => {
    delivery.isUnproven = attempts.lost;
    const looked = await lookBeforeAgain(sending, intent, attempts);
    if (typeof looked === 'string') return looked;
    const again = looked.turn;
    if (again !== null) repeated.push(again);
    if (again === null || isProvedBy(run, step, first, looked.look.log)) {
      withheld = { ...looked, since: first };
      await intent.drop();
      return 'the request need not or must not be sent again';
    }
    before = looked.look.before;
    delivery.isUnproven = true;
    run.use.world.writes(step);
    return again;
  };
  const { method, path } = step;
  run.use.world.writes(step);
  try {
    const body = completed(step.body, { nowMs, runId: run.use.runId });
    const reply = await run.use.client.write(method, path, body, {
      signal: run.use.signals.requests,
      deadlineMs: answerBy(run, timing),
      onRetry,
      patience: patienceOf(run, attempts),
      turn,
      beforeAgain,
    });
    run.tell.reach('answered');
    pass.accepted();
    const outcome = remote.outcome(step, reply);
    const told = outcome === null ? null : { ...outcome, sentAtMs: delivery.sentAtMs };
    const notNew = told === null ? null : notNewBy(run, step, told, before);
    if (notNew !== null) return { failure: notNew, before };
    if (outcome !== null && (remote.repeat(step) !== 'secret' || isNewSecret(run, outcome))) return { outcome, before };
    return { failure: new ApiFailure('the reply cannot be used', { failureClass: 'unusable', method, path }), before };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return withheld ?? { failure: error, before };
  } finally {
    for (const one of repeated) one.giveBack();
  }
}

/** What a look shows after a pause that the service asked for: anything may have changed meanwhile. In words, why there was none. */
async function lookBeforeAgain(sending: Sending, intent: IntentNote, attempts: Attempts): Promise<Seen | string> {
  const { run, lastChange } = sending;
  const patience = patienceOf(run, attempts);
  lastChange.endedAtMs = run.use.clock.monotonicMs();
  try {
    return await lookInTurn(sending, intent, attempts, patience);
  } catch (error) {
    if (error instanceof ApiFailure) return `the live state could not be read again: ${error.message}`;
    if (patience.aborted) return 'the run was stopped';
    throw error;
  }
}

/** What keeps the step from being sent now, in words: a guard of the files, or its use. */
function heldBack({ run, step, lastChange }: Sending, signal: AbortSignal): Promise<string | null> | string | null {
  return run.use.heldBy(step) ?? keptInUse(run, step, ageFor(run, step, lastChange.endedAtMs), signal);
}

export function whoIs({ id, address }: Step): { readonly step: Step['id']; readonly address: Step['address'] } {
  return { step: id, address };
}

/** What the run itself comes with is nothing that a request has just made, whatever id goes with it. */
function isNewSecret({ use: { client } }: Pick<Run, 'use'>, { secret }: WriteOutcome): boolean {
  return secret !== null && !client.usesCredential(secret);
}
