// The tool's own folder must never come with a commit: what lies in it would be somebody else's word taken for this machine's memory.
import { basename, dirname, join, relative, sep } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, type FileSystem } from './file-system.ts';
import { deepestFolder, gitFolderOf, workTreeOf } from './git-folder.ts';
import { indexNames } from './git-index.ts';

const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/** Why the folder at `folder` (absolute) must not be read, in words; null when no work tree around it tracks anything there. */
export async function trackedState(fileSystem: FileSystem, folder: string): Promise<string | null> {
  try {
    return await problemOf(fileSystem, folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === '') throw error;
    return `${folder} cannot be looked at (${code}), so that nobody knows what git tracks in it`;
  }
}

async function problemOf(fileSystem: FileSystem, folder: string): Promise<string | null> {
  const parent = await deepestFolder(fileSystem, dirname(folder));
  const inside = join(relative(parent.given, dirname(folder)), basename(folder));
  const real = join(parent.real, inside);
  for (let root = await workTreeOf(fileSystem, parent.real); root !== null; root = await aboveOf(fileSystem, root)) {
    const problem = await trackedIn(fileSystem, root, relative(root, real));
    if (problem !== null) return problem;
  }
  return null;
}

async function aboveOf(fileSystem: FileSystem, root: string): Promise<string | null> {
  return dirname(root) === root ? null : workTreeOf(fileSystem, dirname(root));
}

async function trackedIn(fileSystem: FileSystem, root: string, folder: string): Promise<string | null> {
  const names = await namesIn(fileSystem, root);
  if (names === null)
    return `the index of the git work tree ${root} cannot be read, so that nobody knows what it tracks`;
  const wanted = folded(folder.split(sep).join('/'));
  const found = names.find((name) => isAtOrBelow(folded(name), wanted));
  return found === undefined ? null : `git tracks ${found}`;
}

/** Null when the index cannot be read. Without an index nothing is tracked. */
async function namesIn(fileSystem: FileSystem, root: string): Promise<readonly string[] | null> {
  try {
    const folder = await gitFolderOf(fileSystem, root);
    const own = await indexAt(fileSystem, join(folder, 'index'));
    if (own === 'none') return [];
    if (own === null) return null;
    if (own.base === null) return own.names;
    const shared = await indexAt(fileSystem, join(folder, `sharedindex.${own.base}`));
    return shared === null || shared === 'none' ? own.names : [...shared.names, ...own.names];
  } catch {
    return null;
  }
}

async function indexAt(fileSystem: FileSystem, path: string): Promise<ReturnType<typeof indexNames> | 'none'> {
  try {
    return indexNames(await readWhole(fileSystem, path, MAX_INDEX_BYTES));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 'none';
    throw error;
  }
}

function isAtOrBelow(name: string, folder: string): boolean {
  return name.startsWith(folder) && (name.length === folder.length || name[folder.length] === '/');
}

// Characters that some file systems do not see in a name.
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The form in which names are equal that any file system takes for one. */
function folded(path: string): string {
  const isPlain = /^[a-z0-9/_.-]*$/.test(path);
  const seen = isPlain ? path : path.replace(UNSEEN, '').normalize('NFKC').toLowerCase();
  // Windows drops dots and spaces at the end of a name.
  return /[. ](?:\/|$)/.test(seen) ? seen.replace(/[. ]+(?=\/|$)/g, '') : seen;
}
