// Reads lists page by page, however the service treats cursor and limit, and reads the list of projects.
import type { Pagination, ShapeName, ProjectList, ProjectListItem, ProjectShown } from '../api/index.ts';
import { inert } from '../base/text/inert.ts';
import { ApiFailure, readOrNull } from './failure.ts';
import type { Reader, ApiClient } from './types.ts';
import type { Secret } from '../base/secret.ts';

const PAGES_MAX = 1000;
/** The most characters in all pages of a list. */
const LIST_MAX = 128 * 1024 * 1024;
const EMPTY_MAX = 10;

/** If a limit of the service shortened a page, the length of the page is a multiple of 10 and at least 30. */
const ROUND = 10;
const LEAST_LIMIT = 30;

interface PageQuery<Page, Item> {
  readonly path: string;
  readonly shape: ShapeName;
  readonly query?: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly itemsOf: (page: Page) => readonly Item[];
  readonly signal: AbortSignal;
  readonly isEnough?: (items: readonly Item[]) => boolean;
  readonly maxPages?: number;
  /** True if a page shorter than `limit` is the last, unless the service's own limit may have shortened it. False: only the cursor shows the end. */
  readonly shortEnds: boolean;
  readonly contradicts?: (one: Item, other: Item) => boolean;
  readonly problemOf?: (page: Page) => string | null;
}

interface PagedList<Page, Item> {
  /** Each id only once, in the order of the service. */
  readonly items: readonly Item[];
  readonly pages: readonly Page[];
  /** True if no entry can be missing. A repeated page, or a single full page without a cursor, may hide entries. */
  readonly complete: boolean;
}

export async function readPages<
  Page extends { readonly pagination?: Pagination & { readonly next?: string } },
  Item extends { readonly id: string },
>(reader: Reader, query: PageQuery<Page, Item>): Promise<PagedList<Page, Item>> {
  const { path, shape, limit, signal, problemOf, maxPages = PAGES_MAX, shortEnds } = query;
  const items = new Map<string, Item>();
  const pages: Page[] = [];
  const followed = new Set<string>();
  const room = { characters: LIST_MAX };
  let empty = 0;
  let cursor: string | undefined;
  const listed = (complete: boolean): PagedList<Page, Item> => ({ items: [...items.values()], pages, complete });
  while (pages.length < maxPages) {
    const page = await reader.get<Page>(path, shape, {
      query: { ...query.query, limit, ...(cursor === undefined ? {} : { cursor }) },
      signal,
      room,
      problemOf,
    });
    pages.push(page);
    const before = items.size;
    const found = query.itemsOf(page);
    for (const item of found) {
      const first = items.get(item.id);
      if (first === undefined) items.set(item.id, item);
      else if (query.contradicts?.(first, item) === true) throw contradictory(path, item.id);
    }
    // Some lists call their cursor `next`. An empty cursor means no further page.
    cursor = (page.pagination?.cursor ?? page.pagination?.next) || undefined;
    const looksLast = found.length < limit && (found.length < LEAST_LIMIT || found.length % ROUND !== 0);
    if (shortEnds && looksLast) return listed(true);
    const isEmpty = found.length === 0;
    if (isEmpty && (cursor === undefined || followed.has(cursor))) return listed(true);
    // A single page of exactly `limit` entries may be only the start of the list.
    if (cursor === undefined) return listed(pages.length > 1 || found.length !== limit);
    empty = isEmpty ? empty + 1 : 0;
    if (isEmpty ? empty > EMPTY_MAX : items.size === before) return listed(false);
    followed.add(cursor);
    if (!isEmpty && query.isEnough?.([...items.values()]) === true) return listed(looksLast);
  }
  return listed(false);
}

function contradictory(path: string, id: string): ApiFailure {
  const message = `GET ${path} lists "${inert(id, 80)}" twice with different values, so the list cannot be used`;
  return new ApiFailure(message, { failureClass: 'unusable', method: 'GET', path });
}

const PAGE_LIMIT = 400;
/** The most projects that trueup reads by their own routes because the list shows only their ids. */
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

/** Lists the projects (api-rules 3.2). A short page does not end the list, because the service may use smaller pages. */
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
  // The list may name a project only by its id; the project's own route may show the name.
  const named = items.filter((entry): entry is ProjectListItem => typeof entry.name === 'string');
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

/** Returns a problem if a project id is malformed, else null. Skipping the malformed entry would make a project look missing. */
function unusableIdIn(projects: readonly ListEntry[]): string | null {
  const found = projects.find(({ id }) => !ID.test(id));
  return found === undefined ? null : `lists the project "${inert(found.id, 80)}", whose id is malformed`;
}

async function projectById(reader: Reader, id: string, signal: AbortSignal): Promise<ProjectListItem | null> {
  if (!ID.test(id)) return null;
  const shown = await readOrNull(reader.get<ProjectShown>(`/projects/${id}`, 'ProjectShown', { signal }));
  return shown?.project.id === id ? shown.project : null;
}

/** Tries a secret with a request for one project: true after a valid reply, false after the service's 401. Rejects if neither came. */
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
