// Steps that most commands share: reporting problems, choosing the form of output.
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
