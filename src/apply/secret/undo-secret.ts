// Undoes a new secret that cannot be kept: sinks get their former content back, its resource is removed, and a failure is reported.
import type { Secret } from '../../base/secret.ts';
import { ApiFailure, noneUnread, isExpected } from '../../client/failure.ts';
import type { ApiClient } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { SECRET_PAUSE_MS, WHOLE_SECOND_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';
import { shows } from '../judge/attributes.ts';
import { failedBecause, kindOf, warn, type Run, type SecretStatus, type StepEnd } from '../run/run.ts';
import { SinkFailure } from '../sinks/sink.ts';
import { listedFor, shownGone } from '../step/prove-end.ts';
import type { Place } from './places.ts';

export interface Made {
  readonly id: ResourceId;
  /** Authorises the removal when our own credential is refused. */
  readonly secret: Secret;
  /** When the resource was made; null when the reply did not show it. */
  readonly madeAtMs: number | null;
}

/** `there`: it may still exist · `another`: its id is listed for a resource that this run did not make · `no_time`: the run was over before. */
type Removal = 'gone' | 'there' | 'another' | 'no_time';

const REMOVAL_WORDS: Readonly<Record<Removal, string>> = {
  gone: 'was removed again',
  there: 'could not be removed',
  another: 'was not removed, because the resource with that id has another name or creation time',
  no_time: 'was not removed: the time of the run was over',
};

/** The end of a step whose secret cannot be kept, because of `why`. */
export async function undoSecret(
  run: Run,
  step: Step,
  made: Made,
  places: readonly Place[],
  why: string,
): Promise<StepEnd> {
  tellSecret(run, step, made.id, 'open');
  const kept: string[] = [];
  for (const { reservation, sink } of places)
    await reservation.revert(run.use.signals.stores).catch((error: unknown) => {
      const words = `the former content of ${sink.label} was not restored`;
      kept.push(error instanceof SinkFailure ? error.message : words);
    });
  const removal = await remove(run, step, made);
  const after = `${made.id} ${REMOVAL_WORDS[removal]}`;
  for (const words of kept)
    warn(
      run,
      step,
      'sink_not_reverted',
      `${words}; ${after}`,
      'Readers of the sink may get a revoked key. Fix the sink, then run trueup apply again (with --due for a due rotation).',
    );
  return removal === 'gone'
    ? failedBecause(step, 'secret_not_kept', `${why}; ${after}`)
    : failedBecause(step, 'secret_at_risk', `${why}; and ${after}`);
}

const TRIES = 3;

/** Never rejects for a failure: it is noted and printed with the id. */
async function remove(run: Run, step: Step, made: Made): Promise<Removal> {
  const { signals, client, clock, journal } = run.use;
  const { requests } = signals;
  run.tell.reach('removing');
  let removal: Removal = requests.aborted ? 'no_time' : 'there';
  const trial = { run, client, step, made, madeAtMs: made.madeAtMs, isSeen: false, isAsked: false };
  for (let tries = 1; tries <= TRIES && !requests.aborted; tries++) {
    const result = await tryRemoval(trial);
    if (result === 'gone') {
      tellSecret(run, step, made.id, 'gone');
      await journal.note(step, 'failed', made.id);
      return 'gone';
    }
    if (result === 'another') {
      removal = result;
      break;
    }
    if (result === 'unauthorized') trial.client = client.withCredential(made.secret);
    if (tries < TRIES) await clock.sleep(SECRET_PAUSE_MS, requests).catch(() => undefined);
  }
  reportAtRisk(run, step, made.id, removal);
  return removal;
}

interface Trial {
  readonly run: Run;
  client: ApiClient;
  readonly step: Step;
  readonly made: Made;
  /** When it was made, as the reply or the first list showed. */
  madeAtMs: number | null;
  /** A list has shown it. */
  isSeen: boolean;
  /** A removal that may have succeeded was sent: from then on the service may give its id to another resource. */
  isAsked: boolean;
}

/** Removes the resource once, and proves that by lists. */
async function tryRemoval(trial: Trial): Promise<'gone' | 'there' | 'another' | 'unauthorized'> {
  const { run, client, step, made } = trial;
  try {
    const owner = await ownerOf(trial);
    if (owner === 'another') return trial.isAsked ? 'gone' : 'another';
    const answer = owner === 'ours' ? await send(trial) : 'answered';
    if (answer === 'unauthorized') return answer;
    const look = async (): Promise<readonly LiveResource[]> => {
      const listed = await listedFor(run, client, step).catch((error: unknown) => {
        // A key that authorised its own removal is refused since then.
        const isOver = answer === 'confirmed' && client !== run.use.client;
        if (isOver && error instanceof ApiFailure && error.status === 401) return [];
        throw error;
      });
      return listed.filter((resource) => whose(trial, resource) !== 'another');
    };
    const isKnown = answer === 'confirmed' || trial.isSeen;
    const known = isKnown ? (answer === 'refused' ? 'refused' : 'removed') : 'never_seen';
    return (await shownGone(run, made.id, look, known)) === 'gone' ? 'gone' : 'there';
  } catch (error) {
    if (!run.use.signals.requests.aborted || !isExpected(error)) throw error;
    return 'there';
  }
}

async function send(trial: Trial): Promise<'confirmed' | 'answered' | 'refused' | 'unauthorized'> {
  const { run, client, step, made } = trial;
  const { remote } = kindOf(run, step);
  const path = pathOf(step, made.id);
  const method = 'DELETE';
  const beforeAgain = async (): Promise<string | null> => {
    trial.isAsked = true;
    return (await ownerOf(trial)) === 'ours' ? null : 'the id may belong to another resource now';
  };
  try {
    const reply = await client.write(method, path, null, { signal: run.use.signals.requests, beforeAgain });
    trial.isAsked = true;
    return remote.outcome({ ...step, method, path, body: null }, reply) === null ? 'answered' : 'confirmed';
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) return 'unauthorized';
    const { failureClass } = error;
    trial.isAsked ||= failureClass !== 'not_sent';
    return failureClass === 'unusable' || failureClass === 'ambiguous' ? 'answered' : 'refused';
  }
}

