// Replacements that were interrupted: the successor is there already, and its predecessor is still to be removed.
import { namedAs } from '../../model/attributes.ts';
import { listOf } from '../../base/text/words.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Binding, MatchState } from './match-state.ts';
import { isReplaced, managedLeaves, sameAt } from '../diff/difference.ts';
import { isAccepted, nameIn } from '../scope.ts';

/**
 * Gives every pinned resource that is to be replaced its successor: what has the name that one is made with, or the place that one would
 * take. Without this, a run that made the new one and then failed would be followed by one that makes another. Where neither tells whose
 * it is that looks like one, nothing is done: it may be somebody else's.
 */
export function matchSuccessors(state: MatchState): void {
  for (const [address, live] of state.pinned) {
    const binding = state.bindings.get(address);
    if (binding?.live !== live || binding.frozen !== null || binding.desired.absent) continue;
    if (!isReplaced(state.scope.rules, binding.desired, live)) continue;
    const candidates = candidatesFor(state, binding.desired, live);
    if (candidates.length === 0) continue;
    const successor = successorAmong(state, binding.desired, candidates);
    if (successor === null) refuse(state, binding, live, candidates);
    else {
      state.owners.set(successor.id, binding.desired);
      state.bindings.set(address, { ...binding, successor });
    }
  }
}

/** What could be it: unclaimed and not known to be others', in the pool of the declaration, equal to it and younger than the pinned one; youngest first. */
function candidatesFor(state: MatchState, desired: DesiredResource, live: LiveResource): readonly LiveResource[] {
  const { scope } = state;
  const leaves = managedLeaves(desired);
  const pool = state.poolKeyOf(desired.spec);
  const candidates = state.known.filter(
    (one) =>
      !state.owners.has(one.id) &&
      (one.createdAtMs ?? 0) > (live.createdAtMs ?? 0) &&
      pool !== null &&
      state.poolKeyOf(one.spec) === pool &&
      leaves.every((leaf) => sameAt(scope.rules, leaf, one.spec)) &&
      !isAccepted(scope, one),
  );
  return candidates.sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0) || (a.id < b.id ? -1 : 1));
}

/** The one that the run which is read back made; else the one that holds the place, or alone has the name. */
function successorAmong(
  state: MatchState,
  desired: DesiredResource,
  candidates: readonly LiveResource[],
): LiveResource | null {
  const { scope } = state;
  const own = candidates.find(({ id }) => id === scope.made.get(desired.address));
  if (own !== undefined) return own;
  const name = namedAs(scope.rules, desired);
  const known = candidates.filter(
    ({ spec }) => state.placeOf(spec) !== null || (name !== null && nameIn(scope, spec) === name),
  );
  return known.length === 1 ? (known[0] ?? null) : null;
}

function refuse(state: MatchState, binding: Binding, live: LiveResource, candidates: readonly LiveResource[]): void {
  const { desired } = binding;
  const ids = candidates.map(({ id }) => id).sort();
  state.diagnostics.push(unlistedSuccessor(desired, live, ids));
  state.bindings.set(desired.address, { ...binding, frozen: `${listOf(ids)} may be its successor` });
}

function unlistedSuccessor(
  { address, source }: DesiredResource,
  live: LiveResource,
  ids: readonly string[],
): Diagnostic {
  const [first = ''] = ids;
  const isOne = ids.length === 1;
  const are = isOne ? 'is newer, matches the file and is not listed' : 'are newer, match the file and are not listed';
  return {
    severity: 'error',
    code: 'unlisted_successor',
    message: `${address} would replace ${live.id}, but ${listOf(ids)} ${are}, and may be the replacement of an interrupted run`,
    hint: isOne
      ? `If that resource is the replacement, write id: ${first}. If that resource belongs to somebody else, list its id under unmanaged_ok.`
      : 'Write the id of the replacement, and list the others under unmanaged_ok.',
    address,
    range: source,
  };
}
