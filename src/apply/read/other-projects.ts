// Projects that no file lists: nobody looks for them, unless the files say that they list all.
import { listOf } from '../../base/text/words.ts';
import { ApiFailure, failureOf } from '../../client/failure.ts';
import { listProjects, type ProjectListing } from '../../client/list-projects.ts';
import type { DesiredProject } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import type { ReadLiveInput } from './read-input.ts';
import { NOTHING, type Part } from './read-project.ts';

/** True where this reading tells which projects no file lists: a selection reads only what it touches. */
export function seeksOthers({ desired, target, exclude, once = false, known = null }: ReadLiveInput): boolean {
  return desired.projectsComplete === true && target.length + exclude.length === 0 && !once && known === null;
}

/** What the list of all projects shows beside those that were found; unread where nothing proves that it shows all. */
export async function othersPart(
  { desired, kinds, reader, signal }: ReadLiveInput,
  found: readonly LiveProject[],
  listing: ProjectListing | ApiFailure | null,
): Promise<Part> {
  const listed = listing ?? (await listProjects(reader, signal).catch(failureOf));
  if (listed instanceof ApiFailure) return { ...NOTHING, ...unread(listed.message), asked: listed };
  const ofListing = kinds.find(({ kind }) => kind === PROJECT)?.ofListing;
  const items = listed.projects.flatMap((item) => ofListing?.(item) ?? []);
  const others = othersAmong(items, desired.projects, found);
  const resources = items.filter(({ id }) => others.some((other) => other.id === id));
  return { ...NOTHING, resources, ...unread(doubtOf(listed)), asked: 'read' };
}

/** The projects among these resources that no declaration is, or may be; each goes by its id. */
export function othersAmong(
  resources: readonly LiveResource[],
  declared: readonly DesiredProject[],
  found: readonly LiveProject[],
): readonly LiveProject[] {
  const labels = new Set(found.map(({ label }) => label));
  const lost = declared.filter(({ label }) => !labels.has(label));
  const ids = new Set([...found, ...declared].map(({ id }) => id));
  const names = new Set(lost.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
  return resources.flatMap(({ kind, id, spec }) => {
    const name = String(spec['name']);
    return kind !== PROJECT || ids.has(id) || names.has(name) ? [] : [{ label: id, id, name }];
  });
}

function unread(reason: string | null): Pick<Part, 'unread'> {
  return { unread: reason === null ? [] : [{ what: 'projects/*', projectId: null, reason }] };
}

function doubtOf({ complete, unavailableIds }: ProjectListing): string | null {
  if (unavailableIds.length > 0) return `the service left ${listOf(unavailableIds)} out of the list of projects`;
  return complete ? null : 'the list of projects could not be read to its end';
}
