// Applies a plan, then plans again to verify it, and at last fills sinks and renews resources, as that second plan demands.
import { execute } from '../../apply/execute.ts';
import { repeatedBy } from '../../apply/journal/entries.ts';
import type { PlannedAgain } from '../../apply/judge/decide-plan.ts';
import type { ExecutionReport } from '../../apply/run/run.ts';
import { lastCall, type LastCall } from '../../apply/run/signals.ts';
import { runMark } from '../../kinds/shared/branch-contents.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult, StepOutcome } from '../../model/outcome/result.ts';
import type { Entry, Parts } from '../workspace.ts';
import type { ApplyRequest, Reading } from '../types.ts';
import { startRun, toolsOf, type RunFrame, type VerifiedRun } from './run-frame.ts';
import { verifyRun } from './verify-run.ts';
import { knownOf } from '../../apply/read/read-scopes.ts';
import { kindOf } from '../../kinds/index.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Allowance } from '../../model/outcome/impact.ts';
import type { Plan, PlannedUpkeep } from '../../model/outcome/plan.ts';
import { leftOutOf } from '../../plan/guard/guard-plan.ts';
import { removedByRule } from '../../plan/match/by-rule.ts';
import { planAccount } from '../plan-flow.ts';
import { runUpkeep } from '../../apply/upkeep.ts';
import type { InHand } from '../../apply/kind-remote.ts';
import { isExpected } from '../../client/failure.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import { SETTLE_PAUSES_MS } from '../../model/operations/timing.ts';

export async function applyPlan(parts: Parts, request: ApplyRequest): Promise<RunResult> {
  const run = startRun(parts, request);
  const last = lastCall(parts.clock, run.stop.hard, run.deadlineMs);
  try {
    return await (request.plan.steps.length === 0 ? runUnchanged : runSteps)(parts, request, run, last);
  } finally {
    last.close();
  }
}

/** A plan without steps is verified, too, because a saved plan may be out of date. */
async function runUnchanged(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  endAfter(run.stop.soft);
  const verified = await verifyRun(parts, request, run, signal);
  const stale = request.isSaved === true ? verified.verification.remaining : [];
  for (const address of stale) run.say(staleAt(address));
  if (stale.length > 0) return run.end('stale');
  run.tellVerified(verified);
  await keepUp(parts, request, run, { verified, entry: null });
  return run.finish(null, verified);
}

/** Once `signal` is aborted, the run sends no more requests, but still reports its result. */
async function runSteps(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  const reach = parts.options.onPoint ?? ((): void => undefined);
  reach('approved');
  const entry = await parts.enter(run.say);
  if (entry === null) return run.end('error');
  reach('locked');
  try {
    const { report, reading } = await executeSteps(parts, request, run, entry);
    reach('executed');
    endAfter(run.stop.soft);
    const isUnchanged = report.halted === 'stale' && !run.result().steps.some(({ outcome }) => CHANGED.has(outcome));
    const verified = isUnchanged ? null : await verifyRun(parts, { ...request, reading }, run, signal);
    reach('verified');
    run.tellVerified(verified);
    const { halted, inHand } = report;
    await keepUp(parts, request, run, { verified, entry, inHand, isHalted: halted !== null });
    return run.finish(report, verified);
  } finally {
    reach('leaving');
    await entry.leave();
  }
}

/** The outcomes of steps that may have changed something. */
const CHANGED: ReadonlySet<StepOutcome> = new Set(['done', 'unknown', 'timed_out']);

function staleAt(address: string): Diagnostic {
  const message = 'the live state changed since the plan was made';
  return { severity: 'error', code: 'stale', message, hint: 'Run trueup plan again.', address };
}

async function executeSteps(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  entry: Entry,
): Promise<{ readonly report: ExecutionReport; readonly reading: Reading }> {
  const { plan, isSaved = false, hasPaused = false } = request;
  let { reading } = request;
  const newer = async (signal: AbortSignal): Promise<PlannedAgain> => {
    const again = await planAgain(parts, request, signal);
    if (again.plan !== null) reading = again;
    return again;
  };
  // Since the account was read, another run of this folder may have sent the same requests, so the plan is checked again.
  const isRepeated = repeatedBy(plan.steps, await parts.young()).steps.length > 0;
  const report = await execute({
    ...toolsOf(parts, request, run, entry),
    plan,
    runId: runMark(plan, parts.runId()),
    planAgain: isSaved || hasPaused || isRepeated ? newer : null,
  });
  return { report, reading };
}

