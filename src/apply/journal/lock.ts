// The lock of one apply at a time in a folder: numbered files, of which the highest counts, so that taking over is one atomic step.
import { basename, dirname } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { isJsonObject, parseJson, type Json } from '../../base/json.ts';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, writeWhole, type FileSystem } from '../folder/file-system.ts';
import { keepLease, textOf, type Lock } from './lease.ts';
import { isOwner, type Owner } from './lines.ts';
import type { Processes } from './processes.ts';

/** `held`: another run has it · `unusable`: the folder does not take a lock, and why. */
export type LockResult =
  | { readonly state: 'acquired'; readonly lock: Lock; readonly tookOver: Owner | null }
  | { readonly state: 'held'; readonly owner: Owner | null; readonly path: string }
  | { readonly state: 'unusable'; readonly reason: string };

export interface LockInput {
  readonly fileSystem: FileSystem;
  /** The files are called so, with a dot and a number after it. */
  readonly path: string;
  readonly run: string;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Ends the wait for a lease; the lock then counts as held. */
  readonly signal?: AbortSignal;
  /** Told that the lease of an owner that cannot be looked at is waited for. */
  readonly onWait?: (owner: Owner) => void;
}

/** How long the lease of an owner on another machine is watched: one that lives renews it four times in that time. */
export const LEASE_MS = 20_000;

const MAX_BYTES = 4096;
const ATTEMPTS = 6;
/** How long a lock file without an owner is watched: it is just being written, or its writer died over it. */
const UNWRITTEN_MS = 400;
const LOOK_EVERY_MS = 1000;

interface Found {
  readonly generation: number;
  /** What its file held at the last look; null when there is no file. */
  readonly text: string | null;
}

/** Takes the lock, or tells who has it. */
export async function acquireLock(input: LockInput): Promise<LockResult> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await newest(input);
      if (await isHeld(input, found))
        return { state: 'held', owner: await lockOwner(input), path: fileOf(input.path, found.generation) };
      const lock = await takeAfter(input, found);
      if (lock !== null) return { state: 'acquired', lock, tookOver: found.text === null ? null : ownerIn(found.text) };
    }
  } catch (error) {
    return { state: 'unusable', reason: errorCode(error) || 'the lock cannot be written' };
  }
  return { state: 'held', owner: null, path: input.path };
}

/** The owner of the lock as its file names it, whether it lives or not; null when it is free. Rejects with the system's error. */
export async function lockOwner(input: Pick<LockInput, 'fileSystem' | 'path'>): Promise<Owner | null> {
  const { text } = await newest(input);
  return text === null ? null : ownerIn(text);
}

function fileOf(path: string, generation: number): string {
  return `${path}.${generation}`;
}

async function generations({ fileSystem, path }: Pick<LockInput, 'fileSystem' | 'path'>): Promise<readonly number[]> {
  const name = basename(path);
  const names = await fileSystem.names(dirname(path));
  return names.flatMap((full) => {
    const one = basename(full);
    const digits = one.startsWith(`${name}.`) ? one.slice(name.length + 1) : '';
    return /^[1-9]\d{0,14}$/.test(digits) ? [Number(digits)] : [];
  });
}

async function newest(input: Pick<LockInput, 'fileSystem' | 'path'>): Promise<Found> {
  const generation = Math.max(0, ...(await generations(input)));
  return { generation, text: generation === 0 ? null : await read(input, generation) };
}

async function read(
  { fileSystem, path }: Pick<LockInput, 'fileSystem' | 'path'>,
  generation: number,
): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readWhole(fileSystem, fileOf(path, generation), MAX_BYTES));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function valueIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function ownerIn(text: string): Owner | null {
  const value = valueIn(text);
  return isJsonObject(value) && isOwner(value) ? (value as unknown as Owner) : null;
}

function isReleased(text: string): boolean {
  const value = valueIn(text);
  return isJsonObject(value) && value['released'] === true;
}

/** An owner on this machine is looked at; one elsewhere has its lease watched, and so has a lock that names nobody yet. */
async function isHeld(input: LockInput, { generation, text }: Found): Promise<boolean> {
  if (text === null || isReleased(text)) return false;
  const owner = ownerIn(text);
  if (owner !== null && !input.processes.isAlive(owner)) return false;
  if (owner?.host === input.processes.self.host) return true;
  if (owner !== null) input.onWait?.(owner);
  const patienceMs = owner === null ? UNWRITTEN_MS : LEASE_MS;
  const everyMs = Math.min(LOOK_EVERY_MS, patienceMs / 4);
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += everyMs) {
    try {
      await input.clock.sleep(everyMs, input.signal);
    } catch {
      return true;
    }
    const now = await read(input, generation);
    if (now === text) continue;
    if (now === null || isReleased(now)) return false;
    // It is being written, or it was renewed: somebody is there.
    return owner !== null || isHeld(input, { generation, text: now });
  }
  return false;
}

/**
 * Makes the next generation; null when another run was faster, or when the owner of the last one showed itself after all. Only one can
 * make a file of a name, and the highest is never removed: so a run that looked long ago finds that there is a higher one than its own.
 */
async function takeAfter(input: LockInput, found: Found): Promise<Lock | null> {
  const { fileSystem, path } = input;
  const generation = found.generation + 1;
  const file = fileOf(path, generation);
  const text = textOf(input, 0);
  if (!(await create(input, file, text))) return null;
  const all = await generations(input);
  const hasShown = found.generation > 0 && (await read(input, found.generation)) !== found.text;
  if (hasShown || Math.max(...all) !== generation) {
    await fileSystem.remove(file);
    return null;
  }
  for (const one of all) if (one < generation) await fileSystem.remove(fileOf(path, one)).catch(() => undefined);
  return keepLease({
    ...input,
    file,
    isNewest: async () => Math.max(0, ...(await generations(input))) === generation,
  });
}

async function create({ fileSystem }: LockInput, file: string, text: string): Promise<boolean> {
  try {
    await writeWhole(fileSystem, file, 'create', { text, synced: true });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
