// The built program as a real process: started, watched, signalled, and never left behind.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
export const bin = join(root, 'dist', 'cli', 'bin.js');

export interface StartOptions {
  readonly cwd: string;
  /** Besides PATH and HOME, which are always given; nothing else of the tests' own environment is. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input, after which it ends; null: it stays open for the test to write to. Absent: there is none. */
  readonly stdin?: string | null;
  /** Another program than trueup itself, with the arguments before trueup's own. */
  readonly via?: readonly string[];
  /** User and group to run as; needs a superuser. */
  readonly uid?: number;
  /** Standard output is closed at once. */
  readonly closeStdout?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<Ended>;
  /** Resolves when either stream has shown `text`; rejects when the process ends without. */
  shows(text: string | RegExp): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

const living = new Set<ChildProcess>();
const folders: string[] = [];

/** Ends what still runs and removes the folders; for `afterAll` of each file. */
export function cleanUp(): void {
  for (const child of living) child.kill('SIGKILL');
  living.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A new folder that `cleanUp` removes. */
export function newFolder(name = 'work'): string {
  const folder = mkdtempSync(join(tmpdir(), `trueup-${name}-`));
  folders.push(folder);
  return folder;
}

/** Starts trueup with these arguments. */
export function start(args: readonly string[], options: StartOptions): Running {
  built();
  const [program, ...before] = [...(options.via ?? []), process.execPath, bin];
  const startedMs = performance.now();
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd, ...options.env },
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  living.add(child);
  child.stdin?.on('error', () => undefined);
  if (typeof options.stdin === 'string') child.stdin?.end(options.stdin);
  if (options.closeStdout === true) child.stdout?.destroy();
  return watched(child, startedMs);
}

/** Runs trueup to its end. */
export async function run(args: readonly string[], options: StartOptions): Promise<Ended> {
  return start(args, options).ended;
}

function watched(child: ChildProcess, startedMs: number): Running {
  const chunks: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
  const text = (of: readonly Buffer[]): string => Buffer.concat(of).toString('utf8');
  const lookers = new Set<() => void>();
  const take = (into: Buffer[]) => (chunk: Buffer) => {
    into.push(chunk);
    for (const look of lookers) look();
  };
  child.stdout?.on('data', take(chunks.out));
  child.stderr?.on('data', take(chunks.err));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      living.delete(child);
      const ms = performance.now() - startedMs;
      resolve({ code, signal, out: text(chunks.out), err: text(chunks.err), ms });
    });
  });
  return {
    pid: child.pid ?? 0,
    child,
    out: () => text(chunks.out),
    err: () => text(chunks.err),
    ended,
    shows: async (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const shown = text(chunks.out) + text(chunks.err);
          if (typeof wanted === 'string' ? !shown.includes(wanted) : !wanted.test(shown)) return;
          lookers.delete(look);
          resolve();
        };
        lookers.add(look);
        look();
        const giveUp = ({ code, out, err }: Ended): void => {
          look();
          reject(new Error(`ended with ${code} before it showed ${String(wanted)}:\n${out}\n${err}`));
        };
        ended.then(giveUp, reject);
      }),
    signal: (name) => void child.kill(name),
  };
}

/** Looks again and again until `probe` gives something; what it gave. */
export async function until<T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const giveUpAt = performance.now() + 40_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
    await sleep(15);
  }
}

/** `npm test` builds before it starts; a test file run alone on a fresh checkout builds here. */
export function built(): void {
  if (existsSync(bin)) return;
  const { status } = spawnSync(process.execPath, [join(root, '.ci', 'build.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}
