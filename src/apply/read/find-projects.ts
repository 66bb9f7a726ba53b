// Finds the live project of each declared project, by its own route or by its name in the list. The contents of projects are read later.
import { textOf } from '../../base/json.ts';
import { ApiFailure, failureOf } from '../../client/failure.ts';
import { listProjects, type ProjectListing } from '../../client/pages.ts';
import type { DesiredProject, SafetyLimits } from '../../model/desired.ts';
import { warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject, LiveResource, Unread } from '../../model/live.ts';
import { isUnborn } from '../../model/values.ts';
import { inParallel, type ReadLiveInput } from './read-scopes.ts';
import { resolveProjects } from './projects.ts';
import { matchesGlob, scopeOf } from '../../model/address.ts';
import type { FactsInput } from '../kind-remote.ts';

export interface FoundProjects {
  readonly projects: readonly LiveProject[];
  readonly unresolved: readonly Unread[];
  readonly diagnostics: readonly Diagnostic[];
  readonly untold: Named['untold'];
  readonly listing: ProjectListing | null;
  readonly refused: ApiFailure | null;
  /** The replies to requests for single projects, by project id: the project, the failure, or null if the service shows no such project. */
  readonly itself: ReadonlyMap<string, LiveResource | ApiFailure | null>;
}

/** Finds the declared projects. Rejects with `ApiFailure` if an extra request for the expected project (`expect.hasProject`) fails. */
export async function findProjects(input: ReadLiveInput, wanted: readonly DesiredProject[]): Promise<FoundProjects> {
  const { known, desired, reader, signal, kinds, once } = input;
  // Reuses the projects of the earlier reading, unless projects may have been renamed since (`isOld`), or one did not exist then.
  if (known !== null && known.isOld !== true && !known.live.projects.some(isUnbornProject))
    return { ...NOT_ASKED, projects: known.live.projects, unresolved: [], diagnostics: [], untold: [] };
  const managed = new Set(desired.resources.flatMap(({ kind, scope }) => (kind === PROJECT ? [scope] : [])));
  const isAsked = ({ label, isNamed }: DesiredProject): boolean => managed.has(label) || isNamed === true;
  const pinned = wanted.flatMap((project) => (project.id !== null && isAsked(project) ? [project.id] : []));
  const wish = desired.expect?.hasProject ?? null;
  // A project that the files expect, but that no declaration names by its id, needs a request of its own.
  const expected = wanted.some(({ id }) => id === wish) ? null : wish;
  const itself = await shownByThemselves(input, [...pinned, ...(expected === null ? [] : [expected])]);
  const answer = expected === null ? null : itself.get(expected);
  if (answer instanceof ApiFailure) throw answer;
  const gone = new Set([...itself].flatMap(([id, shown]) => (shown === null ? [id] : [])));
  const isByName = ({ id, mayBeMade = false }: DesiredProject): boolean => id === null || (mayBeMade && gone.has(id));
  const needsListing = wanted.some(isByName) || (expected !== null && !itself.has(expected));
  const listed = needsListing ? await listProjects(reader, signal).catch(failureOf) : null;
  const [listing, refused] = listed instanceof ApiFailure ? [null, listed] : [listed, null];
  const names = new Map((listing?.projects ?? []).map(({ id, name }) => [id, name]));
  for (const [id, shown] of itself) {
    const name = nameIn(shown);
    if (typeof name === 'string') names.set(id, name);
  }
  const resolved = resolveProjects(wanted, refused?.message ?? listing, { names, gone });
  const { projects: found, unread: unresolved, diagnostics } = resolved;
  // A command with `once` changes nothing, so it needs no protections.
  const safety = once ? [] : desired.safety;
  return {
    ...(await withNames(found, names, { safety, kinds, reader, signal })),
    unresolved,
    diagnostics,
    listing,
    refused,
    itself,
  };
}

const NOT_ASKED = { listing: null, refused: null, itself: new Map<string, LiveResource>() };

/** Reads each project by its own route, so that a project with a declared id is found without the list of projects. */
async function shownByThemselves(
  { kinds, reader, signal }: Omit<NamesInput, 'safety'>,
  ids: readonly string[],
): Promise<FoundProjects['itself']> {
  const remote = kinds.find(({ kind }) => kind === PROJECT);
  if (remote?.show === undefined) return NOT_ASKED.itself;
  const shown = await inParallel([...new Set(ids)], async (id) => {
    const one = await remote.show?.(reader, { id, projectId: id }, signal).catch(failureOf);
    return [id, one ?? null] as const;
  });
  return new Map(shown);
}

export function isUnbornProject({ id: projectId }: LiveProject): boolean {
  return isUnborn({ projectId });
}

interface NamesInput extends Pick<FactsInput, 'kinds' | 'reader' | 'signal'> {
  readonly safety: readonly SafetyLimits[];
}

/** `untold`: projects whose name may matter for protection but could not be read. `failure` says why; null if the service shows no such project. */
interface Named {
  readonly projects: readonly LiveProject[];
  readonly untold: readonly { readonly project: LiveProject; readonly failure: ApiFailure | null }[];
}

/** Adds the live name to each project that a pattern of the operator may protect: from `listed` (names by id), else from the project's own route. */
export async function withNames(
  projects: readonly LiveProject[],
  listed: ReadonlyMap<string, string>,
  input: NamesInput,
): Promise<Named> {
  const untold: Named['untold'][number][] = [];
  const named = await inParallel(projects, async (project) => {
    if (!mayBeProtected(project, input)) return project;
    const asked =
      listed.get(project.id) ?? nameIn((await shownByThemselves(input, [project.id])).get(project.id) ?? null);
    if (typeof asked !== 'string') untold.push({ project, failure: asked });
    const name = typeof asked === 'string' ? asked : null;
    return { ...project, namesInAccount: [...new Set([...(project.namesInAccount ?? []), name])] };
  });
  return { projects: named, untold };
}

export function nameUntold({ project: { id, label }, failure }: Named['untold'][number]): Diagnostic {
  const why = failure?.message ?? 'the service shows no such project';
  const message = `the name of project ${id} could not be read (${why}), so every protect pattern of --safety covers that project`;
  const hint = 'Protected resources are not removed or replaced until the name can be read.';
  return warningOf('name_unread', message, hint, { address: `${label}/*` });
}

function mayBeProtected({ id, label }: LiveProject, { safety, kinds }: NamesInput): boolean {
  if (isUnborn({ projectId: id })) return false;
  const patterns = safety.flatMap(({ protect, isOperators }) => (isOperators === true ? protect.map(scopeOf) : []));
  return patterns.some(
    (pattern) =>
      !kinds.some(({ parent, section }) => parent === null && section === pattern) &&
      ![label, id].some((name) => matchesGlob(pattern, name)),
  );
}

function nameIn(shown: LiveResource | ApiFailure | null): string | ApiFailure | null {
  return shown === null || shown instanceof ApiFailure ? shown : textOf(shown.spec['name']);
}
