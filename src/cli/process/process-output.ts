// A standard stream of the real process behind Output.
import { fstatSync, statSync, writeSync } from 'node:fs';
import { errorCode } from '../../base/error-code.ts';
import type { Output } from './io.ts';

export interface ProcessOutputOptions {
  readonly fd: number;
  /** Opens it as a stream of Node.js, which takes long: nobody does before it is needed. */
  readonly open: () => NodeJS.WriteStream;
  /** True while nothing else is under way, so that a slow reader may hold up the whole process. */
  readonly mayBlock: () => boolean;
}

export function processOutput({ fd, open, mayBlock }: ProcessOutputOptions): Output {
  let stream: NodeJS.WriteStream | null = null;
  let closed = false;
  let failure: string | null = null;
  let used = false;
  const end = (error: NodeJS.ErrnoException): void => {
    closed = true;
    // A reader who left has all that it wanted.
    if (error.code !== 'EPIPE') failure ??= error.code ?? error.message;
  };
  const opened = (): NodeJS.WriteStream => {
    stream ??= open().on('error', end);
    return stream;
  };
  let file: boolean | null = null;
  const isFile = (): boolean => (file ??= fstatSync(fd).isFile());
  const isTerminal = (): boolean => mayBeTerminal(fd) && opened().isTTY;
  /** The text that the system did not take at once. A file has no slow reader, so the rest of its text is a failure to report. */
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
      // A terminal of no size is one that does not tell it.
      return isTerminal() ? opened().columns || 80 : 80;
    },
    closed: () => closed,
    failure: () => failure,
    used: () => used,
  };
}

/** Writes until all is taken, or until the stream says that it must not be waited for; gives what is left. */
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

/** The same for the last moment of the process: a reader who is only slow has a fifth of a second to make room. */
function writeSoon(fd: number, text: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let rest = writeNow(fd, text);
  for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries++) {
    Atomics.wait(pause, 0, 0, 1);
    rest = writeNow(fd, rest);
  }
}

/** Terminals are devices; so is the place for what nobody reads. */
function mayBeTerminal(fd: number): boolean {
  const facts = fstatSync(fd);
  return facts.isCharacterDevice() && facts.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
