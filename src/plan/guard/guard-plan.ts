// Guards a plan: judges single changes, then changes that depend on blocked ones, then the whole plan.
import type { Block, Change, ExceededLimit } from '../../model/outcome/plan.ts';
import { guardGuesses } from './ambiguous.ts';
import { amend, block, isAction, type Draft } from '../diff/draft.ts';
import { guardChanges } from './guards.ts';
import { keeping } from './protection.ts';
import { guardArrivals, guardHolders, guardReferred } from './referred.ts';
import type { PlanInput } from '../input.ts';
import { exceededLimits, LIMITS } from './limits.ts';
import type { Matching } from '../match/matching.ts';
import type { Order } from '../order/order.ts';
import { makesSecret, runsLast } from '../order/reference-needs.ts';

interface Guarded {
  readonly limitsExceeded: readonly ExceededLimit[];
  /** Drafts that the hash includes, even if a window, or another block that the hash omits, stops them now. */
  readonly covered: readonly Draft[];
  /** The files' limits that the `covered` drafts exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
}

/** True for an action that this run should carry out; a due change also needs `due`. */
export function isAsked(draft: Draft, due: boolean): boolean {
  return isAction(draft) && (due || !draft.change.due);
}

/** True if this run should carry out the action and nothing blocks it. */
export function runs(draft: Draft, due: boolean): boolean {
  return isAsked(draft, due) && draft.change.blockedBy.length === 0;
}

/** Blocks that a consent removes. */
const AGREEMENTS: ReadonlySet<Block> = new Set(['consent', 'allowance', 'name_differs']);

export interface GuardInput {
  readonly matchings: readonly Matching[];
  readonly input: PlanInput;
}

/** Applies the guards that judge each change by itself. */
export function guardEach(drafts: readonly Draft[], { matchings, input }: GuardInput): void {
  // An excluded resource must not be deleted together with another resource.
  const isKept = keeping(drafts, matchings, [...input.desired.safety, { project: null, protect: input.exclude }]);
  guardChanges(drafts, input, isKept);
  guardHolders(drafts, matchings, isKept);
  guardReferred(drafts, matchings, { isKept, due: input.due });
  guardArrivals(drafts, matchings, isKept);
  guardGuesses(matchings, drafts, input.allow);
}

/** Applies all guards. An exceeded limit blocks the whole plan; any other guard blocks only its changes and their dependents. */
export function guardPlan(drafts: readonly Draft[], order: Order, guarding: GuardInput): Guarded {
  const { input } = guarding;
  const { due } = input;
  guardEach(drafts, guarding);
  blockDependents(drafts, order, due);
  holdPruned(drafts, due);
  const limitsExceeded = exceededLimits(drafts, countedIn(drafts, due), input);
  const covered = drafts.filter((draft) => isCovered(draft, due));
  // Apply judges the operator's limits, so the hash leaves them out.
  const safety = input.desired.safety.filter(({ isOperators }) => isOperators !== true);
  const limitsCovered = exceededLimits(drafts, covered, { ...input, desired: { ...input.desired, safety } });
  const words = limitsExceeded.map(({ limit }) => limit);
  for (const draft of drafts) if (runs(draft, due)) block(draft, ...words);
  return { limitsExceeded, covered, limitsCovered };
}

/** Blocks that end by time. */
const TIMED: readonly Block[] = ['window', 'clock_unknown', 'not_idle'];

/** Blocks that end by time or by a consent. */
const PASSING: ReadonlySet<Block> = new Set<Block>([...TIMED, 'consent']);

/** True if the change has a block of its own, such as a missing consent: not one from time, a limit or another change. */
export function isHeldBack({ blockedBy }: Pick<Change, 'blockedBy'>): boolean {
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

/** True if the hash includes the draft. Closed windows do not count, so a plan has the same hash by day and at night. */
function isCovered(draft: Draft, due: boolean): boolean {
  return isAsked(draft, due) && lastingBlocks(draft.change).length === 0;
}

/** Returns the changes that limits count: those that run, and those that lack only an `--allow`, so that plan and apply count the same. */
function countedIn(guarded: readonly Draft[], due: boolean): readonly Draft[] {
  const isAwaiting = ({ change: { blockedBy, consents = [] } }: Draft): boolean =>
    blockedBy.length > 0 &&
    blockedBy.every((word) => AGREEMENTS.has(word)) &&
    consents.every(({ given }) => given !== null);
  return guarded.filter((draft) => runs(draft, due) || isAwaiting(draft));
}

function blockDependents(drafts: readonly Draft[], order: Order, due: boolean): void {
  const running = new Map(drafts.filter((draft) => runs(draft, due)).map((draft) => [draft.key, draft]));
  const idle = [...order.steps.keys()].filter((key) => !running.has(key)).sort();
  for (let key = idle.pop(); key !== undefined; key = idle.pop())
    for (const dependent of order.dependents.get(key) ?? []) {
      const draft = running.get(dependent);
      if (draft === undefined) continue;
      running.delete(dependent);
      idle.push(dependent);
      // The plan does not show a needed change that is not selected, so the dependent change names it.
      const waitsFor = order.steps.get(key)?.[0]?.draft.change.address;
      if (waitsFor !== undefined) amend(draft, { waitsFor });
      block(draft, 'dependency');
    }
}

/** Blocks the pruning of secrets in a scope where the creation of a secret is blocked. */
function holdPruned(drafts: readonly Draft[], due: boolean): void {
  const held = drafts.filter(
    (draft) => draft.change.action !== 'replace' && makesSecret(draft) && isAsked(draft, due) && !runs(draft, due),
  );
  const scopes = new Set(held.map(({ scope }) => scope));
  for (const draft of drafts)
    if (scopes.has(draft.scope) && runsLast(draft) && draft.change.origin === 'prune') block(draft, 'dependency');
}
