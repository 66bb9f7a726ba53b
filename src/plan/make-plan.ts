// The plan: match, diff, steps, slots, order, guard. A pure function of values; the order of its inputs does not count.
import { sinkLabel, sinksOf, type ResourceId } from '../model/desired.ts';
import { compareText } from '../base/json.ts';
import { scopeOf } from '../model/address.ts';
import { hasErrors, type Diagnostic } from '../model/diagnostic.ts';
import type { Unread } from '../model/live.ts';
import { tallyOf } from '../model/outcome/event.ts';
import type { Change, Plan, PlanOptions, PlanSummary, Step, StepId } from '../model/outcome/plan.ts';
import { draftsOf, type Drafts } from './diff/draft-change.ts';
import { addressesOf, type Draft } from './diff/draft.ts';
import { withoutOver } from './diff/over.ts';
import { upkeepOf } from './diff/upkeep.ts';
import { acceptedAndDeclared, noteRenames, unlistedOf, weighMoves, weighRenames } from './diff/unlisted.ts';
import { guardPlan, mayRun, runs } from './guard/guard-plan.ts';
import { guardsOf } from './guard/guards-in-force.ts';
import { goesAlong } from './guard/referred.ts';
import { clockUnknown, guardRemoval } from './guard/guards.ts';
import { coveringWindows, withOpenings } from './guard/windows.ts';
import type { PlanInput } from './input.ts';
import { planHashOf } from './json/plan-hash.ts';
import { matchAll } from './match/match-all.ts';
import type { Matching } from './match/matching.ts';
import { finishStep, poolMembers, type PoolMembers } from './order/finish-step.ts';
import { mustFollow } from './order/graph.ts';
import { conflictDiagnostic, orderSteps } from './order/order.ts';
import { withOutlook } from './order/outlook.ts';
import { needsOfParts } from './order/reference-needs.ts';
import { lastNeeds } from './order/removals-last.ts';
import { routeSteps } from './order/rings.ts';
import type { StepDraft } from './order/step-draft.ts';
import { stepIndex, type StepIndex } from './order/step-index.ts';
import { byAddress, type Scope } from './scope.ts';
import { askedScopes, selectDiagnostics, selectionOf, setUnplannedApart, waitingForParents } from './selection.ts';

/** The difference between desired and live state, and the steps that close it; no steps after an error or above a limit. */
export function makePlan(input: PlanInput): Plan {
  const selects = selectionOf(input);
  const { matchings, diagnostics: missing } = matchAll(input, selects);
  const drafted = draftAll(matchings, input);
  const isSelected = (draft: Draft): boolean => selects(addressesOf(draft.change, draft.scope.label));
  const { trails, visits, drafts, diagnostics: rings } = routeSteps(matchings, drafted.drafts, isSelected);
  const meant = input.due ? trails : trails.filter(isNotDue);
  const order = orderSteps(meant, visits);
  const all = [
    ...(input.problems ?? []),
    ...missing,
    ...matchings.flatMap((matching) => matching.diagnostics),
    ...drafted.diagnostics,
    ...rings,
    ...visits.conflicts.map((conflict) => conflictDiagnostic(conflict, drafts)),
    ...order.diagnostics,
  ];
  const { unplanned, diagnostics } = setUnplannedApart(
    selectDiagnostics(all, selects).sort(byPlace),
    askedScopes(input),
    input.live.projects,
  );
  const isAlong = goesAlong(matchings);
  const unplannedScopes = new Set(unplanned.map(({ project }) => project));
  const isPlanned = ({ scope }: { readonly scope: Scope }): boolean => !unplannedScopes.has(scope.label);
  const isShown = (address: string): boolean => !unplannedScopes.has(scopeOf(address)) && selects([address]);
  const index = stepIndex(meant, order.needs);
  const planned = drafts.filter((draft) => isPlanned(draft) && isSelected(draft));
  const guarded = guardPlan(planned, { index, matchings, stale: stalePins(matchings), input });
  const members = poolMembers(matchings, trails.flat());
  const isErrored = hasErrors(diagnostics);
  const running = isErrored ? [] : guarded.drafts.filter((draft) => runs(draft, input.due));
  const covered = isErrored ? [] : guarded.covered;
  const steps = stepsOf(running, index, members);
  const settled = [...withOutlook(guarded.drafts, matchings, { index, running, covered: covered.filter(mayRun) })].sort(
    byChange,
  );
  const changes = settled.map(({ change }) => change);
  const more = [...clockUnknown(settled, input), ...waitingForParents(matchings.filter(isPlanned), changes, selects)];
  const options = optionsOf(input);
  const guards = guardsOf(input.desired, input.kinds);
  const isHeld = isErrored || guarded.limitsExceeded.length > 0;
  return {
    baseUrl: input.baseUrl,
    ...(input.store === undefined ? {} : { store: input.store }),
    changes,
    steps,
    summary: summaryOf(changes, input.due),
    upkeep: isHeld ? [] : upkeepOf(matchings, { changes, steps }).filter(({ address }) => isShown(address)),
    unmanaged: drafted.unmanaged.filter((one) => isShown(one.address) && !isAlong(one)).sort(byKindAndAddress),
    unplanned,
    unread: [...input.live.unread, ...drafted.unread.filter(({ what }) => isShown(what))].sort(byWhat),
    limitsExceeded: guarded.limitsExceeded,
    idleLimits: idleLimitsOf(input),
    windows: withOpenings(coveringWindows(input.desired.safety), changes, input.nowMs),
    diagnostics: more.length === 0 ? diagnostics : [...diagnostics, ...more].sort(byPlace),
    options,
    ...(input.consent === 'no_impact' ? { isNoImpact: true } : {}),
    guards,
    names: namesOf(changes, input),
    planHash: planHashOf({
      steps: covered.length === running.length ? steps : stepsOf(covered, index, members),
      changes,
      limitsCovered: guarded.limitsCovered,
      options,
      guards,
      sinks: allSinks(input),
    }),
  };
}

