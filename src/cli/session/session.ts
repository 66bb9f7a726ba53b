// The parts that most commands share: read files, report problems, size the output.
import { join, relative } from 'node:path';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { shareOf } from '../../config/limits.ts';
import type { LoadResult } from '../../config/load.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { Sources } from '../../model/source.ts';
import type { HumanOptions } from '../../render/text/style.ts';
import type { PlanContext } from '../../render/view/plan-context.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import { loadFiles } from '../../reconciler/load.ts';
import { appendEvent } from '../output/event-stream.ts';
import { readStdinFor } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import type { Destination } from '../output/output.ts';
import type { Settings } from '../program/settings.ts';

/** Tables need some width; progress is redrawn and needs the real width of the terminal. */
const LEAST_COLUMNS: Readonly<Record<Destination, number>> = { stdout: 60, file: 60, stderr: 20 };

/** Colour, width and detail for text on stdout or stderr; text in a file is plain and 80 columns wide. */
export function humanOptions(io: Io, settings: Settings, place: Destination): HumanOptions {
  const terminal = place !== 'file' && io[place].isTerminal ? io[place] : null;
  return {
    color: place !== 'file' && settings.colour[place],
    width: Math.min(120, Math.max(LEAST_COLUMNS[place], terminal === null ? 80 : terminal.columns)),
    verbose: settings.verbosity === 'full',
  };
}

/** The header of a plan; `files` if they differ from the settings. */
export function planContext(settings: Settings, files: Partial<Pick<PlanContext, 'files' | 'overlays'>>): PlanContext {
  const { cwd, local, orgId, overlays, stateDir } = settings;
  const isUsual = local === null || (stateDir !== null && local === join(stateDir, 'local'));
  return {
    local: isUsual ? null : relative(cwd, local) || local,
    orgId,
    files: settings.files,
    overlays,
    ...files,
  };
}

/** The same for tables: as wide as the terminal; elsewhere one line for each row, as programs read lines. */
export function tableOptions(io: Io, settings: Settings, place: Destination): Pick<HumanOptions, 'color' | 'width'> {
  const options = humanOptions(io, settings, place);
  const terminal = place !== 'file' && io[place].isTerminal ? io[place] : null;
  return { ...options, width: terminal === null ? Infinity : Math.max(options.width, terminal.columns) };
}

/** The desired state, with its source texts and warnings. */
export interface DesiredFiles extends Pick<LoadResult, 'sources' | 'diagnostics'> {
  readonly desired: DesiredState;
}

/** Reads the files and overlays of the settings, or the given ones; sends nothing. */
export async function readFiles(
  io: Io,
  settings: Settings,
  files: readonly string[] = settings.files,
  overlays: readonly string[] = files.length === 0 ? [] : settings.overlays,
): Promise<LoadResult> {
  io.watch(shareOf(settings.maxEntries));
  return loadFiles({
    paths: files,
    overlays,
    safetyFiles: settings.safetyFiles,
    maxEntries: settings.maxEntries,
    cwd: io.cwd,
    stdin: async () => readStdinFor('-f', io),
    variables: settings.variables,
  });
}

/** Like `readFiles`; prints the problems and returns null if there are errors. */
export async function readDesired(io: Io, settings: Settings, files?: readonly string[]): Promise<DesiredFiles | null> {
  const { desired, sources, diagnostics } = await readFiles(io, settings, files);
  if (desired !== null && !hasErrors(diagnostics)) return { desired, sources, diagnostics };
  await say(io, settings, diagnostics, sources);
  return null;
}

/** The limits of the operator's files (`--safety`, TRUEUP_SAFETY_FILE) alone; null if they have errors, which are printed. */
export async function readLimits(io: Io, settings: Settings): Promise<DesiredState['safety'] | null> {
  return settings.safetyFiles.length === 0 ? [] : ((await readDesired(io, settings, []))?.desired.safety ?? null);
}

/** Prints problems on stderr, and keeps them for the machine formats. `goesOn`: the command continues; default: without errors. */
export async function say(
  io: Io,
  settings: Settings,
  diagnostics: readonly Diagnostic[],
  sources: Sources = new Map(),
  goesOn?: boolean,
): Promise<void> {
  for (const diagnostic of diagnostics) {
    io.said.push(diagnostic);
    appendEvent(settings, { type: 'diagnostic', atMs: io.clock.nowMs(), diagnostic });
  }
  const told =
    settings.verbosity === 'quiet' ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics;
  const text = renderDiagnostics(told, { ...humanOptions(io, settings, 'stderr'), sources });
  // A blank line separates the problems from further output.
  await io.stderr.write(text === '' || !(goesOn ?? !hasErrors(told)) ? text : `${text}\n`);
}

/** The problems that keep projects and sections from being planned or compared. */
export function unplannedIn(outcome: Pick<Plan, 'unplanned'> | null): readonly Diagnostic[] {
  return (outcome?.unplanned ?? []).flatMap(({ diagnostics }) => diagnostics);
}

/** The files of the settings; words name further files, or replace the default. */
export function filesOf(settings: Settings, words: readonly string[]): readonly string[] {
  if (words.length === 0) return settings.files;
  return settings.hasFileFlag ? [...settings.files, ...words] : words;
}
