// Where git keeps what it knows of a work tree: found by looking for `.git` upwards, as plain files, without asking git.
import { dirname, join, resolve } from 'node:path';
import { isNothingThere, readWhole, type FileSystem } from './file-system.ts';

const MAX_LINK_BYTES = 64 * 1024;

/** The folder at `folder` or above it that holds a `.git`; null when none does. Absolute, without symlinks. */
export async function workTreeOf(fileSystem: FileSystem, folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await fileSystem.facts(join(at, '.git'))) !== null) return at;
    if (dirname(at) === at) return null;
  }
}

/** Git's folder of the work tree `root`: `.git`, or what the file of that name points to. */
export async function gitFolderOf(fileSystem: FileSystem, root: string): Promise<string> {
  const path = join(root, '.git');
  if ((await fileSystem.facts(path))?.type !== 'file') return path;
  const text = new TextDecoder().decode(await readWhole(fileSystem, path, MAX_LINK_BYTES));
  const target = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
  return target === undefined ? path : resolve(root, target);
}

/** The deepest folder on the way to `path` that exists, as given and without symlinks. */
export async function deepestFolder(
  fileSystem: FileSystem,
  path: string,
): Promise<{ readonly given: string; readonly real: string }> {
  for (let given = path; ; given = dirname(given)) {
    try {
      return { given, real: await fileSystem.realPath(given) };
    } catch (error) {
      if (!isNothingThere(error) || dirname(given) === given) throw error;
    }
  }
}
