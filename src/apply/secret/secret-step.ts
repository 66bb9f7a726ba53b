// A step that makes a secret: places reserved, then made, stored, read back, used once; whatever cannot be kept is discarded.
import { picked } from '../../base/picked.ts';
import { unreachable } from '../../base/assert.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import { isExpected } from '../../client/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { discardSecret, type Made } from './discard-secret.ts';
import { tellSecret } from './undo-secret.ts';
import { kindOf, unknownBecause, type Run, type StepEnd } from '../run/run.ts';
import { valueProblem, type Secrets } from '../sinks/record.ts';
import { SinkFailure } from '../sinks/sink.ts';
import { releaseAll, reserveAll, storedIn, unreserved, type Place } from './reserve.ts';
import { sendStep } from '../step/send-step.ts';
import type { Sending } from '../step/attempt.ts';
import { storeTime } from './store-all.ts';
import { RECORD_WAIT_MS, SECRET_PAUSE_MS } from '../../model/operations/timing.ts';

/** Runs the step; its pass is held by the caller. Rejects with `ApiFailure` or a signal's reason when nothing was made. */
export async function runSecretStep(sending: Sending): Promise<StepEnd> {
  const { run, step, delivery } = sending;
  const reserved = await reserveAll(run.use.openSinks(step), run.use.signals.admission);
  if ('problem' in reserved) return unreserved(step, reserved);
  const { places } = reserved;
  run.tell.reach('reserved');
  try {
    const sent = await sendStep(sending);
    if (sent.state === 'ended') return sent.end;
    if (sent.state === 'adopted') return unknownBecause('the resource was created, but its secret was lost');
    const { id, secret } = sent.outcome;
    if (id === null || secret === null) return unknownBecause('the reply did not show the id of the new resource');
    run.known.claims.add(id);
    const end = await keepOrDiscard(sending, places, {
      id,
      secret,
      record: sent.outcome.record,
      madeAtMs: sent.outcome.madeAtMs ?? null,
    });
    delivery.isUnproven = false;
    return end;
  } finally {
    await releaseAll(places);
  }
}

async function keepOrDiscard(
  { run, step, timing }: Pick<Sending, 'run' | 'step' | 'timing'>,
  places: readonly Place[],
  made: Made,
): Promise<StepEnd> {
  const { id, secret } = made;
  tellSecret(run, step, id, 'open');
  await run.use.journal.note(step, 'acked', id, made.madeAtMs);
  run.tell.reach('acked');
  const problem = valueProblem(secret);
  if (problem !== null) return discardSecret(run, step, [], made, `the new secret cannot be stored: ${problem}`);
  const record = { ...(await wholeRecord(run, step, made)), id };
  const begun: Place[] = [];
  for (const place of places) {
    begun.push(place);
    const time = storeTime(run, timing);
    try {
      await place.reservation.store(record, secretsOf(run, step, secret), time);
    } catch (error) {
      if (!(error instanceof SinkFailure)) throw error;
      return await discardSecret(run, step, begun, made, `the new secret could not be stored: ${error.message}`);
    } finally {
      time.close();
    }
  }
  run.tell.reach('stored');
  await run.use.journal.note(step, 'stored', id);
  tellSecret(run, step, id, 'stored');
  for (const { sink } of begun) run.tell.emit(storedIn(step, sink));
  const answer = await tryOut(run, step, secret);
  switch (answer) {
    case 'accepted':
      run.tell.reach('proved');
      await run.use.journal.note(step, 'done', id);
      return { end: 'done', id };
    case 'refused':
      return discardSecret(run, step, begun, made, 'the service refuses the new secret');
    case 'untried':
      return unknownBecause(`${id} is stored, but a test request with it failed`);
    default:
      return unreachable(answer);
  }
}

/** The one value that a reply told, by the member of the record that it goes to. */
function secretsOf(run: Run, step: Step, secret: Secret): Secrets {
  const [member] = kindOf(run, step).remote.record?.secrets ?? [];
  return member === undefined ? {} : { [member]: secret };
}

/** The record with what the reply left out, if the list tells it soon: a value never waits long to be stored. */
async function wholeRecord(run: Run, step: Step, { id, record }: Made): Promise<JsonObject> {
  const missing = Object.keys(record).filter((name) => record[name] === null);
  if (missing.length === 0) return record;
  const late = new AbortController();
  const signal = AbortSignal.any([run.use.signals.requests, late.signal]);
  const giveUp = (): void => late.abort();
  const { waits } = run.use.signals;
  const leftMs = waits.aborted ? 0 : run.use.runDeadlineMs - run.use.clock.monotonicMs();
  const patienceMs = Math.min(RECORD_WAIT_MS.most, Math.max(RECORD_WAIT_MS.atEnd, leftMs));
  const stopTimer = run.use.clock.after(patienceMs, giveUp);
  const stopListening = onAbort(waits, giveUp);
  try {
    const made = (await run.use.world.reread(step, signal)).find((live) => live.id === id);
    return made === undefined ? record : { ...record, ...picked(made.observed, missing) };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return record;
  } finally {
    stopListening();
    stopTimer();
  }
}

const TRIES = 3;

/** Uses the new secret once. A service may need a moment to know it. */
async function tryOut(run: Run, step: Step, secret: Secret): Promise<'accepted' | 'refused' | 'untried'> {
  const { credential } = kindOf(run, step).remote;
  if (credential === undefined) return 'accepted';
  let answer: 'refused' | 'untried' = 'untried';
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      if (await credential.prove(run.use.client, secret, run.use.signals.requests)) return 'accepted';
      answer = 'refused';
    } catch (error) {
      if (!isExpected(error)) throw error;
      answer = 'untried';
    }
    if (tries === TRIES || run.use.signals.requests.aborted) break;
    await run.use.clock.sleep(SECRET_PAUSE_MS, run.use.signals.requests).catch(() => undefined);
  }
  return answer;
}
