// Reads plain files whole, without waiting for a device or pipe; limits where their paths lead; makes folders.
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { errorCode } from '../error-code.ts';

export interface PlainFile {
  readonly bytes: Uint8Array;
  /** The permission bits, without the file type. */
  readonly mode: number;
}

export const OUTSIDE = 'OUTSIDE';

/**
 * Reads the plain file at `path` (absolute), which must lie in all folders `around` after its links are followed. Throws a system error,
 * or an error with the code OUTSIDE, EINVAL or EISDIR (not a plain file), ELOOP (changed while read) or EFBIG.
 */
export function readWithin(path: string, around: readonly string[], maxBytes: number): PlainFile {
  const real = realpathSync.native(path);
  if (isOfSystem(real)) throw problem('EINVAL', 'it is not a plain file');
  if (around.some((folder) => !isWithin(realpathSync.native(folder), real)))
    throw problem(OUTSIDE, 'it leads out of its folder');
  return openedPlain(real, maxBytes);
}

/** Throws as `readWithin` does; `real` is a path without links. */
export function readPlain(real: string, maxBytes: number): Uint8Array {
  return openedPlain(real, maxBytes).bytes;
}

function openedPlain(real: string, maxBytes: number): PlainFile {
  const harden = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
  const file = openSync(real, constants.O_RDONLY | harden);
  try {
    const opened = fstatSync(file);
    if (!opened.isFile()) throw problem(opened.isDirectory() ? 'EISDIR' : 'EINVAL', 'it is not a plain file');
    const found = statSync(real);
    if (realpathSync.native(real) !== real || found.dev !== opened.dev || found.ino !== opened.ino)
      throw problem('ELOOP', 'the file changed while it was read');
    return { bytes: readAll(file, opened.size, maxBytes), mode: opened.mode & 0o7777 };
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, size: number, maxBytes: number): Uint8Array {
  if (size > maxBytes) throw problem('EFBIG', 'it is too large');
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  throw problem('EFBIG', 'the file grew while it was read');
}

function problem(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** True also for the folder itself; both paths are absolute. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/**
 * Returns the real folders (absolute) in which the file or folder `named` must lie after all links are followed. A path within the working
 * folder must stay there. A path outside must stay in the file's own folder. A path that begins with `..` must stay below the folder that
 * the dots name, because the rest may have come with a commit.
 */
export function foldersAround(cwd: string, named: string, kind: 'file' | 'folder'): readonly string[] {
  const path = resolve(cwd, named);
  if (isWithin(cwd, path)) return [cwd];
  const own = kind === 'file' ? [dirname(path)] : [];
  return isAbsolute(named) ? own : [...own, resolve(cwd, /^(?:\.\.?(?:[\\/]+|$))*/.exec(named)?.[0] ?? '.')];
}

/** True for files that the system provides, such as processes and devices, but not for named shared memory (/dev/shm). */
export function isOfSystem(real: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(real) && !real.startsWith('/dev/shm/');
}

/** Makes a folder and its missing parents. Throws a system error even below /proc, where Node's recursive `mkdir` never returns. */
export function makeFolders(path: string, mode: number = 0o777): void {
  const above = dirname(path);
  for (let isBelow = false; ; isBelow = true)
    try {
      mkdirSync(path, mode);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST' && statSync(path).isDirectory()) return;
      if (code !== 'ENOENT' || isBelow || above === path) throw error;
      makeFolders(above, mode);
    }
}
