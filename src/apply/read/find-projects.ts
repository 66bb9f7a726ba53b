// From the files' projects to what is known of them before their lists are read: own routes first, the list of projects for names alone.
import { textOf } from '../../base/json.ts';
import { ApiFailure, failureOf } from '../../client/failure.ts';
import { listProjects, type ProjectListing } from '../../client/list-projects.ts';
import type { DesiredProject, DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject, LiveResource, Unread } from '../../model/live.ts';
import { isUnborn } from '../../model/reference.ts';
import { inParallel } from '../in-parallel.ts';
import { withNames, type Named } from './names.ts';
import { resolveProjects } from './projects.ts';
import type { ReadLiveInput } from './read-input.ts';
import { READS_AT_ONCE } from './read-scopes.ts';

export interface FoundProjects {
  readonly projects: readonly LiveProject[];
  readonly unresolved: readonly Unread[];
  readonly diagnostics: readonly Diagnostic[];
  readonly untold: Named['untold'];
  readonly listing: ProjectListing | null;
  /** Why the list could not be read. */
  readonly refused: ApiFailure | null;
  /** What projects that are declared by their id show by themselves: null for one that is gone. */
  readonly itself: ReadonlyMap<string, LiveResource | ApiFailure | null>;
}

/** Finds the project of each declared one: by its id, else by its name in the list. Rejects where nothing shows whether an expected one is there. */
export async function findProjects(input: ReadLiveInput, wanted: readonly DesiredProject[]): Promise<FoundProjects> {
  const { known, desired, reader, signal, kinds, once = false } = input;
  // What was still to be made may be there by now.
  if (known !== undefined && known !== null && !known.live.projects.some(isUnbornProject))
    return { ...NOT_ASKED, projects: known.live.projects, unresolved: [], diagnostics: [], untold: [] };
  const managed = new Set(desired.resources.flatMap(({ kind, scope }) => (kind === PROJECT ? [scope] : [])));
  const pinned = wanted.flatMap(({ id, label }) => (id !== null && managed.has(label) ? [id] : []));
  const expected = expectsUnlisted(desired, wanted) ? (desired.expect?.hasProject ?? null) : null;
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
    const name = shown === null || shown instanceof ApiFailure ? null : textOf(shown.spec['name']);
    if (name !== null) names.set(id, name);
  }
  const resolved = resolveProjects(wanted, refused?.message ?? listing, { names, gone });
  const { projects: found, unread: unresolved, diagnostics } = resolved;
  // Only what changes something goes by protections.
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

/** By their own routes: what is declared by its id needs no list. */
async function shownByThemselves(
  { kinds, reader, signal }: ReadLiveInput,
  ids: readonly string[],
): Promise<FoundProjects['itself']> {
  const remote = kinds.find(({ kind }) => kind === PROJECT);
  if (remote?.show === undefined) return NOT_ASKED.itself;
  const shown = await inParallel([...new Set(ids)], READS_AT_ONCE, async (id) => {
    const one = await remote.show?.(reader, { id, projectId: id }, signal).catch(failureOf);
    return [id, one ?? null] as const;
  });
  return new Map(shown);
}

export function isUnbornProject({ id: projectId }: LiveProject): boolean {
  return isUnborn({ projectId });
}

/** True when a project is expected that none of the lists to be read will show. */
function expectsUnlisted(desired: DesiredState, wanted: readonly { readonly id: string | null }[]): boolean {
  const expected = desired.expect?.hasProject ?? null;
  return expected !== null && !wanted.some(({ id }) => id === expected);
}
