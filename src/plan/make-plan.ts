// The plan: match, diff, steps, slots, order, guard. A pure function of values; the order of its inputs does not count.
import { compareText } from '../base/json.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource, Unread } from '../model/live.ts';
import { withTelling } from '../model/plan.ts';
import type { PlanOptions } from '../model/plan-options.ts';
import type { Change, Plan, Step, StepId } from '../model/plan.ts';
import { acceptedAndDeclared } from './accepted.ts';
import { isCalm, withCalm } from './calm.ts';
import type { Calm, CalmBinding } from './calm.ts';
import type { Binding } from './claims.ts';
import { guardDoubtful } from './doubt.ts';
import { draftsOf } from './draft-change.ts';
import type { Drafts } from './draft-change.ts';
import { removes } from './draft.ts';
import type { Draft } from './draft.ts';
import { finishStep, poolMembers } from './finish-step.ts';
import type { PoolMembers } from './finish-step.ts';
import { guardPlan, runs } from './guard-plan.ts';
import { addressesOf, clockUnknown } from './guards.ts';
import { guardsOf } from './guards-in-force.ts';
import type { PlanInput } from './input.ts';
import { matchScope } from './matching.ts';
import type { Matching } from './matching.ts';
import { conflictDiagnostic, orderSteps } from './order.ts';
import { withOutlook } from './outlook.ts';
import { planHashOf } from './plan-hash.ts';
import { routeSteps } from './rings.ts';
import { guardRemoval } from './removal-guard.ts';
import { lastNeeds } from './removals-last.ts';
import { byAddress, contextOf, scopesOf } from './scope.ts';
import type { Scope } from './scope.ts';
import { selectDiagnostics, selectionOf } from './selection.ts';
import type { Selects } from './selection.ts';
import { stepIndex } from './step-index.ts';
import type { StepIndex } from './step-index.ts';
import { summaryOf } from './summary.ts';
import { unlistedOf, weighMoves } from './unlisted.ts';
import { askedScopes, scopeOf, setUnplannedApart } from './unplanned.ts';
import { coveringWindows } from './windows.ts';

/** The difference between wish and truth, and the steps that close it; none when anything is in error or a limit is exceeded. */
export function makePlan(input: PlanInput): Plan {
  const selects = selectionOf(input);
  const { problems = [] } = input;
  const { scopes, diagnostics: missing } = scopesOf(input, selects);
  const elsewhere = whereabouts(input);
  const matchings = scopes.map((scope) => matchScope(scope, elsewhere));
  const drafted = draftAll(matchings, input);
  const isSelected = (draft: Draft): boolean => selects(addressesOf(draft.change, draft.scope.label));
  const { trails, visits, drafts, diagnostics: rings } = routeSteps(matchings, drafted.drafts, isSelected);
  const conflicts = visits.conflicts.map((conflict) => conflictDiagnostic(conflict, drafts));
  const matched = matchings.flatMap((matching) => matching.diagnostics);
  const all = [...problems, ...missing, ...matched, ...drafted.diagnostics, ...rings, ...conflicts];
  const { unplanned, diagnostics } = setUnplannedApart(
    selectDiagnostics(all, selects).sort(byPlace),
    askedScopes(input),
    input.live.projects,
  );
  const left = new Set(unplanned.map(({ project }) => project));
  const isPlanned = ({ scope }: { readonly scope: Scope }): boolean => !left.has(scope.label);
  const isTold = (address: string): boolean => !left.has(scopeOf(address)) && selects([address]);
  const index = stepIndex(trails, orderSteps(trails, visits));
  const calm = selectCalm(drafted.calm.filter(isPlanned), input, selects);
  const planned = drafts.filter((draft) => isPlanned(draft) && isSelected(draft));
  const guarded = guardPlan(planned, calm, { index, matchings, stale: stalePins(matchings), input });
  const running = hasErrors(diagnostics) ? [] : guarded.drafts.filter((draft) => runs(draft, input.due));
  const steps = stepsOf(running, index, poolMembers(scopes, trails.flat()));
  const telling = [...withOutlook(guarded.drafts, matchings, { index, running })].sort(byChange);
  const unclocked = clockUnknown(telling, input);
  const told = telling.map(({ change }) => change);
  let changes: readonly Change[] | undefined;
  let planHash: string | undefined;
  const options = optionsOf(input);
  const guards = guardsOf(input.desired);
  const plan: Plan = {
    baseUrl: input.baseUrl,
    ...(input.store === undefined ? {} : { store: input.store }),
    // What has nothing to say is made where somebody asks for all: a plan for people shows none of it.
    get changes() {
      return (changes ??= withCalm(calm, telling));
    },
    steps,
    summary: summaryOf(told, { calm, due: input.due }),
    unmanaged: drafted.unmanaged.filter(({ address }) => isTold(address)).sort(byKindAndAddress),
    unplanned,
    unread: [...input.live.unread, ...drafted.unread.filter(({ what }) => isTold(what))].sort(byWhat),
    limitsExceeded: guarded.limitsExceeded,
    windows: coveringWindows(input.desired.safety),
    diagnostics: unclocked.length === 0 ? diagnostics : [...diagnostics, ...unclocked].sort(byPlace),
    options,
    guards,
    // Digests of all that is to be done, and of the whole wish: taken where somebody asks for them.
    get planHash() {
      return (planHash ??= planHashOf({ steps, changes: told, options, guards, sinks: sinksOf(input) }));
    },
    get desiredDigest() {
      return input.desired.digest;
    },
  };
  return withTelling(plan, told);
}

