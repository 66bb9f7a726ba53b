// Removes what this run made and cannot keep; what cannot be removed is reported as a secret at risk.
import type { Secret } from '../../base/secret.ts';
import { ApiFailure, noneUnread, isExpected } from '../../client/failure.ts';
import type { ApiClient } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { shows } from '../judge/attributes.ts';
import { listedFor, shownGone } from '../step/prove-end.ts';
import { kindOf, type Run, type SecretStatus } from '../run/run.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';
import { SECRET_PAUSE_MS, WHOLE_SECOND_MS } from '../../model/operations/timing.ts';

const TRIES = 3;

/**
 * What became of it: `there`: it may still be · `in_use`: somebody uses it, so that it is left alone · `another`: what is listed under its
 * id is not what the reply told, and is left alone · `no_time`: the run was over before.
 */
export type Removal = 'gone' | 'there' | 'in_use' | 'another' | 'no_time';

const LEFT_WORDS: Readonly<Record<Exclude<Removal, 'gone'>, string>> = {
  there: 'could not be removed',
  in_use: 'was not removed, because it is in use',
  another: 'was not removed, because the resource with that id has another name or creation time',
  no_time: 'was not removed: the time of the run was over',
};

/** `102 was removed again`. */
export function removalWords(id: ResourceId, removal: Removal): string {
  return removal === 'gone' ? `${id} was removed again` : `${id} ${LEFT_WORDS[removal]}`;
}

export interface Undoing {
  readonly id: ResourceId;
  /** When it was made, as the reply told it; null when it did not. */
  readonly madeAtMs: number | null;
  /** Authorises the removal when our own credential is refused. */
  readonly secret: Secret;
  /** Its value was given to a place or was tried out: a use of it is no word against its removal. */
  readonly isHandedOut: boolean;
}

/** Whether it is gone, as lists show that are read after its removal. Never rejects: a failure is noted and printed with the id. */
export async function undoSecret(run: Run, step: Step, undoing: Undoing): Promise<Removal> {
  const { id, secret, madeAtMs } = undoing;
  tellSecret(run, step, id, 'open');
  run.tell.reach('removing');
  let removal: Removal = run.use.signals.requests.aborted ? 'no_time' : 'there';
  const known: Known = { madeAtMs, isSeen: false, isAsked: false };
  let client: ApiClient = run.use.client;
  for (let tries = 1; tries <= TRIES && !run.use.signals.requests.aborted; tries++) {
    const result = await tryRemoval({ run, client, step, undoing, known });
    if (result === 'gone') {
      tellSecret(run, step, id, 'gone');
      await run.use.journal.note(step, 'undone', id);
      return 'gone';
    }
    if (result === 'in_use' || result === 'another') {
      removal = result;
      break;
    }
    if (result === 'unauthorized') client = run.use.client.withCredential(secret);
    if (tries < TRIES) await run.use.clock.sleep(SECRET_PAUSE_MS, run.use.signals.requests).catch(() => undefined);
  }
  reportAtRisk(run, step, id, removal);
  return removal;
}

function reportAtRisk(run: Run, step: Step, id: ResourceId, removal: Exclude<Removal, 'gone'>): void {
  run.known.atRisk.push({ step, id });
  const isAnother = removal === 'another';
  // No command is given that would remove what is somebody else's.
  const { command } = isAnother ? {} : leftBehind(run, step, id);
  run.tell.emit({
    type: 'diagnostic',
    resourceId: id,
    ...(command === undefined ? {} : { command }),
    diagnostic: {
      severity: 'error',
      code: 'secret_at_risk',
      message: `the secret of the new key ${id} is stored nowhere, and the key ${LEFT_WORDS[removal]}`,
      hint: isAnother
        ? 'Run trueup keys, and revoke the unexpected key that was created during this run.'
        : `Run trueup keys, and revoke the key ${id} if the key is listed. The next trueup plan in this folder reports the key again.`,
      address: step.address,
    },
  });
}

type Tried = 'gone' | 'there' | 'in_use' | 'another' | 'unauthorized';

/** What is known of it over all tries. */
interface Known {
  /** When it was made, as the reply or the first list told it. */
  madeAtMs: number | null;
  /** A list has shown it. */
  isSeen: boolean;
  /** A removal was sent that may have been done: from then on its id may be given to another one. */
  isAsked: boolean;
}

interface Trial {
  readonly run: Run;
  readonly client: ApiClient;
  readonly step: Step;
  readonly undoing: Undoing;
  readonly known: Known;
}

