// Small files beside a store's data. Only plain files are read, because an untrusted folder could contain links.
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pid } from 'node:process';
import { errorCode } from '../../base/error-code.ts';
import { readPlain } from '../../base/files/plain-file.ts';
import { StoreError } from '../core/store.ts';

const MAX_BYTES = 64 * 1024;

export function readOwn(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const real = join(realpathSync.native(dirname(file)), basename(file));
    return Buffer.from(readPlain(real, MAX_BYTES)).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StoreError('corrupt', `${file} is not a file of this store`, { cause: error });
  }
}

/** Writes or replaces a file that only its owner can read; follows no link. */
export function writeOwn(file: string, text: string): void {
  const draft = `${file}.${pid}.tmp`;
  // A dead process with the same id may have left a draft.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, file);
}

/** Returns the line in the file; makes the file if it is missing. */
export function keptIn(file: string, make: () => string): string {
  const kept = readOwn(file)?.trim();
  if (kept !== undefined) return kept;
  const made = make();
  writeOwn(file, `${made}\n`);
  return made;
}

/** Why `folder` cannot be trusted: a link, no folder, another user's, or writable by everybody. Undefined if it can. */
export function whyForeign(folder: string, ownerId: number | undefined): string | undefined {
  const found = lstatSync(folder);
  if (found.isSymbolicLink()) return 'is a link';
  if (!found.isDirectory()) return 'is no folder';
  if (ownerId === undefined) return undefined;
  if (found.uid !== ownerId) return 'belongs to another user';
  return (found.mode & 0o002) === 0 ? undefined : 'can be written to by everybody';
}

/** Throws StoreError (corrupt) if somebody else may control the folder, because we trust the files in it. */
export function requireOwnFolder(folder: string): void {
  const why = whyForeign(folder, ourId());
  if (why !== undefined) throw new StoreError('corrupt', `${folder} ${why}: a store lies in a folder of its own user`);
}

/** Our user id; undefined if the system has no user ids, or has no name for ours. */
export function ourId(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid === -1 ? undefined : uid;
  } catch {
    return undefined;
  }
}

export function isOpenToOthers(file: string): boolean {
  return (lstatSync(file).mode & 0o077) !== 0;
}

/** Throws StoreError (corrupt) if `file` exists but is not a plain file. */
export function checkPlain(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw new StoreError('corrupt', `${file} is not a file of this store`);
}
