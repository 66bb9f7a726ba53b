// The contents of a project, their last use, and the reasons why the service refuses to delete it.
import { asPart } from '../../../model/address.ts';
import type { Contents, LiveResource } from '../../../model/live.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { keptBy, lastUseOf, namedWords, stakeOf } from '../../shared/last-use.ts';

/** The service deletes no project with a protected branch ("Projects"). */
export const removalGuard: NonNullable<KindRules['removalGuard']> = (_live, { around }) =>
  keptBy(
    [true, null].flatMap((isSo) => {
      const branches = of(around, 'branch').filter(({ spec }) => (spec['protected'] ?? null) === isSo);
      if (branches.length === 0) return [];
      const [names = ''] = namedWords(
        'branch',
        'branches',
        branches.map(({ spec }) => String(spec['name'])),
      );
      const is = branches.length === 1 ? 'is' : 'are';
      return {
        isSo,
        why: `${names} ${is} protected: write \`protected: false\` there first, and apply that change`,
        unknown: `the service does not show whether ${names} ${is} protected`,
      };
    }),
  );

export function of(around: readonly LiveResource[], kind: string): readonly LiveResource[] {
  return around.filter((one) => one.kind === kind);
}

export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: (_live, around) => around.filter(({ kind }) => contents.kinds.includes(kind)),
  stake: (_live, around) => stakeOf(computesIn(around), of(around, 'branch')),
  lastUse: (_live, around) => lastUseOf(computesIn(around)),
};

export function computesIn(around: readonly LiveResource[]): readonly LiveResource[] {
  return of(around, 'compute');
}

/** Everything in it: `the branches main and staging`, `the compute ep-…`, `the databases main/orders`. */
export function contentsWords(around: readonly LiveResource[]): readonly string[] {
  const branches = of(around, 'branch');
  const names = new Map(branches.map(({ id, spec }) => [id, asPart(String(spec['name']))]));
  const below = (kind: string): readonly string[] =>
    of(around, kind).map(
      ({ parentId = '', spec }) => `${names.get(parentId) ?? parentId}/${asPart(String(spec['name']))}`,
    );
  return [
    ...namedWords('branch', 'branches', [...names.values()]),
    ...namedWords(
      'compute',
      'computes',
      computesIn(around).map(({ id }) => id),
    ),
    ...namedWords('role', 'roles', below('role')),
    ...namedWords('database', 'databases', below('database')),
  ];
}
