// The folders of Postgres: where the data of the branches lies, and where sockets and settings lie while we run.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, type SystemUser } from './run.ts';

export interface Places {
  /** Data of all branches, and of the replicas. */
  readonly data: string;
  /** Sockets, settings and certificates of this run; its path is short, since that of a socket must be. */
  readonly run: string;
  /** The data go away with this run, as the folder of the run does. */
  readonly isEphemeral: boolean;
}

/** Where root's data goes when the user of Postgres cannot reach the folder of the store. */
const SYSTEM_FOLDER = '/var/lib/trueup';
const SEARCHABLE = 0o711;

/**
 * Makes the folders. `store` is the folder of the store (absent: the data goes away with this run), `storeId` tells it from others.
 * They belong to `user` alone, who reaches them: a folder of the store that root made is made searchable for that, its files stay closed.
 */
export async function makePlaces(
  { store, storeId }: { readonly store: string | undefined; readonly storeId: string },
  user: SystemUser | undefined,
): Promise<Places> {
  const runFolder = own(mkdtempSync(join(tmpdir(), 'trueup-pg-')), user);
  const data = store === undefined ? join(runFolder, 'data') : await dataFolder(store, storeId, user);
  makeOwn(data, user);
  return { data, run: runFolder, isEphemeral: store === undefined };
}

async function dataFolder(store: string, storeId: string, user: SystemUser | undefined): Promise<string> {
  const below = join(store, 'postgres');
  if (user === undefined || existsSync(below)) return below;
  const modeBefore = statSync(store).mode & 0o777;
  chmodSync(store, modeBefore | SEARCHABLE);
  if (await isReachable(store, user)) return below;
  chmodSync(store, modeBefore);
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: SEARCHABLE });
  return join(SYSTEM_FOLDER, storeId);
}

async function isReachable(folder: string, user: SystemUser): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);
    return true;
  } catch {
    return false;
  }
}

/** Gives a file or folder to the user of Postgres. */
function own(path: string, user: SystemUser | undefined): string {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
  return path;
}

/** Makes a folder for the user of Postgres alone. */
export function makeOwn(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  own(folder, user);
}

/** Writes a file for the user of Postgres alone. */
export function writeOwn(file: string, text: string, user: SystemUser | undefined): void {
  writeFileSync(file, text, { mode: 0o600 });
  own(file, user);
}
