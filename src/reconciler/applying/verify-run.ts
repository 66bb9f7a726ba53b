// The read-back of a run: what the account shows now, and whether that is what was asked for.
import { comparing } from '../../plan/diff/difference.ts';
import { disagreements } from '../../apply/judge/attributes.ts';
import type { KnownReading } from '../../apply/read/read-input.ts';
import { inheritedIds } from '../../apply/step/inherited.ts';
import { resolveStep } from '../../apply/step/resolve-step.ts';
import { isWell, verifyByPlan, verifyBySteps, type Verification } from '../../apply/judge/verify.ts';
import { noneUnread, isExpected } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey, type ScopeId } from '../../model/kind.ts';
import type { LiveResource, LiveState } from '../../model/live.ts';
import { isWhole, type Change, type Plan, type StepAction } from '../../model/outcome/plan.ts';
import { isUnborn } from '../../model/reference.ts';
import type { ResourceResult, RunResult } from '../../model/outcome/result.ts';
import type { Joined } from './join-running.ts';
import { unreportedOperations, type UnreportedOperations } from './unreported-operations.ts';
import { DEFAULT_STEP_TIMEOUT_MS, type ApplyParts, type VerifiedRun } from '../parts.ts';
import { wasReadIn } from './left-empty.ts';
import { planAccount } from '../plan-flow.ts';
import { knownOf, logsToJudge, projectsOf, runningOn, settled, unreportedIds, type Look } from '../reading/settle.ts';
import { withExtras } from './extras.ts';
import type { ApplyRequest, PlanOutcome } from '../types.ts';

interface ReadBack {
  readonly joined: Joined;
  readonly signal: AbortSignal;
  /** Monotonic: by then the run is over. */
  readonly deadlineMs: number;
}

/**
 * Reads back what the run touched, and judges. The reading of the plan holds for the rest: a plan without steps was its own
 * read-back, but for the projects in which operations were `joined` since. What was acknowledged and does not show is looked at
 * again for a while.
 */
export async function verifyRun(
  parts: ApplyParts,
  request: ApplyRequest,
  result: RunResult,
  { joined, signal, deadlineMs }: ReadBack,
): Promise<VerifiedRun> {
  const { session, options } = parts;
  const longestMs = options.stepTimeoutMs ?? DEFAULT_STEP_TIMEOUT_MS;
  const patience = {
    clock: session.clock,
    waiter: session.waiter,
    deadlineMs: Math.min(deadlineMs, session.clock.monotonicMs() + longestMs),
    signal: request.stop?.soft ?? signal,
  };
  try {
    if (request.desired === null) {
      const look = async (): Promise<Look<VerifiedRun>> => lookBySteps(parts, request.plan, result, signal);
      return await settled(await look(), look, patience);
    }
    const { reading, desired } = request;
    if (joined.projects.size === 0 && request.plan.steps.length === 0 && reading !== null) {
      const converged = isWhole(request.plan);
      return {
        verification: { converged, remaining: [], diagnostics: [] },
        resources: resourcesOf(request.plan, reading.live.resources),
        upkeep: request.plan.upkeep,
      };
    }
    const begun = knownOf(request, joined);
    let seen: LiveState | null = null;
    const look = async (known: KnownReading | null): Promise<Look<VerifiedRun>> => {
      const asked = { known, logsOf: logsToJudge(request, result, joined), made: madeBy(request.plan, result), signal };
      const wanted = { ...request.request, desired, ...asked };
      const outcome = await planAccount(session, parts.workspace, wanted);
      seen = outcome.reading?.live ?? null;
      return lookByPlan(outcome, request.plan, result, joined);
    };
    const again = async (changed: ReadonlySet<string | null>): Promise<Look<VerifiedRun>> =>
      look(seen === null || seen.unread.length > 0 ? begun : { live: seen, changed });
    return await settled(await look(begun), again, patience);
  } catch (error) {
    if (!isExpected(error, signal)) throw error;
    return notVerified(error);
  }
}

