// Runs a program of the operator: without a shell, with input on stdin, a deadline, and bounded output.
import { spawn, type ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
import { errorCode } from '../../base/error-code.ts';
import { waitAtMost, type Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Text for stdin; with null, stdin is closed at once. */
  readonly stdin: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly timeoutMs: number;
  /** Once aborted, the program and its child processes are killed. */
  readonly signal?: AbortSignal | undefined;
}

/** `not_started`: `problem` is the system's error code · `timed_out`: killed at the deadline · `stopped`: killed, `problem` is the signal's reason. */
export interface ProgramEnd {
  readonly end: 'exited' | 'killed' | 'timed_out' | 'stopped' | 'not_started';
  readonly code: number | null;
  /** Missing if the program wrote nothing, or more than `KEPT_BYTES`. */
  readonly stdout?: Uint8Array;
  readonly stderr: string;
  readonly problem: string | null;
}

/** Runs a program to its end; never rejects. */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

const KEPT_BYTES = 16 * 1024;
/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;
/** The children of a program may keep its outputs open after its exit, so the rest of the output gets only this much time. */
const LAST_WORDS_MS = 500;

const running = new Set<ChildProcess>();

/** Kills all running programs. Called when the process exits, because no program may outlive the process. */
export function killPrograms(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

export function programRunner(clock: Clock): RunProgram {
  return async (call) => {
    const { program, args, stdin, env, folder: cwd, timeoutMs, signal } = call;
    if (signal?.aborted === true) return notStarted(reasonOf(signal));
    let child: ChildProcess;
    try {
      // With its own process group, the program does not get the terminal's Ctrl-C in the middle of a store.
      child = spawn(program, args, { cwd, env: { ...env }, stdio: 'pipe', detached: true });
    } catch (error) {
      return notStarted(errorCode(error) || 'unknown');
    }
    running.add(child);
    const ended = whenEnded(child, clock);
    // A program may close the pipe without reading its input. This error is ignored, because the exit code shows the result.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin ?? '');
    let cut: 'timed_out' | 'stopped' | null = null;
    const cutShort = (why: 'timed_out' | 'stopped'): void => {
      cut ??= why;
      void terminate(child, ended, clock);
    };
    const stopTimer = clock.after(timeoutMs, () => cutShort('timed_out'));
    const stopListening = signal === undefined ? undefined : onAbort(signal, () => cutShort('stopped'));
    const end = await ended;
    stopTimer();
    stopListening?.();
    running.delete(child);
    if (cut === null) return end;
    return { ...end, end: cut, code: null, problem: cut === 'stopped' && signal ? reasonOf(signal) : null };
  };
}

function notStarted(problem: string): ProgramEnd {
  return { end: 'not_started', code: null, stderr: '', problem };
}

async function terminate(child: ChildProcess, ended: Promise<ProgramEnd>, clock: Clock): Promise<void> {
  signalGroup(child, 'SIGTERM');
  await waitAtMost(clock, GRACE_MS, ended);
  signalGroup(child, 'SIGKILL');
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
  // Keeps up to one byte more than `KEPT_BYTES`: the extra byte shows that the output is too long.
  let told = Buffer.alloc(0);
  child.stdout?.on('data', (chunk: Buffer) => {
    told = Buffer.concat([told, chunk]).subarray(0, KEPT_BYTES + 1);
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => undefined);
  return new Promise<ProgramEnd>((resolve) => {
    const finish = (code: number | null, signal: string | null): void => {
      const isShort = told.length > 0 && told.length <= KEPT_BYTES;
      const stdout = isShort ? { stdout: new Uint8Array(told) } : {};
      const end = code === null ? 'killed' : 'exited';
      resolve({ end, code, ...stdout, stderr: kept.toString('utf8'), problem: signal });
    };
    let stopTimer = (): void => undefined;
    child.once('error', (error) => resolve(notStarted(errorCode(error) || 'unknown')));
    child.once('close', (code, signal) => {
      stopTimer();
      finish(code, signal);
    });
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
