// Matches pins: an id in the file outranks every other match, even if an interrupted run left a replacement beside the resource.
import { errorAt, warningAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { bind, holderOf, isStale, poolKeyOf, type MatchState } from './match-state.ts';
import { namedAs } from '../../model/attributes.ts';
import { isReplaced, managedLeaves, sameAt } from '../diff/difference.ts';
import { isAccepted, nameIn } from '../scope.ts';

/** Binds pinned declarations. `state: absent` is done if the id is not live in this scope; later functions handle other stale pins. */
export function matchPins(state: MatchState, unknown: readonly LiveResource[]): void {
  const pinned = state.scope.declared.filter(({ pin }) => pin !== null);
  if (pinned.length === 0) return;
  const byId = new Map(state.known.map((live) => [live.id, live]));
  const strange = new Set(unknown.map(({ id }) => id));
  for (const desired of pinned) {
    const pin = desired.pin ?? '';
    const live = byId.get(pin);
    const heir = holderOf(state, state.scope.rules.place(desired.spec));
    if (live !== undefined && heir !== live && heir?.tookOver === pin) matchSwapped(state, desired, heir);
    else if (live !== undefined) matchPinned(state, desired, live);
    else if (strange.has(pin)) refuseStrange(state, desired, pin);
    else if (desired.absent) bind(state, desired, null, `${pin} no longer exists`);
  }
}

/** Follows the name that a restore gave to another resource. A deletion is refused until the file has the id of that resource. */
function matchSwapped(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const { pin, address, absent } = desired;
  const words = `a restore gave the name of ${pin} to ${live.id}, so ${address} is`;
  if (!absent) {
    state.diagnostics.push(warningAt(desired, 'id', 'swapped', `${words} matched by its name`, WRITE_MATCHED));
    const matchedBy = `${state.scope.rules.poolWords(desired.spec)}, restored`;
    return bind(state, desired, live, matchedBy, { stalePin: true });
  }
  const hint = 'Write the id of the resource that you want to delete.';
  state.diagnostics.push(errorAt(desired, 'id', 'swapped', `${words} not deleted`, hint));
  bind(state, desired, null, 'a restore gave the name of this resource to another resource', {
    frozen: `${live.id} has the name of ${pin}`,
    stalePin: true,
  });
}

const WRITE_MATCHED = 'To write the matched id: trueup pin --fix';

function matchPinned(state: MatchState, desired: DesiredResource, live: LiveResource): void {
  const owner = state.owners.get(live.id);
  if (owner === undefined) {
    state.owners.set(live.id, desired);
    if (state.scope.rules.choose === undefined) bind(state, desired, live, 'pinned id');
    return;
  }
  const { address, sources, source } = owner;
  const message = `${live.id} is claimed by ${address} and by ${desired.address}`;
  const hint = 'A live resource has one declaration: remove one of the ids.';
  const related = [{ message: `${address} claims it here`, range: sources['id'] ?? source }];
  state.diagnostics.push(errorAt(desired, 'id', 'claimed_twice', message, hint, { related }));
  const frozen = `${live.id} is claimed by ${address}`;
  bind(state, desired, null, 'another declaration claims the id', { frozen });
}

function refuseStrange(state: MatchState, desired: DesiredResource, pin: string): void {
  const message = `${pin} cannot be managed: this version of trueup does not know its type`;
  state.diagnostics.push(errorAt(desired, 'id', 'unknown_type', message, 'Remove the entry, or upgrade trueup.'));
  bind(state, desired, null, 'the type of the pinned resource is unknown', { frozen: `the type of ${pin} is unknown` });
}

export function reportStalePins(state: MatchState): void {
  for (const { desired, live } of state.bindings.values()) {
    if (!isStale(state, desired)) continue;
    const { address, pin } = desired;
    const project = state.scope.homeOf(pin ?? '');
    const gone = project === null ? `${pin} does not exist` : `${pin} belongs to ${project}`;
    const [so, hint] =
      live === null
        ? [`and no live resource matches ${address}`, CORRECT]
        : [`so ${address} is matched without its id`, WRITE_MATCHED];
    state.diagnostics.push(warningAt(desired, 'id', 'stale_pin', `${gone}, ${so}`, hint));
  }
}

const CORRECT = 'Correct the id. To remove the id and let the next plan create a new resource: trueup pin --fix';

/** Finds the successor of each pinned resource to be replaced; otherwise, the run after an interrupted one would create another. */
export function matchSuccessors(state: MatchState): void {
  for (const binding of state.bindings.values()) {
    const { desired, live, frozen } = binding;
    if (live === null || live.id !== desired.pin || frozen !== null || desired.absent) continue;
    const successor = isReplaced(state.scope.rules, desired, live) ? successorOf(state, desired, live) : null;
    if (successor === null) continue;
    state.owners.set(successor.id, desired);
    state.bindings.set(desired.address, { ...binding, successor });
  }
}

/**
 * Returns the only unclaimed resource that equals the declaration, is younger than the pinned one, and has its slot or name. During
 * verification, returns the one that the run created.
 */
function successorOf(
  { scope, known, owners }: MatchState,
  desired: DesiredResource,
  live: LiveResource,
): LiveResource | null {
  const { rules } = scope;
  const made = scope.made.get(desired.address);
  const leaves = managedLeaves(desired);
  const [pool, name] = [poolKeyOf(rules, desired.spec), namedAs(rules, desired)];
  const candidates = known.filter(
    (one) =>
      !owners.has(one.id) &&
      (one.createdAtMs ?? 0) > (live.createdAtMs ?? 0) &&
      pool !== null &&
      poolKeyOf(rules, one.spec) === pool &&
      (one.id === made || rules.place(one.spec) !== null || (name !== null && nameIn(scope, one.spec) === name)) &&
      leaves.every((leaf) => sameAt(rules, leaf, one.spec)) &&
      !isAccepted(scope, one),
  );
  const [first = null, ...others] = candidates;
  return candidates.find(({ id }) => id === made) ?? (others.length === 0 ? first : null);
}
