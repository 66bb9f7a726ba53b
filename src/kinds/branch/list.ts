// Reads the lists of branches: only a complete list proves that a branch is missing.
import type { BranchListing, BranchListItem, BranchShown } from '../../api/index.ts';
import type { FactsInput, Shown } from '../../apply/kind-remote.ts';
import { assert } from '../../base/assert.ts';
import { groupBy } from '../../base/group-by.ts';
import { objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import { ApiFailure, ifKnown, shownBy } from '../../client/failure.ts';
import { readPages } from '../../client/pages.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { marksIn } from '../shared/branch-contents.ts';
import { branchesPath, branchPath } from '../shared/paths.ts';
import { deletedAmong } from '../shared/vanished.ts';
import { contradicts, liveOf } from '../shared/wire.ts';
import { wireTable, type Item } from './attributes.ts';

/** The service lists at most this many branches on a page. */
const PAGE = 10_000;

interface BranchQuery {
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly query?: Readonly<Record<string, string>>;
}

type Read = Pick<Awaited<ReturnType<typeof readPages<BranchListing, BranchListItem>>>, 'items' | 'pages'>;

/** Reads all pages. Rejects with `ApiFailure`, also if the list has no end or contains branches of another project. */
async function readBranches(reader: Reader, { projectId, ...asked }: BranchQuery): Promise<Read> {
  const below = { projectId };
  const { complete, ...read } = await readPages<BranchListing, BranchListItem>(reader, {
    ...asked,
    path: branchesPath(projectId),
    shape: 'BranchListing',
    limit: PAGE,
    itemsOf: ({ branches }) => branches,
    cursorOf: ({ pagination }) => pagination?.next,
    shortEnds: false,
    problemOf: ({ branches }) => wireTable.wire.problemOf(branches, below),
    contradicts: (one, other) => contradicts(liveOf(wireTable, one, below), liveOf(wireTable, other, below)),
  });
  if (!complete) throw unusableList(projectId, 'has pages without end');
  return read;
}

function unusableList(projectId: string, why: string): ApiFailure {
  const path = branchesPath(projectId);
  return new ApiFailure(`GET ${path} ${why}`, { failureClass: 'unusable', method: 'GET', path });
}

/** A project always has a default branch, so an empty list is refused. */
export async function listBranches(
  reader: Reader,
  { projectId }: Below,
  signal: AbortSignal,
): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'a branch has no project');
  const { items, pages } = await readBranches(reader, { projectId, signal });
  if (items.length === 0) throw unusableList(projectId, 'shows the project without any branch');
  const notes = new Map(pages.flatMap(({ annotations = {} }) => Object.entries(annotations)));
  const isNoted = pages.every(({ annotations }) => annotations !== undefined);
  return items
    .filter((branch) => branch.recovery === undefined && !isGoing(branch))
    .map((branch) => liveBranch(branch, projectId, notes.get(branch.id) ?? (isNoted ? {} : null)));
}

export async function showBranch(
  reader: Reader,
  { id, projectId }: Shown,
  signal: AbortSignal,
): Promise<LiveResource | null> {
  const read = reader.get<BranchShown>(branchPath(projectId, id), 'BranchShown', {
    signal,
    problemOf: ({ branch }) => (branch.id === id ? null : 'is about another branch'),
  });
  return shownBy(read, ({ branch, annotation }) =>
    liveBranch({ ...branch, isItself: true }, projectId ?? '', annotation ?? {}),
  );
}

type Notes = NonNullable<BranchListing['annotations']>[string];

function liveBranch(branch: Item, projectId: string, notes: Notes | null): LiveResource {
  return {
    ...liveOf(wireTable, branch, { projectId }),
    ...present({ tookOver: branch.restored_as }),
    ...marked(notes),
  };
}

function marked(notes: Notes | null): Pick<LiveResource, 'marks'> {
  if (notes === null) return { marks: null };
  const marks = marksIn(objectOf(notes?.value));
  return Object.keys(marks).length === 0 ? {} : { marks };
}

function isGoing({ current_state: state, pending_state: pending }: BranchListItem): boolean {
  return [state, pending].some((word) => /delet/.test(word ?? ''));
}

/** Reads `gone`, the recoverable branches of projects in which a declared branch is missing; null if no declared branch is missing. */
export async function branchFacts(found: FactsInput): Promise<JsonObject | null> {
  const { desired, live, projects } = found;
  const there = new Set(
    live.flatMap(({ id, projectId, spec }) => [`${projectId} id ${id}`, `${projectId} name ${String(spec['name'])}`]),
  );
  const present = desired.filter(({ absent }) => !absent);
  const wanted = groupBy(present, ({ scope }) => scope);
  const isThere = (projectId: string, { pin, spec }: DesiredResource): boolean =>
    there.has(`${projectId} ${pin === null ? `name ${String(spec['name'])}` : `id ${pin}`}`);
  const lacking = projects.filter(({ id, label }) => wanted.get(label)?.some((one) => !isThere(id, one)));
  if (lacking.length === 0) return null;
  const gone = await Promise.all(lacking.map(async ({ id, label }) => deletedIn(found, id, wanted.get(label) ?? [])));
  return { gone: gone.flat() };
}

/** Reads the deleted branches of a project; a service that keeps no deleted branches still lists those that it is about to delete. */
async function deletedIn(
  { reader, signal, live }: FactsInput,
  projectId: string,
  declared: readonly DesiredResource[],
): Promise<readonly Json[]> {
  const alive = new Set(live.map(({ id }) => id));
  const asked = { projectId, signal };
  const withDeleted = readBranches(reader, { ...asked, query: { include_deleted: 'true' } });
  const { items } = (await ifKnown(withDeleted, null)) ?? (await readBranches(reader, asked));
  const gone = items
    .filter(({ id }) => !alive.has(id))
    .map((branch) => ({ id: branch.id, name: branch.name, ...branch.recovery, is_going: isGoing(branch) }));
  const names = declared.flatMap(({ pin, spec, movedFrom }) => [pin, spec['name'], movedFrom]);
  const path = branchesPath(projectId);
  return deletedAmong(gone, { names, path }).map((one) => ({ ...one, project_id: projectId }));
}
