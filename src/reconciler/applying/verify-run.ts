// Verifies a run by planning again until the account shows each finished step or the time is over, and reports what is left.
import { messageOf } from '../../base/error-code.ts';
import { isWell, verifyByPlan } from '../../apply/judge/verify.ts';
import { knownOf } from '../../apply/read/read-scopes.ts';
import { targetsOf } from '../../apply/run/run.ts';
import { removedByRule } from '../../plan/match/by-rule.ts';
import { resolveStep } from '../../apply/step/resolve-step.ts';
import { isExpected } from '../../client/failure.ts';
import { groupBy } from '../../base/group-by.ts';
import type { OperationWaiter } from '../../client/waiter.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId, DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveState, OperationRecord } from '../../model/live.ts';
import { isBusy, mayHaveStarted, showsChanges } from '../../model/operations/operation.ts';
import { SETTLE_PAUSES_MS, STEP_TIMEOUT_MS } from '../../model/operations/timing.ts';
import type { Change, Plan, StepAction } from '../../model/outcome/plan.ts';
import type { RunResult, Vacated } from '../../model/outcome/result.ts';
import { planProblems } from '../../render/messages/problems.ts';
import type { Parts } from '../workspace.ts';
import { planAccount, resourcesOf } from '../plan-flow.ts';
import type { ApplyRequest } from '../types.ts';
import type { RunFrame, VerifiedRun } from './run-frame.ts';
import { compareText } from '../../base/json.ts';
import { placedBy, slotWordsOf } from '../../model/attributes.ts';
import { leavingOf, wordsIn } from '../../plan/order/order.ts';
import { PROJECT } from '../../model/kind.ts';

interface Look {
  readonly plan: Plan;
  readonly live: LiveState;
  /** All readings so far, oldest first; the last is `live`. The first is the reading of the executed plan, unless it is too old. */
  readonly readings: readonly LiveState[];
  readonly running: readonly Running[];
}

/** A running operation that no step of this run started, with the address that it may be about. */
interface Running extends OperationRecord {
  readonly address: Address;
}

/** Verifies the run; reads again only the projects that the run touched. */
export async function verifyRun(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  signal: AbortSignal,
): Promise<VerifiedRun> {
  const result = run.result();
  try {
    const look = await lastLook(parts, request, run, { result, signal });
    return 'live' in look ? judged(request, result, look) : notVerified(look);
  } catch (error) {
    if (!isExpected(error, signal)) throw error;
    const why = messageOf(error);
    const message = `the result of the run could not be verified, because the account could not be read: ${why}`;
    return notVerified([{ severity: 'error', code: 'not_verified', message, hint: 'Run trueup apply again.' }]);
  }
}

function notVerified(diagnostics: readonly Diagnostic[]): VerifiedRun {
  return { verification: { converged: false, remaining: [], diagnostics }, resources: {}, vacated: [] };
}

/** Plans until the account shows each finished step and no other operation runs, or time is over. Returns diagnostics if no plan is possible. */
async function lastLook(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { result, signal }: { readonly result: RunResult; readonly signal: AbortSignal },
): Promise<Look | readonly Diagnostic[]> {
  const { clock, waiter, serverClock, options } = parts;
  const { desired, plan: executed, reading } = request;
  const { soft: stop } = run.stop;
  const longestMs = options.stepTimeoutMs ?? STEP_TIMEOUT_MS;
  const deadlineMs = Math.min(clock.monotonicMs() + longestMs, run.deadlineMs);
  // An operation older than the longest wait is ignored, because it may never end.
  const sinceMs = serverClock.nowMs() - Math.max(longestMs, STEP_TIMEOUT_MS);
  const made = madeBy(executed, result);
  const removals = removedByRule(executed);
  const followed = new Set(result.steps.flatMap(({ operations }) => operations.map(({ id }) => id)));
  const lookOf = (plan: Plan, live: LiveState, earlier: readonly LiveState[] = []): Look => ({
    plan,
    live,
    readings: [...earlier, live],
    running: runningIn(plan, live, sinceMs).filter(({ id }) => !followed.has(id)),
  });
  // The reading of a saved plan without steps is too old to reuse.
  const isOld = request.isSaved === true && executed.steps.length === 0;
  let look = isOld ? null : lookOf(executed, reading.live);
  let changed = projectsOf(executed.steps);
  const inDoubt = [...(look?.running ?? []), ...logsInDoubt(request, result)];
  const logsOf = isOld ? {} : { logsOf: new Set(inDoubt.flatMap(({ projectId }) => projectId ?? [])) };
  const awaited = new Set<string>();
  const pauses = [...SETTLE_PAUSES_MS];
  for (let isFirst = true; ; isFirst = false) {
    const isOver = stop.aborted || clock.monotonicMs() >= deadlineMs;
    const fresh = isOver ? [] : (look?.running ?? []).filter(({ id }) => !awaited.has(id));
    for (const one of fresh) {
      awaited.add(one.id);
      run.say(underWay(one));
    }
    await waitForEnd(waiter, fresh, { deadlineMs, signal: stop });
    changed = new Set([...changed, ...projectsOf(fresh)]);
    if (look !== null && changed.size === 0) return look;
    if (look !== null && !isFirst && fresh.length === 0) {
      const pauseMs = pauses.shift() ?? Infinity;
      if (stop.aborted || clock.monotonicMs() + pauseMs > deadlineMs) return look;
      await clock.sleep(pauseMs, stop).catch(() => undefined);
    }
    const known = look && knownOf(look.live, changed);
    const again = await planAccount(parts, { ...request.request, ...logsOf, desired, known, made, removals, signal });
    if (again.plan === null) return again.diagnostics;
    look = lookOf(again.plan, again.reading.live, look?.readings);
    changed = lateIn(again.plan, executed, result, made);
  }
}

