// `moved_from` (or `renamed_from`, if the slot is the name): the resource of another slot moves here, unless it has moved already.
import { placedBy, isOver, slotWordsOf } from '../../model/attributes.ts';
import { problemAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { isUnborn } from '../../model/reference.ts';
import { ringsOf } from '../order/graph.ts';
import { bind, movedTo, type MatchState } from './match-state.ts';

/** A move is pending if its source is in use and its target is empty or about to be; it is done if the resource in its target stays. */
export function matchMoved(state: MatchState): void {
  let waiting = state
    .open()
    .filter(({ absent, movedFrom }) => !absent && movedFrom !== null)
    .filter((desired) => !hasGivenUp(state, desired) && !refuseWithoutPlace(state, desired));
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((desired) => !matchMove(state, desired));
  }
  refuseRings(state, waiting);
  for (const desired of waiting) refuseBoth(state, desired);
}

/** True for an expired declaration whose former name now belongs to another declaration. */
function hasGivenUp(state: MatchState, desired: DesiredResource): boolean {
  const { rules, context, desired: all } = state.scope;
  if (!isOver(rules, desired.spec, context.nowMs)) return false;
  const left = state.placeFrom(desired);
  return left !== null && all.some((other) => other !== desired && state.placeOf(other.spec) === left);
}

/** Refuses a rename if both names are live: trueup does not know which of the two resources is meant. */
function refuseBoth(state: MatchState, desired: DesiredResource): void {
  const { rules, desired: all } = state.scope;
  const left = state.placeFrom(desired);
  const target = holderOf(state, state.placeOf(desired.spec));
  const source = holderOf(state, left);
  const isClaimed = [target, source].some((live) => live !== null && state.owners.has(live.id));
  // Another declaration has the former name, so the rename was done.
  if (all.some(({ spec }) => state.placeOf(spec) === left)) return;
  if (placedBy(rules)?.isName !== true || target === null || source === null || isClaimed) return;
  const words = rules.poolWords(target.spec);
  report(state, desired, {
    severity: 'error',
    code: 'both_names_live',
    message: `${desired.address} cannot be renamed: ${rules.poolWords(source.spec)} and ${words} both exist`,
    hint: `Remove ${keyOf(state)} if the rename is done, and declare the other resource, too (state: absent deletes that resource).`,
  });
  bind(state, desired, target, words, { frozen: 'both names exist' });
}

function refuseWithoutPlace(state: MatchState, desired: DesiredResource): boolean {
  if (state.placeOf(desired.spec) !== null && state.placeFrom(desired) !== null) return false;
  report(state, desired, {
    severity: 'error',
    code: 'moved_from_without_place',
    message: `${keyOf(state)} of ${desired.address} is ambiguous: several resources may be there`,
    hint: 'Write the id: of the resource instead.',
  });
  return true;
}

/** Binds the resource in the old slot if it can move; true if this declaration needs no further matching. */
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
    refuseMove(state, desired, source, owner);
    return true;
  }
  const { rules } = state.scope;
  bind(state, desired, source, `${keyOf(state)}: ${rules.poolWords(source.spec)}`);
  return true;
}

function holderOf(state: MatchState, place: string | null): LiveResource | null {
  return place === null ? null : (state.holders.get(place)?.[0] ?? null);
}

function leaves(state: MatchState, live: LiveResource): boolean {
  const owner = state.owners.get(live.id);
  if (owner === undefined) return false;
  return owner.absent || state.placeOf({ ...live.spec, ...owner.spec }) !== state.placeOf(live.spec);
}

/** Warns that neither name exists, as in a new account, so the declaration is created. Below a new parent this is expected. */
function sayUnfound(state: MatchState, desired: DesiredResource): void {
  const { projectId, parent, rules } = state.scope;
  if (projectId === null || isUnborn({ projectId }) || parent?.id === null) return;
  const former = rules.poolWords(movedTo(state.scope, desired.spec, desired.movedFrom ?? ''));
  report(state, desired, {
    severity: 'warning',
    code: 'moved_from_empty',
    message: `${desired.address} will be created, because its former slot is empty: ${former}`,
    hint: `To create a new resource, remove ${keyOf(state)}. To rename a live resource, correct the former name.`,
  });
}

/** Reports the move as an error. Creating a new resource instead would be wrong, because the file asks for the existing one. */
function refuseMove(
  state: MatchState,
  desired: DesiredResource,
  source: LiveResource | null,
  owner: DesiredResource | undefined,
): void {
  const { address, movedFrom } = desired;
  const key = keyOf(state);
  report(
    state,
    desired,
    source === null || owner === undefined
      ? {
          severity: 'error',
          code: 'moved_from_empty',
          message: `${address} cannot move: ${movedFrom} has no resource to move`,
          hint: `Remove ${key} to create a new resource, or write the id: of the resource that moves.`,
        }
      : {
          severity: 'error',
          code: 'claimed_twice',
          message: `${address} cannot move: ${owner.address} claims ${source.id}`,
          hint: `Remove ${key}, or remove the other declaration.`,
          related: [{ message: `${owner.address} claims it here`, range: owner.source }],
        },
  );
  bind(state, desired, null, 'no resource can move here', {
    frozen: 'the resource that would move here is not available',
  });
}

/** Refuses cycles of moves: the slots look the same before and after, and only ids show the difference. */
function refuseRings(state: MatchState, waiting: readonly DesiredResource[]): void {
  const byTarget = new Map(waiting.map((desired) => [state.placeOf(desired.spec), desired]));
  const sourceOf = (desired: DesiredResource): DesiredResource | undefined => byTarget.get(state.placeFrom(desired));
  const needs = new Map(waiting.map((one) => [one.address, new Set([sourceOf(one)?.address ?? ''])]));
  for (const ring of ringsOf(needs))
    refuseRing(
      state,
      ring.flatMap((address) => waiting.find((one) => one.address === address) ?? []),
    );
}

function refuseRing(state: MatchState, ring: readonly DesiredResource[]): void {
  const [first, ...others] = ring;
  if (first === undefined) return;
  const key = keyOf(state);
  const drawn = others.toReversed().map(({ address }) => address);
  const names = [...drawn, first.address, drawn[0] ?? first.address];
  report(state, first, {
    severity: 'error',
    code: 'ring',
    message: `${key} forms a cycle, and the account does not show whether the cycle was carried out: ${names.join(' → ')}`,
    hint: wayOut(state),
    related: others.map(({ address, sources, source }) => ({
      message: `${address} is in the cycle`,
      range: sources[key] ?? source,
    })),
  });
  for (const desired of ring) {
    const live = holderOf(state, state.placeOf(desired.spec));
    bind(state, desired, live, state.scope.rules.poolWords(desired.spec), { frozen: 'the moves form a cycle' });
  }
}

export const RENAME_APART =
  'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';

function wayOut({ scope: { rules } }: MatchState): string {
  if (placedBy(rules)?.isName === true) return RENAME_APART;
  return `Write the id: of each resource, and on one resource a lifecycle.via that names ${slotWordsOf(rules)?.empty ?? 'an empty slot'}.`;
}

function report(state: MatchState, desired: DesiredResource, own: Parameters<typeof problemAt>[2]): void {
  state.diagnostics.push(problemAt(desired, keyOf(state), own));
}

function keyOf({ scope }: MatchState): string {
  return placedBy(scope.rules)?.key ?? '';
}
