// Verifies a run by planning again until no difference is left or a bound is reached, and reports the rest.
import { isWell, verifyByPlan, type Verification } from '../../apply/judge/verify.ts';
import { knownOf } from '../../apply/read/read-input.ts';
import { resolveStep } from '../../apply/step/resolve-step.ts';
import { isExpected } from '../../client/failure.ts';
import { groupBy } from '../../base/group-by.ts';
import type { OperationWaiter } from '../../client/operations/waiting.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ScopeId } from '../../model/kind.ts';
import type { Happening } from '../../apply/run/run.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import { mayHaveStarted, showsChanges } from '../../model/operations/table.ts';
import { SETTLE_PAUSES_MS, STEP_TIMEOUT_MS } from '../../model/operations/timing.ts';
import type { Change, Plan, StepAction } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { planProblems } from '../../render/messages/problems.ts';
import type { Look, Parts, VerifiedRun } from '../parts.ts';
import { planAccount } from '../plan-flow.ts';
import { resourcesOf } from '../reading/resources.ts';
import type { ApplyRequest } from '../types.ts';
import type { RunFrame } from './run-frame.ts';

interface LastLook extends Look {
  /** Addresses on which operations are under way. */
  readonly running: readonly Address[];
}

/** Plans only the projects that the run touched again. */
export async function verifyRun(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  signal: AbortSignal,
): Promise<VerifiedRun> {
  const result = run.result();
  try {
    const look = await settled(parts, request, run, { result, signal });
    return 'live' in look ? judged(request, result, look) : { verification: look, resources: {} };
  } catch (error) {
    if (!isExpected(error, signal)) throw error;
    return notVerified(error);
  }
}

/** The first look that shows every change and no operation under way, else the one at the bound. */
async function settled(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { result, signal }: { readonly result: RunResult; readonly signal: AbortSignal },
): Promise<LastLook | Verification> {
  const { clock, waiter, serverClock, options } = parts;
  const longestMs = options.stepTimeoutMs ?? STEP_TIMEOUT_MS;
  const deadlineMs = Math.min(clock.monotonicMs() + longestMs, run.deadlineMs ?? Infinity);
  // An operation that is older than any wait holds nothing up.
  const sinceMs = serverClock.nowMs() - Math.max(longestMs, STEP_TIMEOUT_MS);
  const { soft: stop } = run.stop;
  const made = madeBy(request.plan, result);
  const acted = new Set(request.plan.steps.map(({ expects }) => (expects.state === 'present' ? expects.id : null)));
  const awaited = new Set<string>();
  const pauses = [...SETTLE_PAUSES_MS];
  // The whole reading of a saved plan without steps is old.
  const isOld = request.isSaved === true && request.plan.steps.length === 0;
  let look: Look | null = isOld ? null : { plan: request.plan, live: request.reading.live };
  let changed = projectsOf(request.plan.steps);
  // The steps have waited for what was under way on their targets.
  let running: readonly Running[] = runningIn(look, sinceMs).filter(({ resourceId }) => !acted.has(resourceId));
  const inDoubt = [...running.map(({ operation }) => operation), ...logsInDoubt(request, result)];
  const logsOf = isOld ? {} : { logsOf: new Set(inDoubt.flatMap(({ projectId }) => projectId ?? [])) };
  let isFirst = true;
  for (;;) {
    const isOver = stop.aborted || clock.monotonicMs() >= deadlineMs;
    const fresh = isOver ? [] : running.filter(({ operation }) => !awaited.has(operation.id));
    for (const { operation, address, resourceId } of fresh) {
      awaited.add(operation.id);
      if (!acted.has(resourceId)) run.emit(underWay(operation, address));
    }
    const operations = fresh.map(({ operation }) => operation);
    await waitForEnd(waiter, operations, { deadlineMs, signal: stop });
    changed = new Set([...changed, ...projectsOf(operations)]);
    const last = look && { ...look, running: running.map(({ address }) => address) };
    if (last !== null && changed.size === 0) return last;
    if (last !== null && !isFirst && fresh.length === 0) {
      const pauseMs = pauses.shift() ?? Infinity;
      if (stop.aborted || clock.monotonicMs() + pauseMs > deadlineMs) return last;
      await clock.sleep(pauseMs, stop).catch(() => undefined);
    }
    isFirst = false;
    const { desired } = request;
    const known = look && knownOf(look.live, changed);
    const asked = { ...request.request, ...logsOf, desired, known, made, signal };
    const { plan, reading, diagnostics } = await planAccount(parts, asked);
    if (plan === null || reading === null) return { converged: false, remaining: [], diagnostics };
    look = { plan, live: reading.live };
    run.readings.push(reading.live);
    running = runningIn(look, sinceMs);
    changed = lateIn(look, request.plan, result, made);
  }
}

/** An operation that cannot be followed is judged by the next look. */
async function waitForEnd(
  waiter: OperationWaiter,
  operations: readonly OperationRecord[],
  options: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const waits = [...groupBy(operations, ({ projectId }) => projectId).values()].map(async (own) =>
    waiter.settled(own, options),
  );
  for (const wait of await Promise.allSettled(waits))
    if (wait.status === 'rejected' && !isExpected(wait.reason, options.signal)) throw wait.reason;
}

interface Running {
  readonly operation: OperationRecord;
  readonly address: Address;
  readonly resourceId: ResourceId | null;
}

