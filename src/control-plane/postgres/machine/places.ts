// The folders of Postgres: our user owns the outer ones, and the user of Postgres owns the inner ones.
import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorksError } from '../../resources/engine/engine.ts';
import { ourId, whyForeign } from '../../store/own-file.ts';
import { run, type SystemUser } from './programs.ts';

export interface Places {
  readonly data: string;
  readonly run: string;
  /** A folder of the user of Postgres. Its path is short, because the system limits the length of socket paths. */
  readonly sockets: string;
  readonly isEphemeral: boolean;
}

/** The folder for the data if we run as root and the user of Postgres cannot reach the folder of the store. */
const SYSTEM_FOLDER = '/var/lib/trueup';
const SEARCHABLE = 0o711;

/** Makes the folders. Without `store`, data lasts for one run; `user` may only traverse our folders. Throws WorksError. */
export async function makePlaces(
  { store, storeId }: { readonly store: string | undefined; readonly storeId: string },
  user: SystemUser | undefined,
): Promise<Places> {
  const kept = store === undefined ? undefined : await dataFolder(store, storeId, user);
  if (kept !== undefined) makeOurs(kept, user);
  const runFolder = mkdtempSync(join(tmpdir(), 'trueup-pg-'));
  makeOurs(runFolder, user);
  const sockets = join(runFolder, 'sockets');
  makeOwn(sockets, user);
  const data = kept ?? join(runFolder, 'data');
  if (kept === undefined) makeOurs(data, user);
  return { data, run: runFolder, sockets, isEphemeral: kept === undefined };
}

async function dataFolder(store: string, storeId: string, user: SystemUser | undefined): Promise<string> {
  requireFolder(store, ourId());
  const below = join(store, 'postgres');
  if (user === undefined) return below;
  const isReachable = (): Promise<boolean> =>
    run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', store], user).then(
      () => true,
      () => false,
    );
  const modeBefore = lstatSync(store).mode & 0o777;
  chmodSync(store, modeBefore | SEARCHABLE);
  if (lstatSync(below, { throwIfNoEntry: false }) !== undefined || (await isReachable())) return below;
  chmodSync(store, modeBefore);
  makeOurs(SYSTEM_FOLDER, user);
  return join(SYSTEM_FOLDER, fileName(storeId));
}

/** A file name for an id: the id itself, or its hash if it has characters that are unsafe in a path. */
export function fileName(id: string): string {
  return /^[\w-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

function requireFolder(folder: string, ownerId: number | undefined): void {
  const why = whyForeign(folder, ownerId);
  if (why !== undefined)
    throw new WorksError(`${folder} ${why}: Postgres runs only on data in a folder of this server's own`);
}

export function requireOwn(folder: string, user: SystemUser | undefined): void {
  requireFolder(folder, user?.uid ?? ourId());
}

/** Makes a folder that our user owns, unless it exists. Throws WorksError if the path holds something else. */
export function makeOurs(folder: string, user: SystemUser | undefined): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(folder, { mode: 0o700 });
  requireFolder(folder, ourId());
  chmodSync(folder, user === undefined ? 0o700 : SEARCHABLE);
}

/** Makes a folder that only the user of Postgres can open, inside a folder of ours. */
export function makeOwn(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user !== undefined) lchownSync(folder, user.uid, user.gid);
}

/** Writes a file that only the user of Postgres can read, inside a folder of ours. */
export function writeOwn(file: string, text: string, user: SystemUser | undefined): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
}

/** Writes a file as the user of Postgres, so that a link in that user's folder cannot redirect the text to a file of ours. */
export async function writeWithin(file: string, text: string, user: SystemUser | undefined): Promise<void> {
  await run('/bin/sh', ['-c', 'umask 077; printf %s "$2" > "$1"', 'sh', file, text], user);
}

/** Removes files and folders as `user`. Follows no link, even if somebody changes the folders meanwhile. */
export async function remove(paths: readonly string[], user?: SystemUser): Promise<void> {
  if (paths.length > 0) await run('/bin/rm', ['-rf', '--', ...paths], user);
}
