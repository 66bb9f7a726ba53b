// Standard streams of the process: what cannot be written is known, a reader who leaves is no failure, and nobody who listens is held up.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processOutput } from '../../../src/cli/process/process-io.ts';

const never = (): never => {
  throw new Error('it was opened as a stream');
};

function opened(path: string, flags: string): number {
  const fd = openSync(path, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'out');
}

/** The number of a pipe that is read by whoever writes it. */
function newPipe(): number {
  const path = newFile();
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  return opened(path, 'r+');
}

function taken(fd: number): string {
  const bytes = Buffer.alloc(10);
  return bytes.toString('utf8', 0, readSync(fd, bytes));
}

/** A stream of Node.js that takes what it is given, or fails with `code`. */
function streamOf(taken: string[], code: string | null = null): NodeJS.WriteStream {
  const write = (chunk: Uint8Array, _: string, done: (error?: Error | null) => void): void => {
    taken.push(String(chunk));
    done(code === null ? null : Object.assign(new Error(code), { code }));
  };
  return new Writable({ write }) as unknown as NodeJS.WriteStream;
}

describe('an output', () => {
  it('is written at once, without a stream, while nothing else is under way', async () => {
    const path = newFile();
    const output = processOutput({ fd: opened(path, 'w'), open: never, mayBlock: () => true });
    expect(output.isTerminal).toBe(false);
    expect(output.used()).toBe(false);
    void output.write('a → ');
    void output.write('b\n');
    expect(readFileSync(path, 'utf8')).toBe('a → b\n');
    expect({ used: output.used(), failure: output.failure() }).toEqual({ used: true, failure: null });
  });

  it('to a file is always written at once: a stream would not tell of what the disk did not take', async () => {
    const path = newFile();
    const output = processOutput({ fd: opened(path, 'w'), open: never, mayBlock: () => false });
    await output.write('a');
    expect(readFileSync(path, 'utf8')).toBe('a');
  });

  it('is a stream once somebody must not be held up, and stays one', async () => {
    const taken: string[] = [];
    let mayBlock = false;
    const open = (): NodeJS.WriteStream => streamOf(taken);
    const output = processOutput({ fd: opened('/dev/null', 'w'), open, mayBlock: () => mayBlock });
    await output.write('a');
    mayBlock = true;
    await output.write('b');
    expect(taken).toEqual(['a', 'b']);
  });

  it.each([
    [0, 80],
    [undefined, 80],
    [33, 33],
  ])('on a terminal of %s columns counts %i', (told, columns) => {
    const open = (): NodeJS.WriteStream => Object.assign(streamOf([]), { isTTY: true, columns: told as number });
    const output = processOutput({ fd: opened('/dev/zero', 'w'), open, mayBlock: () => true });
    expect(output.columns).toBe(columns);
  });

  it('on a full disk says so, and takes no more', async () => {
    const output = processOutput({ fd: opened('/dev/full', 'w'), open: never, mayBlock: () => true });
    await output.write('a');
    await output.write('b');
    expect({ failure: output.failure(), closed: output.closed() }).toEqual({ failure: 'ENOSPC', closed: true });
  });

  it('says its last word at once, but not into the middle of another', async () => {
    const fd = newPipe();
    const slow: (() => void)[] = [];
    const write = (_chunk: unknown, _encoding: string, done: () => void): void => void slow.push(done);
    const open = (): NodeJS.WriteStream => new Writable({ write }) as unknown as NodeJS.WriteStream;
    const output = processOutput({ fd, open, mayBlock: () => false });
    output.writeLast('a');
    const writing = output.write('b');
    output.writeLast('c');
    expect(taken(fd)).toBe('a');
    slow.pop()?.();
    await writing;
    output.writeLast('d');
    expect(taken(fd)).toBe('d');
  });

  it.each([
    ['ENOSPC', 'ENOSPC'],
    ['EPIPE', null],
  ])('whose stream ends with %s has failed with %s', async (code, failure) => {
    const taken: string[] = [];
    const output = processOutput({
      fd: opened('/dev/null', 'w'),
      open: () => streamOf(taken, code),
      mayBlock: () => false,
    });
    await output.write('a');
    await output.write('b');
    expect({ taken, failure: output.failure(), closed: output.closed() }).toEqual({
      taken: ['a'],
      failure,
      closed: true,
    });
  });
});
