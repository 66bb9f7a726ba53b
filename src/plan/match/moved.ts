// `moved_from`, or `renamed_from` if the slot is the name: the holder of another slot moves here, unless it has moved already.
import { placedBy, isOver, slotWordsOf } from '../../model/attributes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { isUnborn } from '../../model/reference.ts';
import { bind, movedTo, type MatchState } from './match-state.ts';

/**
 * A slot has no memory, so the slots themselves show the rest of a move. A move is pending if its source is held and its target is empty
 * or about to be empty; it is done if its target's holder stays.
 */
export function matchMoved(state: MatchState): void {
  let waiting = state
    .open()
    .filter((desired) => !desired.absent && desired.movedFrom !== null && !hasGivenUp(state, desired));
  waiting = waiting.filter((desired) => !refuseWithoutPlace(state, desired));
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((desired) => !matchMove(state, desired));
  }
  refuseRings(state, waiting);
  for (const desired of waiting) refuseBoth(state, desired);
}

/** An expired declaration leaves its former name to another declaration. */
function hasGivenUp(state: MatchState, desired: DesiredResource): boolean {
  const { rules, nowMs, desired: all } = state.scope;
  if (!isOver(rules, desired.spec, nowMs)) return false;
  const left = state.placeFrom(desired);
  return left !== null && all.some((other) => other !== desired && state.placeOf(other.spec) === left);
}

/** Two live names are two resources, unless one of them is about to change its name. Which one is meant is not known. */
function refuseBoth(state: MatchState, desired: DesiredResource): void {
  const { rules } = state.scope;
  const target = holderOf(state, state.placeOf(desired.spec));
  const source = holderOf(state, state.placeFrom(desired));
  const isClaimed = [target, source].some((live) => live !== null && state.owners.has(live.id));
  const left = state.placeFrom(desired);
  // Another declaration has that name, so the rename was done.
  if (state.scope.desired.some(({ spec }) => state.placeOf(spec) === left)) return;
  if (placedBy(rules)?.isName !== true || target === null || source === null || isClaimed) return;
  state.diagnostics.push({
    severity: 'error',
    code: 'both_names_live',
    message: `${desired.address} cannot be renamed: ${rules.poolWords(source.spec)} and ${rules.poolWords(target.spec)} both exist`,
    hint: `Remove ${keyOf(state)} if the rename is done, and declare the other resource, too (state: absent deletes that resource).`,
    address: desired.address,
    range: rangeOf(state, desired),
  });
  bind(state, desired, target, rules.poolWords(target.spec), { frozen: 'both names exist' });
}

function refuseWithoutPlace(state: MatchState, desired: DesiredResource): boolean {
  if (state.placeOf(desired.spec) !== null && state.placeFrom(desired) !== null) return false;
  state.diagnostics.push({
    severity: 'error',
    code: 'moved_from_without_place',
    message: `${keyOf(state)} of ${desired.address} is ambiguous: several resources may be there`,
    hint: 'Write the id: of the resource instead.',
    address: desired.address,
    range: rangeOf(state, desired),
  });
  return true;
}

/** Binds the holder of the source if the move can run; true if the declaration is settled here. */
function matchMove(state: MatchState, desired: DesiredResource): boolean {
  const target = holderOf(state, state.placeOf(desired.spec));
  const source = holderOf(state, state.placeFrom(desired));
  if (target !== null && !leaves(state, target)) return false;
  const owner = source === null ? undefined : state.owners.get(source.id);
  if (source === null && placedBy(state.scope.rules)?.isName === true) {
    sayUnfound(state, desired);
    return true;
  }
  if (source === null || owner !== undefined) {
    refuseMove(state, desired, source, owner ?? null);
    return true;
  }
  const { rules } = state.scope;
  bind(state, desired, source, `${keyOf(state)}: ${rules.poolWords(source.spec)}`);
  return true;
}

/** The resource in a slot; null for none. */
function holderOf(state: MatchState, place: string | null): LiveResource | null {
  return place === null ? null : (state.holders.get(place)?.[0] ?? null);
}

