// A step that makes a secret of a kind whose secrets can be read again: all sinks that get it are ready before it is sent; its own get it when its operations have ended.
import { ApiFailure } from '../../client/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Contents } from '../kind-remote.ts';
import { failedBecause, keepsSecret, kindOf, type Run, type StepEnd } from '../run/run.ts';
import type { Secrets } from '../sinks/record.ts';
import type { Sending } from '../step/attempt.ts';
import type { Sent } from '../step/send-step.ts';
import { releaseAll, reserveAll, unreserved, type Place } from './reserve.ts';
import { storeAll } from './store-all.ts';

/** `send` sends it and follows what it starts to its end; sinks of what depends on it are filled after the run. Rejects as `send` does. */
export async function runKeptStep(
  { run, step, timing }: Pick<Sending, 'run' | 'step' | 'timing'>,
  send: () => Promise<{ readonly sent: Sent; readonly end: StepEnd }>,
): Promise<StepEnd> {
  const takers = run.use.plan.upkeep.filter(({ restsOn }) => restsOn === step.address);
  const places: Place[] = [];
  let own = 0;
  try {
    for (const one of keepsSecret(run, step) ? [step, ...takers] : takers) {
      const reserved = await reserveAll(run.use.openSinks(one), run.use.signals.admission);
      if ('problem' in reserved) return unreserved(step, reserved);
      places.push(...reserved.places);
      if (one === step) own = places.length;
    }
    if (places.length > 0) run.tell.reach('reserved');
    const { sent, end } = await send();
    return end.end === 'done' && own > 0
      ? await storeSecret({ run, step, timing }, places.slice(0, own), { sent, end })
      : end;
  } finally {
    await releaseAll(places);
  }
}

async function storeSecret(
  sending: Pick<Sending, 'run' | 'step' | 'timing'>,
  places: readonly Place[],
  { sent, end }: { readonly sent: Sent; readonly end: Extract<StepEnd, { readonly end: 'done' }> },
): Promise<StepEnd> {
  const { run, step } = sending;
  const contents = toldIn(run, step, sent) ?? (await readAgain(run, step));
  const problem = 'problem' in contents ? contents.problem : await storeAll(sending, places, contents);
  if (problem !== null)
    return failedBecause(
      step,
      'secret_not_kept',
      `the step succeeded, but not every sink of its secret was filled: ${problem}`,
      'Fix the sink and run trueup apply again. If the service does not store the secret, only a new secret (a reset) fills the sink.',
    );
  run.tell.reach('stored');
  await run.use.journal.note(step, 'stored', end.id);
  return end;
}

/** What the reply told. */
function toldIn(run: Run, step: Step, sent: Sent): { readonly facts: JsonObject; readonly secrets: Secrets } | null {
  const [member] = kindOf(run, step).remote.record?.secrets ?? [];
  if (sent.state !== 'replied' || sent.outcome.secret === null || member === undefined) return null;
  return { facts: sent.outcome.record, secrets: { [member]: sent.outcome.secret } };
}

/** The reply was lost, or left it out. */
async function readAgain(run: Run, step: Step): Promise<Contents> {
  try {
    const contents = await kindOf(run, step).remote.reveal?.(
      run.use.client,
      step,
      step.achieves ?? {},
      run.use.signals.requests,
    );
    return contents ?? { problem: 'the reply did not show the secret' };
  } catch (error) {
    if (error instanceof ApiFailure) return { problem: `the secret could not be read again: ${error.message}` };
    throw error;
  }
}
