// A step that makes a secret: places reserved, then made, stored, read back, used once; whatever cannot be kept is removed again.
import { unreachable } from '../base/assert.ts';
import { ApiFailure } from '../client/failure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ResourceId } from '../model/desired.ts';
import type { Step } from '../model/plan.ts';
import { judgeBy } from './evidence.ts';
import type { WriteOutcome } from './kind-remote.ts';
import { failedBecause, kindOf, unknownBecause } from './run.ts';
import type { Run, StepEnd } from './run.ts';
import { SinkFailure } from './secrets/sink.ts';
import type { Reservation, SecretSink } from './secrets/sink.ts';
import { sendStep } from './send-step.ts';
import type { Sending } from './send-step.ts';
import { undoSecret } from './undo-secret.ts';

interface Place {
  readonly sink: SecretSink;
  readonly reservation: Reservation;
}

/** Runs the step; its pass is held by the caller. Rejects with `ApiFailure` or a signal's reason when nothing was made. */
export async function runSecretStep(sending: Omit<Sending, 'undo'>): Promise<StepEnd> {
  const { run, step, fate } = sending;
  const reserved = await reserveAll(run, step);
  if ('end' in reserved) return reserved.end;
  const { places } = reserved;
  run.reach('reserved');
  try {
    // What was there before must be known exactly: a newcomer is told from it when the reply is lost.
    const live = await run.world.reread(step, run.signals.requests);
    const verdict = judgeBy(run, step, live);
    if (verdict.state !== 'ready')
      return {
        end: 'stale',
        reason: verdict.state === 'stale' ? verdict.reason : `${verdict.id} has just taken its name`,
      };
    const undo = async (id: ResourceId): Promise<boolean> => undoSecret(run, step, id, null);
    const sent = await sendStep({ ...sending, undo }, live);
    if (sent.state === 'ended') return sent.end;
    if (sent.state === 'adopted') return unknownBecause('it was made, but its secret was lost');
    const { id, secret } = sent.outcome;
    if (id === null || secret === null) return unknownBecause('the reply did not tell what was made');
    run.announceSecret(secret);
    run.claims.add(id);
    const end = await keep(run, step, places, { id, secret, outcome: sent.outcome });
    fate.isOpen = false;
    return end;
  } finally {
    for (const { reservation } of places) await reservation.release();
  }
}

type Reserved = { readonly places: readonly Place[] } | { readonly end: StepEnd };

/** All places or none: before anything is made, each has said that it can take it. */
async function reserveAll(run: Run, step: Step): Promise<Reserved> {
  const places: Place[] = [];
  const sinks = run.openSinks(step);
  if (sinks.length === 0)
    return {
      end: failedBecause(
        step,
        'secret_missing',
        'no place for its secret can be opened; nothing was sent',
        'Declare the programs of exec sinks with --sink NAME=PROGRAM, as for the plan.',
      ),
    };
  for (const sink of sinks) {
    try {
      const state = await sink.check();
      if (state.state === 'broken') throw new SinkFailure(sink.label, state.reason ?? 'it cannot be used');
      places.push({ sink, reservation: await sink.reserve() });
    } catch (error) {
      for (const { reservation } of places) await reservation.release();
      if (!(error instanceof SinkFailure)) throw error;
      return {
        end: failedBecause(step, 'sink_unusable', error.message, 'Nothing was sent. Mend the place and run it again.'),
      };
    }
  }
  return { places };
}

interface Made {
  readonly id: ResourceId;
  readonly secret: Secret;
  readonly outcome: WriteOutcome;
}

async function keep(run: Run, step: Step, places: readonly Place[], made: Made): Promise<StepEnd> {
  const { id, secret, outcome } = made;
  await run.journal.note(step, 'acked', id);
  run.reach('acked');
  const record = { ...(await wholeRecord(run, step, id, outcome.record)), id };
  const stored: Place[] = [];
  for (const place of places) {
    try {
      await place.reservation.store(record, secret);
    } catch (error) {
      if (!(error instanceof SinkFailure)) throw error;
      return discard(run, step, stored, made, `it could not be stored: ${error.message}`);
    }
    stored.push(place);
  }
  run.reach('stored');
  await run.journal.note(step, 'stored', id);
  for (const { sink } of stored) run.emit({ type: 'secret_stored', address: step.address, sink: sink.label });
  const answer = await tryOut(run, step, secret);
  switch (answer) {
    case 'accepted':
      run.reach('proved');
      await run.journal.note(step, 'done', id);
      return { end: 'done', id };
    case 'refused':
      return discard(run, step, stored, made, 'the service refuses it');
    case 'untried':
      return unknownBecause(`${id} is stored, but it could not be tried out`);
    default:
      return unreachable(answer);
  }
}

/** How long a value waits for what the reply left out of its record. */
const RECORD_MS = 5000;

/** The record with what the reply left out, if the list tells it soon: a value never waits long to be stored. */
async function wholeRecord(run: Run, step: Step, id: ResourceId, record: JsonObject): Promise<JsonObject> {
  const { remote } = kindOf(run, step);
  if (remote.recordOf === undefined || !Object.values(record).includes(null)) return record;
  const timer = new AbortController();
  const late = new AbortController();
  const signal = AbortSignal.any([run.signals.requests, late.signal]);
  const giveUp = (): void => late.abort();
  run.clock.sleep(RECORD_MS, timer.signal).then(giveUp, () => undefined);
  try {
    const made = (await run.world.reread(step, signal)).find((live) => live.id === id);
    return made === undefined ? record : { ...record, ...remote.recordOf(made) };
  } catch (error) {
    if (!(error instanceof ApiFailure) && !signal.aborted) throw error;
    return record;
  } finally {
    timer.abort();
  }
}

/** The compensation: places get back what they held, and what was made is removed. */
async function discard(run: Run, step: Step, stored: readonly Place[], made: Made, why: string): Promise<StepEnd> {
  for (const { reservation, sink } of stored)
    await reservation.revert().catch((error: unknown) => {
      const message =
        error instanceof SinkFailure ? error.message : `${sink.label}: what it held before was not put back`;
      run.emit({
        type: 'diagnostic',
        diagnostic: { severity: 'warning', code: 'sink_not_reverted', message, address: step.address },
      });
    });
  const isGone = await undoSecret(run, step, made.id, made.secret);
  const after = isGone ? `${made.id} was removed again` : `and ${made.id} could not be removed`;
  return failedBecause(step, isGone ? 'secret_not_kept' : 'secret_at_risk', `${why}; ${after}`);
}

const TRIES = 3;
const PAUSE_MS = 2000;

/** Uses the new secret once. A service may need a moment to know it. */
async function tryOut(run: Run, step: Step, secret: Secret): Promise<'accepted' | 'refused' | 'untried'> {
  const { remote } = kindOf(run, step);
  if (remote.prove === undefined) return 'accepted';
  let answer: 'refused' | 'untried' = 'untried';
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      if (await remote.prove(run.client, secret, run.signals.requests)) return 'accepted';
      answer = 'refused';
    } catch (error) {
      if (!(error instanceof ApiFailure) && !run.signals.requests.aborted) throw error;
      answer = 'untried';
    }
    if (tries === TRIES || run.signals.requests.aborted) break;
    await run.clock.sleep(PAUSE_MS, run.signals.requests).catch(() => undefined);
  }
  return answer;
}