/** Operations under way on what the plan manages. */
function runningIn(look: Look | null, sinceMs: number): readonly Running[] {
  if (look === null) return [];
  const { plan, live } = look;
  return [...live.histories.values()].flatMap(({ operations }) =>
    operations.flatMap((operation): Running[] => {
      const isRecent = isBusy(operation) && (operation.createdAtMs ?? 0) > sinceMs;
      const change = isRecent ? plan.changes.find((one) => isAbout(operation, one)) : undefined;
      return change === undefined ? [] : [{ operation, address: change.address, resourceId: change.resourceId }];
    }),
  );
}

/** Also true for a resource that may be gone by now below the same parent. */
function isAbout(operation: OperationRecord, { kind, resourceId, projectId, parentId }: Change): boolean {
  if (operation.projectId !== projectId) return false;
  const { operations: table } = kindOf(kind);
  return table !== undefined && mayHaveStarted(table, null, { id: resourceId ?? '', parentId }, operation);
}

/** The projects whose logs are needed: elsewhere the operations were followed to their end. */
function logsInDoubt({ plan, reading }: ApplyRequest, result: RunResult): readonly Pick<ScopeId, 'projectId'>[] {
  const silent = new Set(
    result.steps.flatMap(({ id, outcome, operations }) => (outcome === 'done' && operations.length === 0 ? [id] : [])),
  );
  return [
    ...plan.changes.filter(({ origin, action }) => origin === 'last_operation_failed' && action !== 'none'),
    ...reading.live.unread.filter(({ part }) => part !== undefined),
    ...plan.steps.filter(({ id, kind }) => silent.has(id) && showsChanges(kindOf(kind))),
  ];
}

/** The projects that do not show a finished step yet. Another look does not mend a failure. */
function lateIn(
  { plan }: Look,
  executed: Plan,
  { steps: outcomes }: RunResult,
  made: ReadonlyMap<Address, ResourceId>,
): ReadonlySet<string | null> {
  const failed = new Set(
    plan.changes.flatMap(({ origin, address }) => (origin === 'last_operation_failed' ? [address] : [])),
  );
  const late = new Set(verifyByPlan(executed, outcomes, plan).remaining.filter((address) => !failed.has(address)));
  const done = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : [])));
  const steps = executed.steps.filter(({ id, address }) => done.has(id) && late.has(address));
  return projectsOf(steps.map((step) => resolveStep(step, made)));
}

/** Ids of projects; null stands for the account. */
function projectsOf(scopes: readonly { readonly projectId: string | null }[]): ReadonlySet<string | null> {
  return new Set(scopes.map(({ projectId }) => projectId));
}

function judged(request: ApplyRequest, result: RunResult, { plan, live, running }: LastLook): VerifiedRun {
  const byPlan = verifyByPlan(request.plan, result.steps, plan);
  const diagnostics = [...byPlan.diagnostics, ...missedSince(request.plan, plan)];
  return {
    verification: withRunning({ ...byPlan, diagnostics }, [...new Set(running)]),
    resources: resourcesOf(plan, live.resources, madeBy(request.plan, result)),
    upkeep: plan.upkeep,
  };
}

/** The problems of parts that could be planned before the run and cannot after it. */
function missedSince(executed: Plan, after: Plan): readonly Diagnostic[] {
  const known = new Set([
    ...executed.unread.map(({ what }) => what),
    ...executed.unplanned.map(({ project }) => project),
  ]);
  return planProblems({
    ...after,
    unread: after.unread.filter(({ what }) => !known.has(what)),
    unplanned: after.unplanned.filter(({ project }) => !known.has(project)),
    changes: [],
    limitsExceeded: [],
  });
}

/** An operation under way may still change the reading. */
function withRunning(verification: Verification, running: readonly Address[]): Verification {
  if (running.length === 0) return verification;
  const diagnostics = running.map((address): Diagnostic => ({
    severity: 'error',
    code: 'still_running',
    message: 'an operation that this run did not start was still running at the deadline',
    hint: 'Run trueup apply again later; trueup operations --running shows the operation.',
    address,
  }));
  return {
    converged: false,
    matches: verification.converged,
    remaining: verification.remaining,
    diagnostics: [...verification.diagnostics, ...diagnostics],
  };
}

function notVerified(error: unknown): VerifiedRun {
  const why = error instanceof Error ? error.message : String(error);
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'not_verified',
    message: `the result of the run could not be verified, because the account could not be read: ${why}`,
    hint: 'Run trueup apply again.',
  };
  return { verification: { converged: false, remaining: [], diagnostics: [diagnostic] }, resources: {} };
}

function underWay({ id, action, status }: OperationRecord, address: Address): Happening {
  const message = `waiting for the operation ${action} ${id}, which this run did not start (${status})`;
  return { type: 'diagnostic', diagnostic: { severity: 'warning', code: 'operation_under_way', message, address } };
}

/** The ids of resources that the run made, by address; the removal of a replacement has the same address. */
function madeBy({ changes }: Plan, { steps }: RunResult): ReadonlyMap<Address, ResourceId> {
  const rotated = new Set(changes.flatMap(({ action, address }) => (action === 'rotate' ? [address] : [])));
  const makers = steps.filter(
    ({ action, address, outcome }) => (MAKES.has(action) || rotated.has(address)) && isWell(outcome),
  );
  return new Map(
    makers.flatMap(({ address, resourceId }) => (resourceId === null ? [] : [[address, resourceId] as const])),
  );
}

const MAKES: ReadonlySet<StepAction> = new Set(['create', 'rotate']);
