// `trueup list --tree`: the projects of the files with all of their branches, each below its parent, and the computes on them.
import { groupBy } from '../../base/group-by.ts';
import { compareText } from '../../base/json.ts';
import { branch, compute } from '../../kinds/index.ts';
import { lastUseOf } from '../../kinds/shared/effects.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import type { Survey } from '../../reconciler/types.ts';
import type { TreeRow } from '../../render/tables/tree.ts';

type Live = NonNullable<Survey['live']>;

/** Rows in the order of the tree: below each branch its computes, then its children. */
export function treeRows(survey: Pick<Survey, 'matched'> & { readonly live: Live }): readonly TreeRow[] {
  const { projects, resources } = survey.live;
  return [...projects]
    .sort((a, b) => compareText(a.label, b.label))
    .flatMap((project) => rowsOf(project, resources, survey.matched));
}

function rowsOf(
  { id: projectId, label, name }: LiveProject,
  all: Live['resources'],
  matched: Survey['matched'],
): TreeRow[] {
  const own = all.filter((one) => one.projectId === projectId);
  const addressOf = ({ kind, id }: LiveResource): string => matched.get(`${kind} ${id}`) ?? `${label}/${id}`;
  const branches = own.filter(({ kind }) => kind === branch.kind);
  const ids = new Set(branches.map(({ id }) => id));
  const byParent = groupBy(branches, ({ spec }) => parentIn(spec['parent_id'], ids));
  const byBranch = groupBy(
    own.filter(({ kind }) => kind === compute.kind),
    ({ spec }) => parentIn(spec['branch_id'], ids),
  );
  const sorted = (found: readonly LiveResource[] = []): readonly LiveResource[] =>
    [...found].sort((a, b) => compareText(addressOf(a), addressOf(b)));
  const rowOf = (live: LiveResource, depth: number): TreeRow => {
    const isBranch = live.kind === branch.kind;
    const { columns } = (isBranch ? branch : compute).describe(live);
    const marks = ['default', 'protected'].filter((word) => live.spec[word] === true);
    const apiName = live.spec['name'];
    const size = live.observed['logical_size'];
    const { expires_at: expires, ttl_seconds: ttl } = live.spec;
    return {
      depth,
      address: addressOf(live),
      name: typeof apiName === 'string' ? apiName : null,
      id: live.id,
      state: [columns['state'] ?? null, ...marks].filter((word) => word !== null).join(', '),
      sizeBytes: typeof size === 'number' ? size : null,
      lastActiveMs: isBranch ? (branch.contents?.lastUse?.(live, own) ?? null) : lastUseOf([live]),
      expiresMs: typeof expires === 'string' ? Date.parse(expires) : null,
      ttlSeconds: typeof ttl === 'number' ? ttl : null,
    };
  };
  const below = (parent: string, depth: number): TreeRow[] => [
    ...sorted(byBranch.get(parent)).map((live) => rowOf(live, depth)),
    ...sorted(byParent.get(parent)).flatMap((live) => [rowOf(live, depth), ...below(live.id, depth + 1)]),
  ];
  const itself = { depth: 0, address: label, name, id: projectId, state: null };
  return [{ ...itself, sizeBytes: null, lastActiveMs: null, expiresMs: null, ttlSeconds: null }, ...below(ROOT, 1)];
}

/** The rows without a parent in the list stand at the top. */
const ROOT = '';

function parentIn(id: unknown, ids: ReadonlySet<string>): string {
  return typeof id === 'string' && ids.has(id) ? id : ROOT;
}
