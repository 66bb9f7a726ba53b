// The folder in which trueup keeps things for one working folder: the user's own, outside of every work tree, closed to others.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import { systemError, type FileSystem } from './file-system.ts';

const HASH_DIGITS = 12;
const LONGEST_NAME = 80;

/**
 * Where things are kept for the working folder `cwd` (absolute): below TRUEUP_STATE_DIR, else XDG_STATE_HOME, else HOME. Null where none of
 * them names a folder that can be used; nothing is made.
 */
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
  // The specification of these folders has relative ones left out.
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

/** Makes the folder at `path` and those above it, 0700 each, where they are missing. Rejects with the system's error. */
export async function ensureStateFolder(fileSystem: FileSystem, path: string): Promise<void> {
  await ensureFolder(fileSystem, path);
  const facts = await fileSystem.facts(path);
  if (facts?.type !== 'folder') throw systemError('ENOTDIR', `${path} is not a folder`);
  if ((facts.mode & 0o022) !== 0) throw systemError('EPERM', `${path} is writable by other users`);
}

/** Makes the folder, and those above it, where there is none; all that is synced within it cannot vanish with its name. */
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
