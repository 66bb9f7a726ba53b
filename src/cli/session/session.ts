// Steps that most commands share: reporting problems, choosing the form of output, telling of an old folder.
import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { Sources } from '../../model/source.ts';
import type { HumanOptions } from '../../render/text/style.ts';
import type { PlanContext } from '../../render/view/plan-rows.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import type { Session, Invocation } from '../command.ts';
import { appendEvent } from '../output/event-stream.ts';
import type { Settings } from '../program/settings.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { inert } from '../../base/text/inert.ts';

/** The destination of a text for people. A file never counts as a terminal, even if stdout is one. */
export type Destination = 'stdout' | 'stderr' | 'file';

/** The minimum width of text, because tables and attributes need it. */
const LEAST_COLUMNS = 60;

/** Color, width and detail of text on stdout or stderr. Text in a file is plain and 80 columns wide. */
export function humanOptions({ io, settings }: Session, place: Destination): HumanOptions {
  return {
    color: place !== 'file' && settings.colour[place],
    width: Math.min(120, Math.max(LEAST_COLUMNS, terminalColumns(io, place) ?? 80)),
    verbose: settings.verbosity === 'full',
  };
}

/** The options of a table. Outside a terminal, each row is one line of any width, because programs read lines. */
export function tableOptions(session: Session, place: Destination): Pick<HumanOptions, 'color' | 'width'> {
  const options = humanOptions(session, place);
  const columns = terminalColumns(session.io, place);
  return { ...options, width: columns === null ? Infinity : Math.max(options.width, columns) };
}

function terminalColumns(io: Session['io'], place: Destination): number | null {
  return place !== 'file' && io[place].isTerminal ? io[place].columns : null;
}

/** The facts for the context rows of a plan. `files` replaces the files and overlays of the settings. */
export function planContext(settings: Settings, files: Partial<Pick<PlanContext, 'files' | 'overlays'>>): PlanContext {
  const { cwd, local, orgId, overlays, stateDir } = settings;
  const isUsual = local === null || (stateDir !== null && local === join(stateDir, 'local'));
  const folder = isUsual ? null : relative(cwd, local) || local;
  return { local: folder, orgId, files: settings.files, overlays, ...files };
}

/** Prints problems on stderr and keeps them for machine formats. `goesOn`: the command continues (default: without errors). */
export async function say(
  session: Session,
  diagnostics: readonly Diagnostic[],
  sources: Sources = new Map(),
  goesOn?: boolean,
): Promise<void> {
  const { io, settings } = session;
  for (const diagnostic of diagnostics) {
    io.said.push(diagnostic);
    appendEvent(settings, { type: 'diagnostic', atMs: io.clock.nowMs(), diagnostic });
  }
  const shown = settings.verbosity === 'quiet' ? diagnostics.filter(isError) : diagnostics;
  const text = renderDiagnostics(shown, { ...humanOptions(session, 'stderr'), sources });
  // A blank line separates the problems from later output of a command that continues.
  await io.stderr.write(text === '' || !(goesOn ?? !hasErrors(shown)) ? text : `${text}\n`);
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

export function unplannedIn(outcome: Pick<Plan, 'unplanned'> | null): readonly Diagnostic[] {
  return (outcome?.unplanned ?? []).flatMap(({ diagnostics }) => diagnostics);
}

/** The files of the run. `words` (positional arguments) are added to those of -f, or replace the default file. */
export function filesOf(settings: Settings, words: readonly string[]): readonly string[] {
  if (words.length === 0) return settings.files;
  return settings.hasFileFlag ? [...settings.files, ...words] : words;
}

const SPELLED = {
  file: '-f ',
  overlay: '--overlay ',
  local: '--local=',
  baseUrl: '--base-url ',
  orgId: '--org-id ',
} as const;

/** The flags that the user must type again, such as ` -f infra --local`; empty for none. */
export function typedAgain({ flags }: Pick<Invocation, 'flags'>, names: readonly (keyof typeof SPELLED)[]): string {
  const words = names.flatMap((name) =>
    [flags[name] ?? []].flat().map((value) => {
      const text = String(value);
      return text === '' ? SPELLED[name].slice(0, -1) : `${SPELLED[name]}${inert(shellWord(text), 400)}`;
    }),
  );
  return words.map((word) => ` ${word}`).join('');
}

/** In this folder below the working folder, earlier releases kept their state. */
const OLD_FOLDER = '.trueup';
const OLD_NAMES = ['journal', 'local', 'secrets', 'drift-runs.json'];

/** Warns that files in the old folder are not read any more, and prints commands that move them. */
export async function tellOldFolder(session: Session): Promise<void> {
  const { io, settings } = session;
  const { cwd, stateDir, verbosity } = settings;
  const old = join(cwd, OLD_FOLDER);
  if (lstatSync(old, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const names = OLD_NAMES.filter((name) => lstatSync(join(old, name), { throwIfNoEntry: false }) !== undefined);
  if (names.length === 0) return;
  const message = `${OLD_FOLDER} in the working folder is no longer read: trueup keeps its files in the state folder`;
  const hint =
    stateDir === null
      ? 'Set HOME or TRUEUP_STATE_DIR and run the command again: the hint then has the commands that keep the content.'
      : 'If the folder is not part of a commit, run these commands to keep its content:';
  await say(session, [{ severity: 'warning', code: 'old_state_folder', message, hint }], new Map(), false);
  if (verbosity === 'quiet' || stateDir === null) return;
  const word = (path: string): string => inert(shellWord(path), 4000);
  const moves = names.map((name) => `  mv ${word(join(old, name))} ${word(join(stateDir, name))}\n`);
  await io.stderr.write(`  mkdir -p -m 700 ${word(stateDir)}\n${moves.join('')}\n`);
}
