// Finds and creates the state folder of a working folder: private to the user, and outside every work tree.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import { systemError, type FileSystem } from './file-system.ts';

const HASH_DIGITS = 12;
const LONGEST_NAME = 80;

/** Below TRUEUP_STATE_DIR, else XDG_STATE_HOME, else HOME; null if none of them names a usable folder. `cwd` is absolute. */
export function stateFolderFor(cwd: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const root = rootOf(cwd, env);
  if (root === null) return null;
  const real = realOf(cwd);
  const name =
    basename(real)
      .replace(/[^\w.-]/g, '_')
      .slice(0, LONGEST_NAME) || 'root';
  const hash = createHash('sha256').update(real).digest('hex').slice(0, HASH_DIGITS);
  return join(root, `${name}-${hash}`);
}

function rootOf(cwd: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const { TRUEUP_STATE_DIR: own = '', XDG_STATE_HOME: state = '', HOME: home = '' } = env;
  if (own !== '') return resolve(cwd, own);
  // The XDG specification says to ignore relative paths.
  if (isAbsolute(state)) return join(state, 'trueup');
  const isHome = isAbsolute(home) && statSync(home, { throwIfNoEntry: false })?.isDirectory() === true;
  return isHome ? join(home, '.local', 'state', 'trueup') : null;
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Creates the folder at `path` and its missing parents, each with mode 0700. Rejects with a system error, also if others can write to it. */
export async function ensureStateFolder(fileSystem: FileSystem, path: string): Promise<void> {
  await ensureFolder(fileSystem, path);
  const facts = await fileSystem.facts(path);
  if (facts?.type !== 'folder') throw systemError('ENOTDIR', `${path} is not a folder`);
  if ((facts.mode & 0o022) !== 0) throw systemError('EPERM', `${path} is writable by other users`);
}

/** Creates the folder and its missing parents, and syncs their names, so that a crash cannot lose a synced file with its folder. */
export async function ensureFolder(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.makeFolder(path);
  } catch (error) {
    const above = dirname(path);
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT' || above === path) throw error;
    await ensureFolder(fileSystem, above);
    await fileSystem.makeFolder(path);
  }
  await fileSystem.syncFolder(dirname(path));
}
