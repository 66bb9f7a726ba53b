// Matches by what the file writes: an id (a pin), which outranks every other match, and `moved_from` or `renamed_from`.
import { errorAt, warningAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { bind, holderOf, isStale, poolKeyOf, type MatchState, movedTo, placeFrom } from './match-state.ts';
import { namedAs, placedBy, isOver } from '../../model/attributes.ts';
import { isReplaced, managedLeaves, sameAt } from '../diff/difference.ts';
import { isAccepted, nameIn } from '../scope.ts';
import { isUnborn } from '../../model/values.ts';

/** Binds pinned declarations. If no resource in this scope has the id, `state: absent` binds to nothing; later functions match other declarations. */
export function matchPins(state: MatchState): void {
  const pinned = state.scope.declared.filter(({ pin }) => pin !== null);
  if (pinned.length === 0) return;
  const byId = new Map(state.known.map((live) => [live.id, live]));
  for (const desired of pinned) {
    const pin = desired.pin ?? '';
    const live = byId.get(pin);
    const heir = holderOf(state, state.scope.rules.place(desired.spec));
    if (live !== undefined && heir !== live && heir?.tookOver === pin) matchSwapped(state, desired, heir);
    else if (live !== undefined) matchPinned(state, desired, live);
    else if (state.ids.has(pin)) refuseStrange(state, desired, pin);
    else if (desired.absent) bind(state, desired, null, `${pin} no longer exists`);
  }
}

/** Binds to `live`, because a restore gave `live` the pinned resource's name. Refuses a deletion, because the file may mean either resource. */
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
  const related = [{ message: `${address} claims it here`, range: sources()['id'] ?? source }];
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

/** For each pinned resource to be replaced, finds the successor that an interrupted run created, so that no second one is created. */
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
 * Returns the unclaimed resource that equals the declaration, has the declared slot or name, and is younger than `live`, the pinned one.
 * If there are several, returns the one that the verified run created, or else null.
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

/**
 * Binds the resources of pending moves. A move is pending if its new slot is empty or becomes empty. If the resource in the new slot stays,
 * the move counts as done already. Cycles of moves are found later, when the steps are ordered.
 */
export function matchMoved(state: MatchState): void {
  const wanted = state
    .open()
    .filter(({ absent, movedFrom }) => !absent && movedFrom !== null)
    .filter((desired) => !hasGivenUp(state, desired) && !refuseWithoutPlace(state, desired))
    .map((desired): Move => {
      const target = holderOf(state, state.scope.rules.place(desired.spec));
      return { desired, source: holderOf(state, placeFrom(state.scope, desired)), target };
    });
  let moving = wanted;
  for (let before = -1; before !== moving.length;) {
    before = moving.length;
    const sources = new Set(moving.map(({ source }) => source));
    moving = moving.filter(
      ({ source, target }) =>
        target === undefined || (target !== source && sources.has(target)) || leaves(state, target),
    );
  }
  for (const move of moving) matchMove(state, move);
  for (const move of wanted) if (!moving.includes(move)) refuseBoth(state, move);
}

/** `source` and `target`: the live resources in the former slot and in the new one. */
interface Move {
  readonly desired: DesiredResource;
  readonly source: LiveResource | undefined;
  readonly target: LiveResource | undefined;
}

/** True for an expired declaration whose former name now belongs to another declaration. */
function hasGivenUp({ scope }: MatchState, desired: DesiredResource): boolean {
  const { rules, nowMs, declared: all } = scope;
  if (!isOver(rules, desired.spec, nowMs)) return false;
  const left = placeFrom(scope, desired);
  return left !== null && all.some((other) => other !== desired && rules.place(other.spec) === left);
}

/** Refuses a rename if resources with the former and with the new name exist: trueup does not know which of the two is meant. */
function refuseBoth(state: MatchState, { desired, source, target }: Move): void {
  const { rules, declared: all } = state.scope;
  const left = placeFrom(state.scope, desired);
  // Another declaration has the former name, so the rename was done.
  if (all.some(({ spec }) => rules.place(spec) === left)) return;
  if (placedBy(rules)?.isName !== true || target === undefined || source === undefined) return;
  if ([target, source].some(({ id }) => state.owners.has(id))) return;
  const words = rules.poolWords(target.spec);
  const key = keyOf(state);
  const message = `${desired.address} cannot be renamed: ${rules.poolWords(source.spec)} and ${words} both exist`;
  const hint = `Remove ${key} if the rename is done, and declare the other resource, too (state: absent deletes that resource).`;
  state.diagnostics.push(errorAt(desired, key, 'both_names_live', message, hint));
  bind(state, desired, target, words, { frozen: 'both names exist' });
}

function refuseWithoutPlace(state: MatchState, desired: DesiredResource): boolean {
  if (state.scope.rules.place(desired.spec) !== null && placeFrom(state.scope, desired) !== null) return false;
  const key = keyOf(state);
  const message = `${key} of ${desired.address} is ambiguous: several resources may be there`;
  const hint = 'Write the id: of the resource instead.';
  state.diagnostics.push(errorAt(desired, key, 'moved_from_without_place', message, hint));
  return true;
}

/**
 * Binds the resource in the former slot. If the slot is empty, or another declaration claims the resource, reports an error, because the
 * file asks for a move and not for a creation. If the slot is a name and empty, only warns.
 */
function matchMove(state: MatchState, { desired, source }: Move): void {
  const { address, movedFrom } = desired;
  const { rules } = state.scope;
  const key = keyOf(state);
  const owner = source && state.owners.get(source.id);
  if (source !== undefined && owner === undefined)
    return bind(state, desired, source, `${key}: ${rules.poolWords(source.spec)}`);
  if (source === undefined && placedBy(rules)?.isName === true) return sayUnfound(state, desired);
  state.diagnostics.push(
    source === undefined || owner === undefined
      ? errorAt(
          desired,
          key,
          'moved_from_empty',
          `${address} cannot move: ${movedFrom} has no resource to move`,
          `Remove ${key} to create a new resource, or write the id: of the resource that moves.`,
        )
      : errorAt(
          desired,
          key,
          'claimed_twice',
          `${address} cannot move: ${owner.address} claims ${source.id}`,
          `Remove ${key}, or remove the other declaration.`,
          { related: [{ message: `${owner.address} claims it here`, range: owner.source }] },
        ),
  );
  bind(state, desired, null, 'no resource can move here', {
    frozen: 'the resource that would move here is not available',
  });
}

function leaves({ owners, scope: { rules } }: MatchState, live: LiveResource): boolean {
  const owner = owners.get(live.id);
  if (owner === undefined) return false;
  return owner.absent || rules.place({ ...live.spec, ...owner.spec }) !== rules.place(live.spec);
}

/** Warns that no resource has the former name, so that trueup creates one. In a new project or below a new parent, says nothing. */
function sayUnfound(state: MatchState, desired: DesiredResource): void {
  const { projectId, parent, rules } = state.scope;
  if (projectId === null || isUnborn({ projectId }) || parent?.id === null) return;
  const key = keyOf(state);
  const former = rules.poolWords(movedTo(state.scope, desired.spec, desired.movedFrom ?? ''));
  const message = `${desired.address} will be created, because its former slot is empty: ${former}`;
  const hint = `To create a new resource, remove ${key}. To rename a live resource, correct the former name.`;
  state.diagnostics.push(warningAt(desired, key, 'moved_from_empty', message, hint));
}

function keyOf({ scope }: MatchState): string {
  return placedBy(scope.rules)?.key ?? '';
}
