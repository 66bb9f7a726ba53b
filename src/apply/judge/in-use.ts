// What is in use when its drop is about to be sent: a plan may be older than its last use, and safety.drop.unless_idle holds then as well.
import { isoTime } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { scopeOf } from '../../model/address.ts';
import { DROP } from '../../model/outcome/consent.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, type Run } from '../run/run.ts';
import type { Age } from './world.ts';

/** Why the drop is not sent; null where nothing speaks against it. Where a guard asks, it reads what people use it through; rejects with `ApiFailure`. */
export function keptInUse(run: Run, step: Step, age: Age, signal: AbortSignal): Promise<string | null> | null {
  const neededMs = neededIdleMs(run.use.plan, step);
  return neededMs === null ? null : usedWithin(run, step, { neededMs, age }, signal);
}

async function usedWithin(
  run: Run,
  step: Step,
  { neededMs, age }: { readonly neededMs: number; readonly age: Age },
  signal: AbortSignal,
): Promise<string | null> {
  const { lastUse } = kindOf(run, step);
  const { expects, projectId } = step;
  if (lastUse === undefined || expects.state !== 'present') return null;
  const { world, client } = run.use;
  const target = world.lastSeen(step)?.find(({ id }) => id === expects.id);
  if (target === undefined) return null;
  const lastMs = lastUse.ms(target, await world.list({ kind: lastUse.through, projectId }, age, signal));
  if (lastMs === null) return null;
  const rule = `safety.drop.unless_idle keeps resources that were used within ${humanDuration(neededMs)}`;
  const doubt = client.clockDoubt();
  if (doubt !== null) return `${rule}, and the time at the service is not known: ${doubt}`;
  if (client.serverTime() - lastMs >= neededMs) return null;
  return `${lastMs === Infinity ? 'the resource is in use now' : `last use ${isoTime(lastMs)}`}: ${rule}`;
}

/** The longest that any block asks for; null where none does, or its own declaration consents to it. */
function neededIdleMs({ idleLimits = [], changes }: Run['use']['plan'], { address, achieves }: Step): number | null {
  if (achieves !== null || idleLimits.length === 0) return null;
  const drop = changes.find((change) => change.address === address)?.consents?.find(({ word }) => word === DROP);
  if (drop === undefined || drop.given === 'file') return null;
  const label = scopeOf(address);
  const needed = idleLimits.flatMap(({ project, ms }) => (project === null || project === label ? [ms] : []));
  return needed.length === 0 ? null : Math.max(...needed);
}
