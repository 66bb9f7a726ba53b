// What speaks for one assignment among those of the same least cost: the user's own word, what earlier runs recorded, restarts saved.
import { addressOf } from '../../../model/address.ts';
import type { DesiredResource, ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { removes, type Draft } from '../../diff/draft.ts';
import { draftsOf } from '../../diff/draft-change.ts';
import { isAllowed } from '../../guard/consents.ts';
import type { Allowance } from '../../input.ts';
import type { Wanted } from './pool-costs.ts';
import { contextOf, type Scope } from '../../scope.ts';

/** Allowances that name this live resource by its id: a pattern that happens to cover it, or a label, says nothing of who is meant. */
function namingIt(allow: readonly Allowance[], scope: Pick<Scope, 'label'>, id: ResourceId): readonly Allowance[] {
  const own = addressOf(scope.label, id);
  return allow.filter(({ address }) => address === own);
}

/** True when the user names this very resource for this very change. */
export function isNamed({ live, scope, ...draft }: Draft, allow: readonly Allowance[]): boolean {
  if (live === null || allow.length === 0) return false;
  const naming = namingIt(allow, scope, live.id);
  return naming.length > 0 && isAllowed({ live, scope, ...draft }, naming);
}

/** Those that the user names for removal, by their ids. */
function namedForRemoval({ rules, allow, label }: Scope, members: readonly LiveResource[]): readonly LiveResource[] {
  if (allow.length === 0) return [];
  return members.filter(({ id }) =>
    namingIt(allow, { label }, id).some(({ action }) => action === '*' || action === rules.removal),
  );
}

/** Members of a pool that `wanted` declarations can be: where there are too many, not those that the user names for removal. */
export function stayingOf(scope: Scope, wanted: number, members: readonly LiveResource[]): readonly LiveResource[] {
  if (members.length <= wanted) return members;
  const named = new Set(namedForRemoval(scope, members));
  // More of them than can go say no more than none.
  return named.size > members.length - wanted ? members : members.filter((live) => !named.has(live));
}

/** The unclaimed members of a pool that `wanted` declarations of absence remove: first those that the user names. */
export function leavingOf(scope: Scope, wanted: number, members: readonly LiveResource[]): readonly LiveResource[] {
  const named = new Set(namedForRemoval(scope, members));
  if (named.size >= wanted) return members.filter((live) => named.has(live));
  const others = members.filter((live) => !named.has(live));
  return [...named, ...others.slice(0, wanted - named.size)];
}

/** What tells assignments of the same cost from one another. */
export interface Preference {
  /** What speaks against a pair. */
  readonly worse: (row: number, column: number) => number;
  /** What speaks for it, in words; null where nothing does. */
  readonly because: (row: number, column: number) => string | null;
}

/** Null where nothing tells them from one another. */
export function preferenceOf(
  scope: Scope,
  wanted: readonly Wanted[],
  live: readonly LiveResource[],
): Preference | null {
  if (live.length < 2) return null;
  const named = namedHint(scope, wanted, live);
  const recorded = recordedHint(scope, wanted, live);
  const restarts = restartHint(scope, wanted, live);
  if (named === null && recorded === null && restarts === null) return null;
  // One of a kind outweighs all of the next.
  const weight = Math.max(wanted.length, live.length) + 1;
  return {
    worse: (row, column) =>
      (named?.against(row, column) === true ? weight * weight : 0) +
      (recorded?.against(row, column) === true ? weight : 0) +
      (restarts?.against(row, column) === true ? 1 : 0),
    because(row, column) {
      const reasons = [named, recorded].filter((hint) => hint?.against(row, column) === false);
      return reasons.map((hint) => hint?.words(row)).find((words) => typeof words === 'string') ?? null;
    },
  };
}

interface Hint {
  against(row: number, column: number): boolean;
  /** What it says for the pairs that it is not against; null where it says nothing of this row. */
  words(row: number): string | null;
}

/** Against a pair that leaves undone what `--allow` names the resource for; null where nothing is named. */
function namedHint(scope: Scope, wanted: readonly Wanted[], live: readonly LiveResource[]): Hint | null {
  const named = live.map(({ id }) => namingIt(scope.allow, scope, id).length > 0);
  if (!named.includes(true)) return null;
  const against = (row: number, column: number): boolean => {
    const want = wanted[row];
    const one = live[column];
    if (want === undefined || one === undefined || named[column] !== true) return true;
    return !actsOn(scope, want.desired, one).some((draft) => isNamed(draft, scope.allow));
  };
  return { against, words: () => 'the one that --allow names' };
}

/** What would be done to a live resource if it were the declaration: everything but its removal. */
export function actsOn(scope: Scope, desired: DesiredResource, live: LiveResource): readonly Draft[] {
  const { drafts } = draftsOf(scope, {
    desired,
    live,
    matchedBy: '',
    companions: [],
    stalePin: false,
    successor: null,
    frozen: null,
    guess: true,
  });
  return drafts.filter(
    (draft) => draft.change.action !== 'none' && !removes(draft.change) && draft.live?.id === live.id,
  );
}

/** Against a pair that takes the declaration away from what an earlier run made for it; null where nothing is recorded. */
function recordedHint(scope: Scope, wanted: readonly Wanted[], live: readonly LiveResource[]): Hint | null {
  const { rules } = scope;
  if (rules.madeBefore === undefined || Object.keys(scope.facts).length === 0) return null;
  const context = contextOf(scope);
  const made = wanted.map(({ desired }) => {
    const before = rules.madeBefore?.(desired, live, context);
    return before?.certain === true ? (before.live.at(-1)?.id ?? null) : null;
  });
  if (made.every((id) => id === null)) return null;
  return {
    against: (row, column) => made[row] !== null && made[row] !== live[column]?.id,
    words: (row) => (made[row] === null ? null : 'the one that an earlier run made for it'),
  };
}

/** Against a pair that brings a restart; null where all ask for the same. */
function restartHint(scope: Scope, wanted: readonly Wanted[], live: readonly LiveResource[]): Hint | null {
  const words = wanted.map(({ desired }) => JSON.stringify(desired.options));
  if (words.every((word) => word === words[0])) return null;
  const context = contextOf(scope);
  const known = new Map<string, boolean>();
  const against = (row: number, column: number): boolean => {
    const want = wanted[row];
    const one = live[column];
    if (want === undefined || one === undefined || words[row] === '{}') return false;
    const key = `${column} ${words[row]}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const { intents } = scope.rules.verdict({
      desired: want.desired,
      live: one,
      companions: [],
      differs: false,
      restarts: false,
      context,
    });
    known.set(key, intents.length > 0);
    return intents.length > 0;
  };
  return { against, words: () => null };
}
