// Guards a plan: judges single changes, then dependents of blocked changes, then the whole plan, and splits updates that are blocked only in part.
import type { Block, Change, ExceededLimit, Plan } from '../../model/outcome/plan.ts';
import { amend, block, type Draft } from '../diff/draft.ts';
import { guardChanges, guardGuesses } from './guards.ts';
import { keeping, guardArrivals, guardHolders, guardReferred } from './protection.ts';
import type { PlanInput, HeldBack } from '../input.ts';
import { exceededLimits, LIMITS } from './limits.ts';
import type { Matching } from '../match/matching.ts';
import type { Order } from '../order/order.ts';
import { makesSecret, runsLast } from '../order/reference-needs.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Binding } from '../match/match-state.ts';
import type { Scope } from '../scope.ts';
import { draftsOf, type Findings } from '../diff/draft-change.ts';

interface Guarded {
  readonly limitsExceeded: readonly ExceededLimit[];
  /** The drafts that the plan's hash includes. Some of these drafts do not run now, because of a block that the hash omits, such as a window. */
  readonly covered: readonly Draft[];
  /** The files' limits that the `covered` drafts exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
}

/** True if this run should carry out the action and nothing blocks it. */
export function runs({ isAsked, change }: Draft): boolean {
  return isAsked && change.blockedBy.length === 0;
}

/** Blocks that a consent removes. */
const AGREEMENTS: ReadonlySet<Block> = new Set(['consent', 'allowance', 'name_differs']);

export interface GuardInput {
  readonly matchings: readonly Matching[];
  readonly input: PlanInput;
}

/** Applies the guards that judge each change by itself. */
function guardEach(drafts: readonly Draft[], { matchings, input }: GuardInput): void {
  // `--exclude` also protects resources, because an excluded resource must not be deleted together with another one.
  const isKept = keeping(drafts, matchings, [...input.desired.safety, { project: null, protect: input.exclude }]);
  guardChanges(drafts, input, isKept);
  guardHolders(drafts, matchings, isKept);
  guardReferred(drafts, matchings, isKept);
  guardArrivals(drafts, matchings, isKept);
  guardGuesses(matchings, drafts, input.allow);
}

/** Applies all guards. An exceeded limit blocks the whole plan; any other guard blocks only its changes and their dependents. */
export function guardPlan(drafts: readonly Draft[], order: Order, guarding: GuardInput): Guarded {
  const { input } = guarding;
  guardEach(drafts, guarding);
  blockDependents(drafts, order);
  holdPruned(drafts);
  const limitsExceeded = exceededLimits(drafts, drafts.filter(isCounted), input);
  // Closed windows do not count, so a plan has the same hash by day and at night.
  const covered = drafts.filter(({ isAsked, change }) => isAsked && lastingBlocks(change).length === 0);
  // Apply judges the operator's limits, so the hash leaves them out.
  const safety = input.desired.safety.filter(({ isOperators }) => isOperators !== true);
  const limitsCovered = exceededLimits(drafts, covered, { ...input, desired: { ...input.desired, safety } });
  const words = limitsExceeded.map(({ limit }) => limit);
  for (const draft of drafts.filter(runs)) block(draft, ...words);
  return { limitsExceeded, covered, limitsCovered };
}

/** Blocks that end by time. */
const TIMED: readonly Block[] = ['window', 'clock_unknown', 'not_idle'];

/** Blocks that end by time or by a consent. */
const PASSING: ReadonlySet<Block> = new Set<Block>([...TIMED, 'consent']);

/** True if the change has a block of its own, such as a missing consent. Blocks by time, a limit or another change do not count. */
function isHeldBack({ blockedBy }: Pick<Change, 'blockedBy'>): boolean {
  return blockedBy.some((word) => word !== 'dependency' && !TIMED.includes(word) && !LIMITS.has(word));
}

/** True if only time, a consent or a limit keeps the change from running. */
export function mayRun({ change: { blockedBy } }: Draft): boolean {
  return blockedBy.every((word) => PASSING.has(word) || LIMITS.has(word));
}

/** Blocks that the hash omits: they follow from guards in the hash, from the operator's guards, or from other blocks. */
const FOLLOWING: ReadonlySet<Block> = new Set<Block>(['protect', 'stale_pin', 'dependency']);

export function lastingBlocks({ blockedBy }: Change): readonly Block[] {
  return blockedBy.filter((word) => !PASSING.has(word) && !FOLLOWING.has(word) && !LIMITS.has(word));
}

/** True for a change that limits count: one that runs, or has all `consents` and lacks only another `--allow`, so plan and apply count the same. */
function isCounted(draft: Draft): boolean {
  const { blockedBy, consents = [] } = draft.change;
  if (blockedBy.length === 0) return runs(draft);
  return blockedBy.every((word) => AGREEMENTS.has(word)) && consents.every(({ given }) => given !== null);
}

/** Blocks each change that waits, even indirectly, for a change that does not run. */
function blockDependents(drafts: readonly Draft[], { steps, needs }: Order): void {
  const running = new Set(drafts.filter(runs));
  const draftOf = new Map([...steps.values()].flat().map(({ id, draft }) => [id, draft]));
  for (let before = -1; before !== running.size;) {
    before = running.size;
    for (const draft of running) {
      const firsts = (steps.get(draft.key) ?? []).flatMap(({ id }) => [...(needs.get(id) ?? [])].sort());
      const first = firsts.map((id) => draftOf.get(id)).findLast((one) => one !== undefined && !running.has(one));
      if (first === undefined) continue;
      running.delete(draft);
      // The plan does not show a needed change that is not selected, so the dependent change names it.
      amend(draft, { waitsFor: first.change.address });
      block(draft, 'dependency');
    }
  }
}

/** If the creation of a secret is blocked, blocks the pruning of secrets in its scope: pruning must wait until the new secret exists. */
function holdPruned(drafts: readonly Draft[]): void {
  const held = drafts.filter(
    (draft) => draft.change.action !== 'replace' && makesSecret(draft) && draft.isAsked && !runs(draft),
  );
  const scopes = new Set(held.map(({ scope }) => scope));
  for (const draft of drafts)
    if (scopes.has(draft.scope) && runsLast(draft) && draft.change.origin === 'prune') block(draft, 'dependency');
}

/** Drafts the changes of a declaration; the attributes in `held` get a separate, blocked draft. */
export function draftsApart(
  scope: Scope,
  binding: Binding,
  held: HeldBack | undefined,
  found: Findings,
): readonly Draft[] {
  if (held === undefined) return draftsOf(scope, binding, found);
  const others = draftsOf(scope, without(binding, held.paths), found);
  const rest = updateOf(scope, without(binding, others.flatMap(pathsOf)));
  if (rest === undefined || pathsOf(rest).length === 0) return others;
  const apart = { ...rest, key: `held:${held.address}` };
  amend(apart, { held: [] });
  block(apart, ...held.blockedBy);
  return [apart, ...others];
}

/** Returns the binding as if the declaration also listed these paths under `lifecycle.ignore`. */
function without(binding: Binding, paths: readonly string[]): Binding {
  const { desired } = binding;
  const { lifecycle } = desired;
  return { ...binding, desired: { ...desired, lifecycle: { ...lifecycle, ignore: [...lifecycle.ignore, ...paths] } } };
}

function updateOf(scope: Scope, binding: Binding): Draft | undefined {
  const nowhere: Findings = { diagnostics: [], unread: [], unmanaged: [], over: new Set() };
  return draftsOf(scope, binding, nowhere).find(({ change }) => change.action === 'update');
}

function pathsOf({ change }: Draft): readonly string[] {
  return change.attributes.map(({ path }) => path);
}

/** Returns the attributes that each blocked update must leave out so that its other attributes can run. Guards must have judged `drafts` already. */
export function heldBackIn(drafts: readonly Draft[], guarding: GuardInput): readonly HeldBack[] {
  const whole = drafts.filter(
    ({ change }) => change.action === 'update' && isHeldBack(change) && change.attributes.length > 1,
  );
  if (whole.length === 0) return [];
  const bindings = guarding.matchings.flatMap((one) => one.bindings);
  const others = drafts.filter((draft) => !whole.includes(draft));
  const held = new Map(whole.map((draft) => [draft, { paths: pathsOf(draft), blockedBy: draft.change.blockedBy }]));
  for (let open = whole; open.length > 0;) {
    // Guards judge each blocked attribute together with the attributes that can run, because one attribute may need another.
    const tries = open.flatMap((draft) => {
      const binding = bindings.find(({ desired }) => desired === draft.desired);
      const paths = held.get(draft)?.paths ?? [];
      return paths.flatMap((path) => {
        const tried =
          binding &&
          updateOf(
            draft.scope,
            without(
              binding,
              paths.filter((one) => one !== path),
            ),
          );
        return tried === undefined ? [] : [{ draft, path, tried }];
      });
    });
    guardEach([...others.map((draft) => ({ ...draft })), ...tries.map(({ tried }) => tried)], guarding);
    const stuck = groupBy(
      tries.filter(({ tried }) => isHeldBack(tried.change)),
      ({ draft }) => draft,
    );
    open = open.filter((draft) => {
      const own = stuck.get(draft) ?? [];
      const before = held.get(draft)?.paths.length;
      const blockedBy = own.flatMap(({ tried }) => tried.change.blockedBy);
      held.set(draft, { paths: own.map(({ path }) => path), blockedBy });
      // A try with the only attribute left would be the whole update, and guards have blocked the whole update already.
      return own.length > 1 && own.length !== before;
    });
  }
  return [...held].flatMap(([draft, { paths, blockedBy }]) =>
    paths.length === 0 || paths.length === pathsOf(draft).length
      ? []
      : [{ address: draft.change.address, paths, blockedBy }],
  );
}

/** Returns the attributes that updates of this plan leave out, so that a plan made again leaves out the same ones. */
export function leftOutOf({ changes }: Pick<Plan, 'changes'>): readonly HeldBack[] {
  const updates = groupBy(
    changes.filter(({ action }) => action === 'update'),
    ({ address }) => address,
  );
  const apart = [...updates.values()].filter((own) => own.length > 1).flat();
  return apart
    .filter(isHeldBack)
    .map(({ address, attributes, blockedBy }) => ({ address, paths: attributes.map(({ path }) => path), blockedBy }));
}
