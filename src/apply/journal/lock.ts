// The lock of one apply at a time in a folder. A dead owner's lock is taken over at once.
import type { Clock } from '../../base/clock.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { readWhole, systemCode, writeAll } from '../file-system.ts';
import type { FileSystem } from '../file-system.ts';
import { isOwner } from './lines.ts';
import type { Owner } from './lines.ts';
import type { Processes } from './processes.ts';

export interface Lock {
  /** Never rejects; leaves a lock that is no longer ours alone. */
  release(): Promise<void>;
}

/** `held`: another run has it · `unusable`: the folder does not take a lock, and why. */
export type LockResult =
  | { readonly state: 'acquired'; readonly lock: Lock; readonly tookOver: Owner | null }
  | { readonly state: 'held'; readonly owner: Owner | null; readonly path: string }
  | { readonly state: 'unusable'; readonly reason: string };

export interface LockInput {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly run: string;
  readonly processes: Processes;
  readonly clock: Clock;
}

const MAX_BYTES = 4096;
const ATTEMPTS = 6;
/** A lock without an owner is one that is just being written, or whose writer died over it: look again before taking it. */
const PAUSE_MS = 100;

/** Takes the lock, or tells who has it. */
export async function acquireLock(input: LockInput): Promise<LockResult> {
  const text = JSON.stringify({ ...input.processes.self, run: input.run });
  let tookOver: Owner | null = null;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await create(input, text)) return { state: 'acquired', lock: lockOf(input, text), tookOver };
      const found = await read(input);
      if (found === null) continue;
      const owner = ownerIn(found);
      if (owner !== null && input.processes.isAlive(owner)) return { state: 'held', owner, path: input.path };
      if (owner === null && attempt < ATTEMPTS - 2) {
        await input.clock.sleep(PAUSE_MS);
        continue;
      }
      if (!(await removeDead(input, found))) return { state: 'held', owner: null, path: input.path };
      tookOver = owner;
    }
  } catch (error) {
    return { state: 'unusable', reason: systemCode(error) || 'the lock cannot be written' };
  }
  return { state: 'held', owner: null, path: input.path };
}

/** Only one can make a file of this name. */
async function create({ fileSystem, path }: LockInput, text: string): Promise<boolean> {
  try {
    const file = await fileSystem.open(path, 'create');
    try {
      await writeAll(file, new TextEncoder().encode(text), 0);
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function read({ fileSystem, path }: LockInput): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readWhole(fileSystem, path, MAX_BYTES));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function ownerIn(text: string): Owner | null {
  try {
    const value: Json = parseJson(text);
    return isJsonObject(value) && isOwner(value) ? (value as unknown as Owner) : null;
  } catch {
    return null;
  }
}

/** Moves the dead lock aside and looks at it again: when another run took over in between, its lock is put back. */
async function removeDead({ fileSystem, path, run }: LockInput, expected: string): Promise<boolean> {
  const aside = `${path}.dead-${run}`;
  try {
    await fileSystem.rename(path, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
  const moved = new TextDecoder().decode(await readWhole(fileSystem, aside, MAX_BYTES));
  if (moved === expected) {
    await fileSystem.remove(aside);
    return true;
  }
  await fileSystem.rename(aside, path);
  return false;
}

function lockOf(input: LockInput, text: string): Lock {
  return {
    async release() {
      try {
        if ((await read(input)) === text) await input.fileSystem.remove(input.path);
      } catch {
        // A lock that cannot be removed is a dead owner's to the next run.
      }
    },
  };
}
