// Whether a removal is of the credential that the run itself uses: a saved plan may have been made with another one.
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, type Run } from '../run/run.ts';

/** Why the step is held; null when it is not. Looks once a run and kind. Rejects with `ApiFailure` or a signal's reason. */
export async function ownCredential(run: Run, step: Step, live: readonly LiveResource[]): Promise<string | null> {
  const { credential } = kindOf(run, step).remote;
  if (run.known.own === null || credential === undefined || step.achieves !== null || step.expects.state !== 'present')
    return null;
  const { searches, isPlannedHere } = run.known.own;
  const { requests, admission } = run.use.signals;
  let search = searches.get(step.kind);
  if (search === undefined) {
    const look = async (): Promise<readonly LiveResource[]> => run.use.world.reread(step, requests);
    const pause = async (ms: number): Promise<number> => {
      await run.use.clock.sleep(ms, admission);
      return run.use.client.serverTime();
    };
    search = credential.own({ first: live, look, pause });
    searches.set(step.kind, search);
  }
  const { id } = step.expects;
  const found = await search;
  if (found === id) return `${id} is the credential of this run, which is never removed`;
  // The guards of this run's own plan have judged it by the same credential.
  if (found !== null || isPlannedHere) return null;
  return `${id} is not removed: it may be the credential of this run; plan and apply in one run`;
}
