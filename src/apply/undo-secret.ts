// Removes what this run made and cannot keep; what cannot be removed is reported as a secret at risk.
import type { Secret } from '../base/secret.ts';
import { ApiFailure } from '../client/failure.ts';
import type { ApiClient } from '../client/types.ts';
import type { ResourceId } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import type { Step } from '../model/plan.ts';
import { leftBehind, tellSecret } from './open-secret.ts';
import { listedFor, shownGone } from './prove-removal.ts';
import { kindOf } from './run.ts';
import type { Run } from './run.ts';

const TRIES = 3;
const PAUSE_MS = 2000;

/** What became of it: `there`: it may still be · `in_use`: somebody uses it, so that it is left alone · `no_time`: the run was over before. */
export type Removal = 'gone' | 'there' | 'in_use' | 'no_time';

const LEFT_WORDS: Readonly<Record<Exclude<Removal, 'gone'>, string>> = {
  there: 'could not be removed',
  in_use: 'was not removed, since somebody uses it',
  no_time: 'was not removed: no time was left',
};

/** `102 was removed again`. */
export function removalWords(id: ResourceId, removal: Removal): string {
  return removal === 'gone' ? `${id} was removed again` : `${id} ${LEFT_WORDS[removal]}`;
}

export interface Undoing {
  readonly id: ResourceId;
  /** Authorises the removal when our own credential is refused. */
  readonly secret: Secret | null;
  /** Its value was given to a place or was tried out: a use of it is no word against its removal. */
  readonly isHandedOut: boolean;
}

/** Whether it is gone, as lists show that are read after its removal. Never rejects: a failure is noted and printed with the id. */
export async function undoSecret(run: Run, step: Step, undoing: Undoing): Promise<Removal> {
  const { id, secret } = undoing;
  tellSecret(run, step, id, 'open');
  run.reach('removing');
  let removal: Removal = run.signals.requests.aborted ? 'no_time' : 'there';
  let client: ApiClient = run.client;
  for (let tries = 1; tries <= TRIES && !run.signals.requests.aborted; tries++) {
    const result = await tryRemoval(run, client, step, undoing);
    if (result === 'gone') {
      tellSecret(run, step, id, 'gone');
      await run.journal.note(step, 'undone', id);
      return 'gone';
    }
    if (result === 'in_use') {
      removal = result;
      break;
    }
    if (result === 'unauthorized' && secret !== null) client = run.client.withCredential(secret);
    if (tries < TRIES) await run.clock.sleep(PAUSE_MS, run.signals.requests).catch(() => undefined);
  }
  reportAtRisk(run, step, id, removal);
  return removal;
}

function reportAtRisk(run: Run, step: Step, id: ResourceId, removal: Exclude<Removal, 'gone'>): void {
  run.atRisk.push({ step, id });
  const { command } = leftBehind(run, step, id);
  run.emit({
    type: 'diagnostic',
    resourceId: id,
    ...(command === undefined ? {} : { command }),
    diagnostic: {
      severity: 'error',
      code: 'secret_at_risk',
      message: `${id} was made, its secret is kept nowhere, and it ${LEFT_WORDS[removal]}`,
      hint: `Look whether ${id} is still listed, and revoke it by hand; the next trueup plan in this folder names it too.`,
      address: step.address,
    },
  });
}

type Tried = 'gone' | 'there' | 'in_use' | 'unauthorized';

/** One removal and the look that proves it. */
async function tryRemoval(run: Run, client: ApiClient, step: Step, { id, isHandedOut }: Undoing): Promise<Tried> {
  const { remote } = kindOf(run, step);
  const request = remote.undo?.(id);
  if (request === undefined) return 'there';
  const { method, path } = request;
  let isConfirmed = false;
  try {
    const before = run.signals.waits.aborted ? [] : await listedFor(run, client, step).catch(orNothing);
    const target = before.find((resource) => resource.id === id);
    if (target !== undefined && !isHandedOut && remote.untouched?.(target) === false) return 'in_use';
    let isAnswered = true;
    try {
      const reply = await client.write(method, path, null, { signal: run.signals.requests });
      isConfirmed = remote.outcome({ ...step, method, path, body: null }, reply) !== null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.status === 401) return 'unauthorized';
      isAnswered = error.failureClass === 'unusable' || error.failureClass === 'ambiguous';
    }
    const look = async (): Promise<readonly LiveResource[]> =>
      listedFor(run, client, step).catch((error: unknown) => {
        // It authorised its own removal, and is refused since.
        if (isConfirmed && client !== run.client && error instanceof ApiFailure && error.status === 401) return [];
        throw error;
      });
    const isKnown = isConfirmed || target !== undefined;
    const known = isAnswered ? (isKnown ? 'removed' : 'never_seen') : target === undefined ? 'never_seen' : 'refused';
    return (await shownGone(run, id, look, known)) === 'gone' ? 'gone' : 'there';
  } catch (error) {
    return handOver(run, error);
  }
}

/** A list that cannot be read shows nothing. */
function orNothing(error: unknown): readonly LiveResource[] {
  if (error instanceof ApiFailure) return [];
  throw error;
}

/** Time is up: it stays there. Anything else is a bug and goes on its way. */
function handOver(run: Run, error: unknown): 'there' {
  if (!run.signals.requests.aborted) throw error;
  return 'there';
}
