// Fills sinks and renews resources at the end of an apply, as the plan after the run demands.
import { runUpkeep } from '../../apply/upkeep.ts';
import type { InHand } from '../../apply/kind-remote.ts';
import { knownOf } from '../../apply/read/read-input.ts';
import { isExpected } from '../../client/failure.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlannedUpkeep } from '../../model/outcome/plan.ts';
import { SETTLE_PAUSES_MS } from '../../model/operations/timing.ts';
import { planAccount } from '../plan-flow.ts';
import type { Parts, Entry } from '../workspace.ts';
import type { ApplyRequest } from '../types.ts';
import { toolsOf, type RunFrame, type VerifiedRun } from './run-frame.ts';

interface Keeping {
  readonly verified: VerifiedRun | null;
  /** Null if the run holds no lock. */
  readonly entry: Entry | null;
  readonly inHand?: InHand;
}

/** Fills sinks and renews resources; takes the lock if the run does not hold it. After a stop, only reports these tasks as left out. */
export async function keepUp(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { verified, entry: held, inHand = new Map() }: Keeping,
): Promise<void> {
  if (verified === null) return;
  if (verified.upkeep === undefined) {
    if (request.plan.upkeep.length > 0) run.say(UNKNOWN);
    return;
  }
  const leave = (some: readonly PlannedUpkeep[], why: (one: PlannedUpkeep) => string): void => {
    for (const one of some) {
      const { address, action, sinks } = one;
      run.emit({ type: 'upkeep', address, action, outcome: 'failed', message: why(one), sinks });
    }
  };
  // If this run received the secret of a refill, the refill is possible now.
  const isPending = (one: PlannedUpkeep): boolean => one.isPending && !isInHand(one, inHand);
  const upkeep = verified.upkeep.filter((one) => !isPending(one));
  if (run.stop.soft.aborted) return leave(upkeep, () => 'the run was stopped');
  // If no change is left, a pending refill can never run, unless a blocked change of its project still has to create its source.
  const pending = verified.upkeep.filter((one) => isPending(one) && !isHeld(request, one));
  if (verified.verification.converged) leave(pending, lostWords);
  if (upkeep.length === 0) return;
  const entry = held ?? (await parts.enter(run.say));
  if (entry === null) return leave(upkeep, () => 'another run uses this folder');
  try {
    const readBack = async (renewals: readonly PlannedUpkeep[]): Promise<ReadonlyMap<Address, string>> =>
      stillNeeded(parts, request, run, renewals);
    await runUpkeep({ ...toolsOf(parts, request, run, entry), plan: request.plan, upkeep, inHand, readBack });
  } finally {
    if (held === null) await entry.leave();
  }
}

/** Plans again until the account needs no renewal any more or the time is over; returns the problem of each renewal left, by address. */
async function stillNeeded(
  parts: Parts,
  { desired, reading, request }: ApplyRequest,
  { stop }: RunFrame,
  renewals: readonly PlannedUpkeep[],
): Promise<ReadonlyMap<Address, string>> {
  let left = renewals;
  const known = knownOf(reading.live, new Set(renewals.map(({ projectId }) => projectId)));
  const asked = { ...request, desired, known, made: new Map<Address, string>(), signal: stop.hard };
  for (const pauseMs of [0, ...SETTLE_PAUSES_MS]) {
    if (left.length === 0 || (pauseMs > 0 && stop.soft.aborted)) break;
    try {
      if (pauseMs > 0) await parts.clock.sleep(pauseMs, stop.soft);
      const { plan } = await planAccount(parts, asked);
      const open = [...(plan?.upkeep ?? left), ...(plan?.changes ?? []).filter(({ action }) => action !== 'none')];
      left = renewals.filter(({ address }) => open.some((one) => one.address === address));
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  }
  const wordsOf = ({ reasons }: PlannedUpkeep): string =>
    `the service accepted the renewal, but does not show it: ${reasons.join('; ')}`;
  return new Map(left.map((one) => [one.address, wordsOf(one)]));
}

const UNKNOWN: Diagnostic = {
  severity: 'warning',
  code: 'upkeep_unknown',
  message: 'secret syncs and renewals could not be planned: the account was not verified',
};

function isInHand({ resourceId, restsOn }: PlannedUpkeep, inHand: InHand): boolean {
  return resourceId !== null && restsOn !== undefined && inHand.has(restsOn);
}

/** True if a change of the same project is blocked, so that this refill or renewal may wait for it. */
function isHeld({ plan }: ApplyRequest, { address }: PlannedUpkeep): boolean {
  const scope = scopeOf(address);
  return plan.changes.some((change) => change.blockedBy.length > 0 && scopeOf(change.address) === scope);
}

function lostWords({ reasons }: PlannedUpkeep): string {
  return `resources that this one needs do not exist: ${reasons.join('; ')}; declare them, or write state: absent here`;
}
