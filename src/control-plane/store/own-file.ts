// The small files that a store keeps beside its data: read only as what they are, since a folder may have come from somewhere.
import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
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

const MAX_DRAFTS = 20;
let drafts = 0;

/** Writes the text under a name beside `file` that nobody has taken, nor laid a link at, for its owner alone. Returns that name. */
export function writeDraft(file: string, text: string): string {
  for (let attempt = 1; ; attempt++) {
    const draft = `${file}.${pid}.${drafts++}.tmp`;
    try {
      writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
      return draft;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || attempt === MAX_DRAFTS) throw error;
    }
  }
}

/** Throws StoreError (corrupt) for a folder that is a link, or that others may put files into: what lies there would be believed. */
export function requireOwnFolder(folder: string): void {
  const found = lstatSync(folder);
  const { uid, mode } = found;
  const ownId = ourId();
  const why = found.isSymbolicLink()
    ? 'is a link'
    : ownId === undefined
      ? false
      : (uid !== ownId && 'belongs to another user') || ((mode & 0o002) !== 0 && 'can be written to by everybody');
  if (why !== false) throw new StoreError('corrupt', `${folder} ${why}: a store lies in a folder of its own user`);
}

/** Undefined where the system knows no such ids, or has no name for ours. */
function ourId(): number | undefined {
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

/** Throws StoreError (corrupt) where something else than a plain file stands there. */
export function checkPlain(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw new StoreError('corrupt', `${file} is not a file of this store`);
}
