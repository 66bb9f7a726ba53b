// Labels of interchangeable resources are no promises: what would hit one of them by a guess is held until somebody says which.
import { canonicalJson } from '../../base/json.ts';
import { coversAddress, matchesGlob, type Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Candidate } from '../../model/outcome/plan.ts';
import { bestPairs } from '../match/pools/assignment-ties.ts';
import { poolKeyOf, type Binding } from '../match/match-state.ts';
import { addressesOf, blocked, isAction, noted, removes, type Draft } from '../diff/draft.ts';
import { guardChanges, type Judging } from './guards.ts';
import type { PlanInput } from '../input.ts';
import type { Matching } from '../match/matching.ts';
import { costsOf, wantedOf } from '../match/pools/pool-costs.ts';
import { actsOn, isNamed, stayingOf } from '../match/pools/pool-hints.ts';
import { groupBy } from '../../base/group-by.ts';
import { spendPairs, type Effort, type Scope } from '../scope.ts';
import { selectionOf } from '../selection.ts';

interface Weighing extends Judging {
  readonly effort: Effort;
}

/** What could all be the same declaration, and what is matched among it by a guess. */
interface Pool {
  readonly scope: Scope;
  /** Declarations that stay, matched by a guess or with nothing. */
  readonly staying: readonly Binding[];
  /** Live resources that nothing but a guess ties to a declaration, or that none claims. */
  readonly members: readonly LiveResource[];
  readonly matched: ReadonlyMap<ResourceId, Address>;
}

/** Every draft, blocked where it is ambiguous. `drafts` are those of what is selected, with their other guards. */
export function guardGuesses(matchings: readonly Matching[], drafts: readonly Draft[], judging: Judging): Draft[] {
  const ambiguous = new Map<Draft, readonly ToldCandidate[]>();
  // Whoever judges again may weigh as much as who judged first: what matching has left.
  const weighing = { ...judging, effort: { pairs: matchings[0]?.scope.effort.pairs ?? 0 } };
  for (const matching of matchings) {
    if (!matching.bindings.some(({ guess }) => guess)) continue;
    const own = drafts.filter((draft) => draft.scope === matching.scope && draft.live !== null && isAction(draft));
    if (own.length === 0) continue;
    for (const pool of poolsOf(matching)) {
      const ids = new Set(pool.members.map(({ id }) => id));
      const acting = own.filter(({ live }) => live !== null && ids.has(live.id));
      const found = acting.length === 0 ? [] : ambiguousIn(pool, acting, weighing);
      const candidates = found.length === 0 ? [] : candidatesOf(pool);
      for (const draft of found) ambiguous.set(draft, candidates);
    }
  }
  return drafts.map((draft) => {
    const candidates = ambiguous.get(draft);
    return candidates === undefined ? draft : asAmbiguous(draft, candidates);
  });
}

function poolsOf({ scope, bindings, unclaimed }: Matching): Pool[] {
  const keyOf = (spec: LiveResource['spec']): string => poolKeyOf(scope.rules, spec) ?? '';
  const accepted = new Set(scope.declaration?.unmanagedOk);
  const isLoose = ({ guess, live, frozen, desired }: Binding): boolean =>
    guess || (live === null && frozen === null && !desired.absent && scope.rules.place(desired.spec) === null);
  const free = groupBy(
    unclaimed.filter(({ id }) => !accepted.has(id)),
    ({ spec }) => keyOf(spec),
  );
  const pools = groupBy(bindings.filter(isLoose), ({ desired }) => keyOf(desired.spec));
  return [...pools].flatMap(([key, loose]): Pool[] => {
    const guessed = loose.flatMap(({ live, desired: { address } }) => (live === null ? [] : [{ live, address }]));
    if (guessed.length === 0) return [];
    const companions = loose.flatMap((one) => one.companions);
    const ids = new Set(
      [...guessed.map(({ live }) => live), ...companions, ...(free.get(key) ?? [])].map(({ id }) => id),
    );
    return [
      {
        scope,
        staying: loose.filter(({ desired }) => !desired.absent),
        members: scope.live.filter(({ id }) => ids.has(id)),
        matched: new Map(guessed.map(({ live, address }) => [live.id, address])),
      },
    ];
  });
}

/**
 * Judged twice: as if everything that is asked for were done, and by what runs as things stand. A change that all members share does not
 * hit them all any more where a guard, a missing consent or a selection by label keeps it from some of them.
 */
function ambiguousIn(pool: Pool, acting: readonly Draft[], judging: Weighing): readonly Draft[] {
  const { allow } = judging.input;
  // Where it takes too long to say who could be meant, it is not said.
  if (!spendPairs(judging, pool.staying.length, pool.members.length)) return acting;
  const found = new Set<Draft>();
  const doings = [doingOf(pool, judging, 'asked'), doingOf(pool, judging, 'runs')];
  const open = acting.filter((draft) => !isNamed(draft, allow));
  for (const doing of doings)
    for (const draft of open)
      if (doing.counts(draft) && (removes(draft.change) || disturbs(draft)) && isGuess(pool, acting, draft, doing))
        found.add(draft);
  // What is harmless would settle who is who, and the next run would take that for knowledge.
  const [asked] = doings;
  if (found.size > 0 && asked !== undefined)
    for (const draft of open)
      if (!found.has(draft) && !removes(draft.change) && isGuess(pool, acting, draft, asked)) found.add(draft);
  return [...found];
}

