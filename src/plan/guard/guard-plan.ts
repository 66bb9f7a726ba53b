// The guards of a plan: on single changes, on their dependents, and on the whole plan.
import type { SafetyLimits } from '../../model/desired.ts';
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
  /** Drafts that the hash includes as if they ran. */
  readonly covered: readonly Draft[];
  /** The limits, set in the files, that the `covered` drafts exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
}

/** True for an action that nothing blocks; a due change also needs `due`. */
export function runs(draft: Draft, due: boolean): boolean {
  return isAction(draft) && draft.change.blockedBy.length === 0 && (due || !draft.change.due);
}

/** Blocks that a consent removes. */
const AGREEMENTS: ReadonlySet<Block> = new Set(['consent', 'allowance', 'name_differs']);

export interface GuardInput {
  readonly matchings: readonly Matching[];
  readonly input: PlanInput;
}

/** Applies the guards that judge each change by itself. */
export function guardEach(drafts: readonly Draft[], { matchings, input }: GuardInput): void {
  // An excluded resource must not be deleted with another one.
  const spared: SafetyLimits = { ...NO_LIMITS, protect: input.exclude };
  const isKept = keeping(drafts, matchings, [...input.desired.safety, spared]);
  guardChanges(drafts, input, isKept);
  guardHolders(drafts, matchings, isKept);
  guardReferred(drafts, matchings, { isKept, due: input.due });
  guardArrivals(drafts, matchings, isKept);
  guardGuesses(matchings, drafts, input.allow);
}

const NO_LIMITS: Omit<SafetyLimits, 'protect'> = {
  project: null,
  windows: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
};

/** An exceeded limit blocks the whole plan; every other guard blocks only its changes and their dependents. */
export function guardPlan(drafts: readonly Draft[], order: Order, guarding: GuardInput): Guarded {
  const { input } = guarding;
  guardEach(drafts, guarding);
  blockDependents(drafts, order, input.due);
  holdPruned(drafts, input.due);
  const limitsExceeded = exceededLimits(drafts, countedIn(drafts, input.due), input);
  const covered = drafts.filter((draft) => isCovered(draft, input.due));
  const limitsCovered = exceededLimits(drafts, covered, underFiles(input));
  const words = limitsExceeded.map(({ limit }) => limit);
  for (const draft of drafts) if (runs(draft, input.due)) block(draft, ...words);
  return { limitsExceeded, covered, limitsCovered };
}

/** Blocks that end by time. */
const TIMED: readonly Block[] = ['window', 'clock_unknown', 'not_idle'];

/** Blocks that end by time or by a consent. */
const PASSING: ReadonlySet<Block> = new Set<Block>([...TIMED, 'consent']);

/** True if something besides time, a limit and another change blocks the change. */
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

/** True if the hash includes the draft, so that a plan has the same hash by day and in a window at night. */
function isCovered(draft: Draft, due: boolean): boolean {
  return isAction(draft) && (due || !draft.change.due) && lastingBlocks(draft.change).length === 0;
}

/** The input without the operator's limits, which apply judges. */
function underFiles(input: PlanInput): PlanInput {
  const safety = input.desired.safety.filter(({ isOperators }) => isOperators !== true);
  return { ...input, desired: { ...input.desired, safety } };
}

/** Limits count changes that run, and changes that wait only for a consent, so that plan and apply count the same. */
function countedIn(guarded: readonly Draft[], due: boolean): readonly Draft[] {
  const awaiting = guarded.filter(
    ({ change: { blockedBy, consents = [] } }) =>
      blockedBy.length > 0 &&
      blockedBy.every((word) => AGREEMENTS.has(word)) &&
      consents.every(({ given }) => given !== null),
  );
  return [...guarded.filter((draft) => runs(draft, due)), ...awaiting];
}

function blockDependents(drafts: readonly Draft[], order: Order, due: boolean): void {
  const running = new Map(drafts.filter((draft) => runs(draft, due)).map((draft) => [draft.key, draft]));
  const idle = order.keys.filter((key) => !running.has(key));
  for (let key = idle.pop(); key !== undefined; key = idle.pop())
    for (const dependent of order.dependentsOf(key)) {
      const draft = running.get(dependent);
      if (draft === undefined) continue;
      running.delete(dependent);
      idle.push(dependent);
      // The plan does not show a needed change that is not selected, so the dependent change names it.
      const waitsFor = order.stepsOf(key)[0]?.draft.change.address;
      if (waitsFor !== undefined) amend(draft, { waitsFor });
      block(draft, 'dependency');
    }
}

/** Blocks the pruning of secrets in a scope where the creation of a secret is blocked. */
function holdPruned(drafts: readonly Draft[], due: boolean): void {
  const isHeld = ({ change }: Draft): boolean =>
    change.action !== 'replace' && change.blockedBy.length > 0 && (due || !change.due);
  const scopes = new Set(drafts.filter((draft) => makesSecret(draft) && isHeld(draft)).map(({ scope }) => scope));
  for (const draft of drafts)
    if (scopes.has(draft.scope) && runsLast(draft) && draft.change.origin === 'prune') block(draft, 'dependency');
}
