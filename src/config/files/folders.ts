// What a folder stands for: the YAML files in it and in its subfolders, in the order of their paths.
import { join } from 'node:path';
import { compareText } from '../../base/json.ts';
import { isWithin } from '../../base/files/plain-file.ts';

interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly sizeBytes: number;
}

/** The part of a file system that is needed here. Paths are absolute; failures reject with Node's error codes. */
export interface FileReader {
  stat(path: string): Promise<FileFacts>;
  readdir(path: string): Promise<readonly string[]>;
  /** The path without links. */
  realPath(path: string): Promise<string>;
  /** Of a plain file that lies in all folders `around` once links are followed; else it rejects with OUTSIDE, EINVAL, EISDIR or EFBIG. */
  readFile(path: string, around: readonly string[]): Promise<Uint8Array>;
}

/** Names that are looked at in one folder with all its subfolders. */
const MAX_NAMES = 250_000;

export interface FolderFiles {
  readonly found: readonly string[];
  /** Links to folders elsewhere. */
  readonly outside: readonly string[];
  /** There is more than is looked at. */
  readonly isCut: boolean;
}

/** Whether a file of this name is read where its folder is given. */
function isRead(name: string): boolean {
  return /\.ya?ml$/.test(name) && !name.startsWith('.');
}

/** Looks through the folder `path` (absolute), which people know as `shown`; hidden folders and node_modules are left out. */
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
      // A file whose name says that it is read is looked at when its turn comes, whatever it is.
      const isFolder = (await kindOf(inner.path, files)) === 'folder';
      if (!isFolder && isRead(name)) found.push(inner.shown);
      if (!isFolder) continue;
      const real = await files.realPath(inner.path);
      if (!isWithin(root, real)) outside.push(inner.shown);
      else if (!seen.has(real)) open.push(inner);
      seen.add(real);
    }
  }
  return { found: found.sort(compareText), outside: outside.sort(compareText), isCut: false };
}

async function kindOf(path: string, files: FileReader): Promise<string> {
  try {
    return (await files.stat(path)).kind;
  } catch {
    return 'nothing';
  }
}