function disturbs({ change: { impact } }: Draft): boolean {
  return impact.some((word) => word !== 'none');
}

function isGuess(pool: Pool, acting: readonly Draft[], draft: Draft, doing: Doing): boolean {
  if (draft.live === null) return false;
  if (!removes(draft.change)) return doing.varies(draft.live);
  const leaving = acting.filter((one) => removes(one.change) && doing.counts(one)).map(({ live }) => live?.id);
  const gone = new Set(leaving);
  return pool.members.some(({ id }) => !gone.has(id));
}

interface Doing {
  counts(draft: Draft): boolean;
  /** True when another assignment of the same least cost would do something else to it, or nothing. */
  varies(live: LiveResource): boolean;
}

function doingOf(pool: Pool, { input, stale, names }: Judging, mode: 'asked' | 'runs'): Doing {
  const { scope, staying, members } = pool;
  const counts = (draft: Draft): boolean => mode === 'asked' || draft.change.blockedBy.length === 0;
  const selects = selectionOf(input);
  const classes = classesOf(staying, input, stale);
  const known = new Map<string, string>();
  const done = (row: number, live: LiveResource): string => {
    const binding = staying[row];
    if (binding === undefined) return '';
    const key = `${classes[row]} ${live.id}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const { desired } = binding;
    const isSelected = selects(addressesOf({ address: desired.address, resourceId: live.id }, scope.label));
    const drafts = isSelected ? guardChanges(actsOn(scope, desired, live), { input, stale, names }).filter(counts) : [];
    const text = drafts.length === 0 ? '' : wordsOf(drafts, input.due || mode === 'asked');
    known.set(key, text);
    return text;
  };
  const lazily = lazy(() => {
    const columns = stayingOf(scope, staying.length, members);
    const costs = costsOf(
      scope,
      staying.map(({ desired }) => wantedOf(desired)),
      columns,
    );
    return { best: bestPairs(costs, columns.length), places: new Map(columns.map(({ id }, at) => [id, at])) };
  });
  return {
    counts,
    varies(live) {
      const { best, places } = lazily();
      const column = places.get(live.id);
      const row = staying.findIndex((binding) => binding.live?.id === live.id);
      if (column === undefined || row < 0) return true;
      const own = done(row, live);
      if (best.leavesAlone(column) && own !== '') return true;
      return staying.some((_, other) => best.has(other, column) && done(other, live) !== own);
    },
  };
}

/** What is sent to it; why, and how it was found, does not count. */
function wordsOf(drafts: readonly Draft[], due: boolean): string {
  const running = drafts.filter(({ change }) => due || !change.due);
  return canonicalJson(running.map(({ change, send, restarts }) => [change.action, send, restarts]));
}

/** Declarations of one class ask for the same, and the same allowances, protections and selections name them. */
function classesOf(staying: readonly Binding[], input: PlanInput, stale: ReadonlySet<Address>): readonly number[] {
  const allowed = input.allow.map(({ address }) => address);
  const globs = [...input.desired.safety.flatMap(({ protect }) => protect), ...input.target, ...input.exclude];
  const numbers = new Map<string, number>();
  return staying.map(({ desired: { address, spec, options, lifecycle } }) => {
    const { protect, ignore, hold } = lifecycle;
    const holds = hold.map(({ path, value, untilMs }) => [path, value, untilMs]);
    const named = [
      allowed.flatMap((glob, at) => (matchesGlob(glob, address) ? [at] : [])),
      globs.flatMap((glob, at) => (coversAddress(glob, address) ? [at] : [])),
    ];
    const key = canonicalJson([spec, options, protect, ignore, holds, stale.has(address), named]);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** How many candidates a change lists: a pool can have hundreds, and each of its changes lists them. */
const MOST_CANDIDATES = 50;
const MOST_TOLD = 10;

/** With its words: `ep-1 (shop/a), 1–2 CU, last active 2026-11-20T11:00:00Z` */
interface ToldCandidate extends Candidate {
  readonly words: string;
}

function candidatesOf({ scope, members, matched }: Pool): readonly ToldCandidate[] {
  return members.slice(0, MOST_CANDIDATES).map((live) => {
    const { facts, words } = scope.rules.portrait?.(live) ?? { facts: {}, words: '' };
    const address = matched.get(live.id) ?? null;
    const name = `${live.id} (${address ?? 'no label'})`;
    return { id: live.id, address, facts, words: words === '' ? name : `${name}, ${words}` };
  });
}

function asAmbiguous(draft: Draft, told: readonly ToldCandidate[]): Draft {
  const lines = told.slice(0, MOST_TOLD).map(({ words }) => `candidate: ${words}`);
  const more = told.length - lines.length;
  const own = noted(draft, ...lines, ...(more > 0 ? [`and ${more} more candidates`] : []));
  const candidates = told.map(({ id, address, facts }) => ({ id, address, facts }));
  return blocked({ ...own, change: { ...own.change, candidates } }, 'ambiguous');
}