const NO_LIMITS: SafetyLimits = {
  project: null,
  protect: [],
  windows: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
  maxDrops: Infinity,
};

/** Plans the reviewed changes again; reads only account-wide lists, and the projects of steps, secrets and renewals. Rejects with `ApiFailure`. */
async function planAgain(
  parts: Parts,
  { plan, desired: declared, reading }: ApplyRequest,
  signal: AbortSignal,
): Promise<PlannedAgain> {
  const asked = { ...plan.options, consent: 'reviewed', allow: allowedBy(plan), signal } as const;
  const kept = new Set(
    declared.resources.flatMap((one) => (kindOf(one.kind).upkeep?.mayNeed(one) === true ? [one.scope] : [])),
  );
  const projects = reading.live.projects.flatMap(({ id, label }) => (kept.has(label) ? [id] : []));
  const known = knownOf(reading.live, new Set([null, ...projects, ...plan.steps.map(({ projectId }) => projectId)]));
  const outcome = await planAccount(parts, {
    ...asked,
    removals: removedByRule(plan),
    held: leftOutOf(plan),
    desired: { ...declared, safety: [NO_LIMITS] },
    known: known && { ...known, isOld: true },
  });
  const nothing = { projects: [], resources: [], histories: new Map(), unread: [], facts: new Map() };
  return { plan: outcome.plan, live: outcome.reading?.live ?? nothing, diagnostics: outcome.diagnostics };
}

/** Returns the allowances of the plan, and those for data losses that the reviewer agreed to. */
function allowedBy({ options, changes }: Plan): readonly Allowance[] {
  const given = options.allow.map((text) => {
    const [action = '', ...address] = text.split(':');
    return { action, address: address.join(':') };
  });
  const running = changes.filter(({ blockedBy }) => blockedBy.length === 0);
  const losses = running.flatMap(({ consents = [] }) =>
    // Consent in a file depends on the live state, so it is decided again.
    consents.flatMap(({ word, address, given: by }) => (by === 'file' ? [] : [{ action: word, address }])),
  );
  return [...given, ...losses];
}

interface Keeping {
  readonly verified: VerifiedRun | null;
  /** Null if the run holds no lock. */
  readonly entry: Entry | null;
  readonly inHand?: InHand;
  readonly isHalted?: boolean;
}

/**
 * Fills sinks and renews resources; takes the lock if the run does not hold it. After a halt or a stop, only fills sinks with secrets in hand,
 * because nobody may be able to read these secrets again.
 */
async function keepUp(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { verified, entry: held, inHand = new Map(), isHalted = false }: Keeping,
): Promise<void> {
  if (verified?.upkeep === undefined) return;
  const leave = (some: readonly PlannedUpkeep[], why: (one: PlannedUpkeep) => string): void => {
    for (const one of some) {
      const { address, action, sinks } = one;
      run.emit({ type: 'upkeep', address, action, outcome: 'failed', message: why(one), sinks });
    }
  };
  // If this run received the secret of a refill, the refill is possible now.
  const isPending = (one: PlannedUpkeep): boolean => one.isPending && !isInHand(one, inHand);
  const isOver = isHalted || run.stop.soft.aborted;
  const ready = verified.upkeep.filter((one) => !isPending(one));
  const upkeep = ready.filter((one) => !isOver || isInHand(one, inHand));
  if (!isHalted)
    leave(
      ready.filter((one) => !upkeep.includes(one)),
      () => 'the run was stopped',
    );
  // If no change is left, a pending refill can never run, unless a blocked change of its project may still create a needed resource.
  const pending = verified.upkeep.filter((one) => isPending(one) && !isHeld(request, one));
  if (!isOver && verified.verification.converged) leave(pending, lostWords);
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

/** Plans again until no renewal is needed or the pauses are used up. Returns the problems of the renewals still needed, by address. */
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