/** Whose resource has the id now. Until a removal is sent, the id of the reply belongs to nobody else. */
async function ownerOf(trial: Trial): Promise<'ours' | 'another' | 'unknown'> {
  const { run, client, step, made } = trial;
  const isHurried = run.use.signals.waits.aborted && !trial.isAsked;
  const listed = isHurried ? null : await listedFor(run, client, step).catch(noneUnread);
  const target = listed?.find(({ id }) => id === made.id);
  if (target === undefined) return trial.isAsked ? 'unknown' : 'ours';
  const owner = whose(trial, target);
  if (owner === 'another' || (owner === 'unknown' && trial.isAsked)) return owner;
  trial.isSeen = true;
  trial.madeAtMs ??= target.createdAtMs;
  return 'ours';
}

/** Compares name and time, because the service may use an id again. */
function whose({ run, step, madeAtMs }: Trial, { spec, createdAtMs }: LiveResource): 'ours' | 'another' | 'unknown' {
  if (!shows(spec, step.achieves ?? {}, kindOf(run, step).canonical)) return 'another';
  if (madeAtMs === null || createdAtMs === null) return 'unknown';
  return Math.abs(createdAtMs - madeAtMs) < WHOLE_SECOND_MS ? 'ours' : 'another';
}

export function tellSecret(run: Run, step: Step, id: ResourceId, status: SecretStatus['status']): void {
  run.tell.onSecret({ step: step.id, status, what: leftBehind(run, step, id) });
}

/** The path of what a request below a collection made. */
function pathOf({ path }: Step, id: ResourceId): string {
  return `${path}/${encodeURIComponent(id)}`;
}

function leftBehind(run: Run, step: Step, id: ResourceId): SecretLeft {
  const command = kindOf(run, step).remote.record?.removedBy?.(`${run.use.client.baseUrl}${pathOf(step, id)}`);
  return { address: step.address, id, ...(command === undefined ? {} : { command }) };
}

function reportAtRisk(run: Run, step: Step, id: ResourceId, removal: Removal): void {
  const isAnother = removal === 'another';
  const hint = isAnother
    ? 'Run trueup keys, and revoke the unexpected key that was created during this run.'
    : `Run trueup keys, and revoke the key ${id} if the key is listed. The next trueup plan in this folder reports the key again.`;
  const message = `the secret of the new key ${id} is stored nowhere, and the key ${REMOVAL_WORDS[removal]}`;
  // The command would revoke a key of somebody else.
  report(run, step, id, { severity: 'error', code: 'secret_at_risk', message, hint }, !isAnother);
}

/** Reports a key that appeared while this run asked for one: nothing shows who created it, so it is left alone. */
export function tellUnproven(run: Run, step: Step, id: ResourceId): void {
  const message = `${id} appeared when this run asked for one; this run or somebody else created it, so it was left alone`;
  const hint = `If nobody else created ${id}, its value is lost: revoke it by hand. The next trueup plan in this folder names that key, too.`;
  report(run, step, id, { severity: 'warning', code: 'secret_unproven', message, hint }, true);
}

function report(run: Run, step: Step, id: ResourceId, of: Omit<Diagnostic, 'address'>, hasCommand: boolean): void {
  const { address, command } = leftBehind(run, step, id);
  const shown = hasCommand && command !== undefined ? { command } : {};
  run.tell.emit({ type: 'diagnostic', resourceId: id, ...shown, diagnostic: { ...of, address } });
}
