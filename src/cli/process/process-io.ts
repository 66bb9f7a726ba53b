// Implements Io with the real process, and Output with its standard streams.
import { systemClock } from '../../base/time/clock.ts';
import { systemRandom } from '../../base/random.ts';
import type { Io, StopSignal, Output } from './io.ts';
import { limitsOf, startWatchdog } from './watchdog.ts';
import { UsageError } from './exit-code.ts';
import { fstatSync, statSync, writeSync } from 'node:fs';
import { errorCode } from '../../base/error-code.ts';

const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export function processIo(): Io {
  let listeners = 0;
  let endWatch: (() => void) | undefined;
  // A slow reader may block the process only while no command listens for signals, since then no work is in progress.
  const mayBlock = (): boolean => listeners === 0;
  return {
    stdout: processOutput({ fd: 1, open: () => process.stdout, mayBlock }),
    stderr: processOutput({ fd: 2, open: () => process.stderr, mayBlock }),
    get stdinIsTerminal() {
      // Loaded on demand, because loading would slow down short commands that do not need it.
      return process.getBuiltinModule('node:tty').isatty(0);
    },
    get canAsk() {
      return this.stdinIsTerminal && this.stderr.isTerminal;
    },
    async readStdin() {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of process.stdin) {
        chunks.push(chunk as Uint8Array);
        length += (chunk as Uint8Array).length;
        if (length > MAX_STDIN_BYTES) break;
      }
      return Buffer.concat(chunks);
    },
    question,
    onSignal(listener) {
      const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      const handlers = signals.map((signal) => [signal, () => listener(signal)] as const);
      for (const [signal, handler] of handlers) process.on(signal, handler);
      listeners += 1;
      return () => {
        listeners -= 1;
        for (const [signal, handler] of handlers) process.off(signal, handler);
      };
    },
    onExit,
    abort: (code) => process.exit(code),
    watch(share) {
      if (share !== null) endWatch ??= startWatchdog(limitsOf(share));
      else endWatch?.();
    },
    die: () => void process.kill(process.pid, 'SIGKILL'),
    env: process.env,
    get cwd() {
      return workingFolder();
    },
    clock: systemClock,
    random: systemRandom,
    said: [],
  };
}

/** The exit code that shells expect after Ctrl-\ (SIGQUIT). */
const QUIT_CODE = 131;

function onExit(listener: () => void): void {
  process.once('exit', listener);
  process.once('SIGQUIT', () => process.exit(QUIT_CODE));
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working folder does not exist any more', 'Change into an existing folder.');
  }
}

async function question(prompt: string, signal: AbortSignal): Promise<string | null> {
  // Loaded on demand, because few runs ask a question.
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // During a prompt, Ctrl-C is only a key press, so the signal is sent here.
  reader.on('SIGINT', () => void process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<null>((resolve) => {
    reader.once('close', () => resolve(null));
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([reader.question(prompt, { signal }).catch(() => null), ended]);
  } finally {
    reader.close();
  }
}

export interface ProcessOutputOptions {
  readonly fd: number;
  /** Opens the descriptor as a Node.js stream, which takes long and is therefore done only when needed. */
  readonly open: () => NodeJS.WriteStream;
  /** True if a slow reader may block the whole process, because no other work is in progress. */
  readonly mayBlock: () => boolean;
}

export function processOutput({ fd, open, mayBlock }: ProcessOutputOptions): Output {
  let stream: NodeJS.WriteStream | null = null;
  let closed = false;
  let failure: string | null = null;
  let used = false;
  const end = (error: NodeJS.ErrnoException): void => {
    closed = true;
    // A reader that closes the pipe wants no more output, so this is no failure.
    if (error.code !== 'EPIPE') failure ??= error.code ?? error.message;
  };
  const opened = (): NodeJS.WriteStream => {
    stream ??= open().on('error', end);
    return stream;
  };
  let file: boolean | null = null;
  const isFile = (): boolean => (file ??= fstatSync(fd).isFile());
  const isTerminal = (): boolean => mayBeTerminal(fd) && opened().isTTY;
  /** Writes directly to a file, or where a slow reader may block, unless a stream is open. Returns the unwritten rest. */
  const left = (text: string): string | Uint8Array => {
    if (stream !== null || !(mayBlock() || isFile())) return text;
    try {
      return writeNow(fd, text);
    } catch (error) {
      end(error as NodeJS.ErrnoException);
      return '';
    }
  };
  return {
    async write(text) {
      if (closed || text === '') return;
      used = true;
      const rest = left(text);
      if (rest.length === 0) return;
      await new Promise<void>((resolve) => {
        opened().write(rest, () => resolve());
      });
    },
    writeLast(text) {
      if (closed || text === '' || (stream?.writableLength ?? 0) > 0) return;
      used = true;
      try {
        writeSoon(fd, text);
      } catch (error) {
        end(error as NodeJS.ErrnoException);
      }
    },
    get isTerminal() {
      return isTerminal();
    },
    get columns() {
      // Some terminals report a width of 0.
      return isTerminal() ? opened().columns || 80 : 80;
    },
    closed: () => closed,
    failure: () => failure,
    used: () => used,
  };
}

/** Writes all bytes unless the stream would block; returns the rest. */
function writeNow(fd: number, text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
  }
  return bytes.subarray(at);
}

const LAST_TRIES = 200;

/** Like `writeNow`, but waits up to 200 ms for a slow reader, because the process is about to end. */
function writeSoon(fd: number, text: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let rest = writeNow(fd, text);
  for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries++) {
    Atomics.wait(pause, 0, 0, 1);
    rest = writeNow(fd, rest);
  }
}

/** Terminals are character devices, but so is /dev/null. */
function mayBeTerminal(fd: number): boolean {
  const facts = fstatSync(fd);
  return facts.isCharacterDevice() && facts.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