/** Waits for the operations; a failed wait is ignored, because the next plan shows the result. */
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

function runningIn({ changes }: Plan, { histories }: LiveState, sinceMs: number): readonly Running[] {
  const operations = [...histories.values()].flatMap((history) => history.operations);
  return operations
    .filter((operation) => isBusy(operation) && (operation.createdAtMs ?? 0) > sinceMs)
    .flatMap((operation) => {
      const change = changes.find((one) => isAbout(operation, one));
      return change === undefined ? [] : [{ ...operation, address: change.address }];
    });
}

/** True if the operation may be on the resource of the change, or on another resource below the same parent. */
function isAbout(operation: OperationRecord, { kind, resourceId, projectId, parentId }: Change): boolean {
  if (operation.projectId !== projectId) return false;
  const { operations: table } = kindOf(kind);
  return table !== undefined && mayHaveStarted(table, null, { id: resourceId ?? '', parentId }, operation);
}

/** Returns changes, unread parts and steps whose project's log must be read again. In other projects, the run followed each operation. */
function logsInDoubt(
  { plan, reading }: ApplyRequest,
  result: RunResult,
): readonly { readonly projectId: string | null }[] {
  const silent = new Set(
    result.steps.flatMap(({ id, outcome, operations }) => (outcome === 'done' && operations.length === 0 ? [id] : [])),
  );
  return [
    ...plan.changes.filter(({ origin, action }) => origin === 'last_operation_failed' && action !== 'none'),
    ...reading.live.unread.filter(({ part }) => part !== undefined),
    ...plan.steps.filter(({ id, kind }) => silent.has(id) && showsChanges(kindOf(kind))),
  ];
}

/** Returns the projects whose reading lacks the effect of a finished step. Ignores failed operations: another reading would show the same. */
function lateIn(
  plan: Plan,
  executed: Plan,
  { steps: outcomes }: RunResult,
  made: ReadonlyMap<Address, ResourceId>,
): ReadonlySet<string | null> {
  const late = new Set(verifyByPlan(executed, outcomes, plan).remaining);
  for (const { origin, address } of plan.changes) if (origin === 'last_operation_failed') late.delete(address);
  const done = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : [])));
  const steps = executed.steps.filter(({ id, address }) => done.has(id) && late.has(address));
  return projectsOf(steps.map((step) => resolveStep(step, made)));
}

/** The ids of the projects; null stands for the account. */
function projectsOf(scopes: readonly { readonly projectId: string | null }[]): ReadonlySet<string | null> {
  return new Set(scopes.map(({ projectId }) => projectId));
}

function judged({ plan: executed, desired, reading }: ApplyRequest, result: RunResult, look: Look): VerifiedRun {
  const { plan, live, readings } = look;
  const done = new Set(result.steps.flatMap(({ id, outcome }) => (isWell(outcome) ? [id] : [])));
  const removals = executed.steps.filter(({ id, achieves }) => achieves === null && done.has(id));
  const byPlan = verifyByPlan(executed, result.steps, plan);
  const running = new Set(look.running.map(({ address }) => address));
  const diagnostics = [...byPlan.diagnostics, ...missedSince(executed, plan), ...[...running].map(stillRunning)];
  return {
    // A running operation may still change the resources, so the run has not converged.
    verification:
      running.size === 0
        ? { ...byPlan, diagnostics }
        : { converged: false, matches: byPlan.converged, remaining: byPlan.remaining, diagnostics },
    resources: resourcesOf(plan, live.resources, madeBy(executed, result)),
    vacated: leftSlots(desired, reading.live, readings, targetsOf(removals)),
    upkeep: plan.upkeep,
  };
}

