// Upkeep at the end of an apply: what the account and the places ask for as they are then, whoever changed them.
import { runUpkeep } from '../../apply/upkeep/run-upkeep.ts';
import type { InHand } from '../../apply/kind-remote.ts';
import { objectOf, textOf } from '../../base/json.ts';
import { isExpected } from '../../client/failure.ts';
import { kinds } from '../../kinds/index.ts';
import { scopeOf } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { UpkeepResult } from '../../model/outcome/upkeep.ts';
import { planAccount } from '../plan-flow.ts';
import type { ApplyParts, VerifiedRun } from '../parts.ts';
import type { ApplyRequest, PlanOutcome } from '../types.ts';
import type { Entry } from '../enter-folder.ts';
import { machineryOf, stopOf } from './machinery.ts';

interface Keeping {
  readonly run: { readonly deadlineMs: number | null; readonly emit: (event: ApplyEvent) => void };
  readonly verified: VerifiedRun | null;
  /** Null where the run had nothing to do in the folder so far. */
  readonly entry: Entry | null;
  /** What replies to the run told. */
  readonly inHand?: InHand;
  readonly signal: AbortSignal;
}

/** Nothing is done in a run that was told to stop, which says so of each, or that could not read the account back. Takes the lock where the run does not hold it. */
export async function keepUp(parts: ApplyParts, request: ApplyRequest, keeping: Keeping): Promise<void> {
  const { run, verified, entry: held, inHand = new Map() } = keeping;
  const { soft } = stopOf(request);
  if (verified === null) return;
  const { clock } = parts.session;
  const leave = (upkeep: readonly PlannedUpkeep[], why: string): void => {
    for (const one of upkeep.filter(({ isPending }) => !isPending))
      run.emit({ type: 'upkeep', atMs: clock.nowMs(), ...failed(one, why) });
  };
  if (soft.aborted) {
    leave(verified.upkeep ?? [], 'the run was stopped');
    // What a saved plan shows may be done, or not be all.
    if (verified.upkeep === undefined && request.plan.upkeep.length > 0)
      run.emit(unknownUpkeep(clock.nowMs(), 'the run was stopped'));
    return;
  }
  const found = verified.upkeep ?? (await upkeepOf(parts, request, keeping));
  // What waits for a secret that this run has in hand waits no more.
  const all = found.map((one) => (inHand.has(restsOn(one)) ? { ...one, isPending: false } : one));
  // With nothing left to change, what it waits for does not come by itself, unless it is held back here.
  for (const one of verified.verification.converged ? all.filter((one) => one.isPending && !isHeld(request, one)) : [])
    run.emit({ type: 'upkeep', atMs: clock.nowMs(), ...lost(one) });
  const upkeep = all.filter(({ isPending }) => !isPending);
  if (upkeep.length === 0) return;
  const entry =
    held ??
    (await parts.workspace.enter(
      (diagnostic) => run.emit({ type: 'diagnostic', atMs: clock.nowMs(), diagnostic }),
      soft,
    ));
  if (entry === null) {
    leave(upkeep, soft.aborted ? 'the run was stopped' : 'another run uses this folder');
    return;
  }
  try {
    const frame = { entry, deadlineMs: run.deadlineMs, emit: run.emit };
    await runUpkeep({ ...machineryOf(parts, request, frame), plan: request.plan, upkeep, inHand });
  } finally {
    if (held === null) await entry.leave();
  }
}

/** Id of what its secret is of; empty where it rests on none. */
function restsOn({ options: { content } }: PlannedUpkeep): ResourceId {
  return textOf(objectOf(content)['rests_on']) ?? '';
}

/** True where something of its project is blocked: that may be what it waits for. */
function isHeld({ plan }: ApplyRequest, { address }: PlannedUpkeep): boolean {
  const scope = scopeOf(address);
  return plan.changes.some((change) => change.blockedBy.length > 0 && scopeOf(change.address) === scope);
}

function lost(one: PlannedUpkeep): UpkeepResult {
  return failed(
    one,
    `its resources do not exist: ${one.reasons.join('; ')}; declare them, or write state: absent here`,
  );
}

function failed({ address, action, sinks }: PlannedUpkeep, message: string): UpkeepResult {
  return { address, action, outcome: 'failed', message, sinks };
}

/** Why what the saved plan shows as due is not even planned any more, though nobody did it; null where it is, or is done. */
function notDue({ plan, diagnostics }: PlanOutcome, { address }: PlannedUpkeep): string | null {
  const scope = scopeOf(address);
  const apart = plan?.unplanned.find(({ project }) => project === scope)?.diagnostics;
  const errors = (plan === null ? diagnostics : (apart ?? [])).filter(({ severity }) => severity === 'error');
  const own = errors.find((one) => scopeOf(one.address ?? scope) === scope) ?? errors[0];
  if (own !== undefined) return `it can no longer be planned: ${own.message}`;
  const isMissing = plan?.changes.some((one) => one.address === address && one.action === 'create') === true;
  return isMissing ? 'its resource no longer exists' : null;
}

/** The upkeep of a saved plan, planned anew from the desired state that it was made from. */
async function upkeepOf(
  { session, workspace }: ApplyParts,
  { plan, madeFrom, request }: ApplyRequest,
  { run, signal }: Keeping,
): Promise<readonly PlannedUpkeep[]> {
  const mayNeed = madeFrom?.resources.some((desired) =>
    kinds.some(({ rules }) => rules.kind === desired.kind && rules.upkeep?.mayNeed(desired) === true),
  );
  if (madeFrom === undefined || mayNeed !== true) return [];
  try {
    const { target, exclude } = plan.options;
    const made = await planAccount(session, workspace, { ...request, desired: madeFrom, target, exclude, signal });
    for (const one of plan.upkeep) {
      const problem = notDue(made, one);
      if (problem !== null) run.emit({ type: 'upkeep', atMs: session.clock.nowMs(), ...failed(one, problem) });
    }
    return made.plan?.upkeep ?? [];
  } catch (error) {
    if (!isExpected(error, signal)) throw error;
    run.emit(unknownUpkeep(session.clock.nowMs(), error instanceof Error ? error.message : String(error)));
    return [];
  }
}

function unknownUpkeep(atMs: number, why: string): ApplyEvent {
  const message = `secret syncs and renewals could not be planned: ${why}`;
  return { type: 'diagnostic', atMs, diagnostic: { severity: 'warning', code: 'upkeep_unknown', message } };
}
