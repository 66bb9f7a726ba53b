// Lets one apply at a time run in a state folder. The lock file with the highest number is the lock, and is never removed. To replace a dead
// run's lock, a run creates the file with the next number, together with its content. Only one run can create that file.
import { basename, dirname } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { parseJson } from '../../base/json.ts';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, writeWhole, type FileSystem } from '../file-system.ts';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';

interface Lock {
  release(): Promise<void>;
}

export interface Holder extends Owner {
  readonly run: string;
  /** Wall-clock time when the owner took the lock. */
  readonly sinceMs: number;
}

/** `held`: another run has the lock · `unusable`: the folder cannot hold a lock file, for the `reason`. */
export type LockResult =
  | { readonly state: 'acquired'; readonly lock: Lock }
  | { readonly state: 'held'; readonly holder: Holder | null; readonly path: string }
  | { readonly state: 'unusable'; readonly reason: string };

interface LockPlace {
  readonly fileSystem: FileSystem;
  /** The path of the lock files without their suffix: a dot and a number. */
  readonly path: string;
  readonly processes: Processes;
  readonly clock: Clock;
}

interface LockInput extends LockPlace {
  readonly run: string;
}

const MAX_BYTES = 4096;
const ATTEMPTS = 8;
/** A lock of another machine counts as free after this time: its process cannot be checked from this machine, but no run takes a day. */
const LONGEST_RUN_MS = 86_400_000;

/** Takes the lock unless a living process holds it. A process of another machine counts as living for a day. */
export async function acquireLock(input: LockInput): Promise<LockResult> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await newest(input);
      const holder = holderIn(found.text, input);
      if (holder !== null) return { state: 'held', holder, path: fileOf(input.path, found.generation) };
      const lock = await takeAfter(input, found.generation);
      if (lock !== null) return { state: 'acquired', lock };
    }
  } catch (error) {
    return { state: 'unusable', reason: errorCode(error) || 'the lock cannot be written' };
  }
  return { state: 'held', holder: null, path: input.path };
}

/** Returns the run that holds the lock; null if no living process does. Rejects with a system error. */
export async function lockHolder(place: LockPlace): Promise<Holder | null> {
  return holderIn((await newest(place)).text, place);
}

interface Found {
  readonly generation: number;
  readonly text: string | null;
}

function holderIn(text: string | null, { processes, clock }: LockPlace): Holder | null {
  try {
    const holder = parseJson(text ?? 'null') as unknown as Holder;
    const isRecent = holder.sinceMs + LONGEST_RUN_MS >= clock.nowMs();
    return processes.isAlive(holder) && (holder.host === processes.self.host || isRecent) ? holder : null;
  } catch {
    return null;
  }
}

function fileOf(path: string, generation: number): string {
  return `${path}.${generation}`;
}

async function generations({ fileSystem, path }: LockPlace): Promise<readonly number[]> {
  const name = basename(path);
  const names = await fileSystem.names(dirname(path));
  return names.flatMap((full) => {
    const one = basename(full);
    const digits = one.startsWith(`${name}.`) ? one.slice(name.length + 1) : '';
    return /^[1-9]\d{0,14}$/.test(digits) ? [Number(digits)] : [];
  });
}

async function newest(place: LockPlace): Promise<Found> {
  const generation = Math.max(0, ...(await generations(place)));
  return { generation, text: generation === 0 ? null : await read(place, generation) };
}

async function read({ fileSystem, path }: LockPlace, generation: number): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readWhole(fileSystem, fileOf(path, generation), MAX_BYTES));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Creates the lock file with the number after `free`, the highest number found; null if another run created that file or a later one first. */
async function takeAfter(input: LockInput, free: number): Promise<Lock | null> {
  const { fileSystem, path, processes, clock, run } = input;
  const generation = free + 1;
  const file = fileOf(path, generation);
  const text = JSON.stringify({ ...processes.self, run, sinceMs: clock.nowMs() });
  if (!(await create(input, file, text))) return null;
  const all = await generations(input);
  if (Math.max(...all) !== generation) {
    await fileSystem.remove(file);
    return null;
  }
  for (const one of all) if (one < generation) await fileSystem.remove(fileOf(path, one)).catch(() => undefined);
  return {
    async release() {
      try {
        const free = JSON.stringify({ released: true }).padEnd(text.length);
        if ((await read(input, generation)) === text) await writeWhole(fileSystem, file, 'write', { text: free });
      } catch {
        // A lock that stays is harmless: the next run sees that its owner is dead.
      }
    },
  };
}

/** Creates a file together with its text, atomically; false if the name is taken. */
async function create({ fileSystem, path, run }: LockInput, file: string, text: string): Promise<boolean> {
  const temporary = `${path}-${run}`;
  try {
    await writeWhole(fileSystem, temporary, 'create', { text, synced: true });
    await fileSystem.link(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await fileSystem.remove(temporary).catch(() => undefined);
  }
}

export interface Owner {
  readonly pid: number;
  /** When the process started, in the system's own notation; empty if the system does not show it. */
  readonly startTime: string;
  readonly host: string;
}

export interface Processes {
  readonly self: Owner;
  /** False only if the owner is certainly gone: it belongs to this machine, and no process has its id and start time. */
  isAlive(owner: Owner): boolean;
}

/** Returns the processes of this machine. If the system hides start times, any process with the id of the owner counts as the owner. */
export function machineProcesses(): Processes {
  const self: Owner = { pid, startTime: startTimeOf(pid), host: machineName() };
  return {
    self,
    isAlive(owner) {
      if (owner.host !== self.host) return true;
      if (!exists(owner.pid)) return false;
      const startTime = startTimeOf(owner.pid);
      return startTime === '' || owner.startTime === '' || startTime === owner.startTime;
    },
  };
}

/** Returns the host and, on Linux, the namespace of process ids: two containers with one host name cannot see each other's processes. */
function machineName(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function exists(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    kill(id, 0);
    // A zombie (state Z or X) has ended and only waits for its parent.
    return !/^[ZX]$/.test(statOf(id)?.[0] ?? '');
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Returns the id of the boot and the clock ticks from boot to the start of the process, from /proc; empty if /proc lacks one of the two. */
function startTimeOf(id: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // The 20th field after the name is the start time.
    const ticks = statOf(id)?.[19];
    return ticks === undefined ? '' : `${boot}:${ticks}`;
  } catch {
    return '';
  }
}

/** Returns the fields of /proc/ID/stat after the process name, beginning with the state; null if there is no such file. */
function statOf(id: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in parentheses may itself contain parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
