// The folders and programs that a run uses besides its files: none of them may have come with a commit.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { treesOf } from '../../base/files/work-tree.ts';
import { inert } from '../../base/text/inert.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { programProblem, secretsFolderProblem } from '../../apply/sinks/index.ts';
import type { Session } from '../command.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../program/usage-error.ts';
import { say } from './session.ts';

/** Throws UsageError where the secrets folder that was named, or the program of a sink, lies in a work tree. */
export function refuseTreeFolders({ io: { cwd, env }, settings }: Session, inputs: readonly string[]): void {
  const { secretsDir, sinks } = settings;
  const folder = secretsDir === null ? null : secretsFolderProblem(secretsDir, cwd, inputs);
  const ground = { workDir: cwd, trees: treesOf(cwd, inputs), env };
  const programs = [...sinks].map(([name, program]) => programProblem(name, program, ground));
  const problem = [folder, ...programs].find((one) => one !== null);
  if (problem === null || problem === undefined) return;
  const { code, message, hint = null } = problem;
  throw new UsageError(message, hint, code as UsageError['code']);
}

export function inputsOfRun(settings: Settings, words: readonly string[]): readonly string[] {
  const { files, overlays, variables, safetyFiles } = settings;
  return [...files, ...overlays, ...variables.files, ...safetyFiles, ...words].filter((path) => path !== '-');
}

/** The folder in which earlier releases kept things, below the working folder. */
const OLD_FOLDER = '.trueup';
const OLD_NAMES = ['journal', 'local', 'secrets', 'drift-runs.json'];

/** Says that what lies there is not read any more, and prints the lines that keep it. */
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