/** True if another declaration moves or deletes this resource. */
function leaves(state: MatchState, live: LiveResource): boolean {
  const owner = state.owners.get(live.id);
  if (owner === undefined) return false;
  return owner.absent || state.placeOf({ ...live.spec, ...owner.spec }) !== state.placeOf(live.spec);
}

/** Neither name exists, as in a new account: the declaration is created. Below a parent that does not exist this is no warning. */
function sayUnfound(state: MatchState, desired: DesiredResource): void {
  const { project, parent, rules } = state.scope;
  if (project === null || isUnborn({ projectId: project.id }) || parent?.id === null) return;
  const former = rules.poolWords(movedTo(state.scope, desired.spec, desired.movedFrom ?? ''));
  state.diagnostics.push({
    severity: 'warning',
    code: 'moved_from_empty',
    message: `${desired.address} will be created, because its former slot is empty: ${former}`,
    hint: `To create a new resource, remove ${keyOf(state)}. To rename a live resource, correct the former name.`,
    address: desired.address,
    range: rangeOf(state, desired),
  });
}

/** A new resource instead would have another id than the file asks for. */
function refuseMove(
  state: MatchState,
  desired: DesiredResource,
  source: LiveResource | null,
  owner: DesiredResource | null,
): void {
  const empty = source === null || owner === null;
  state.diagnostics.push({
    severity: 'error',
    code: empty ? 'moved_from_empty' : 'claimed_twice',
    message: empty
      ? `${desired.address} cannot move: ${desired.movedFrom} has no resource to move`
      : `${desired.address} cannot move: ${owner.address} claims ${source.id}`,
    hint: empty
      ? `Remove ${keyOf(state)} to create a new resource, or write the id: of the resource that moves.`
      : `Remove ${keyOf(state)}, or remove the other declaration.`,
    address: desired.address,
    range: rangeOf(state, desired),
    ...(owner === null ? {} : { related: [{ message: `${owner.address} claims it here`, range: owner.source }] }),
  });
  bind(state, desired, null, 'no resource can move here', {
    frozen: 'the resource that would move here is not available',
  });
}

/** A cycle of moves looks the same before and after: only ids show the difference. */
function refuseRings(state: MatchState, waiting: readonly DesiredResource[]): void {
  const byTarget = new Map(waiting.map((desired) => [state.placeOf(desired.spec), desired]));
  const seen = new Set<DesiredResource>();
  for (const start of waiting) {
    const path: DesiredResource[] = [];
    let at: DesiredResource | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = byTarget.get(state.placeFrom(at));
    }
    if (at === undefined || !path.includes(at)) continue;
    refuseRing(state, path.slice(path.indexOf(at)));
  }
}

function refuseRing(state: MatchState, ring: readonly DesiredResource[]): void {
  const first = ring[0];
  if (first === undefined) return;
  const drawn = [...ring].reverse();
  const names = [...drawn, drawn[0] ?? first].map(({ address }) => address);
  state.diagnostics.push({
    severity: 'error',
    code: 'ring',
    message: `${keyOf(state)} forms a cycle, and the account does not show whether the cycle was carried out: ${names.join(' → ')}`,
    hint: wayOut(state),
    address: first.address,
    range: rangeOf(state, first),
    related: ring
      .slice(1)
      .map((desired) => ({ message: `${desired.address} is in the cycle`, range: rangeOf(state, desired) })),
  });
  for (const desired of ring) {
    const live = holderOf(state, state.placeOf(desired.spec));
    bind(state, desired, live, state.scope.rules.poolWords(desired.spec), { frozen: 'the moves form a cycle' });
  }
}

function wayOut({ scope: { rules } }: MatchState): string {
  if (placedBy(rules)?.isName === true)
    return 'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';
  return `Write the id: of each resource, and on one resource a lifecycle.via that names ${slotWordsOf(rules)?.empty ?? 'an empty slot'}.`;
}

function rangeOf(state: MatchState, desired: DesiredResource): DesiredResource['source'] {
  return desired.sources[keyOf(state)] ?? desired.source;
}

/** The key of the file that asks for the move. */
function keyOf({ scope }: MatchState): string {
  return placedBy(scope.rules)?.key ?? '';
}
