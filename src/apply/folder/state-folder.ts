// The tool's own folder beside the user's files: owner-only, and never part of a commit.
import { dirname } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import { writeWhole, type FileSystem } from './file-system.ts';

/** Name of the folder in the working folder that holds journal, lock and secrets. */
export const STATE_FOLDER: string = '.trueup';

/**
 * Makes the folder at `path` (0700) when there is none, with a `.gitignore` that covers all of it.
 * One that the user wrote there is left alone. Rejects with the system's error.
 */
export async function ensureStateFolder(fileSystem: FileSystem, path: string): Promise<void> {
  await ensureFolder(fileSystem, path);
  const facts = await fileSystem.facts(path);
  if (facts?.type !== 'folder') throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
  await ignoreAll(fileSystem, `${path}/.gitignore`);
}

/** Makes the folder when there is none; all that is synced within it cannot vanish with its name. */
export async function ensureFolder(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.makeFolder(path);
    await fileSystem.syncFolder(dirname(path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function ignoreAll(fileSystem: FileSystem, path: string): Promise<void> {
  const facts = await fileSystem.facts(path);
  // An empty one is what a crash between making and writing it leaves.
  if (facts !== null && facts.size > 0) return;
  try {
    await writeWhole(fileSystem, path, facts === null ? 'create' : 'write', { text: '*\n' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
