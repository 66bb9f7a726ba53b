// The files that a saved plan was made from: what they were, where they are by now, and whether they say something else.
import { systemWords } from '../../base/error-code.ts';
import { desiredDigestOf } from '../../model/desired.ts';
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { digestOf } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { systemFiles, yamlFilesBelow } from '../../config/files/read-files.ts';
import type { Sources } from '../../model/source.ts';
import type { PlannedFiles } from '../../plan/json/plan-json.ts';
import type { Session } from '../command.ts';
import { readFiles } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../program/usage-error.ts';

export function plannedFiles(settings: Settings, paths: readonly string[], sources: Sources): PlannedFiles {
  const { overlays } = settings;
  return { paths, ...(overlays.length === 0 ? {} : { overlays }), digest: textDigest(settings, sources) };
}

/** Limits and variables come with the run and are no part of it. */
function textDigest({ safetyFiles, variables }: Settings, sources: Sources): string {
  const besides = new Set([...safetyFiles, ...variables.files]);
  return digestOf([...sources].filter(([name]) => !besides.has(name)).map(([, text]) => text));
}

interface Wanted {
  readonly shown: string;
  readonly files: PlannedFiles;
  readonly desiredDigest: string;
}

const UNREADABLE: readonly string[] = [
  'file_unreadable',
  'file_not_found',
  'file_too_large',
  'files_too_large',
  'not_a_file',
  'outside_folder',
];

/**
 * Looks for the files where the plan was made: beside the plan, else from the working folder; overlays that are given take the place of
 * the plan's. Why they are not those of the plan any more; null when they are as they were, mean the same, or are not on this machine. Throws UsageError where they cannot be read.
 */
export async function otherFiles(session: Session, wanted: Wanted): Promise<string | null> {
  const { io, settings } = session;
  const { shown, files, desiredDigest } = wanted;
  const besidePlan = relative(io.cwd, dirname(resolve(io.cwd, shown)));
  const isThere = async (path: string): Promise<boolean> => isConfiguration(resolve(io.cwd, path), path);
  const { overlays = [] } = files;
  const beside = (path: string): string => (isAbsolute(path) ? path : join(besidePlan, path));
  const places = [
    { paths: files.paths.map(beside), onTop: overlays.map(beside) },
    { paths: files.paths, onTop: overlays },
  ];
  const [place] = await filtered(places, async (one) => (await filtered(one.paths, isThere)).length > 0);
  if (place === undefined && settings.overlays.length > 0)
    throw new UsageError(
      `--overlay needs the files that ${shown} was made from`,
      'Leave --overlay out, or name the files too: -f.',
    );
  if (place === undefined) return null;
  const onTop = settings.overlays.length > 0 ? settings.overlays : place.onTop;
  const paths = [...place.paths, ...onTop];
  // A file that is given and missing is an input error, as elsewhere.
  const own = onTop === place.onTop ? paths : place.paths;
  const there = await filtered(own, isThere);
  const gone = own.filter((path) => !there.includes(path));
  if (gone.length > 0) return `${shown} was also made from ${listOf(gone)}, which no longer exists`;
  const reading = await readFiles(session, place.paths, onTop);
  const unreadable = reading.diagnostics.find(({ code }) => UNREADABLE.includes(code));
  if (unreadable !== undefined) throw new UsageError(unreadable.message);
  const isAsItWas = textDigest(settings, reading.sources) === files.digest;
  // The variables of the run that planned need not be known here.
  if (isAsItWas && !givesVariables(settings)) return null;
  const { desired, diagnostics } = reading;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (isAsItWas && errors.length > 0 && errors.every(({ code }) => code === 'variable_unset')) return null;
  if (desired !== null && desiredDigestOf(desired) === desiredDigest) return null;
  return `${shown} is stale: ${listOf(paths)} changed since the plan was saved`;
}

function givesVariables({ variables }: Settings): boolean {
  return variables.flags.size + variables.files.length + variables.env.size > 0;
}

/**
 * True for a file, and for a folder with files to read: that a folder is there does not tell that it is the plan's. Throws
 * UsageError where that cannot be seen.
 */
export async function isConfiguration(path: string, shown: string): Promise<boolean> {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return stat !== undefined;
    return (await yamlFilesBelow(shown, path, systemFiles)).found.length > 0;
  } catch (error) {
    throw new UsageError(`cannot read ${shown}: ${systemWords(error)}`);
  }
}

async function filtered<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const kept: T[] = [];
  for (const item of items) if (await test(item)) kept.push(item);
  return kept;
}
