// Removals of undeclared resources run last: a new resource may have to take over first.
import type { StepId } from '../../model/outcome/plan.ts';
import { blocked, removalOf, type Draft } from '../diff/draft.ts';
import type { StepIndex } from './step-index.ts';

/** True for a pruned resource, and for a predecessor. A declared `state: absent` does not wait. */
function waits({ change, scope }: Draft): boolean {
  return (
    removalOf(scope.rules) === 'revoke' &&
    change.action === 'revoke' &&
    (change.origin === 'prune' || change.origin === 'rotate')
  );
}

function makes({ change, scope }: Draft): boolean {
  return removalOf(scope.rules) === 'revoke' && ['create', 'rotate', 'replace'].includes(change.action);
}

/** Blocks pruning beside a blocked creation. */
export function holdPruned(drafts: readonly Draft[], due: boolean): readonly Draft[] {
  const isHeld = ({ change }: Draft): boolean =>
    change.action !== 'replace' && change.blockedBy.length > 0 && (due || !change.due);
  const scopes = new Set(drafts.filter((draft) => makes(draft) && isHeld(draft)).map(({ scope }) => scope));
  return drafts.map((draft) =>
    scopes.has(draft.scope) && waits(draft) && draft.change.origin === 'prune' ? blocked(draft, 'dependency') : draft,
  );
}

/** For a removal that runs last: every creation of its kind in the plan. */
export function lastNeeds(running: readonly Draft[], index: StepIndex): ReadonlyMap<StepId, readonly StepId[]> {
  const makers = running.filter(makes).flatMap(({ key, scope }) =>
    index
      .stepsOf(key)
      .filter(({ target }) => target === null)
      .map(({ id }) => ({ id, scope })),
  );
  const needs = new Map<StepId, readonly StepId[]>();
  for (const draft of running.filter(waits)) {
    const firsts = makers.filter(({ scope }) => scope === draft.scope).map(({ id }) => id);
    for (const { id } of index.stepsOf(draft.key)) needs.set(id, firsts);
  }
  return needs;
}
