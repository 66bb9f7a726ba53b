// Reads the projects of the account, and tries out a new credential.
import type { ProjectList, ProjectListItem, ProjectShown } from '../api/index.ts';
import type { Secret } from '../base/secret.ts';
import { inert } from '../base/text/inert.ts';
import { ApiFailure, readOrNull } from './failure.ts';
import { readPages } from './pages.ts';
import type { ApiClient, Reader } from './types.ts';

const PAGE_LIMIT = 400;
/** The most projects to read one by one, because the list shows only their id. */
const ASKED_AFTER_MAX = 20;
const ID = /^[a-z0-9][a-z0-9-]{0,59}$/;

type ListEntry = ProjectList['projects'][number];
type Query = Readonly<Record<string, string>>;

export interface ProjectListing {
  readonly projects: readonly ProjectListItem[];
  /** Ids of projects that neither the list nor their own route shows. */
  readonly unavailableIds: readonly string[];
  /** False if projects may be missing; then the absence of a name proves nothing. */
  readonly complete: boolean;
}

/** Lists the projects in the order of the service (api-rules 3.2). A short page does not end the list: the service may use smaller pages. */
export async function listProjects(reader: Reader, signal: AbortSignal, query: Query = {}): Promise<ProjectListing> {
  const { items, pages, complete } = await readPages<ProjectList, ListEntry>(reader, {
    path: '/projects',
    shape: 'ProjectList',
    query,
    limit: PAGE_LIMIT,
    itemsOf: (page) => page.projects,
    signal,
    shortEnds: false,
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
  const asked = unavailable.slice(0, ASKED_AFTER_MAX).map(async (id) => projectById(reader, id, signal));
  const shown = (await Promise.all(asked)).filter((project) => project !== null);
  const unavailableIds = unavailable.filter((id) => !shown.some((project) => project.id === id));
  return { projects: [...named, ...shown], unavailableIds, complete };
}

export async function allProjects(...asked: Parameters<typeof listProjects>): Promise<ProjectListing['projects']> {
  const { projects, complete, unavailableIds } = await listProjects(...asked);
  if (complete && unavailableIds.length === 0) return projects;
  throw new ApiFailure('the list of projects could not be read to its end', {
    failureClass: 'unusable',
    method: 'GET',
    path: '/projects',
  });
}

/** False for a project that the list names only by its id; its own route may show the name. */
function hasName(entry: ListEntry): entry is ProjectListItem {
  return typeof entry.name === 'string';
}

/** The problem of a list that has a malformed project id. The list is then unusable: without that project, it would seem not to exist. */
function unusableIdIn(projects: readonly ListEntry[]): string | null {
  const found = projects.find(({ id }) => !ID.test(id));
  return found === undefined ? null : `lists the project "${inert(found.id, 80)}", whose id is malformed`;
}

async function projectById(reader: Reader, id: string, signal: AbortSignal): Promise<ProjectListItem | null> {
  if (!ID.test(id)) return null;
  const shown = await readOrNull(reader.get<ProjectShown>(`/projects/${id}`, 'ProjectShown', { signal }));
  return shown?.project.id === id ? shown.project : null;
}

/** Tries a secret by listing one project: only a valid reply shows that the service accepts it, and only a 401 that it does not. */
export async function isAccepted(client: ApiClient, secret: Secret, signal: AbortSignal): Promise<boolean> {
  try {
    await client.withCredential(secret).get<ProjectList>('/projects', 'ProjectList', { query: { limit: 1 }, signal });
    return true;
  } catch (error) {
    // A gateway in front of the service may also refuse unknown secrets, which proves nothing.
    if (error instanceof ApiFailure && error.status === 401 && error.isFromService) return false;
    throw error;
  }
}
