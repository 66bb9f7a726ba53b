// Reads the account's projects.
import type { ProjectList, ProjectListItem } from '../api/index.ts';
import { readPages } from './paginate.ts';
import type { Reader } from './types.ts';

/** The largest page that the service gives. */
const PAGE_LIMIT = 400;

export interface ProjectListing {
  readonly projects: readonly ProjectListItem[];
  /** Ids of projects that exist but could not be shown this time. */
  readonly unavailableIds: readonly string[];
  /** False when the list has more pages than are read. */
  readonly complete: boolean;
  /** The last page was shorter than asked for, and yet had a cursor: mostly the end, unless the service gives smaller pages. */
  readonly mayGoOn: boolean;
}

/** All projects, in the order of the service (API page, "Projects"); `toEnd` asks on after a short page that has a cursor. */
export async function listProjects(
  reader: Reader,
  signal: AbortSignal,
  { toEnd = false }: { readonly toEnd?: boolean } = {},
): Promise<ProjectListing> {
  const { items, pages, complete } = await readPages<ProjectList, ProjectListItem>(reader, {
    path: '/projects',
    shape: 'ProjectList',
    limit: PAGE_LIMIT,
    itemsOf: (page) => page.projects,
    signal,
    shortEnds: !toEnd,
  });
  const last = pages.at(-1);
  const mayGoOn = !toEnd && (last?.projects.length ?? 0) > 0 && last?.pagination?.cursor !== undefined;
  const unavailable = new Set(pages.flatMap((page) => page.unavailable_project_ids ?? []));
  return { projects: items, unavailableIds: [...unavailable], complete, mayGoOn };
}
