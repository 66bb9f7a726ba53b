// Implements Output with a standard stream of the process.
import { fstatSync, statSync, writeSync } from 'node:fs';
import { errorCode } from '../../base/error-code.ts';
import type { Output } from './io.ts';

export interface ProcessOutputOptions {
  readonly fd: number;
  /** Opens the descriptor as a Node.js stream; called only when needed, because this takes long. */
  readonly open: () => NodeJS.WriteStream;
  /** True while no other work is in progress, so that a slow reader may block the whole process. */
  readonly mayBlock: () => boolean;
}

export function processOutput({ fd, open, mayBlock }: ProcessOutputOptions): Output {
  let stream: NodeJS.WriteStream | null = null;
  let closed = false;
  let failure: string | null = null;
  let used = false;
  const end = (error: NodeJS.ErrnoException): void => {
    closed = true;
    // A reader who closes the pipe has read enough: that is no failure.
    if (error.code !== 'EPIPE') failure ??= error.code ?? error.message;
  };
  const opened = (): NodeJS.WriteStream => {
    stream ??= open().on('error', end);
    return stream;
  };
  let file: boolean | null = null;
  const isFile = (): boolean => (file ??= fstatSync(fd).isFile());
  const isTerminal = (): boolean => mayBeTerminal(fd) && opened().isTTY;
  /** The rest of the text that the system did not take at once. A file has no slow reader, so its rest is a failure to report. */
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

/** Writes until all is accepted, or until the stream would block; returns the rest. */
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

/** Terminals are character devices; so is /dev/null, which is excluded. */
function mayBeTerminal(fd: number): boolean {
  const facts = fstatSync(fd);
  return facts.isCharacterDevice() && facts.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