/** What a plan made anew says of the run. */
function lookByPlan(
  { plan, reading, diagnostics }: PlanOutcome,
  executed: Plan,
  result: RunResult,
  joined: Joined,
): Look<VerifiedRun> {
  if (plan === null || reading === null) {
    const verification = { converged: false, remaining: [], diagnostics };
    return { value: { verification, resources: {} }, unsettled: new Set(), running: [] };
  }
  const live = reading.live.resources;
  const unreported = unreportedIds(result);
  const running = runningOn(reading.live.histories, new Set(unreported.keys()));
  const open = running.flatMap(({ resourceId }) => unreported.get(resourceId ?? '') ?? []);
  const byPlan = verifyByPlan(executed, result.steps, plan);
  const verification = withRunning(byPlan, [...new Set([...joined.running, ...open])]);
  const unlisted = new Set(plan.unmanaged.flatMap(({ id, pruned }) => (pruned ? [] : [id])));
  const found = { live, isUnlisted: ({ id }: LiveResource) => unlisted.has(id) };
  // What has failed for good shows no better by looking again.
  const failed = new Set(
    plan.changes.flatMap(({ origin, address }) => (origin === 'last_operation_failed' ? [address] : [])),
  );
  const late = byPlan.remaining.filter((address) => !failed.has(address));
  const made = madeBy(executed, result);
  const carriedOut = { ...executed, steps: executed.steps.map((step) => resolveStep(step, made)) };
  const changing = live.filter((one) => unreported.has(one.id) && kindOf(one.kind).remote.isChanging?.(one) === true);
  return {
    value: {
      verification: withExtras(verification, executed, result, found),
      resources: resourcesOf(plan, live, made),
      upkeep: plan.upkeep,
      found: { live, wasRead: wasReadIn(reading.live) },
    },
    unsettled: new Set([...projectsOf(carriedOut, result, late), ...changing.map(({ projectId }) => projectId)]),
    running,
  };
}

/** What is to be said when the account could not be read back. */
export function notVerified(error: unknown): VerifiedRun {
  const why = error instanceof Error ? error.message : String(error);
  const verification: Verification = {
    converged: false,
    remaining: [],
    diagnostics: [
      {
        severity: 'error',
        code: 'not_verified',
        message: `the account could not be verified: ${why}`,
        hint: 'Run trueup apply again.',
      },
    ],
  };
  return { verification, resources: {} };
}

