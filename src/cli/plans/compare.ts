// `--compare-with DIR`: the same files on another git branch, and the plan compared with theirs.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { jsonEqual } from '../../base/json.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { GuardChange } from '../../model/outcome/guard.ts';
import type { Sources } from '../../model/source.ts';
import type { ComparisonOutcome, ComparisonRequest, PlanRequest, Reconciler } from '../../reconciler/types.ts';
import type { Invocation, Session } from '../command.ts';
import { readNamed } from '../process/files.ts';
import { isError, readFiles, say } from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';
import { UsageError } from '../program/usage-error.ts';
import { isConfiguration } from './planned-files.ts';

/** The files of the other branch, as paths of this folder: those of them that are there. */
export interface BaseFiles {
  readonly files: readonly string[];
  readonly overlays: readonly string[];
  /** How the list of files differs; null where it does not, or where the files come from no list. */
  readonly list: GuardChange | null;
}

/**
 * The files below the folder of `--compare-with`; null without the flag. A missing file is empty. Throws UsageError if the folder is
 * missing, if a list or a file cannot be read, or if a file has no counterpart there (standard input, or a path outside the working
 * folder).
 */
export async function baseFilesOf(
  { io, settings, flags }: Pick<Invocation, 'io' | 'settings' | 'flags'>,
  files: readonly string[],
): Promise<BaseFiles | null> {
  const folder = flags['compareWith'];
  if (typeof folder !== 'string') return null;
  if (!isFolder(resolve(io.cwd, folder)))
    throw new UsageError(`--compare-with: ${folder} is not a folder`, 'Give a checkout of the target branch.');
  const below = (file: string): string => {
    if (file === '-') throw new UsageError('--compare-with cannot be used with -f -');
    const path = relative(io.cwd, resolve(io.cwd, file));
    if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`))
      throw new UsageError(`--compare-with: ${file} is not in the working folder`);
    return join(folder, path);
  };
  const [own, other] = ['.', folder].map((side) => listedIn(io.cwd, side)) as [readonly string[], readonly string[]];
  const isListed = jsonEqual([...files].sort(), [...own].sort());
  const there = async (paths: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(paths.map(async (path) => isConfiguration(resolve(io.cwd, path), path)));
    return paths.filter((_, at) => found[at]);
  };
  return {
    files: await there((isListed ? other : files).map(below)),
    overlays: await there(settings.overlays.map(below)),
    list:
      !isListed || jsonEqual([...own].sort(), [...other].sort())
        ? null
        : { change: 'changed', guard: 'files', project: null, address: null, before: [...other], after: [...own] },
  };
}

/** The one place of a repository that names its files, one a line, for workflows and hooks. */
const LIST = '.github/trueup-files';
const MAX_LIST_BYTES = 65_536;
const USUAL: readonly string[] = ['trueup.yaml'];

/** The files that a repository names in `folder`, or the usual one. Throws UsageError for a list that cannot be read. */
function listedIn(cwd: string, folder: string): readonly string[] {
  const list = join(folder, LIST);
  if (!existsSync(resolve(cwd, list))) return USUAL;
  const lines = Buffer.from(readNamed(cwd, list, MAX_LIST_BYTES))
    .toString('utf8')
    .split(/\r?\n/);
  return lines.filter((line) => line !== '');
}

export interface Base extends Pick<BaseFiles, 'list'> {
  readonly request: ComparisonRequest['base'];
  readonly sources: Sources;
}

/** Reads the other files. Throws UsageError where they have errors, which are printed. */
export async function readBase(session: Session, paths: BaseFiles): Promise<Base> {
  const { desired, diagnostics, sources } = await readFiles(session, paths.files, paths.overlays);
  if (desired !== null && !hasErrors(diagnostics))
    return { request: { desired, ...selectionOf(session.settings, desired) }, sources, list: paths.list };
  await say(session, diagnostics.filter(isError), sources);
  throw new UsageError(
    'the files to compare with cannot be read',
    'Without these files, trueup cannot report removed guards: fix the files, or leave out --compare-with.',
  );
}

/** The plan; with `base`, compared with what the other files ask for. */
export async function planOf(
  reconciler: Reconciler,
  { request, base }: { readonly request: PlanRequest; readonly base: Base | null },
): Promise<ComparisonOutcome> {
  if (base === null) return { ...(await reconciler.plan(request)), comparison: null };
  const compared = await reconciler.compare({ ...request, base: base.request });
  const { comparison } = compared;
  if (comparison === null || base.list === null) return compared;
  return { ...compared, comparison: { ...comparison, guardsChanged: [base.list, ...comparison.guardsChanged] } };
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
