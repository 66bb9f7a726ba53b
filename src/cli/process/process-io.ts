// Implements Io with the real process.
import { systemClock } from '../../base/time/clock.ts';
import { systemRandom } from '../../base/random.ts';
import type { Io, StopSignal } from './io.ts';
import { limitsOf, startWatchdog } from './watchdog.ts';
import { processOutput } from './process-output.ts';
import { UsageError } from './exit-code.ts';

const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export function processIo(): Io {
  let listeners = 0;
  let endWatch: (() => void) | undefined;
  // While somebody listens for signals, work is in progress: a slow reader must not block them.
  const mayBlock = (): boolean => listeners === 0;
  return {
    stdout: processOutput({ fd: 1, open: () => process.stdout, mayBlock }),
    stderr: processOutput({ fd: 2, open: () => process.stderr, mayBlock }),
    get stdinIsTerminal() {
      // Loaded on demand: terminals take longer to load than short commands to run.
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
    pid: process.pid,
    clock: systemClock,
    random: systemRandom,
    said: [],
  };
}

/** The code that shells expect after Ctrl-\, which ends the process silently. */
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
  // Loaded on demand: few runs ask anything.
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // While the prompt reads, Ctrl-C arrives as a key: this turns it into the signal again.
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