/** What is still running may yet change what was read: it is neither done nor failed. */
function withRunning(verification: Verification, running: readonly Address[]): Verification {
  if (running.length === 0) return verification;
  const diagnostics = running.map((address): Diagnostic => ({
    severity: 'error',
    code: 'still_running',
    message: 'an operation of an earlier run or of somebody else was still running at the deadline',
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

/** A saved plan without steps says that nothing was to do: whether that still holds is read, not assumed. */
export async function checkUnchanged(
  { session }: ApplyParts,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ readonly stale: readonly Diagnostic[]; readonly resources: VerifiedRun['resources'] }> {
  const managed = plan.changes.filter(({ action, resourceId }) => action === 'none' && resourceId !== null);
  const { listAt, live: all } = await listsOf(session, managed, signal);
  const stale = managed.flatMap((change): Diagnostic[] => {
    const { rules } = kindOf(change.kind);
    const live = listAt(change)?.find(({ id }) => id === change.resourceId) ?? derivedIn(change);
    const changed = live === undefined ? null : disagreements(change.after ?? {}, live.spec, comparing(rules));
    if (changed?.length === 0) return [];
    const how =
      changed === null
        ? `${change.resourceId} no longer exists`
        : `${changed.map(({ path }) => path).join(', ')} changed`;
    return [
      {
        severity: 'error',
        code: 'stale',
        message: `${how} since the plan was made`,
        hint: 'Plan again: trueup plan.',
        address: change.address,
      },
    ];
  });
  return { stale, resources: resourcesOf(plan, all) };
}

/** What the lists say of the steps of a saved plan. */
async function lookBySteps(
  parts: ApplyParts,
  plan: Plan,
  result: RunResult,
  signal: AbortSignal,
): Promise<Look<VerifiedRun>> {
  const { session } = parts;
  const made = new Map([...inheritedIds(plan.steps, result.steps), ...madeBy(plan, result)]);
  const steps = plan.steps.map((step) => resolveStep(step, made));
  const { listAt, live } = await listsOf(session, steps, signal);
  const logs = await unreportedOperations(parts, plan, result, signal);
  const bySteps = verifyBySteps({
    steps,
    outcomes: result.steps,
    live: listAt,
    canonical: (step) => comparing(kindOf(step.kind).rules),
  });
  const verification = withRunning(withFailed(bySteps, logs), logs.open);
  const read = new Set(steps.flatMap((step) => (listAt(step) ? [step.projectId] : [])));
  // What could not be read or planned was not attempted.
  const judged = { ...verification, converged: verification.converged && isWhole(plan) };
  return {
    value: {
      verification: withExtras(judged, { steps }, result, { live, isUnlisted: () => true }),
      resources: resourcesOf(plan, live, made),
      found: { live, wasRead: (projectId) => read.has(projectId) },
    },
    unsettled: projectsOf(plan, result, bySteps.remaining),
    running: logs.running,
  };
}

function withFailed(verification: Verification, { failed, diagnostics }: UnreportedOperations): Verification {
  if (failed.length === 0) return verification;
  return {
    ...verification,
    converged: false,
    remaining: [...new Set([...verification.remaining, ...failed])].sort(),
    diagnostics: [...verification.diagnostics, ...diagnostics],
  };
}

interface Lists {
  /** What is in its scope; null where that could not be read. */
  readonly listAt: (one: ScopeId) => readonly LiveResource[] | null;
  readonly live: readonly LiveResource[];
}

/** Reads the scope of each of these once. */
async function listsOf({ client }: ApplyParts['session'], of: readonly ScopeId[], signal: AbortSignal): Promise<Lists> {
  const listOf = async (one: ScopeId): Promise<readonly LiveResource[] | null> =>
    isUnborn(one) ? null : kindOf(one.kind).remote.list(readerOf(client), one, signal).catch(noneUnread);
  const scopes = [...new Map(of.map((one) => [scopeKey(one), one]))];
  const lists = new Map(await Promise.all(scopes.map(async ([key, one]) => [key, await listOf(one)] as const)));
  const live = [...lists.values()].flatMap((list) => list ?? []);
  return { listAt: (one) => lists.get(scopeKey(one)) ?? null, live };
}

/** What the steps of the run made, by address. A replacement's removal stands at the same one. */
function madeBy({ changes }: Plan, { steps }: RunResult): ReadonlyMap<Address, ResourceId> {
  const rotated = new Set(changes.flatMap(({ action, address }) => (action === 'rotate' ? [address] : [])));
  const makers = steps.filter(
    ({ action, address, outcome }) => (MAKES.has(action) || rotated.has(address)) && isWell(outcome),
  );
  return new Map(
    makers.flatMap((step) => (step.resourceId === null ? [] : [[step.address, step.resourceId] as const])),
  );
}

const MAKES: ReadonlySet<StepAction> = new Set(['create', 'rotate']);

/** The resource that a change shows, for kinds that the service knows nothing of. */
export function derivedIn({ kind, resourceId, projectId, parentId, before }: Change): LiveResource | undefined {
  if (resourceId === null || before === null || kindOf(kind).rules.derived === undefined) return undefined;
  const below = parentId === undefined ? {} : { parentId };
  return { kind, id: resourceId, projectId, ...below, spec: before, observed: {}, createdAtMs: null };
}

/** The live resource behind every managed address, as its kind describes it: what was `made` for it, else what the plan matched. */
export function resourcesOf(
  plan: Plan,
  live: readonly LiveResource[],
  made: ReadonlyMap<Address, ResourceId> = new Map(),
): Readonly<Record<string, ResourceResult>> {
  const byId = new Map(live.map((resource) => [`${resource.kind} ${resource.id}`, resource]));
  const unmanaged = new Set(plan.unmanaged.map(({ address }) => address));
  return Object.fromEntries(
    plan.changes.flatMap((change): [string, ResourceResult][] => {
      const { address, kind, resourceId, pinned = true } = change;
      const resource =
        byId.get(`${kind} ${made.get(address)}`) ?? byId.get(`${kind} ${resourceId}`) ?? derivedIn(change);
      if (resource === undefined || unmanaged.has(address)) return [];
      return [[address, { id: resource.id, ...kindOf(kind).remote.describe(resource), pinned }]];
    }),
  );
}
