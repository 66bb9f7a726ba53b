// Checks the time-dependent guards again right before a step is sent: windows, and the last use of a resource.
import { isoTime } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { RETENTION, scopeOf } from '../../model/address.ts';
import { DROP } from '../../model/outcome/consent.ts';
import type { IdleLimit, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { windowsAgainst } from '../../plan/guard/windows.ts';
import { kindOf, targetIdOf, type Run } from '../run/run.ts';
import type { Reading } from './decide.ts';

export function heldBy(run: Run, step: Step, reading: Reading): string | null {
  const { plan, client } = run;
  const nowMs = client.clockDoubt() === null ? client.serverTime() : null;
  const hold = windowHold(plan, step, run.carriedOut, nowMs);
  const limit = hold === null ? idleLimitOf(plan, step) : null;
  return limit === null ? hold : usedWithin(run, step, limit, reading);
}

/** Null if the step may be sent. A step after a disruptive one of this run may: a stop between them would leave a slot empty. */
export function windowHold(
  plan: Plan,
  step: Step,
  carriedOut: ReadonlySet<StepId>,
  nowMs: number | null,
): string | null {
  if (plan.windows.length === 0) return null;
  const closed = windowsAgainst(plan, step, nowMs);
  if (closed.length === 0 || followsDisruption(plan, step, carriedOut)) return null;
  if (nowMs === null)
    return `the step is disruptive, and trueup cannot check the safety windows (${closed.join('; ')}), because the time at the service is not known`;
  return `the step is disruptive, and no safety window is open (${closed.join('; ')}); run trueup apply again within a window`;
}

function followsDisruption(plan: Plan, { needs }: Step, carriedOut: ReadonlySet<StepId>): boolean {
  const before = new Set(needs);
  for (const id of before) {
    const step = carriedOut.has(id) ? plan.steps.find((one) => one.id === id) : undefined;
    if (step === undefined) continue;
    if (windowsAgainst(plan, step, null).length > 0) return true;
    for (const need of step.needs) before.add(need);
  }
  return false;
}

function usedWithin(run: Run, step: Step, { rule, ms }: IdleLimit, { live, around = [] }: Reading): string | null {
  const { client } = run;
  const { lastUse } = kindOf(run, step).contents ?? {};
  const target = live.find(({ id }) => id === targetIdOf(step));
  const lastMs = target === undefined ? null : (lastUse?.(target, around, rule !== undefined) ?? null);
  if (lastMs === null) return null;
  const guard = `${rule ?? 'safety.drop.unless_idle'} keeps resources that were used within ${humanDuration(ms)}`;
  const doubt = client.clockDoubt();
  if (doubt !== null) return `${guard}, and the time at the service is not known: ${doubt}`;
  if (client.serverTime() - lastMs >= ms) return null;
  return `${lastMs === Infinity ? 'the resource is in use now' : `the last use was at ${isoTime(lastMs)}`}: ${guard}`;
}

/** The longest idle time that this drop needs; null if it needs none, as for a drop to which the file itself consents. */
function idleLimitOf({ idleLimits = [], changes }: Plan, { address, achieves }: Step): IdleLimit | null {
  if (achieves !== null || idleLimits.length === 0) return null;
  const change = changes.find((one) => one.address === address);
  const drop = change?.consents?.find(({ word }) => word === DROP);
  if (drop === undefined || drop.given === 'file') return null;
  const isRetained = change?.origin === RETENTION;
  const covers = ({ project, rule }: IdleLimit): boolean =>
    rule === undefined
      ? !isRetained && (project === null || project === scopeOf(address))
      : isRetained && address.startsWith(`${rule}/`);
  return idleLimits.filter(covers).sort((a, b) => b.ms - a.ms)[0] ?? null;
}
