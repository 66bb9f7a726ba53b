// Makes a plan: matches declarations with live resources, compares them, orders steps and guards changes. The order of the input does not matter.
import { defined } from '../base/picked.ts';
import { compareText, inOrderOf } from '../base/json.ts';
import { scopeOf, type Address, aboveOf } from '../model/address.ts';
import { sinkLabel, sinksOf, warningAt, type ResourceId } from '../model/desired.ts';
import { hasErrors, type Diagnostic } from '../model/diagnostic.ts';
import type { Unread } from '../model/live.ts';
import {
  type Change,
  type Plan,
  type PlanOptions,
  type PlanSummary,
  type Step,
  type UnmanagedResource,
  tallyOf,
} from '../model/outcome/plan.ts';
import { overIn, type Findings } from './diff/draft-change.ts';
import { addressesOf, losesData, type Draft } from './diff/draft.ts';
import { unlistedDrafts, weighMoves, weighRenames } from './diff/unlisted.ts';
import { upkeepOf } from './diff/proposals.ts';
import { guardPlan, mayRun, runs, draftsApart, heldBackIn } from './guard/guard-plan.ts';
import { guardsOf } from './guard/guards-in-force.ts';
import { clockUnknown, guardRemoval } from './guard/guards.ts';
import { goesAlong } from './guard/protection.ts';
import { coveringWindows, idleLimitsOf, withOpenings } from './guard/limits.ts';
import type { HeldBack, PlanInput, Selects } from './input.ts';
import { planHashOf } from './json/plan-hash.ts';
import type { KindRules } from './kind-rules.ts';
import { matchAll } from './match/match-all.ts';
import type { Matching } from './match/matching.ts';
import { finishStep, poolMembers, type PoolMembers } from './order/finish-step.ts';
import { orderSteps, type Order, addOutlook } from './order/order.ts';
import { lateNeeds, mustFollow } from './order/reference-needs.ts';
import { routeSteps } from './order/rings.ts';
import type { Scope } from './scope.ts';
import { askedScopes, selectDiagnostics, selectionOf, setUnplannedApart } from './selection.ts';

/** Returns the differences between desired and live state, and the steps that close them; no steps after an error or an exceeded limit. */
export function makePlan(input: PlanInput): Plan {
  const selects = selectionOf(input);
  const { matchings, diagnostics: missing } = matchAll(input);
  const found: Findings = { diagnostics: [], unread: [], unmanaged: [], over: overIn(matchings) };
  const held = new Map((input.held ?? []).map((one) => [one.address, one]));
  const drafts = matchings.flatMap((matching) => draftScope(matching, input, held, found));
  const isSelected = (draft: Draft): boolean => selects(addressesOf(draft.change, draft.scope.label));
  const { trails, holders, ...routed } = routeSteps(matchings, drafts, isSelected);
  const order = orderSteps(trails, routed.needs);
  const all = [
    ...(input.problems ?? []),
    ...missing,
    ...found.diagnostics,
    ...routed.diagnostics,
    ...order.diagnostics,
  ];
  const { unplanned, diagnostics } = setUnplannedApart(
    selectDiagnostics(all, selects).sort(byPlace),
    askedScopes(input, selects),
    input.live.projects,
  );
  const unplannedScopes = new Set(unplanned.map(({ project }) => project));
  const isPlanned = ({ scope }: { readonly scope: Scope }): boolean => !unplannedScopes.has(scope.label);
  const isShown = (address: string): boolean => !unplannedScopes.has(scopeOf(address)) && selects([address]);
  const planned = drafts.filter((draft) => isPlanned(draft) && isSelected(draft));
  const guarded = guardPlan(planned, order, { matchings, input });
  const heldBack = input.held === undefined ? heldBackIn(planned, { matchings, input }) : [];
  if (heldBack.length > 0) return makePlan({ ...input, held: heldBack });
  const members = poolMembers(trails.flat());
  const isErrored = hasErrors(diagnostics);
  const running = isErrored ? [] : planned.filter(runs);
  const covered = isErrored ? [] : guarded.covered;
  const steps = stepsOf(running, order, members);
  addOutlook(planned, { order, holders, running, covered: covered.filter(mayRun) });
  const changes = planned.sort(byChange).map(({ change }) => change);
  const waiting = waitingForParents(matchings.filter(isPlanned), changes, selects);
  const options = optionsOf(input);
  const guards = guardsOf(input.desired, input.kinds);
  const isHeld = isErrored || guarded.limitsExceeded.length > 0;
  return {
    baseUrl: input.baseUrl,
    ...defined({ store: input.store, isNoImpact: input.consent === 'no_impact' || undefined }),
    changes,
    steps,
    summary: summaryOf(changes, input.due),
    upkeep: isHeld ? [] : upkeepOf(matchings, { changes, steps }).filter(({ address }) => isShown(address)),
    unmanaged: leftAlone(found, matchings, changes).filter(({ address }) => isShown(address)),
    unplanned,
    unread: [...input.live.unread, ...found.unread.filter(({ what }) => isShown(what))].sort(byWhat),
    limitsExceeded: guarded.limitsExceeded,
    idleLimits: idleLimitsOf(input.desired),
    windows: withOpenings(coveringWindows(input.desired.safety), changes, input.nowMs),
    diagnostics: [...diagnostics, ...clockUnknown(changes, input), ...waiting].sort(byPlace),
    options,
    guards,
    names: namesOf(changes, input),
    planHash: planHashOf({
      steps: covered.length === running.length ? steps : stepsOf(covered, order, members),
      changes,
      limitsCovered: guarded.limitsCovered,
      options,
      guards,
      sinks: allSinks(input),
    }),
  };
}

