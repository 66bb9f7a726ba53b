// Pins: an id in the file outranks every other match, even if an interrupted run left a replacement beside the resource.
import { problemAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { bind, type Binding, type MatchState } from './match-state.ts';
import { namedAs } from '../../model/attributes.ts';
import { listOf } from '../../base/text/words.ts';
import { isReplaced, managedLeaves, sameAt } from '../diff/difference.ts';
import { isAccepted, nameIn } from '../scope.ts';

/** A declaration with `state: absent` whose pinned id is not live in this scope is done; other stale pins are left to later calls. */
export function matchPins(state: MatchState, unknown: readonly LiveResource[]): void {
  if (state.scope.desired.every(({ pin }) => pin === null)) return;
  const byId = new Map(state.known.map((live) => [live.id, live]));
  const strange = new Set(unknown.map(({ id }) => id));
  for (const desired of state.scope.desired) {
    if (desired.pin === null) continue;
    const live = byId.get(desired.pin);
    const other = live === undefined ? null : successorIn(state, desired, live);
    if (other !== null) matchSwapped(state, desired, other);
    else if (live !== undefined) matchPinned(state, desired, live);
    else if (strange.has(desired.pin)) refuseStrange(state, desired, desired.pin);
    else if (desired.absent) bind(state, desired, null, `${desired.pin} no longer exists`);
  }
}

function successorIn(state: MatchState, { spec }: DesiredResource, pinned: LiveResource): LiveResource | null {
  const place = state.placeOf(spec);
  if (place === null || place === state.placeOf(pinned.spec)) return null;
  const [holder] = state.holders.get(place) ?? [];
  return holder === undefined || holder.tookOver !== pinned.id ? null : holder;
}

/** Follows the name that a restore gave to another resource. A deletion is refused until the file has the id of that resource. */
function matchSwapped(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const { pin, address, absent } = desired;
  const so = absent ? `${address} is not deleted` : `${address} is matched by its name`;
  report(state, desired, {
    severity: absent ? 'error' : 'warning',
    code: 'swapped',
    message: `a restore gave the name of ${pin} to ${live.id}, so ${so}`,
    hint: absent ? 'Write the id of the resource that you want to delete.' : WRITE_MATCHED,
  });
  if (!absent)
    return bind(state, desired, live, `${state.scope.rules.poolWords(desired.spec)}, restored`, { stalePin: true });
  bind(state, desired, null, 'a restore gave the name of this resource to another resource', {
    frozen: `${live.id} has the name of ${pin}`,
    stalePin: true,
  });
}

const WRITE_MATCHED = 'To write the matched id: trueup pin --fix';

function matchPinned(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const owner = state.owners.get(live.id);
  if (owner !== undefined) {
    const { address, sources, source } = owner;
    report(state, desired, {
      severity: 'error',
      code: 'claimed_twice',
      message: `${live.id} is claimed by ${address} and by ${desired.address}`,
      hint: 'A live resource has one declaration: remove one of the ids.',
      related: [{ message: `${address} claims it here`, range: sources['id'] ?? source }],
    });
    const frozen = `${live.id} is claimed by ${address}`;
    return bind(state, desired, null, 'another declaration claims the id', { frozen });
  }
  state.owners.set(live.id, desired);
  if (state.scope.rules.choose === undefined) bind(state, desired, live, 'pinned id');
}

function refuseStrange(state: MatchState, desired: DesiredResource, pin: string): void {
  report(state, desired, {
    severity: 'error',
    code: 'unknown_type',
    message: `${pin} cannot be managed: this version of trueup does not know its type`,
    hint: 'Remove the entry, or upgrade trueup.',
  });
  bind(state, desired, null, 'the type of the pinned resource is unknown', { frozen: `the type of ${pin} is unknown` });
}

export function reportStalePins(state: MatchState): void {
  for (const { desired, live } of state.bindings.values()) {
    if (!state.isStale(desired)) continue;
    const { address, pin } = desired;
    const project = state.scope.homeOf(pin ?? '');
    const gone = project === null ? `${pin} does not exist` : `${pin} belongs to ${project}`;
    const isMatched = live !== null;
    report(state, desired, {
      severity: 'warning',
      code: 'stale_pin',
      message: isMatched
        ? `${gone}, so ${address} is matched without its id`
        : `${gone}, and no live resource matches ${address}`,
      hint: isMatched
        ? WRITE_MATCHED
        : 'Correct the id. To remove the id and let the next plan create a new resource: trueup pin --fix',
    });
  }
}

function report(state: MatchState, desired: DesiredResource, own: Parameters<typeof problemAt>[2]): void {
  state.diagnostics.push(problemAt(desired, 'id', own));
}

/**
 * Finds the successor of every pinned resource that must be replaced: the resource with its name or in its slot. Without this, the run
 * after an interrupted one would create another. If neither decides, nothing is done, because a similar resource may belong to somebody
 * else.
 */
export function matchSuccessors(state: MatchState): void {
  for (const binding of state.bindings.values()) {
    const { desired, live, frozen } = binding;
    if (live === null || live.id !== desired.pin || frozen !== null || desired.absent) continue;
    if (!isReplaced(state.scope.rules, desired, live)) continue;
    const candidates = candidatesFor(state, desired, live);
    if (candidates.length === 0) continue;
    const successor = successorAmong(state, desired, candidates);
    if (successor === null) refuse(state, binding, live, candidates);
    else {
      state.owners.set(successor.id, desired);
      state.bindings.set(desired.address, { ...binding, successor });
    }
  }
}

/** Youngest first: unclaimed, not accepted, in the pool of the declaration, equal to it, and younger than the pinned resource. */
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

/** When a run is verified, the resource that it created; else the only candidate that is in the slot or has the name. */
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
