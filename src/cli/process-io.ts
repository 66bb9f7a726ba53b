// The real process behind Io.
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { systemClock } from '../base/clock.ts';
import { systemRandom } from '../base/random.ts';
import type { Io, Output, StopSignal } from './io.ts';
import { UsageError } from './usage-error.ts';

export function processIo(): Io {
  return {
    stdout: outputOf(1, () => process.stdout),
    stderr: outputOf(2, () => process.stderr),
    get stdinIsTerminal() {
      return isatty(0);
    },
    async readStdin() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
      return Buffer.concat(chunks);
    },
    question,
    onSignal(listener) {
      const signals: StopSignal[] = ['SIGINT', 'SIGTERM'];
      const handlers = signals.map((signal) => [signal, () => listener(signal)] as const);
      for (const [signal, handler] of handlers) process.on(signal, handler);
      return () => {
        for (const [signal, handler] of handlers) process.off(signal, handler);
      };
    },
    abort: (code) => process.exit(code),
    die: () => void process.kill(process.pid, 'SIGKILL'),
    env: process.env,
    get cwd() {
      return workingFolder();
    },
    pid: process.pid,
    clock: systemClock,
    random: systemRandom,
    said: [],
  };
}

/** The folder that the process was started in. Throws UsageError where that has been deleted since. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working folder does not exist any more', 'Change into one that does.');
  }
}

/** Node.js takes long to open a stream: it is opened when something is written. */
function outputOf(fd: number, open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | null = null;
  let closed = false;
  let used = false;
  const opened = (): NodeJS.WriteStream => {
    if (stream !== null) return stream;
    stream = open();
    stream.on('error', () => {
      closed = true;
    });
    return stream;
  };
  const isTerminal = (): boolean => fstatSync(fd).isCharacterDevice() && opened().isTTY;
  return {
    write(text) {
      if (closed || text === '') return Promise.resolve();
      used = true;
      return new Promise((resolve) => {
        opened().write(text, () => resolve());
      });
    },
    get isTerminal() {
      return isTerminal();
    },
    get columns() {
      return isTerminal() ? (opened().columns ?? 80) : 80;
    },
    closed: () => closed,
    used: () => used,
  };
}

async function question(prompt: string, signal: AbortSignal): Promise<string | null> {
  // Loaded on demand: few runs ask anything.
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads, Ctrl-C is a key like any other: it becomes the signal again that it is elsewhere.
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
