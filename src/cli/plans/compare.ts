// `--compare-with DIR`: the same files as they stand in a checkout of another branch, and the plan told apart from theirs.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { plural } from '../../base/text/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Sources } from '../../model/source.ts';
import { baseWarning } from '../../reconciler/compare.ts';
import type { ComparisonOutcome, PlanOutcome, PlanRequest, Reconciler } from '../../reconciler/types.ts';
import type { Invocation } from '../command.ts';
import { readFiles } from '../session/session.ts';
import { selectionOf } from '../session/shard.ts';
import { UsageError } from '../program/usage-error.ts';

/** The files of the other branch, as paths of this folder. */
export interface BaseFiles {
  readonly files: readonly string[];
  readonly overlays: readonly string[];
}

/**
 * The paths of the files below the folder of `--compare-with`; null without that flag. Throws UsageError when there is no such
 * folder, or a file has no counterpart below it (standard input, or a path that leads out of the working folder).
 */
export function baseFilesOf({ io, settings, flags }: Invocation, files: readonly string[]): BaseFiles | null {
  const folder = flags['compareWith'];
  if (typeof folder !== 'string') return null;
  if (!isFolder(resolve(io.cwd, folder)))
    throw new UsageError(`--compare-with: ${folder} is not a folder`, 'Give a checkout of the target branch.');
  const below = (file: string): string => {
    if (file === '-') throw new UsageError('--compare-with cannot be used with -f -');
    const path = relative(io.cwd, resolve(io.cwd, file));
    if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`))
      throw new UsageError(`--compare-with: ${file} does not lie in the working folder`);
    return join(folder, path);
  };
  return { files: files.map(below), overlays: settings.overlays.map(below) };
}

interface Planned extends PlanOutcome {
  readonly comparison: ComparisonOutcome['comparison'];
  /** Texts of the other files, for code frames. */
  readonly sources: Sources;
}

/** The plan; with `base`, the paths of the other files, compared with what they ask for. */
export async function planOf(
  invocation: Invocation,
  reconciler: Reconciler,
  { request, base }: { readonly request: PlanRequest; readonly base: BaseFiles | null },
): Promise<Planned> {
  if (base === null) return { ...(await reconciler.plan(request)), comparison: null, sources: new Map() };
  const { io, settings } = invocation;
  const { desired, diagnostics, sources } = await readFiles(io, settings, base.files, base.overlays);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const compared = await reconciler.compare({
    ...request,
    base: desired === null ? null : { desired, ...selectionOf(settings, desired) },
  });
  const [first] = errors;
  if (first === undefined) return { ...compared, sources };
  const warning = unusable(first, errors.length - 1);
  return {
    ...compared,
    diagnostics: [...compared.diagnostics, warning],
    plan: compared.plan && { ...compared.plan, diagnostics: [...compared.plan.diagnostics, warning] },
    record: compared.record && { ...compared.record, after: [...compared.record.after, warning] },
    sources,
  };
}

function unusable({ message, range }: Diagnostic, further: number): Diagnostic {
  const more = further === 0 ? '' : ` (and ${plural(further, 'further error')})`;
  return { ...baseWarning(`${message}${more}`), ...(range === undefined ? {} : { range }) };
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
