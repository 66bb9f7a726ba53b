// Matches by `moved_from`, or `renamed_from` if the slot is the name: the resource in the former slot moves here, unless it already has.
import { placedBy, isOver } from '../../model/attributes.ts';
import { errorAt, warningAt, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { isUnborn } from '../../model/values.ts';
import { bind, holderOf, movedTo, placeFrom, type MatchState } from './match-state.ts';

/**
 * Binds the resources of pending moves. A move is pending if its new slot is, or becomes, empty. It is done if the resource in the new slot
 * stays. A cycle of moves is refused later, when the steps are ordered.
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

/** Refuses a rename if both names are live: trueup does not know which of the two resources is meant. */
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
 * Binds the resource in the former slot. If that resource cannot move, the file is wrong: it asks for this resource, so trueup must not
 * create a new one.
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

/** Warns that neither name exists, as in a new account, so that trueup creates the resource. Below a new parent, this is expected. */
function sayUnfound(state: MatchState, desired: DesiredResource): void {
  const { projectId, parent, rules } = state.scope;
  if (projectId === null || isUnborn({ projectId }) || parent?.id === null) return;
  const key = keyOf(state);
  const former = rules.poolWords(movedTo(state.scope, desired.spec, desired.movedFrom ?? ''));
  const message = `${desired.address} will be created, because its former slot is empty: ${former}`;
  const hint = `To create a new resource, remove ${key}. To rename a live resource, correct the former name.`;
  state.diagnostics.push(warningAt(desired, key, 'moved_from_empty', message, hint));
}

export const RENAME_APART =
  'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';

function keyOf({ scope }: MatchState): string {
  return placedBy(scope.rules)?.key ?? '';
}
