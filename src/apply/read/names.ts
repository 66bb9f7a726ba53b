// What projects are called in the account, where the operator may protect them by that: what the files call them does not count then.
import { textOf } from '../../base/json.ts';
import { failureOf, type ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import { matchesGlob, scopeOf } from '../../model/address.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject } from '../../model/live.ts';
import { isUnborn } from '../../model/reference.ts';
import { inParallel } from '../in-parallel.ts';
import type { KindRemote } from '../kind-remote.ts';
import { READS_AT_ONCE } from './read-scopes.ts';

export interface NamesInput {
  readonly safety: readonly SafetyLimits[];
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

/** `untold`: the projects whose name counts and could not be told, and why; null where the service shows no such project. */
export interface Named {
  readonly projects: readonly LiveProject[];
  readonly untold: readonly { readonly project: LiveProject; readonly failure: ApiFailure | null }[];
}

/** The projects, those that a pattern of the operator's may mean with the name that the service gives them: by its list (`listed`, names by id), else asked for. */
export async function withNames(
  projects: readonly LiveProject[],
  listed: ReadonlyMap<string, string>,
  input: NamesInput,
): Promise<Named> {
  const untold: Named['untold'][number][] = [];
  const named = await inParallel(projects, READS_AT_ONCE, async (project) => {
    if (!mayBeProtected(project, input)) return project;
    const asked = listed.get(project.id) ?? (await askedFor(project, input));
    if (typeof asked !== 'string') untold.push({ project, failure: asked });
    const name = typeof asked === 'string' ? asked : null;
    return { ...project, namesInAccount: [...new Set([...(project.namesInAccount ?? []), name])] };
  });
  return { projects: named, untold };
}

/** Said of a project that a pattern of the operator's may mean. */
export function nameUntold({ project: { id, label }, failure }: Named['untold'][number]): Diagnostic {
  const why = failure?.message ?? 'the service shows no such project';
  return {
    severity: 'warning',
    code: 'name_unread',
    message: `the name of ${id} could not be read, so every pattern of the operator covers that id (${why})`,
    hint: 'Protected resources are not removed or replaced until the name can be read.',
    address: `${label}/*`,
  };
}

function mayBeProtected({ id, label }: LiveProject, { safety, kinds }: NamesInput): boolean {
  if (isUnborn({ projectId: id })) return false;
  const sections = kinds.flatMap(({ parent, section }) => (parent === null ? [section] : []));
  const patterns = safety.flatMap(({ protect, isOperators }) => (isOperators === true ? protect.map(scopeOf) : []));
  return patterns.some(
    (pattern) => !sections.includes(pattern) && ![label, id].some((name) => matchesGlob(pattern, name)),
  );
}

async function askedFor(
  { id: projectId }: LiveProject,
  { kinds, reader, signal }: NamesInput,
): Promise<string | ApiFailure | null> {
  try {
    const shown = await kinds.find(({ kind }) => kind === PROJECT)?.list(reader, { projectId }, signal);
    return textOf(shown?.find(({ id }) => id === projectId)?.spec['name']);
  } catch (error) {
    return failureOf(error);
  }
}
