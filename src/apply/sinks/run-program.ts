// Runs a program of the operator: no shell, input on stdin, a deadline, and bounded output.
import { spawn, type ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
import { errorCode } from '../../base/error-code.ts';
import { waitAtMost, type Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Text for stdin; null closes it at once. */
  readonly stdin: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Ends the program with all that it started. */
  readonly signal?: AbortSignal;
}

/** `not_started`: `problem` is the system's code · `timed_out`: killed at the deadline · `stopped`: killed at the signal, `problem` is its reason. */
export interface ProgramEnd {
  readonly end: 'exited' | 'killed' | 'timed_out' | 'stopped' | 'not_started';
  readonly code: number | null;
  /** Absent if the program wrote nothing, or more than a record has. */
  readonly stdout?: Uint8Array;
  /** The last part of stderr. */
  readonly stderr: string;
  readonly problem: string | null;
}

/** Never rejects. */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

const KEPT_BYTES = 16 * 1024;
/** The time that a program has to end after SIGTERM. */
const GRACE_MS = 2000;
/** The same at the end of the run. */
const SHORT_GRACE_MS = 500;
const LAST_WORDS_MS = 500;

const NOTHING = { end: 'not_started', code: null, stderr: '' } as const;

const running = new Set<ChildProcess>();

/** Kills all running programs at the end of the process, because a store must not outlast it. */
export function killPrograms(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

export function programRunner(clock: Clock): RunProgram {
  return async (call) => {
    if (call.signal?.aborted === true) return { ...NOTHING, problem: reasonOf(call.signal) };
    let child: ChildProcess;
    try {
      child = start(call);
    } catch (error) {
      return { ...NOTHING, problem: errorCode(error) || 'unknown' };
    }
    running.add(child);
    const ended = whenEnded(child, clock);
    // A program that does not read its input closes the pipe, and its exit code shows the result.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.stdin ?? '');
    const cut = await cutShort(ended, call, clock);
    if (cut !== null) await terminate(child, ended, clock, cut === 'stopped' ? SHORT_GRACE_MS : GRACE_MS);
    const ending = await ended;
    running.delete(child);
    if (cut === null) return ending;
    const problem = call.signal !== undefined && cut === 'stopped' ? reasonOf(call.signal) : null;
    return { ...ending, end: cut, code: null, problem };
  };
}

/** Null if the program ended by itself. */
async function cutShort(
  ended: Promise<ProgramEnd>,
  { timeoutMs, signal }: ProgramCall,
  clock: Clock,
): Promise<'timed_out' | 'stopped' | null> {
  let stopTimer = (): void => undefined;
  let stopListening = (): void => undefined;
  const cut = await new Promise<'timed_out' | 'stopped' | null>((resolve) => {
    void ended.then(() => resolve(null));
    stopTimer = clock.after(timeoutMs, () => resolve('timed_out'));
    if (signal !== undefined) stopListening = onAbort(signal, () => resolve('stopped'));
  });
  stopTimer();
  stopListening();
  return cut;
}

function start(call: ProgramCall): ChildProcess {
  return spawn(call.program, call.args, {
    cwd: call.folder,
    env: { ...call.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own, a signal to the terminal's group does not cut a store in half.
    detached: true,
    windowsHide: true,
  });
}

async function terminate(
  child: ChildProcess,
  ended: Promise<ProgramEnd>,
  clock: Clock,
  graceMs: number,
): Promise<void> {
  signalGroup(child, 'SIGTERM');
  await waitAtMost(clock, graceMs, ended);
  signalGroup(child, 'SIGKILL');
  // Its children may hold its outputs open.
  close(child);
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function close({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

async function whenEnded(child: ChildProcess, clock: Clock): Promise<ProgramEnd> {
  let kept = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-KEPT_BYTES);
  });
  child.stderr?.on('error', () => undefined);
  let told = Buffer.alloc(0);
  let isTooMuch = false;
  child.stdout?.on('data', (chunk: Buffer) => {
    isTooMuch ||= told.length + chunk.length > KEPT_BYTES;
    told = isTooMuch ? Buffer.alloc(0) : Buffer.concat([told, chunk]);
  });
  child.stdout?.on('error', () => undefined);
  return new Promise<ProgramEnd>((resolve) => {
    child.once('error', (error) => {
      resolve({ ...NOTHING, problem: errorCode(error) || 'unknown' });
    });
    const finish = (code: number | null, signal: string | null): void => {
      const said = { ...(told.length === 0 ? {} : { stdout: new Uint8Array(told) }), stderr: kept.toString('utf8') };
      if (code === null) resolve({ end: 'killed', code, ...said, problem: signal });
      else resolve({ end: 'exited', code, ...said, problem: null });
    };
    let stopTimer = (): void => undefined;
    child.once('close', (code, signal) => {
      stopTimer();
      finish(code, signal);
    });
    // Its children may hold the outputs open, so its last words get only a moment.
    child.once('exit', (code, signal) => {
      stopTimer = clock.after(LAST_WORDS_MS, () => {
        close(child);
        finish(code, signal);
      });
    });
  });
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}
