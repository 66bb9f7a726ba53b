// Matches declared projects with live ones: by their id, else by their name in the list of projects.
import { groupBy } from '../../base/group-by.ts';
import { didYouMean, listOf } from '../../base/text/words.ts';
import { type ProjectListing, listProjects } from '../../client/pages.ts';
import { placesOfName, type DesiredProject, type DesiredState } from '../../model/desired.ts';
import { errorOf, warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { LiveProject, Unread, LiveResource } from '../../model/live.ts';
import { placeholderOf } from '../../model/values.ts';
import { ApiFailure, failureOf } from '../../client/failure.ts';
import { PROJECT } from '../../model/kind.ts';
import { unreadPart, type Part, type ReadLiveInput } from './read-scopes.ts';

/** A project that does not exist, or no longer exists, has a placeholder as its id. */
interface ResolvedProjects {
  readonly projects: readonly LiveProject[];
  readonly unread: readonly Unread[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Facts from the projects' own routes or from the list: live names by id, and the ids of deleted projects. */
interface AskedProjects {
  readonly names: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
}

export function toldByList(declared: readonly DesiredProject[], { projects }: ProjectListing): AskedProjects {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return { names, gone: new Set(declared.flatMap(({ id }) => (id === null || names.has(id) ? [] : [id]))) };
}

/** Finds the live project of each declaration. `listing` is null if the list was not needed, or a text that says why the list could not be read. */
export function resolveProjects(
  declared: readonly DesiredProject[],
  listing: ProjectListing | string | null,
  asked: AskedProjects,
): ResolvedProjects {
  const projects: LiveProject[] = [];
  const unread: Unread[] = [];
  const diagnostics: Diagnostic[] = [];
  const owners = new Map<string, DesiredProject[]>();
  const index = { ...asked, listing, byName: namesIn(listing) };
  for (const project of declared) {
    const found = findProject(project, index);
    if ('problem' in found) {
      diagnostics.push(found.problem);
      continue;
    }
    if ('unread' in found) {
      unread.push(found.unread);
      continue;
    }
    owners.set(found.live.id, [...(owners.get(found.live.id) ?? []), project]);
    projects.push(found.live);
    diagnostics.push(...otherName(project, found.live));
  }
  const shared = [...owners].filter(([, own]) => own.length > 1);
  return {
    projects: projects.filter(({ id }) => owners.get(id)?.length === 1),
    unread,
    diagnostics: [...diagnostics, ...shared.flatMap(([id, own]) => own.map((project) => duplicate(id, project, own)))],
  };
}

/** Returns an error if the account lacks the project that the files expect: the files are meant for another account. */
export function missingProject(
  { expect }: Pick<DesiredState, 'expect'>,
  isThere: (id: string) => boolean,
): readonly Diagnostic[] {
  const expected = expect?.hasProject ?? null;
  if (expect === null || expected === null || isThere(expected)) return [];
  const message = `the expected project ${expected} was not found in the account`;
  const hint = 'Check that the credential and the base URL belong to the account of this file.';
  return [errorOf('expectation_failed', message, hint, { range: expect.source })];
}

/** Returns a warning if a project with a declared id has another name than in the file: the id may be a mistake. */
function otherName(project: DesiredProject, live: LiveProject): readonly Diagnostic[] {
  const { label, id, name, isNamed, renamedFrom } = project;
  if (id === null || renamedFrom !== undefined || isNamed !== true || name === live.name) return [];
  const message = `the file gives project ${id} the name ${JSON.stringify(name)}, but its live name is ${JSON.stringify(live.name)}; trueup matches the id, and does not rename the project`;
  const hint = `Write the live name, or renamed_from: ${live.name} to rename the project.`;
  return [warningOf('name_differs', message, hint, { address: `${label}/*`, ...placesOfName(project) })];
}

/** Several declarations (`own`) mean the project `id`, and nothing shows which one is right, so each gets an error. */
function duplicate(id: string, { label, source }: DesiredProject, own: readonly DesiredProject[]): Diagnostic {
  const others = own.filter((other) => other.label !== label);
  const message = `projects ${listOf(own.map((one) => `"${one.label}"`))} are the same live project ${id}`;
  const related = others.map((other) => ({ message: `${other.label} is declared here`, range: other.source }));
  const places = { address: `${label}/*`, range: source, related };
  return errorOf('duplicate_project', message, 'Merge these entries into one project.', places);
}

type Found = { readonly live: LiveProject } | { readonly problem: Diagnostic } | { readonly unread: Unread };

interface Index extends AskedProjects {
  readonly listing: ProjectListing | string | null;
  readonly byName: ReadonlyMap<string, ProjectListing['projects']>;
}

function namesIn(listing: Index['listing']): Index['byName'] {
  return groupBy(listing === null || typeof listing === 'string' ? [] : listing.projects, ({ name }) => name);
}

function findProject(project: DesiredProject, { names, gone, listing, byName }: Index): Found {
  const { id, label, name, renamedFrom, mayBeMade = false, isGoing = false } = project;
  // Keeps the declared id of a missing project, so that its reading reports the problem. A project to create or delete may be missing.
  if (id !== null && !(gone.has(id) && (mayBeMade || isGoing)))
    return { live: { label, id, name: names.get(id) ?? name } };
  const unborn = { live: { label, id: placeholderOf(label), name } };
  // The project to delete no longer exists; another project that has the same name today is not meant.
  if (id !== null && isGoing) return unborn;
  if (typeof listing === 'string') return { unread: { what: label, projectId: null, reason: listing } };
  const own = byName.get(name) ?? [];
  const former = renamedFrom === undefined ? [] : (byName.get(renamedFrom) ?? []);
  if (own.length > 0 && former.length > 0)
    return errorAt(
      project,
      'both_names_live',
      `"${renamedFrom}" cannot be renamed to "${name}": projects of both names exist`,
      'Remove renamed_from if the rename is done, and write the id of the project that you mean.',
    );
  const found = own.length > 0 ? own : former;
  const [only] = found;
  if (only !== undefined && found.length > 1)
    return errorAt(
      project,
      'ambiguous_project',
      `${found.length} projects are named "${only.name}": ${listOf(found.map((one) => one.id).sort())}`,
      'Write the id of the project that you mean as id:. If two runs created the project at the same time, remove the other one.',
    );
  // An incomplete list may omit the project, or a second project with the same name.
  const doubt = listing === null ? null : doubtOf(listing);
  if (doubt !== null) {
    const reason = `the project "${name}" cannot be identified: ${doubt} (write the id to do without the list)`;
    return { unread: { what: label, projectId: null, reason } };
  }
  if (only !== undefined) return { live: { label, id: only.id, name: only.name } };
  if (mayBeMade || isGoing) return unborn;
  const near = didYouMean(name, byName.keys());
  const hint =
    near === undefined
      ? 'Check the name, write id: with its id, or write create: to create it.'
      : `Did you mean "${near}"?`;
  return errorAt(project, 'unknown_project', `the account has no project named "${name}"`, hint);
}

function errorAt(project: DesiredProject, code: string, message: string, hint: string): Found {
  return { problem: errorOf(code, message, hint, { address: `${project.label}/*`, ...placesOfName(project) }) };
}

/** True if undeclared projects are sought, too: with `projects_complete` in the files, in a first reading of all addresses, without `once`. */
export function seeksOthers({ desired, target, exclude, once, known }: ReadLiveInput): boolean {
  return desired.projectsComplete === true && target.length + exclude.length === 0 && !once && known === null;
}

/** Returns the listed projects that no declaration matches, and reports a list that may be incomplete as unread. */
export async function othersPart(
  { desired, kinds, reader, signal }: ReadLiveInput,
  found: readonly LiveProject[],
  listing: ProjectListing | ApiFailure | null,
): Promise<readonly Part[]> {
  const listed = listing ?? (await listProjects(reader, signal).catch(failureOf));
  const all = { what: 'projects/*', projectId: null };
  if (listed instanceof ApiFailure) return [unreadPart(listed, [all])];
  const liveOf = kinds.find(({ kind }) => kind === PROJECT)?.liveOf;
  const items = listed.projects.flatMap((item) => liveOf?.(item, { projectId: item.id }) ?? []);
  const others = new Set(othersAmong(listed.projects, desired.projects, found).map(({ id }) => id));
  const resources = items.filter(({ id }) => others.has(id));
  const reason = doubtOf(listed);
  return [{ resources, unread: reason === null ? [] : [{ ...all, reason }], failure: null }];
}

export function projectsIn(resources: readonly LiveResource[]): readonly Named[] {
  return resources.flatMap(({ kind, id, spec }) => (kind === PROJECT ? [{ id, name: String(spec['name']) }] : []));
}

type Named = Pick<LiveProject, 'id' | 'name'>;

/** Returns the projects that no declaration matches or may match; the id of each project serves as its label. */
export function othersAmong(
  projects: readonly Named[],
  declared: readonly DesiredProject[],
  found: readonly LiveProject[],
): readonly LiveProject[] {
  const labels = new Set(found.map(({ label }) => label));
  const lost = declared.filter(({ label }) => !labels.has(label));
  const taken = new Set([...found, ...declared].flatMap(({ id, label }) => [id, label]));
  const names = new Set(lost.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
  return projects.flatMap(({ id, name }) => (taken.has(id) || names.has(name) ? [] : [{ label: id, id, name }]));
}

function doubtOf({ complete, unavailableIds }: ProjectListing): string | null {
  if (unavailableIds.length > 0) return `the service left ${listOf(unavailableIds)} out of the list of projects`;
  return complete ? null : 'the list of projects could not be read to its end';
}
