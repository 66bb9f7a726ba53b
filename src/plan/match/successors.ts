// Interrupted replacements: the successor exists already, and its predecessor must still be removed.
import { namedAs } from '../../model/attributes.ts';
import { listOf } from '../../base/text/words.ts';
import { problemAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Binding, MatchState } from './match-state.ts';
import { isReplaced, managedLeaves, sameAt } from '../diff/difference.ts';
import { isAccepted, nameIn } from '../scope.ts';

/**
 * Finds the successor of every pinned resource that must be replaced: the resource with its name or in its slot. Without this, the run
 * after an interrupted one would create another. If neither name nor slot decides, nothing is done: a similar resource may belong to
 * somebody else.
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

/**
 * Possible successors, youngest first: unclaimed, not accepted as others', in the pool of the declaration, equal to it and younger than
 * the pinned one.
 */
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

/** The resource that the verified run created; else the holder of the slot, or the only one with the name. */
function successorAmong(
  state: MatchState,
  desired: DesiredResource,
  candidates: readonly LiveResource[],
): LiveResource | null {
  const { scope } = state;
  const own = candidates.find(({ id }) => id === scope.context.made.get(desired.address));
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
  const isOne = ids.length === 1;
  const are = isOne ? 'is newer, matches the file and is not listed' : 'are newer, match the file and are not listed';
  state.diagnostics.push(
    problemAt(desired, '', {
      severity: 'error',
      code: 'unlisted_successor',
      message: `${desired.address} would replace ${live.id}, but ${listOf(ids)} ${are}; an interrupted run may have created the replacement`,
      hint: isOne
        ? `If that resource is the replacement, write id: ${ids[0]}. If that resource belongs to somebody else, list its id under unmanaged_ok.`
        : 'Write the id of the replacement, and list the others under unmanaged_ok.',
    }),
  );
  state.bindings.set(desired.address, { ...binding, frozen: `${listOf(ids)} may be the replacement` });
}
