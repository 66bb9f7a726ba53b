// Whether a removal is of the credential that the run itself uses: a saved plan may have been made with another one.
import { addressOf, scopeOf, type Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, type Run } from '../run/run.ts';

/** Why the step is held; null when it is not. Looks once a run and kind. Rejects with `ApiFailure` or a signal's reason. */
export async function ownCredential(run: Run, step: Step, live: readonly LiveResource[]): Promise<string | null> {
  const { own } = kindOf(run, step).remote;
  if (run.known.own === null || own === undefined || step.achieves !== null || step.expects.state !== 'present')
    return null;
  const { searches, named } = run.known.own;
  const { requests, admission } = run.use.signals;
  let search = searches.get(step.kind);
  if (search === undefined) {
    const look = async (): Promise<readonly LiveResource[]> => run.use.world.reread(step, requests);
    search = own({ first: live, look, pause: async (ms) => run.use.clock.sleep(ms, admission) });
    searches.set(step.kind, search);
  }
  const { id } = step.expects;
  const { id: found, suspects } = await search;
  if (found === id) return `${id} is what this run itself uses: it is never removed`;
  if (suspects.includes(id))
    return `${id} was used while this run looked, and may be what it itself uses: it is never removed while that is not established`;
  if (found !== null || named === null || isNamed(step, id, named)) return null;
  const allowance = `${step.action}:${liveAddress(step, id)}`;
  return `it is not established what this run itself uses, so it may be ${id}; plan and apply it in one run, or plan it with --allow ${allowance}`;
}

function isNamed(step: Step, id: ResourceId, allowances: readonly string[]): boolean {
  const addresses = [step.address, liveAddress(step, id)];
  return allowances.some((allowance) => addresses.some((one) => allowance.endsWith(`:${one}`)));
}

function liveAddress({ address }: Step, id: ResourceId): Address {
  return addressOf(scopeOf(address), id);
}