/** Warns of selected declarations that the plan leaves out, because their parent does not exist and is not selected. */
function waitingForParents(
  matchings: readonly Matching[],
  changes: readonly Change[],
  selects: Selects,
): readonly Diagnostic[] {
  const told = new Set(changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  return matchings.flatMap(({ scope: { parent }, bindings }) => {
    if (parent?.id !== null || selects([parent.address])) return [];
    const waiting = bindings.filter(({ desired: { address } }) => selects([address]) && !told.has(address));
    return waiting.map(({ desired }) => {
      const message = `${desired.address} is left out: its parent ${parent.address} does not exist and is not selected`;
      const hint = `Select the parent, too: --target ${parent.address}.`;
      return warningAt(desired, '', 'parent_not_selected', message, hint);
    });
  });
}

/** Returns the unlisted resources, except those that the plan deletes along with another resource. */
function leftAlone(
  { unmanaged }: Findings,
  matchings: readonly Matching[],
  changes: readonly Change[],
): readonly UnmanagedResource[] {
  const losing = new Set(changes.flatMap((change) => (losesData(change) ? [change.address] : [])));
  const goesWith = goesAlong(matchings);
  return unmanaged
    .filter((one) => !goesWith(one) && !aboveOf(one.address).some((above) => losing.has(above)))
    .sort(inOrderOf(({ address, kind }) => [address, kind]));
}

/** Returns a name for each id among the values of changes: the name of the live resource, or else its label in the files. */
function namesOf(changes: readonly Change[], { live, desired }: PlanInput): Readonly<Record<ResourceId, string>> {
  const held = new Set<unknown>();
  for (const { attributes, after } of changes) {
    for (const one of attributes) held.add(one.before).add(one.after);
    for (const value of Object.values(after ?? {})) held.add(value);
  }
  const names = new Map<ResourceId, string>();
  for (const { labels } of desired.projects)
    for (const [label, id] of Object.entries(labels)) if (typeof id === 'string' && held.has(id)) names.set(id, label);
  for (const { id, spec } of live.resources)
    if (typeof spec['name'] === 'string' && held.has(id)) names.set(id, spec['name']);
  return Object.fromEntries(names);
}

function optionsOf({ allow, due, target, exclude, noHistory = false }: PlanInput): PlanOptions {
  return {
    allow: allow.map(({ action, address }) => `${action}:${address}`),
    due,
    target,
    exclude,
    noHistory,
  };
}

/** Returns the sinks of all declared secrets, even of secrets that exist already. */
function allSinks({ desired }: PlanInput): Readonly<Record<string, readonly string[]>> {
  const secrets = desired.resources.filter((one) => sinksOf(one).length > 0);
  return Object.fromEntries(secrets.map((one) => [one.address, sinksOf(one).map(sinkLabel).sort(compareText)]));
}

function draftScope(
  matching: Matching,
  input: PlanInput,
  held: ReadonlyMap<Address, HeldBack>,
  found: Findings,
): readonly Draft[] {
  const { scope, bindings } = matching;
  const own = bindings.flatMap((binding) => draftsApart(scope, binding, held.get(binding.desired.address), found));
  const drafts = [...own, ...unlistedDrafts(matching, input.desired, found)];
  weighMoves(matching, drafts, found);
  weighRenames(matching, drafts);
  drafts.forEach(guardRemoval);
  return drafts;
}

function stepsOf(running: readonly Draft[], order: Order, members: PoolMembers): Step[] {
  const steps = running.flatMap(({ key }) => order.steps.get(key) ?? []);
  const needs = new Map(steps.map(({ id }) => [id, new Set(order.needs.get(id))]));
  for (const [id, firsts] of lateNeeds(steps))
    for (const first of firsts) if (!mustFollow(needs, first, id)) needs.get(id)?.add(first);
  return steps
    .map((step) => finishStep(step, [...(needs.get(step.id) ?? [])].sort(), members))
    .sort(inOrderOf(({ id }) => [id]));
}

const byChange = inOrderOf<Draft>(({ change, key }) => [change.address, key]);

const byWhat = inOrderOf<Unread>(({ what, reason }) => [what, reason]);

const byPlace = inOrderOf<Diagnostic>(({ severity, address = '', code, message }) => [
  severity,
  address,
  code,
  message,
]);

/** Counts changes by action, but a due change that does not run as `due`, and a blocked change as `blocked`. Each may also count as `held`. */
function summaryOf(changes: readonly Change[], due: boolean): PlanSummary {
  const actions = { create: 0, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0, none: 0 };
  const counts = { ...actions, blocked: 0, held: 0, due: 0 };
  for (const change of changes) {
    if (change.held.length > 0) counts.held++;
    if (change.due && !due) counts.due++;
    else if (change.blockedBy.length > 0) counts.blocked++;
    else counts[tallyOf(change)]++;
  }
  const { none: unchanged, ...others } = counts;
  return { ...others, unchanged };
}

export interface PlanRecord {
  readonly input: Omit<PlanInput, 'kinds' | 'made' | 'removals'>;
  /** Diagnostics of the files, which come before those of the plan. */
  readonly before: readonly Diagnostic[];
  /** Diagnostics of the files with which the plan is compared; they come after those of the plan. */
  readonly after: readonly Diagnostic[];
}

export function planOfRecord({ input, before, after }: PlanRecord, kinds: readonly KindRules[]): Plan {
  const plan = makePlan({ ...input, kinds });
  return { ...plan, diagnostics: [...before, ...plan.diagnostics, ...after] };
}
