// Files besides the run's own: the source files of a saved plan, and the files to compare with.
import { systemWords } from '../../base/error-code.ts';
import { statSync, existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { digestOf, jsonEqual } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { systemFiles, yamlFilesBelow } from '../../config/files/read-files.ts';
import type { Sources } from '../../model/source.ts';
import { type PlannedFiles, desiredDigestOf } from '../../plan/json/plan-json.ts';
import type { Session, Invocation } from '../command.ts';
import { readFiles } from '../session/desired-files.ts';
import { isError, say } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../process/exit-code.ts';
import type { GuardChange } from '../../model/outcome/guard.ts';
import type { ComparisonOutcome, ComparisonRequest, PlanRequest, Reconciler } from '../../reconciler/types.ts';
import { readNamed } from '../process/files.ts';
import { selectionOf } from '../session/selection.ts';

export function plannedFiles(settings: Settings, paths: readonly string[], sources: Sources): PlannedFiles {
  const { overlays } = settings;
  return { paths, ...(overlays.length === 0 ? {} : { overlays }), digest: textDigest(settings, sources) };
}

/** The digest of the declaring files only, because safety files and variables belong to the run. */
function textDigest({ safetyFiles, variables }: Settings, sources: Sources): string {
  const besides = new Set([...safetyFiles, ...variables.files]);
  return digestOf([...sources].filter(([name]) => !besides.has(name)).map(([, text]) => text));
}

interface Wanted {
  readonly shown: string;
  readonly files: PlannedFiles;
  readonly desiredDigest: string;
}

const UNREADABLE: ReadonlySet<string> = new Set(
  'file_unreadable file_not_found files_too_large not_a_file outside_folder'.split(' '),
);

/** The reason why a plan is stale. Null for none, or if no source file exists beside the plan or in the working folder. */
export async function otherFiles(session: Session, wanted: Wanted): Promise<string | null> {
  const { io, settings } = session;
  const { shown, files, desiredDigest } = wanted;
  const besidePlan = relative(io.cwd, dirname(resolve(io.cwd, shown)));
  const { overlays = [] } = files;
  const beside = (path: string): string => (isAbsolute(path) ? path : join(besidePlan, path));
  const places = [
    { paths: files.paths.map(beside), onTop: overlays.map(beside) },
    { paths: files.paths, onTop: overlays },
  ];
  const found = await Promise.all(places.map(async ({ paths }) => presentIn(io.cwd, paths)));
  const place = places.find((_, at) => found[at]?.length !== 0);
  if (place === undefined && settings.overlays.length > 0)
    throw new UsageError(
      `--overlay needs the files that ${shown} was made from`,
      'Leave --overlay out, or name the files too: -f.',
    );
  if (place === undefined) return null;
  const onTop = settings.overlays.length > 0 ? settings.overlays : place.onTop;
  const paths = [...place.paths, ...onTop];
  // Overlays from `--overlay` are not checked here, because reading them reports a missing file anyway.
  const own = onTop === place.onTop ? paths : place.paths;
  const there = await presentIn(io.cwd, own);
  const gone = own.filter((path) => !there.includes(path));
  if (gone.length > 0) return `${shown} was also made from ${listOf(gone)}, which no longer exists`;
  const reading = await readFiles(session, place.paths, onTop);
  const unreadable = reading.diagnostics.find(({ code }) => UNREADABLE.has(code));
  if (unreadable !== undefined) throw new UsageError(unreadable.message);
  const isAsItWas = textDigest(settings, reading.sources) === files.digest;
  // If the texts are unchanged, the plan is not stale, even without the variables of the planning run.
  const { variables } = settings;
  if (isAsItWas && variables.flags.size + variables.files.length + variables.env.size === 0) return null;
  const { desired, diagnostics } = reading;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (isAsItWas && errors.length > 0 && errors.every(({ code }) => code === 'variable_unset')) return null;
  if (desired !== null && desiredDigestOf(desired) === desiredDigest) return null;
  return `${shown} is stale: ${listOf(paths)} changed since the plan was saved`;
}

/** True for a file, or a folder with YAML files. Another folder may have the same name by chance. */
async function isConfiguration(path: string, shown: string): Promise<boolean> {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return stat !== undefined;
    return (await yamlFilesBelow(shown, path, systemFiles)).found.length > 0;
  } catch (error) {
    throw new UsageError(`cannot read ${shown}: ${systemWords(error)}`);
  }
}

async function presentIn(cwd: string, paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => isConfiguration(resolve(cwd, path), path)));
  return paths.filter((_, at) => found[at]);
}

export interface Base {
  readonly request: ComparisonRequest['base'];
  readonly sources: Sources;
  /** The change of the file list; null for no change, or if the files of the run are not those of the list. */
  readonly list: GuardChange | null;
}

/**
 * Reads the same files in the folder of `--compare-with`; null without the flag. Throws UsageError if it is no folder, if a file of this
 * run is stdin or outside the working folder, or if the files have errors, which are then printed.
 */
export async function readBase(invocation: Invocation, files: readonly string[]): Promise<Base | null> {
  const { io, settings, flags } = invocation;
  const folder = flags['compareWith'];
  if (typeof folder !== 'string') return null;
  const place = resolve(io.cwd, folder);
  if (!existsSync(place) || !statSync(place).isDirectory())
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
  const paths = await presentIn(io.cwd, (isListed ? other : files).map(below));
  const overlays = await presentIn(io.cwd, settings.overlays.map(below));
  const { desired, diagnostics, sources } = await readFiles(invocation, paths, overlays);
  if (desired === null) {
    await say(invocation, diagnostics.filter(isError), sources);
    throw new UsageError(
      'the files to compare with cannot be read',
      'Without these files, trueup cannot report removed guards: fix the files, or leave out --compare-with.',
    );
  }
  const list: GuardChange | null =
    !isListed || jsonEqual([...own].sort(), [...other].sort())
      ? null
      : { change: 'changed', guard: 'files', project: null, address: null, before: [...other], after: [...own] };
  return { request: { desired, ...selectionOf(settings, desired) }, sources, list };
}

/** The file in a repository that lists its trueup files, one a line, for workflows and hooks. */
const LIST = '.github/trueup-files';
const MAX_LIST_BYTES = 65_536;
const USUAL: readonly string[] = ['trueup.yaml'];

/** The files that the repository in `folder` lists, or the default file. Throws UsageError for an unreadable list. */
function listedIn(cwd: string, folder: string): readonly string[] {
  const list = join(folder, LIST);
  if (!existsSync(resolve(cwd, list))) return USUAL;
  const lines = Buffer.from(readNamed(cwd, list, MAX_LIST_BYTES).bytes)
    .toString('utf8')
    .split(/\r?\n/);
  return lines.filter((line) => line !== '');
}

/** Makes the plan. With `base`, also compares the plan with that of the other files. */
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
