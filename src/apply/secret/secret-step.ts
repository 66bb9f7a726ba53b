// Runs a step that creates a secret: reserves sinks, sends the step, stores and tries the secret, or undoes it.
import type { JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import type { Secret } from '../../base/secret.ts';
import { ApiFailure, isExpected, noneExpected } from '../../client/failure.ts';
import { withinTime } from '../../client/http/exchange.ts';
import { isAccepted } from '../../client/pages.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { RECORD_WAIT_MS, SECRET_PAUSE_MS, STORE_LEAST_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Contents } from '../kind-remote.ts';
import {
  failedBecause,
  keepsSecret,
  kindOf,
  makesCredential,
  unknownBecause,
  type Run,
  type StepEnd,
} from '../run/run.ts';
import { SinkFailure, valueProblem, type Place, type Secrets, type SecretSink } from '../sinks/sink.ts';
import type { Sending } from '../step/attempt.ts';
import type { Timing } from '../step/await-operations.ts';
import { sendStep, type Accepted, type Sent } from '../step/send-step.ts';
import { tellSecret, undoSecret } from './undo.ts';

/** Reserves all sinks for the step's secret, if any; sends the step; stores the secret. `follow` waits for operations. Rejects like `sendStep`. */
export async function runSecretStep(sending: Sending, follow: (sent: Accepted) => Promise<StepEnd>): Promise<StepEnd> {
  const { run, step } = sending;
  const isCredential = makesCredential(run, step);
  const takers = run.plan.upkeep.filter(({ restsOn }) => restsOn === step.address);
  const places: Place[] = [];
  let own = 0;
  try {
    for (const one of isCredential || keepsSecret(run, step) ? [step, ...takers] : takers) {
      const reserved = await reserveAll(run.openSinks(one), run.signals.admission);
      if ('problem' in reserved) return failedBecause(step, 'sink_unusable', reserved.problem, UNRESERVED);
      places.push(...reserved.places);
      if (one === step) own = places.length;
    }
    if (places.length > 0) run.reach('reserved');
    const sent = await sendStep(sending);
    if (isCredential) return 'end' in sent ? sent : await keepOrUndo(sending, places.slice(0, own), sent);
    const end = 'end' in sent ? sent : await follow(sent);
    return end.end === 'done' && own > 0 ? await keepReadable(sending, places.slice(0, own), sent, end) : end;
  } finally {
    await releaseAll(places);
  }
}

const UNRESERVED = 'Nothing was sent. Fix the sink and run trueup apply again.';

/** Stores a secret that the service can show again. If a sink fails, the secret stays valid, and the next run fills the sink. */
async function keepReadable(
  sending: Sending,
  places: readonly Place[],
  sent: Sent,
  end: Extract<StepEnd, { readonly end: 'done' }>,
): Promise<StepEnd> {
  const { run, step } = sending;
  const contents = toldIn(run, step, sent) ?? (await readAgain(run, step));
  const problem =
    'problem' in contents ? contents.problem : await storeAll(sending, places, { ...contents, isWhole: false });
  if (problem !== null)
    return failedBecause(
      step,
      'secret_not_kept',
      `the step succeeded, but not every sink of its secret was filled: ${problem}`,
      'Fix the sink and run trueup apply again. If the service does not store the secret, only a new secret (a reset) fills the sink.',
    );
  run.reach('stored');
  await run.journal.note(step, 'stored', end.id);
  return end;
}

/** Stores a secret that the service shows only once, and tries the secret. If a sink cannot take the secret, the new key is removed again. */
async function keepOrUndo(sending: Sending, places: readonly Place[], sent: Accepted): Promise<StepEnd> {
  const { run, step } = sending;
  if (sent.state === 'adopted') return unknownBecause('the resource was created, but its secret was lost');
  const { id, secret, record, madeAtMs = null } = sent.outcome;
  if (id === null || secret === null) return unknownBecause('the reply did not show the id of the new resource');
  run.claims.add(id);
  tellSecret(run, step, id, 'open');
  await run.journal.note(step, 'acked', id, madeAtMs);
  run.reach('acked');
  const facts = { ...(await wholeRecord(run, step, id, record)), id };
  const problem = await storeAll(sending, places, { facts, secrets: secretsOf(run, step, secret), isWhole: true });
  if (problem !== null) return undoSecret(run, step, id, places, `the new secret could not be stored: ${problem}`);
  run.reach('stored');
  await run.journal.note(step, 'stored', id);
  tellSecret(run, step, id, 'stored');
  const isProved = await tryOut(run, secret);
  if (isProved === null) return unknownBecause(`${id} is stored, but a test request with it failed`);
  if (!isProved) return undoSecret(run, step, id, places, 'the service refuses the new secret');
  run.reach('proved');
  return { end: 'done', id };
}

function secretsOf(run: Run, step: Step, secret: Secret): Secrets {
  const [member] = kindOf(run, step).record?.secrets ?? [];
  return member === undefined ? {} : { [member]: secret };
}

function toldIn(run: Run, step: Step, sent: Sent): Exclude<Contents, { readonly problem: string }> | null {
  if ('end' in sent || sent.outcome.secret === null) return null;
  return { facts: sent.outcome.record, secrets: secretsOf(run, step, sent.outcome.secret) };
}

async function readAgain(run: Run, step: Step): Promise<Contents> {
  const { client, signals } = run;
  try {
    const contents = await kindOf(run, step).reveal?.(client, step, step.achieves ?? {}, signals.requests);
    return contents ?? { problem: 'the reply did not show the secret' };
  } catch (error) {
    if (error instanceof ApiFailure) return { problem: `the secret could not be read again: ${error.message}` };
    throw error;
  }
}

/** Completes the record from the list, if the list shows the missing facts soon: the secret must not wait long to be stored. */
async function wholeRecord(run: Run, step: Step, id: ResourceId, record: JsonObject): Promise<JsonObject> {
  const missing = Object.keys(record).filter((name) => record[name] === null);
  const { clock, signals, runDeadlineMs, world } = run;
  if (missing.length === 0 || signals.waits.aborted) return record;
  const nowMs = clock.monotonicMs();
  const deadlineMs = nowMs + Math.min(RECORD_WAIT_MS.most, Math.max(RECORD_WAIT_MS.atEnd, runDeadlineMs - nowMs));
  const bounds = { clock, deadlineMs, signal: signals.waits };
  try {
    const live = await withinTime(bounds, async (signal) => world.reread(step, signal));
    const made = live.find((one) => one.id === id);
    return made === undefined ? record : { ...record, ...picked(made.observed, missing) };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return record;
  }
}

const TRIES = 3;

/** Sends a test request with the new secret; null if no reply shows whether the secret works. Retries, because a new secret may need a moment. */
async function tryOut(run: Run, secret: Secret): Promise<boolean | null> {
  const { clock, client, signals } = run;
  let answer: boolean | null = null;
  for (let tries = 1; tries <= TRIES; tries++) {
    answer = await isAccepted(client, secret, signals.requests).catch(noneExpected);
    if (answer === true || tries === TRIES || signals.requests.aborted) break;
    await clock.sleep(SECRET_PAUSE_MS, signals.requests).catch(() => undefined);
  }
  return answer;
}

type Reserved = { readonly places: readonly Place[] } | { readonly problem: string };

export async function reserveAll(sinks: readonly SecretSink[], signal: AbortSignal): Promise<Reserved> {
  const places: Place[] = [];
  if (sinks.length === 0) return { problem: 'no sink for the secret can be opened' };
  for (const sink of sinks) {
    try {
      places.push({ sink, reservation: await sink.reserve(signal) });
    } catch (error) {
      await releaseAll(places);
      // A stop also aborts the check of a sink. The sink then only looks broken, so the reason of the stop is thrown.
      signal.throwIfAborted();
      if (!(error instanceof SinkFailure)) throw error;
      return { problem: error.message };
    }
  }
  return { places };
}

export async function releaseAll(places: readonly Place[]): Promise<void> {
  for (const { reservation } of places) await reservation.release();
}

interface Storing {
  readonly run: Pick<Run, 'clock' | 'signals' | 'runDeadlineMs' | 'emit'>;
  readonly step: { readonly address: Address };
  readonly timing: Timing;
}

/** Fills the sinks; returns the problems, or null. With `isWhole`, stops at the first failure, and then emits no `secret_stored`. */
export async function storeAll(
  { run, step: { address }, timing }: Storing,
  places: readonly Place[],
  { facts, secrets, isWhole }: { readonly facts: JsonObject; readonly secrets: Secrets; readonly isWhole: boolean },
): Promise<string | null> {
  const refusal = Object.values(secrets)
    .map(valueProblem)
    .find((problem) => problem !== null);
  if (refusal !== undefined) return refusal;
  const problems: string[] = [];
  const taken: SecretSink[] = [];
  for (const { sink, reservation } of places) {
    if (isWhole && problems.length > 0) break;
    const bounds = { clock: run.clock, signal: run.signals.stores, deadlineMs: storeBy(run, timing) };
    try {
      await withinTime(bounds, async (signal) => reservation.store(facts, secrets, signal));
      taken.push(sink);
    } catch (error) {
      if (!(error instanceof SinkFailure)) throw error;
      problems.push(error.message);
    }
  }
  for (const { label, path } of isWhole && problems.length > 0 ? [] : taken)
    run.emit({ type: 'secret_stored', address, sink: label, path });
  return problems.length === 0 ? null : problems.join('; ');
}

/** Returns the monotonic deadline of a store; Infinity if the deadline of the run comes first, because then the signal `stores` ends the store. */
function storeBy({ clock, runDeadlineMs }: Storing['run'], { deadlineMs }: Timing): number {
  return deadlineMs < runDeadlineMs ? Math.max(deadlineMs, clock.monotonicMs() + STORE_LEAST_MS) : Infinity;
}
