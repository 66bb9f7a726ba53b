// Reads the account's projects.
import type { ProjectList, ProjectListItem, ProjectShown } from '../api/index.ts';
import { inert } from '../base/text/inert.ts';
import { ApiFailure, readOrNull } from './failure.ts';
import { readPages } from './pages.ts';
import type { Reader } from './types.ts';

/** The largest page that the service gives. */
const PAGE_LIMIT = 400;
/** Projects that a list leaves out are asked after one by one, so many at most. */
const ASKED_AFTER_MAX = 20;
const ID = /^[a-z0-9][a-z0-9-]{0,59}$/;

type ListEntry = ProjectList['projects'][number];
type Query = Readonly<Record<string, string>>;

export interface ProjectListing {
  readonly projects: readonly ProjectListItem[];
  /** Ids of projects that exist, and that neither the list nor their own route shows. */
  readonly unavailableIds: readonly string[];
  /** False when nothing proves that these are all: then a name proves nothing either. */
  readonly complete: boolean;
}

/**
 * All projects, in the order of the service (api-rules 3.2), of those that `query` asks for. A page that is shorter than was asked for ends the list only
 * where it names no next one: services have limits of their own.
 */
export async function listProjects(reader: Reader, signal: AbortSignal, query: Query = {}): Promise<ProjectListing> {
  const { items, pages, complete } = await readPages<ProjectList, ListEntry>(reader, {
    path: '/projects',
    shape: 'ProjectList',
    query,
    limit: PAGE_LIMIT,
    itemsOf: (page) => page.projects,
    signal,
    shortEnds: false,
    emptyEnds: false,
    contradicts: (one, other) => one.name !== other.name,
    problemOf: ({ projects }) => unusableIdIn(projects),
  });
  const named = items.filter(hasName);
  const listed = new Set(named.map(({ id }) => id));
  const hidden = new Set([
    ...items.map(({ id }) => id),
    ...pages.flatMap((page) => page.unavailable_project_ids ?? []),
  ]);
  const unavailable = [...hidden].filter((id) => !listed.has(id)).sort();
  const found = await Promise.all(
    unavailable.slice(0, ASKED_AFTER_MAX).map(async (id) => projectById(reader, id, signal)),
  );
  const shown = found.filter((project) => project !== null);
  const shownIds = new Set(shown.map(({ id }) => id));
  return {
    projects: [...named, ...shown],
    unavailableIds: unavailable.filter((id) => !shownIds.has(id)),
    complete: complete || (await knowsNoPages(reader, items.length, { query, signal })),
  };
}

/** The same where they are known to be all. Rejects with `ApiFailure` also where nothing proves that. */
export async function allProjects(...asked: Parameters<typeof listProjects>): Promise<ProjectListing['projects']> {
  const { projects, complete, unavailableIds } = await listProjects(...asked);
  if (complete && unavailableIds.length === 0) return projects;
  throw new ApiFailure('the list of projects could not be read to its end', {
    failureClass: 'unusable',
    method: 'GET',
    path: '/projects',
  });
}

/** An entry without a name is not shown by the list: its own route may show it. */
function hasName(entry: ListEntry): entry is ProjectListItem {
  return typeof entry.name === 'string';
}

/** Why the list is of no use. A project whose id no request could name is not just left out: it would look like one that does not exist. */
function unusableIdIn(projects: readonly ListEntry[]): string | null {
  const found = projects.find(({ id }) => !ID.test(id));
  return found === undefined ? null : `lists the project "${inert(found.id, 80)}", whose id is malformed`;
}

/** A project that the list only names; null when it cannot be shown by itself either. */
async function projectById(reader: Reader, id: string, signal: AbortSignal): Promise<ProjectListItem | null> {
  if (!ID.test(id)) return null;
  const shown = await readOrNull(reader.get<ProjectShown>(`/projects/${id}`, 'ProjectShown', { signal }));
  return shown?.project.id === id ? shown.project : null;
}

/** True for a service that gives all there is whatever is asked for: asked for one, it gives as many as before, and names no next page. */
async function knowsNoPages(
  reader: Reader,
  known: number,
  { query, signal }: { readonly query: Query; readonly signal: AbortSignal },
): Promise<boolean> {
  const { projects, pagination } = await reader.get<ProjectList>('/projects', 'ProjectList', {
    query: { ...query, limit: 1 },
    signal,
  });
  return projects.length >= known && pagination?.cursor === undefined;
}