/** Names for the ids in changes: of live resources, else the labels of the files. */
function namesOf(changes: readonly Change[], { live, desired }: PlanInput): Readonly<Record<ResourceId, string>> {
  const held = new Set(
    changes.flatMap(({ attributes, after }) => [
      ...attributes.flatMap((one) => [one.before, one.after]),
      ...Object.values(after ?? {}),
    ]),
  );
  const labels = desired.projects.flatMap((one) =>
    Object.entries(one.labels).map(([label, id]) => [id, label] as const),
  );
  const named = live.resources.map(({ id, spec }) => [id, spec['name']] as const);
  return Object.fromEntries(
    [...labels, ...named].flatMap(([id, name]) =>
      typeof id === 'string' && typeof name === 'string' && held.has(id) ? [[id, name]] : [],
    ),
  );
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

/** The sinks of all declared secrets, also of secrets made earlier. */
function allSinks({ desired }: PlanInput): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    desired.resources.flatMap((resource) => {
      const sinks = sinksOf(resource).map(sinkLabel);
      return sinks.length === 0 ? [] : [[resource.address, sinks.sort(compareText)]];
    }),
  );
}

function stalePins(matchings: readonly Matching[]): ReadonlySet<string> {
  const stale = new Set<string>();
  for (const { bindings } of matchings)
    for (const { stalePin, desired } of bindings) if (stalePin) stale.add(desired.address);
  return stale;
}

interface Drafted extends Drafts {
  readonly unmanaged: Plan['unmanaged'];
}

function draftAll(matchings: readonly Matching[], input: PlanInput): Drafted {
  const parts = matchings.map((matching) => draftScope(matching, input));
  return {
    drafts: withoutOver(parts.flatMap(({ drafts }) => drafts)),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    unread: parts.flatMap(({ unread }) => unread),
    unmanaged: parts.flatMap(({ unmanaged }) => unmanaged),
  };
}

function draftScope(matching: Matching, input: PlanInput): Drafted {
  const { scope, bindings } = matching;
  const own = bindings.map((binding) => draftsOf(scope, binding));
  const unlisted = unlistedOf(matching, input.desired);
  const weighed = weighMoves(matching, [...own.flatMap(({ drafts }) => drafts), ...unlisted.drafts]);
  const said = [...own, unlisted, weighed].flatMap(({ diagnostics }) => diagnostics);
  return {
    drafts: noteRenames(matching, weighRenames(matching, weighed.drafts)).map((draft) => guardRemoval(draft)),
    diagnostics: [...acceptedAndDeclared(matching), ...said],
    unread: own.flatMap(({ unread }) => unread),
    unmanaged: unlisted.unmanaged,
  };
}

/** Nothing waits for a due change that does not run. */
function isNotDue([first]: readonly StepDraft[]): boolean {
  return first?.draft.change.due !== true;
}

function stepsOf(running: readonly Draft[], index: StepIndex, members: PoolMembers): Step[] {
  const steps = running.flatMap(({ key }) => index.stepsOf(key));
  const needs = new Map(steps.map(({ id }) => [id, new Set(index.needsOf(id))]));
  for (const [id, firsts] of [...lastNeeds(running, index), ...needsOfParts(steps)])
    for (const first of firsts) if (!mustFollow(needs, first, id)) needs.get(id)?.add(first);
  const needsOf = (id: StepId): StepId[] => [...(needs.get(id) ?? [])].sort();
  return steps.map((step) => finishStep(step, needsOf(step.id), members)).sort((a, b) => compareText(a.id, b.id));
}

function idleLimitsOf({ desired }: PlanInput): NonNullable<Plan['idleLimits']> {
  return desired.safety.flatMap(({ project, unlessIdleMs }) =>
    unlessIdleMs === undefined ? [] : [{ project, ms: unlessIdleMs }],
  );
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

/** Counts changes. A blocked change, or a due change that does not run, counts only as such. */
function summaryOf(changes: readonly Change[], due: boolean): PlanSummary {
  const counts = { create: 0, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0, none: 0 };
  let blocked = 0;
  let waiting = 0;
  for (const change of changes) {
    if (change.due && !due) waiting++;
    else if (change.blockedBy.length > 0) blocked++;
    else counts[tallyOf(change)]++;
  }
  const { none: unchanged, ...actions } = counts;
  return {
    ...actions,
    blocked,
    held: changes.filter(({ held }) => held.length > 0).length,
    due: waiting,
    unchanged,
  };
}
