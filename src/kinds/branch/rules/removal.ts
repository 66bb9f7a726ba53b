// What goes with a branch, when it was last in use, and what keeps the service from deleting it.
import type { ResourceId } from '../../../model/desired.ts';
import type { Contents, LiveResource } from '../../../model/live.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { keptBy, lastUseOf, namedWords, stakeOf } from '../../shared/last-use.ts';
import { PLACE } from '../attributes.ts';

/** The service refuses some, and says so only when it is asked ("Branches": default, protected). One with children is held by them. */
export const removalGuard: NonNullable<KindRules['removalGuard']> = ({ spec }) =>
  keptBy([
    {
      isSo: spec['protected'],
      why: 'the branch is protected: write `protected: false` first, and apply that change',
      unknown: 'the service does not show whether the branch is protected',
    },
    {
      isSo: spec['default'],
      why: 'the branch is the default branch: make another branch the default first, and apply that change',
      unknown: 'the service does not show whether the branch is the default branch',
    },
  ]);

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
  stake: (live, around) => stakeOf(computesOn(live.id, around), [live]),
  lastUse: { through: 'compute', ms: ({ id }, around) => lastUseOf(computesOn(id, around)) },
};

/** What goes with it, in words: `the compute ep-…`, `the role app`, `the databases orders and stock`. */
export function contentsWords(live: LiveResource, around: readonly LiveResource[]): readonly string[] {
  const namesOf = (wanted: string): readonly string[] =>
    around
      .filter(({ kind, parentId }) => kind === wanted && parentId === live.id)
      .map(({ spec }) => String(spec['name']));
  const computes = computesOn(live.id, around).map(({ id }) => id);
  return [
    ...namedWords('compute', 'computes', computes),
    ...namedWords('role', 'roles', namesOf('role')),
    ...namedWords('database', 'databases', namesOf('database')),
  ];
}

/** The names of the branches that are made from it. */
export function childrenOf({ id }: LiveResource, around: readonly LiveResource[]): readonly string[] {
  return around.flatMap(({ spec }) => (spec['parent_id'] === id ? [String(spec['name'])] : [])).sort();
}
