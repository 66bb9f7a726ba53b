// Holds a data folder: a file names the process that has it, and a dead owner's file is taken over.
import { linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import { isAlive, ownPid, startOfProcess } from './process-identity.ts';
import { readOwn, writeDraft } from './own-file.ts';
import { StoreError } from '../core/store.ts';

const FILE = 'lock';
const ATTEMPTS = 5;

interface Owner {
  readonly pid: number;
  /** Separates a living owner from a later process with the same pid. */
  readonly started: string | null;
}

/** Takes the folder for this process; returns what gives it back. Throws StoreError with the owner's pid. */
export function holdFolder(folder: string): () => void {
  const file = join(folder, FILE);
  const mine = JSON.stringify({ pid: ownPid, started: startOfProcess(ownPid) } satisfies Owner);
  const draft = writeDraft(file, mine);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(draft, file)) return () => rmSync(file, { force: true });
      refuseLiving(folder, readOwn(file));
      // The owner is dead: its file is set aside by a rename that only one contender can win.
      setAside(file);
    }
    throw new StoreError('held', `${folder} cannot be taken: other processes contend for it`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function refuseLiving(folder: string, text: string | undefined): void {
  const owner = text === undefined ? undefined : ownerOf(text);
  if (owner === undefined || !isAlive(owner.pid)) return;
  const started = startOfProcess(owner.pid);
  if (owner.started !== null && started !== null && started !== owner.started) return;
  throw new StoreError('held', `${folder} is in use by process ${owner.pid}`, { pid: owner.pid });
}

function setAside(file: string): void {
  const aside = `${file}.stale.${ownPid}`;
  try {
    renameSync(file, aside);
    // Between the look and the rename another process may have taken the folder: then it gets its file back.
    const text = readOwn(aside);
    const owner = text === undefined ? undefined : ownerOf(text);
    if (owner !== undefined && isAlive(owner.pid) && startOfProcess(owner.pid) === owner.started) tryLink(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function ownerOf(text: string): Owner | undefined {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    if (!Number.isSafeInteger(value?.pid)) return undefined;
    return { pid: value?.pid ?? 0, started: value?.started ?? null };
  } catch {
    return undefined;
  }
}
