// Warns about state files that an earlier release left in the working folder.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { inert } from '../../base/text/inert.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import type { Session } from '../command.ts';
import { say } from './session.ts';

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
