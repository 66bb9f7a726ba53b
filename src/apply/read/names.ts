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

/** `untold`: the projects whose name counts and could not be told, and why. */
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
  const found = await inParallel(projects, READS_AT_ONCE, async (project) => {
    if (!mayBeProtected(project, input)) return { project, failure: null };
    const asked = listed.has(project.id) ? null : await askedFor(project, input);
    const name = asked === null ? listed.get(project.id) : asked.name;
    return { project: { ...project, nameInAccount: name ?? null }, failure: asked?.failure ?? null };
  });
  return {
    projects: found.map(({ project }) => project),
    untold: found.filter(({ project }) => project.nameInAccount === null),
  };
}

/** Said of a project that is protected as if a pattern of the operator's meant it. */
export function nameUntold({ project, failure }: Named['untold'][number]): Diagnostic {
  const why = failure === null ? 'the service does not tell it' : failure.message;
  return {
    severity: 'warning',
    code: 'name_unread',
    message: `what ${project.id} is called in the account, which the operator may protect, could not be read: it is held for protected (${why})`,
    hint: 'Nothing of it is removed or replaced until its name can be read.',
    address: `${project.label}/*`,
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

interface Asked {
  readonly name: string | null;
  readonly failure: ApiFailure | null;
}

async function askedFor({ id: projectId }: LiveProject, { kinds, reader, signal }: NamesInput): Promise<Asked> {
  try {
    const shown = await kinds.find(({ kind }) => kind === PROJECT)?.list(reader, { projectId }, signal);
    return { name: textOf(shown?.find(({ id }) => id === projectId)?.spec['name']), failure: null };
  } catch (error) {
    return { name: null, failure: failureOf(error) };
  }
}
