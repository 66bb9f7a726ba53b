// The folders of Postgres: ours, for data of branches and settings of the run; and in these, what belongs to the user of Postgres.
import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { WorksError } from '../../resources/engine/engine.ts';
import { run, type SystemUser } from './run.ts';

/** Folders that nobody else can put anything into, so that no link leads us elsewhere. */
export interface Places {
  /** Holds the data of all branches, and of the replicas: a folder of the user of Postgres for each. */
  readonly data: string;
  /** Settings and certificates of this run. */
  readonly run: string;
  /** A folder of the user of Postgres; its path is short, since that of a socket must be. */
  readonly sockets: string;
  /** The data go away with this run, as the folder of the run does. */
  readonly isEphemeral: boolean;
}

/** Folder of root's data if the user of Postgres cannot reach the folder of the store. */
const SYSTEM_FOLDER = '/var/lib/trueup';
const SEARCHABLE = 0o711;

/**
 * Makes the folders. `store` is the folder of the store (absent: the data goes away with this run), `storeId` identifies it.
 * If the processes have a user of their own, that user may search our folders; files stay closed. Throws WorksError.
 */
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
  const modeBefore = lstatSync(store).mode & 0o777;
  chmodSync(store, modeBefore | SEARCHABLE);
  if (lstatSync(below, { throwIfNoEntry: false }) !== undefined || (await isReachable(store, user))) return below;
  chmodSync(store, modeBefore);
  makeOurs(SYSTEM_FOLDER, user);
  return join(SYSTEM_FOLDER, fileName(storeId));
}

async function isReachable(folder: string, user: SystemUser): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);
    return true;
  } catch {
    return false;
  }
}

function ourId(): number {
  return userInfo().uid;
}

/** An id as a name in a folder: as it is, unless seed data or somebody else's store has another kind. */
export function fileName(id: string): string {
  return /^[\w-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

/** Throws WorksError for a link, for what is no folder, for a folder of somebody else, and for one that everybody may write to. */
function requireFolder(folder: string, ownerId: number): void {
  const found = lstatSync(folder);
  const isWritable = (found.mode & 0o002) !== 0;
  const why = found.isSymbolicLink()
    ? 'is a link'
    : found.isDirectory()
      ? (found.uid !== ownerId && 'belongs to another user') || (isWritable && 'can be written to by everybody')
      : 'is no folder';
  if (why !== false)
    throw new WorksError(`${folder} ${why}: Postgres runs only on data in a folder of this server's own`);
}

export function requireOwn(folder: string, user: SystemUser | undefined): void {
  requireFolder(folder, user?.uid ?? ourId());
}

/** Makes a folder that is ours, unless it is there. Throws WorksError where something else is. */
export function makeOurs(folder: string, user: SystemUser | undefined): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(folder, { mode: 0o700 });
  requireFolder(folder, ourId());
  chmodSync(folder, user === undefined ? 0o700 : SEARCHABLE);
}

/** Makes a new folder for the user of Postgres alone, in one of ours. */
export function makeOwn(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user !== undefined) lchownSync(folder, user.uid, user.gid);
}

/** Writes a file for the user of Postgres alone, in one of our folders. */
export function writeOwn(file: string, text: string, user: SystemUser | undefined): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
}

/** Writes a file into a folder of the user of Postgres, as that user: a link there leads us nowhere. */
export async function writeWithin(file: string, text: string, user: SystemUser | undefined): Promise<void> {
  await run('/bin/sh', ['-c', 'umask 077; printf %s "$2" > "$1"', 'sh', file, text], user);
}

/** Removes files and folders, and follows no link while somebody else changes them. */
export async function remove(paths: readonly string[], user?: SystemUser): Promise<void> {
  if (paths.length > 0) await run('/bin/rm', ['-rf', '--', ...paths], user);
}