/** Returns the problems of parts that could be planned before the run but not after the run. */
function missedSince({ unread, unplanned }: Plan, after: Plan): readonly Diagnostic[] {
  return planProblems({
    ...after,
    unread: after.unread.filter(({ what }) => !unread.some((one) => one.what === what)),
    unplanned: after.unplanned.filter(({ project }) => !unplanned.some((one) => one.project === project)),
    changes: [],
    limitsExceeded: [],
  });
}

function stillRunning(address: Address): Diagnostic {
  return {
    severity: 'error',
    code: 'still_running',
    message: 'an operation that this run did not start was still running at the deadline',
    hint: 'Run trueup apply again later; trueup operations --running shows the operation.',
    address,
  };
}

function underWay({ id, action, status, address }: Running): Diagnostic {
  const message = `waiting for the operation ${action} ${id}, which this run did not start (${status})`;
  return { severity: 'warning', code: 'operation_under_way', message, address };
}

/** Returns the ids of created or rotated resources by address. Skips the removal of a replaced resource, which has the same address. */
function madeBy({ changes }: Plan, { steps }: RunResult): ReadonlyMap<Address, ResourceId> {
  const rotated = new Set(changes.flatMap(({ action, address }) => (action === 'rotate' ? [address] : [])));
  return new Map(
    steps.flatMap(({ action, address, outcome, resourceId }) => {
      const isMade = (MAKES.has(action) || rotated.has(address)) && isWell(outcome);
      return isMade && resourceId !== null ? [[address, resourceId] as const] : [];
    }),
  );
}

const MAKES: ReadonlySet<StepAction> = new Set(['create', 'rotate']);

const HINT = 'If the plan did not ask for this, run trueup apply again to finish the move.';

/** Returns slots filled in `before`, but empty in the last complete reading of their project. Skips slots below removed or expired resources. */
function leftSlots(
  desired: DesiredState,
  before: LiveState,
  after: readonly LiveState[],
  removed: ReadonlySet<ResourceId>,
): readonly Vacated[] {
  const labels = new Map(before.projects.map(({ id, label }) => [id, label]));
  const slotsIn = ({ resources }: LiveState): ReadonlyMap<string, Vacated & { readonly projectId: string | null }> =>
    new Map(
      resources.flatMap(({ kind, projectId, spec }) => {
        const rules = kindOf(kind);
        const slot = slotWordsOf(rules);
        if (slot === undefined || rules.place(spec) === null) return [];
        const project = desired.projects.find(({ label }) => label === labels.get(projectId ?? '')) ?? null;
        const id = String(spec[placedBy(rules)?.attribute ?? '']);
        const words = wordsIn(leavingOf(rules, spec, { project })).join('; ');
        const message = `${words}, unlike at the start of this run`;
        const diagnostic = { severity: 'warning', code: slot.left, message, hint: HINT } as const;
        return [[JSON.stringify([projectId, id]), { id, diagnostic, projectId }]];
      }),
    );
  const looks = after.map((live) => ({ live, read: readIn(live), filled: slotsIn(live) }));
  return [...slotsIn(before)]
    .filter(([key, { id, projectId }]) => {
      const last = looks.findLast(({ read }) => read.has(projectId));
      return last?.filled.has(key) === false && !isGone(id, before, last.live);
    })
    .flatMap(([, { id, diagnostic, projectId }]) =>
      removed.has(id) || removed.has(projectId ?? '') ? [] : [{ id, diagnostic }],
    )
    .sort((a, b) => compareText(a.id, b.id));
}

/** True if the later reading lacks this resource. Others of its kind and project must be there, to prove that their list was read. */
function isGone(id: ResourceId, before: LiveState, { resources }: LiveState): boolean {
  const one = before.resources.find((resource) => resource.id === id);
  const alike = resources.filter(({ kind, projectId }) => kind === one?.kind && projectId === one.projectId);
  return alike.length > 0 && alike.every((resource) => resource.id !== id);
}

/** Returns the projects that a reading shows completely. Skips a project if the reading has only the project itself. */
function readIn({ projects, resources, unread }: LiveState): ReadonlySet<string | null> {
  const read = new Set<string | null>(projects.map(({ id }) => id));
  for (const [id, own] of groupBy(resources, ({ projectId }) => projectId ?? ''))
    if (own.every(({ kind }) => kind === PROJECT)) read.delete(id);
  for (const { projectId, part } of unread) if (part === undefined) read.delete(projectId);
  return read;
}
