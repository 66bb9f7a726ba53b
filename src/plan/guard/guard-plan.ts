// The guards of a plan: on single changes, on their dependents, and on the whole plan.
import type { Address } from '../../model/address.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Block, Change, ExceededLimit } from '../../model/outcome/plan.ts';
import { guardGuesses } from './ambiguous.ts';
import { blocked, isAction, type Draft } from '../diff/draft.ts';
import { guardChanges } from './guards.ts';
import { namesIn } from './protection.ts';
import { guardArrivals, guardHolders, guardReferred } from './referred.ts';
import type { PlanInput } from '../input.ts';
import { exceededLimits, LIMITS } from './limits.ts';
import { holdPruned } from '../order/removals-last.ts';
import type { Matching } from '../match/matching.ts';
import type { StepIndex } from '../order/step-index.ts';

export interface Guarded {
  readonly drafts: readonly Draft[];
  readonly limitsExceeded: readonly ExceededLimit[];
  /** Drafts that the hash covers as if they ran. */
  readonly covered: readonly Draft[];
  /** Limits of the files that these drafts exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
}

/** True for an action without a block that is not due later. */
export function runs(draft: Draft, due: boolean): boolean {
  return isAction(draft) && draft.change.blockedBy.length === 0 && (due || !draft.change.due);
}

/** Blocks that a consent lifts. */
const AGREEMENTS: ReadonlySet<Block> = new Set(['consent', 'allowance', 'name_differs']);

interface GuardInput {
  readonly index: StepIndex;
  readonly matchings: readonly Matching[];
  readonly stale: ReadonlySet<Address>;
  readonly input: PlanInput;
}

/** All guards except the count limits. */
function guardEach(drafts: readonly Draft[], { index, matchings, stale, input }: GuardInput): readonly Draft[] {
  const safety = [...input.desired.safety, sparing(input.exclude)];
  const names = namesIn(drafts, matchings, safety);
  const single = guardChanges(drafts, { input, stale, names });
  const protecting = { matchings, safety, names };
  const referred = guardArrivals(guardReferred(guardHolders(single, protecting), protecting), protecting);
  const guesses = guardGuesses(matchings, referred, input.allow);
  return holdPruned(blockDependents(guesses, index, input.due), input.due);
}

/** A deletion of another resource must not take along an excluded one. */
function sparing(exclude: readonly string[]): SafetyLimits {
  return { project: null, protect: exclude, windows: [], maxDeletes: null, maxRestarts: null, maxChangePercent: null };
}

/** An exceeded limit blocks the whole plan; every other guard blocks only its changes and their dependents. */
export function guardPlan(drafts: readonly Draft[], guarding: GuardInput): Guarded {
  const { input } = guarding;
  const guarded = guardEach(drafts, guarding);
  const limitsExceeded = exceededLimits(guarded, countedIn(guarded, input.due), input);
  const words = [...new Set(limitsExceeded.map(({ limit }) => limit))];
  const held =
    words.length === 0 ? guarded : guarded.map((draft) => (runs(draft, input.due) ? blocked(draft, ...words) : draft));
  const covered = guarded.filter((draft) => isCovered(draft, input.due));
  return { drafts: held, limitsExceeded, covered, limitsCovered: exceededLimits(guarded, covered, underFiles(input)) };
}

/** Blocks that time or a consent lifts. */
const PASSING: ReadonlySet<Block> = new Set<Block>(['window', 'clock_unknown', 'not_idle', 'consent']);

/** True if only time or a consent is missing. */
export function mayRun({ change: { blockedBy } }: Draft): boolean {
  return blockedBy.every((word) => PASSING.has(word));
}

/** Blocks that follow from guards that the hash covers, from guards of the operator, or from other blocks. */
const FOLLOWING: ReadonlySet<Block> = new Set<Block>(['protect', 'stale_pin', 'dependency']);

export function lastingBlocks({ blockedBy }: Change): readonly Block[] {
  return blockedBy.filter((word) => !PASSING.has(word) && !FOLLOWING.has(word) && !LIMITS.has(word));
}

/** A plan has the same hash by day as in a window at night. */
function isCovered(draft: Draft, due: boolean): boolean {
  return isAction(draft) && (due || !draft.change.due) && lastingBlocks(draft.change).length === 0;
}

/** Apply judges the limits of the operator. */
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

function blockDependents(drafts: readonly Draft[], index: StepIndex, due: boolean): Draft[] {
  const byKey = new Map(drafts.map((draft) => [draft.key, draft]));
  const idle = index.keys.filter((key) => {
    const draft = byKey.get(key);
    return draft === undefined || !runs(draft, due);
  });
  for (let key = idle.pop(); key !== undefined; key = idle.pop())
    for (const dependent of index.dependentsOf(key)) {
      const draft = byKey.get(dependent);
      if (draft === undefined || !runs(draft, due)) continue;
      // The plan does not show a needed change that is not selected.
      const needed = index.stepsOf(key)[0]?.draft.change.address;
      const waiting = needed === undefined ? draft : { ...draft, change: { ...draft.change, waitsFor: needed } };
      byKey.set(dependent, blocked(waiting, 'dependency'));
      idle.push(dependent);
    }
  return [...byKey.values()];
}
