// The YAML files of a folder and its subfolders, in the order of their paths.
import { join } from 'node:path';
import { compareText } from '../../base/json.ts';
import { isWithin } from '../../base/files/plain-file.ts';

/** Paths are absolute; failures reject with the error codes of Node.js. */
export interface FileReader {
  isFolder(path: string): Promise<boolean>;
  readdir(path: string): Promise<readonly string[]>;
  realPath(path: string): Promise<string>;
  /** The real path must be a plain file inside all folders `around`; else it rejects with OUTSIDE, EINVAL, EISDIR or EFBIG. */
  readFile(path: string, around: readonly string[]): Promise<Uint8Array>;
}

/** Bound of the names in a folder and its subfolders. */
const MAX_NAMES = 250_000;

export interface FolderFiles {
  readonly found: readonly string[];
  /** Links to folders outside. */
  readonly outside: readonly string[];
  /** True if the folder has more names than the bound. */
  readonly isCut: boolean;
}

/** Searches the folder `path` (absolute), which messages call `shown`; hidden folders and node_modules are left out. */
export async function yamlFilesBelow(shown: string, path: string, files: FileReader): Promise<FolderFiles> {
  const root = await files.realPath(path);
  const found: string[] = [];
  const outside: string[] = [];
  const seen = new Set([root]);
  const open = [{ shown, path }];
  let names = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of await files.readdir(next.path)) {
      if (++names > MAX_NAMES) return { found: found.sort(compareText), outside, isCut: true };
      const inner = { shown: join(next.shown, name), path: join(next.path, name) };
      if (name.startsWith('.') || name === 'node_modules') continue;
      // The reader of the file checks its type.
      if (!(await files.isFolder(inner.path).catch(() => false))) {
        if (/\.ya?ml$/.test(name)) found.push(inner.shown);
        continue;
      }
      const real = await files.realPath(inner.path);
      if (!isWithin(root, real)) outside.push(inner.shown);
      else if (!seen.has(real)) open.push(inner);
      seen.add(real);
    }
  }
  return { found: found.sort(compareText), outside: outside.sort(compareText), isCut: false };
}
