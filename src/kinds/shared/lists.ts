// Lists that can be believed (of a project's branches, whole or not at all; of anything, free of contradictions), what is taken of their members, and the columns in which they are shown.
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { BranchListing, BranchListItem } from '../../api/index.ts';
import { inert } from '../../base/text/inert.ts';
import { ApiFailure } from '../../client/failure.ts';
import { readPages } from '../../client/pages.ts';
import type { Reader } from '../../client/types.ts';
import { BRANCH_ID, branchesPath } from './paths.ts';

/** The most that the service gives on one page. */
const PAGE = 10_000;

interface BranchQuery {
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly query?: Readonly<Record<string, string>>;
  /** True where two entries of one id cannot both be true. */
  readonly contradicts?: (one: BranchListItem, other: BranchListItem) => boolean;
}

type Read = Pick<Awaited<ReturnType<typeof readPages<BranchListing, BranchListItem>>>, 'items' | 'pages'>;

/** All branches, one request where the service cuts no page short. Rejects with `ApiFailure`, also where the list does not end or is not the project's. */
export async function readBranches(reader: Reader, { projectId, ...asked }: BranchQuery): Promise<Read> {
  const { complete, ...read } = await readPages<BranchListing, BranchListItem>(reader, {
    ...asked,
    path: branchesPath(projectId),
    shape: 'BranchListing',
    limit: PAGE,
    itemsOf: ({ branches }) => branches,
    cursorOf: ({ pagination }) => pagination?.next,
    shortEnds: false,
    problemOf: (page) => strangerIn(page, projectId),
  });
  if (!complete) throw unusableList(projectId, 'goes on without an end');
  return read;
}

/** Those that live. Rejects with `ApiFailure` also where there is none: a project has a default branch as long as it lives. */
export async function readLiveBranches(reader: Reader, query: BranchQuery): Promise<Read> {
  const { items, pages } = await readBranches(reader, query);
  if (items.length === 0) throw unusableList(query.projectId, 'shows the project without any branch');
  return { items: items.filter((branch) => branch.recovery === undefined && !isGoing(branch)), pages };
}

/** True for one that is being deleted: nothing brings it back but a recovery. */
export function isGoing({ current_state: state, pending_state: pending }: BranchListItem): boolean {
  return [state, pending].some((word) => /delet/.test(word ?? ''));
}

function unusableList(projectId: string, why: string): ApiFailure {
  const path = branchesPath(projectId);
  return new ApiFailure(`GET ${path} ${why}`, { failureClass: 'unusable', method: 'GET', path });
}

/** Why the list is not that of this project's branches. */
function strangerIn({ branches }: BranchListing, projectId: string): string | null {
  for (const { id, project_id: owner } of branches) {
    const name = `lists the branch "${inert(id, 80)}"`;
    if (!BRANCH_ID.test(id)) return `${name}, an id that no request could name`;
    if (owner !== undefined && owner !== projectId) return `${name} of another project`;
  }
  return null;
}

/** The first id that stands there twice with another spec or time of making; null when each is the same wherever it stands. */
export function contradictionIn<T extends { readonly id: string | number }>(
  items: readonly T[],
  liveOf: (item: T) => LiveResource,
): ResourceId | null {
  const meaning = (item: T): string => {
    const { createdAtMs, spec } = liveOf(item);
    return canonicalJson([createdAtMs, spec]);
  };
  const seen = new Map<ResourceId, T>();
  for (const item of items) {
    const id = String(item.id);
    const first = seen.get(id);
    if (first === undefined) seen.set(id, item);
    else if (meaning(first) !== meaning(item)) return id;
  }
  return null;
}

/** These members of a reply: what it does not show, or shows as null, is left out. */
export function shownMembers<T extends object>(item: T, names: readonly (keyof T & string)[]): JsonObject {
  const shown: Partial<T> = {};
  for (const name of names) if ((item[name] ?? null) !== null) shown[name] = item[name];
  return shown as JsonObject;
}

interface Columns extends Readonly<Record<string, string | null>> {
  readonly branch_id: string | null;
  readonly state: string | null;
  readonly host: string | null;
}

/** What a kind does not tell is null. */
export function columns(told: Partial<Columns> = {}): Columns {
  return { branch_id: null, state: null, host: null, ...told };
}