function optionsOf({ allow, due, target, exclude, noHistory }: PlanInput): PlanOptions {
  return {
    allow: allow.map(({ action, address }) => `${action}:${address}`),
    due,
    target,
    exclude,
    noHistory: noHistory ?? false,
  };
}

/** Where the secrets of all that is declared go, whether they are made now or were before. */
function sinksOf({ desired, kinds }: PlanInput): Readonly<Record<string, readonly string[]>> {
  const rules = new Map(kinds.map((one) => [one.kind, one]));
  return Object.fromEntries(
    desired.resources.flatMap((resource) => {
      const sinks = rules.get(resource.kind)?.sinks?.(resource) ?? [];
      return sinks.length === 0 ? [] : [[resource.address, [...sinks].sort(compareText)]];
    }),
  );
}

/** Label of the project in which an id lives, wherever that is; null when nothing live has it. */
function whereabouts(input: PlanInput): (id: string) => string | null {
  // Gathered when somebody asks: few plans do.
  let homes: ReadonlyMap<string, string | null> | undefined;
  let labels: ReadonlyMap<string, string> | undefined;
  return (id) => {
    homes ??= new Map(input.live.resources.map((live) => [live.id, live.projectId]));
    labels ??= new Map(input.live.projects.map((project) => [project.id, project.label]));
    return labels.get(homes.get(id) ?? '') ?? null;
  };
}

function stalePins(matchings: readonly Matching[]): ReadonlySet<string> {
  const stale = new Set<string>();
  for (const { bindings } of matchings)
    for (const { stalePin, desired } of bindings) if (stalePin) stale.add(desired.address);
  return stale;
}

/** The calm changes that the user speaks of. */
function selectCalm(calm: readonly Calm[], { target, exclude }: PlanInput, selects: Selects): readonly Calm[] {
  if (target.length === 0 && exclude.length === 0) return calm;
  return calm.map(({ scope, bindings }) => ({
    scope,
    bindings: bindings.filter(({ desired: { address }, live }) =>
      selects(addressesOf({ address, resourceId: live.id }, scope.label)),
    ),
  }));
}

interface Drafted extends Drafts {
  readonly calm: readonly Calm[];
  readonly unmanaged: Plan['unmanaged'];
}

function draftAll(matchings: readonly Matching[], input: PlanInput): Drafted {
  const parts = matchings.map((matching): Drafted => draftScope(matching, input));
  return {
    calm: parts.flatMap(({ calm }) => calm),
    drafts: parts.flatMap(({ drafts }) => drafts),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    unread: parts.flatMap(({ unread }) => unread),
    unmanaged: parts.flatMap(({ unmanaged }) => unmanaged),
  };
}

const NONE: readonly never[] = [];

function draftScope(matching: Matching, input: PlanInput): Drafted {
  const { scope, bindings } = matching;
  const context = contextOf(scope);
  const calm: CalmBinding[] = [];
  const others: Binding[] = [];
  for (const binding of bindings) {
    if (isCalm(scope, binding, context)) calm.push(binding);
    else others.push(binding);
  }
  const still = [{ scope, bindings: calm }];
  // Most scopes of a large account: all as it shall be, nothing else there, and nobody who looks at the whole.
  const isStill = others.length + matching.unclaimed.length + matching.unknown.length === 0;
  if (isStill && scope.rules.survey === undefined)
    return { calm: still, drafts: NONE, diagnostics: acceptedAndDeclared(matching), unread: NONE, unmanaged: NONE };
  return { calm: still, ...draftOthers(matching, others, input) };
}

function draftOthers(matching: Matching, others: readonly Binding[], input: PlanInput): Omit<Drafted, 'calm'> {
  const { scope, unclaimed } = matching;
  const own = others.map((binding) => draftsOf(scope, binding));
  const unlisted = unlistedOf(matching, input.desired);
  const weighed = weighMoves(matching, [...own.flatMap(({ drafts }) => drafts), ...unlisted.drafts]);
  const said = [...own, unlisted, weighed].flatMap(({ diagnostics }) => diagnostics);
  const staying = (): readonly LiveResource[] => {
    const going = new Set(
      weighed.drafts.flatMap(({ change, live }) => (live !== null && removes(change) ? [live.id] : [])),
    );
    return scope.live.filter(({ id }) => !going.has(id));
  };
  const survey = scope.rules.survey?.({ live: staying(), unmanaged: unclaimed, context: contextOf(scope) }) ?? [];
  return {
    drafts: weighed.drafts.map((draft) => guardRemoval(guardDoubtful(matching, draft))),
    diagnostics: [...acceptedAndDeclared(matching), ...said, ...survey],
    unread: own.flatMap(({ unread }) => unread),
    unmanaged: unlisted.unmanaged,
  };
}

function stepsOf(running: readonly Draft[], index: StepIndex, members: PoolMembers): Step[] {
  const last = lastNeeds(running, index);
  const needsOf = (id: StepId): StepId[] => [...new Set([...index.needsOf(id), ...(last.get(id) ?? [])])].sort();
  return running
    .flatMap(({ key }) => index.stepsOf(key))
    .map((step) => finishStep(step, needsOf(step.id), members))
    .sort((a, b) => compareText(a.id, b.id));
}

function byChange(a: Draft, b: Draft): number {
  return byAddress(a.change, b.change) || compareText(a.key, b.key);
}

function byKindAndAddress(a: Plan['unmanaged'][number], b: Plan['unmanaged'][number]): number {
  return byAddress(a, b) || compareText(a.kind, b.kind);
}

function byWhat(a: Unread, b: Unread): number {
  return compareText(a.what, b.what) || compareText(a.reason, b.reason);
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.severity, b.severity) ||
    compareText(a.address ?? '', b.address ?? '') ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
