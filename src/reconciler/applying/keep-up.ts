// Does the upkeep at the end of an apply, by the plan of the account as it is then.
import { runUpkeep } from '../../apply/upkeep.ts';
import type { InHand } from '../../apply/kind-remote.ts';
import { scopeOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { UpkeepResult } from '../../model/outcome/upkeep.ts';
import type { Parts, VerifiedRun } from '../parts.ts';
import type { ApplyRequest } from '../types.ts';
import type { Entry } from '../enter-folder.ts';
import { toolsOf, type RunFrame } from './run-frame.ts';

interface Keeping {
  readonly verified: VerifiedRun | null;
  /** Null if the run has not entered the folder. */
  readonly entry: Entry | null;
  /** Secrets from the replies to the run. */
  readonly inHand?: InHand;
}

/** Reports upkeep that is left out because the run was stopped or not verified. Takes the lock if the run does not hold it. */
export async function keepUp(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { verified, entry: held, inHand = new Map() }: Keeping,
): Promise<void> {
  const { soft } = run.stop;
  if (verified === null) return;
  const leave = (upkeep: readonly PlannedUpkeep[], why: string): void => {
    for (const one of upkeep.filter(({ isPending }) => !isPending)) run.emit({ type: 'upkeep', ...failed(one, why) });
  };
  if (verified.upkeep === undefined) {
    if (request.plan.upkeep.length > 0) run.say(UNKNOWN);
    return;
  }
  if (soft.aborted) {
    leave(verified.upkeep, 'the run was stopped');
    return;
  }
  // A refill may have waited for a secret of this run.
  const all = verified.upkeep.map((one) => (isInHand(one, inHand) ? { ...one, isPending: false } : one));
  // If no change is left, a pending refill waits in vain, unless a block of its project keeps its source from being created.
  for (const one of verified.verification.converged ? all.filter((one) => one.isPending && !isHeld(request, one)) : [])
    run.emit({ type: 'upkeep', ...lost(one) });
  const upkeep = all.filter(({ isPending }) => !isPending);
  if (upkeep.length === 0) return;
  const entry = held ?? (await parts.enter(run.say));
  if (entry === null) {
    leave(upkeep, 'another run uses this folder');
    return;
  }
  try {
    await runUpkeep({ ...toolsOf(parts, run, entry), plan: request.plan, upkeep, inHand });
  } finally {
    if (held === null) await entry.leave();
  }
}

const UNKNOWN: Diagnostic = {
  severity: 'warning',
  code: 'upkeep_unknown',
  message: 'secret syncs and renewals could not be planned: the account was not verified',
};

/** True if its resource exists and a reply to this run held the secret. */
function isInHand({ resourceId, restsOn }: PlannedUpkeep, inHand: InHand): boolean {
  return resourceId !== null && restsOn !== undefined && inHand.has(restsOn);
}

/** True if a change of the same project is blocked: the upkeep may wait for that change. */
function isHeld({ plan }: ApplyRequest, { address }: PlannedUpkeep): boolean {
  const scope = scopeOf(address);
  return plan.changes.some((change) => change.blockedBy.length > 0 && scopeOf(change.address) === scope);
}

function lost(one: PlannedUpkeep): UpkeepResult {
  return failed(
    one,
    `resources that this one needs do not exist: ${one.reasons.join('; ')}; declare them, or write state: absent here`,
  );
}

function failed({ address, action, sinks }: PlannedUpkeep, message: string): UpkeepResult {
  return { address, action, outcome: 'failed', message, sinks };
}
