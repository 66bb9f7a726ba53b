// Removes what this run made and cannot keep; what cannot be removed is reported as a secret at risk.
import type { Secret } from '../base/secret.ts';
import { ApiFailure } from '../client/failure.ts';
import type { ApiClient } from '../client/types.ts';
import type { ResourceId } from '../model/desired.ts';
import type { Step } from '../model/plan.ts';
import { leftBehind, tellSecret } from './open-secret.ts';
import { kindOf } from './run.ts';
import type { Run } from './run.ts';

const TRIES = 3;
const PAUSE_MS = 2000;

/** What became of it: `no_time`: the run was over before its removal could be asked for. */
export type Removal = 'gone' | 'there' | 'no_time';

const LEFT_WORDS: Readonly<Record<Exclude<Removal, 'gone'>, string>> = {
  there: 'could not be removed',
  no_time: 'was not removed: no time was left',
};

/** `102 was removed again`. */
export function removalWords(id: ResourceId, removal: Removal): string {
  return removal === 'gone' ? `${id} was removed again` : `${id} ${LEFT_WORDS[removal]}`;
}

/**
 * Whether it is gone. When our own credential is refused, the new secret (if we have it) authorises its own removal.
 * Never rejects: a failure is noted and printed with the id.
 */
export async function undoSecret(run: Run, step: Step, id: ResourceId, secret: Secret | null): Promise<Removal> {
  tellSecret(run, step, id, 'open');
  run.reach('removing');
  const left = run.signals.requests.aborted ? 'no_time' : 'there';
  let client: ApiClient = run.client;
  for (let tries = 1; tries <= TRIES && !run.signals.requests.aborted; tries++) {
    const result = await tryRemoval(run, client, step, id);
    if (result === 'gone') {
      tellSecret(run, step, id, 'gone');
      await run.journal.note(step, 'undone', id);
      return 'gone';
    }
    if (result === 'unauthorized' && secret !== null) client = run.client.withCredential(secret);
    if (tries < TRIES) await run.clock.sleep(PAUSE_MS, run.signals.requests).catch(() => undefined);
  }
  run.atRisk.push({ step, id });
  const { command } = leftBehind(run, step, id);
  run.emit({
    type: 'diagnostic',
    resourceId: id,
    ...(command === undefined ? {} : { command }),
    diagnostic: {
      severity: 'error',
      code: 'secret_at_risk',
      message: `${id} was made, its secret is kept nowhere, and it ${LEFT_WORDS[left]}`,
      hint: `Run trueup apply again in this folder, or revoke ${id} by hand.`,
      address: step.address,
    },
  });
  return left;
}

async function tryRemoval(
  run: Run,
  client: ApiClient,
  step: Step,
  id: ResourceId,
): Promise<'gone' | 'there' | 'unauthorized'> {
  const request = kindOf(run, step).remote.undo?.(id);
  if (request === undefined) return 'there';
  try {
    await client.write(request.method, request.path, null, { signal: run.signals.requests });
    return 'gone';
  } catch (error) {
    if (!(error instanceof ApiFailure)) return handOver(run, error);
    if (error.status === 401) return 'unauthorized';
    return (await isGone(run, step, id)) ? 'gone' : 'there';
  }
}

async function isGone(run: Run, step: Step, id: ResourceId): Promise<boolean> {
  try {
    const live = await run.world.reread(step, run.signals.requests);
    return !live.some((resource) => resource.id === id);
  } catch (error) {
    if (!(error instanceof ApiFailure)) handOver(run, error);
    return false;
  }
}

/** Time is up: it stays there. Anything else is a bug and goes on its way. */
function handOver(run: Run, error: unknown): 'there' {
  if (!run.signals.requests.aborted) throw error;
  return 'there';
}
