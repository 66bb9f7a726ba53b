// Whether a removal is of what the run itself comes with: a saved plan may have been made with another credential.
import type { ResourceId } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import type { Step } from '../model/plan.ts';
import { kindOf } from './run.ts';
import type { Run } from './run.ts';

/** Why the step is held; null when it is not. Looks once a run and kind. Rejects with `ApiFailure` or a signal's reason. */
export async function ownCredential(run: Run, step: Step, live: readonly LiveResource[]): Promise<string | null> {
  const { own } = kindOf(run, step).remote;
  if (run.own === null || own === undefined || step.achieves !== null || step.expects.state !== 'present') return null;
  const { requests, admission } = run.signals;
  let search = run.own.get(step.kind);
  if (search === undefined) {
    const look = async (): Promise<readonly LiveResource[]> => run.world.reread(step, requests);
    search = own({ first: live, look, pause: async (ms) => run.clock.sleep(ms, admission) });
    run.own.set(step.kind, search);
  }
  const id: ResourceId | null = await search;
  return id === step.expects.id ? `${id} is what this run itself uses: it is never removed` : null;
}
