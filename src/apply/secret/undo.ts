// Undoes a new secret that cannot be kept: restores its sinks, removes its resource, and reports what stays at risk.
import { ApiFailure, isExpected, noneExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { SECRET_PAUSE_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';
import { shows } from '../judge/decide.ts';
import { failedBecause, kindOf, warn, type Run, type SecretStatus, type StepEnd } from '../run/run.ts';
import { SinkFailure, type Place } from '../sinks/sink.ts';
import { LATE_MS, listsShow } from '../step/await-operations.ts';

/** `there`: the resource may still exist · `another`: the resource with its id is not the created one · `no_time`: the run ended first. */
type Removal = 'gone' | 'there' | 'another' | 'no_time';

const REMOVAL_WORDS: Readonly<Record<Removal, string>> = {
  gone: 'was removed again',
  there: 'could not be removed',
  another: 'was not removed, because the resource with that id has another name',
  no_time: 'was not removed: the time of the run was over',
};

export async function undoSecret(
  run: Run,
  step: Step,
  id: ResourceId,
  places: readonly Place[],
  why: string,
): Promise<StepEnd> {
  tellSecret(run, step, id, 'open');
  const kept: string[] = [];
  for (const { reservation, sink } of places)
    await reservation.revert(run.signals.stores).catch((error: unknown) => {
      const words = `the former content of ${sink.label} was not restored`;
      kept.push(error instanceof SinkFailure ? error.message : words);
    });
  const removal = await remove(run, step, id);
  const after = `${id} ${REMOVAL_WORDS[removal]}`;
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

/** Removes the resource of the secret. A failed removal does not reject, but is reported with the id of the resource. */
async function remove(run: Run, step: Step, id: ResourceId): Promise<Removal> {
  const { signals, clock, journal } = run;
  const { requests } = signals;
  run.reach('removing');
  let removal: Removal = 'no_time';
  for (let tries = 1; tries <= TRIES && !requests.aborted; tries++) {
    if (tries > 1) await clock.sleep(SECRET_PAUSE_MS, requests).catch(() => undefined);
    removal = await tryRemoval(run, step, id);
    if (removal === 'gone') {
      tellSecret(run, step, id, 'gone');
      await journal.note(step, 'failed', id);
      return removal;
    }
    if (removal === 'another') break;
  }
  reportAtRisk(run, step, id, removal);
  return removal;
}

async function tryRemoval(run: Run, step: Step, id: ResourceId): Promise<'gone' | 'there' | 'another'> {
  const { clock, signals, world } = run;
  const { waits, requests } = signals;
  try {
    // After a hard stop, the check of the attributes is skipped, because the little time left is for the removal.
    const listed = waits.aborted ? null : await world.reread(step, requests).catch(noneExpected);
    const target = listed?.find((one) => one.id === id);
    if (target !== undefined && !shows(kindOf(run, step), target.spec, step.achieves ?? {})) return 'another';
    const answer = await send(run, step, id);
    const isLate = answer === 'unknown' && target === undefined;
    const pausesMs = isLate ? LATE_MS : answer === 'refused' ? [0] : undefined;
    const isGone = await listsShow(run, step, { id, isThere: false }, clock.monotonicMs(), pausesMs);
    return isGone === true ? 'gone' : 'there';
  } catch (error) {
    if (!requests.aborted || !isExpected(error)) throw error;
    return 'there';
  }
}

async function send(run: Run, step: Step, id: ResourceId): Promise<'removed' | 'unknown' | 'refused'> {
  const path = pathOf(step, id);
  const method = 'DELETE';
  const { client, signals } = run;
  const signal = signals.requests;
  for (let attempts = 1; ; attempts++)
    try {
      const reply = await client.write(method, path, null, { signal });
      const outcome = kindOf(run, step).outcome({ ...step, method, path, body: null }, reply);
      return outcome === null ? 'unknown' : 'removed';
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if ((await client.pauseAfter(error, attempts, { signal })) === null) continue;
      return error.failureClass === 'unusable' || error.failureClass === 'ambiguous' ? 'unknown' : 'refused';
    }
}

export function tellSecret(run: Run, step: Step, id: ResourceId, status: SecretStatus['status']): void {
  run.onSecret({ step: step.id, status, what: leftBehind(run, step, id) });
}

function pathOf({ path }: Step, id: ResourceId): string {
  return `${path}/${encodeURIComponent(id)}`;
}

function leftBehind(run: Run, step: Step, id: ResourceId): SecretLeft {
  const command = kindOf(run, step).record?.removedBy?.(`${run.client.baseUrl}${pathOf(step, id)}`);
  return { address: step.address, id, command };
}

function reportAtRisk(run: Run, step: Step, id: ResourceId, removal: Removal): void {
  const isAnother = removal === 'another';
  const hint = isAnother
    ? 'Run trueup keys, and revoke the unexpected key that was created during this run.'
    : `Run trueup keys, and revoke the key ${id} if the key is listed. The next trueup plan in this folder reports the key again.`;
  const message = `the secret of the new key ${id} is stored nowhere, and the key ${REMOVAL_WORDS[removal]}`;
  // No command if the id belongs to a resource of somebody else, because the command would revoke that key.
  report(run, step, id, { severity: 'error', code: 'secret_at_risk', message, hint }, !isAnother);
}

/** Reports a key that appeared while this run asked for one. Nothing shows who created the key, so trueup does not revoke it. */
export function tellUnproven(run: Run, step: Step, id: ResourceId): void {
  const message = `key ${id} appeared when this run asked for a new key; somebody else may have created it, so trueup did not revoke it`;
  const hint = `If nobody else created key ${id}, its value is lost: revoke the key by hand. The next trueup plan in this folder names that key, too.`;
  report(run, step, id, { severity: 'warning', code: 'secret_unproven', message, hint }, true);
}

function report(run: Run, step: Step, id: ResourceId, of: Omit<Diagnostic, 'address'>, hasCommand: boolean): void {
  const { address, command } = leftBehind(run, step, id);
  const diagnostic = { ...of, address };
  run.emit({ type: 'diagnostic', resourceId: id, command: hasCommand ? command : undefined, diagnostic });
}