/** One removal and the look that proves it. */
async function tryRemoval(trial: Trial): Promise<Tried> {
  const { run, client, step, undoing, known } = trial;
  const { remote } = kindOf(run, step);
  const path = remote.credential?.undo(undoing.id, step);
  if (path === undefined) return 'there';
  const method = 'DELETE';
  let isConfirmed = false;
  try {
    let found = await findTarget(trial);
    if (found === 'in_use' || found === 'another') return known.isAsked && found === 'another' ? 'gone' : found;
    let isAnswered = found !== 'remove';
    if (found === 'remove')
      try {
        const beforeAgain = async (): Promise<string | null> => {
          known.isAsked = true;
          found = await findTarget(trial);
          return found === 'remove' ? null : 'the id may belong to another resource now';
        };
        const reply = await client.write(method, path, null, { signal: run.use.signals.requests, beforeAgain });
        known.isAsked = true;
        isAnswered = true;
        isConfirmed = remote.outcome({ ...step, method, path, body: null }, reply) !== null;
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (error.status === 401) return 'unauthorized';
        known.isAsked ||= error.failureClass !== 'not_sent';
        isAnswered = error.failureClass === 'unusable' || error.failureClass === 'ambiguous';
      }
    const look = async (): Promise<readonly LiveResource[]> => {
      const listed = await listedFor(run, client, step).catch((error: unknown) => {
        // It authorised its own removal, and is refused since.
        if (isConfirmed && client !== run.use.client && error instanceof ApiFailure && error.status === 401) return [];
        throw error;
      });
      return listed.filter((resource) => whose(trial, resource) !== 'another');
    };
    const isKnown = isConfirmed || known.isSeen;
    const told = isAnswered ? (isKnown ? 'removed' : 'never_seen') : known.isSeen ? 'refused' : 'never_seen';
    return (await shownGone(run, undoing.id, look, told)) === 'gone' ? 'gone' : 'there';
  } catch (error) {
    return handOver(run, error);
  }
}

/** `remove`: it is ours, and may be removed · `unproven`: what is listed, or that nothing is, does not tell. */
async function findTarget(trial: Trial): Promise<'remove' | 'in_use' | 'another' | 'unproven'> {
  const { run, client, step, undoing, known } = trial;
  const isHurried = run.use.signals.waits.aborted && !known.isAsked;
  const listed = isHurried ? null : await listedFor(run, client, step).catch(noneUnread);
  const target = listed?.find(({ id }) => id === undoing.id);
  // Until a removal is sent, the id that the reply told is nobody else's.
  if (target === undefined) return known.isAsked ? 'unproven' : 'remove';
  const owner = whose(trial, target);
  if (owner === 'another') return 'another';
  if (owner === 'unknown' && known.isAsked) return 'unproven';
  known.isSeen = true;
  known.madeAtMs ??= target.createdAtMs;
  const isUsed = (target.observed['last_used_at'] ?? null) !== null;
  return isUsed && !undoing.isHandedOut ? 'in_use' : 'remove';
}

/** By name and time: an id is given again once it is free. */
function whose({ run, step, known }: Trial, { spec, createdAtMs }: LiveResource): 'ours' | 'another' | 'unknown' {
  if (!shows(spec, step.achieves ?? {}, kindOf(run, step).canonical)) return 'another';
  if (known.madeAtMs === null || createdAtMs === null) return 'unknown';
  return Math.abs(createdAtMs - known.madeAtMs) < WHOLE_SECOND_MS ? 'ours' : 'another';
}

/** Time is up: it stays there. Anything else is a bug and goes on its way. */
function handOver(run: Run, error: unknown): 'there' {
  if (!run.use.signals.requests.aborted || !isExpected(error)) throw error;
  return 'there';
}

export function tellSecret(run: Run, step: Step, id: ResourceId, status: SecretStatus['status']): void {
  run.tell.onSecret({ step: step.id, status, what: leftBehind(run, step, id) });
}

/** What is left if nobody removes it. */
function leftBehind(run: Run, step: Step, id: ResourceId): SecretLeft {
  const command = kindOf(run, step).remote.credential?.undoByHand(id, run.use.client.baseUrl, step);
  return { address: step.address, id, ...(command === undefined ? {} : { command }) };
}

/** Nothing shows whose a key is that appeared while this run asked for one: it is reported, and left alone. */
export function tellUnproven(run: Run, step: Step, id: ResourceId): void {
  const { command } = leftBehind(run, step, id);
  run.tell.emit({
    type: 'diagnostic',
    resourceId: id,
    ...(command === undefined ? {} : { command }),
    diagnostic: {
      severity: 'warning',
      code: 'secret_unproven',
      message: `${id} appeared when this run asked for one; this run or somebody else created it, so it was left alone`,
      hint: `If nobody else created ${id}, its value is lost: revoke it by hand. The next trueup plan in this folder names that key, too.`,
      address: step.address,
    },
  });
}
