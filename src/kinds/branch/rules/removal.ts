// What goes with a branch, when it was last in use, and what keeps the service from deleting it.
import { listOf, plural } from '../../../base/text/words.ts';
import type { ResourceId } from '../../../model/desired.ts';
import type { Contents, LiveResource } from '../../../model/live.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { PLACE } from '../live-branch.ts';

/** The service refuses some, and says so only when it is asked ("Branches": default, protected). One with children is held by them. */
export const removalGuard: NonNullable<KindRules['removalGuard']> = ({ spec }) => {
  const notes = [
    ...(spec['protected'] === true ? ['it is protected: write `protected: false` first, and apply that'] : []),
    ...(spec['default'] === true
      ? ['it is the default branch: make another one the default first, and apply that']
      : []),
  ];
  return { blockedBy: notes.length === 0 ? [] : ['refused'], notes };
};

/** Its computes: they go with it. */
export function computesOn(id: ResourceId, around: readonly LiveResource[]): readonly LiveResource[] {
  return around.filter(({ spec }) => spec['branch_id'] === id);
}

/** The default branch of the project, where that is another one than this; null where none is read. */
export function defaultBranchIn(around: readonly LiveResource[], id: ResourceId | null): LiveResource | null {
  return around.find((one) => one.kind === PLACE.kind && one.spec['default'] === true && one.id !== id) ?? null;
}

/** What is below it and its computes go with it; its children keep it. */
export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: ({ id }, around) =>
    around.filter(({ spec, parentId }) => [spec['parent_id'], spec['branch_id'], parentId].includes(id)),
};

/** What goes with it, in words: `2 computes, 1 role and the databases orders and stock`. */
export function contentsWords(live: LiveResource, around: readonly LiveResource[]): string | null {
  const computes = computesOn(live.id, around).length;
  const inside = around.filter(({ parentId }) => parentId === live.id);
  const databases = inside.filter(({ kind }) => kind === 'database').map(({ spec }) => String(spec['name']));
  const roles = inside.filter(({ kind }) => kind === 'role').length;
  const parts = [
    ...(computes === 0 ? [] : [plural(computes, 'compute')]),
    ...(roles === 0 ? [] : [plural(roles, 'role')]),
    ...(databases.length === 0
      ? []
      : [`the ${databases.length === 1 ? 'database' : 'databases'} ${listOf(databases.slice(0, 5))}`]),
  ];
  return parts.length === 0 ? null : listOf(parts);
}
