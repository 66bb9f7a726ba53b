// Standard streams of the process: what cannot be written is known, a reader who leaves is no failure, and nobody who listens is held up.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processOutput } from '../../../src/cli/process-output.ts';

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

  it('is a stream once somebody must not be held up, and stays one', async () => {
    const path = newFile();
    const taken: string[] = [];
    let mayBlock = false;
    const open = (): NodeJS.WriteStream => streamOf(taken);
    const output = processOutput({ fd: opened(path, 'w'), open, mayBlock: () => mayBlock });
    await output.write('a');
    mayBlock = true;
    await output.write('b');
    expect(taken).toEqual(['a', 'b']);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('that nobody reads is no terminal, and is not opened to find that out', () => {
    const output = processOutput({ fd: opened('/dev/null', 'w'), open: never, mayBlock: () => true });
    expect({ isTerminal: output.isTerminal, columns: output.columns }).toEqual({ isTerminal: false, columns: 80 });
  });

  it('on a full disk says so, and takes no more', async () => {
    const output = processOutput({ fd: opened('/dev/full', 'w'), open: never, mayBlock: () => true });
    await output.write('a');
    await output.write('b');
    expect({ failure: output.failure(), closed: output.closed() }).toEqual({ failure: 'ENOSPC', closed: true });
  });

  it('says its last word at once, but not into the middle of another', async () => {
    const path = newFile();
    const slow: (() => void)[] = [];
    const write = (_chunk: unknown, _encoding: string, done: () => void): void => void slow.push(done);
    const open = (): NodeJS.WriteStream => new Writable({ write }) as unknown as NodeJS.WriteStream;
    const output = processOutput({ fd: opened(path, 'w'), open, mayBlock: () => false });
    output.writeLast('a');
    const writing = output.write('b');
    output.writeLast('c');
    expect(readFileSync(path, 'utf8')).toBe('a');
    slow.pop()?.();
    await writing;
    output.writeLast('d');
    expect(readFileSync(path, 'utf8')).toBe('ad');
  });

  it.each([
    ['ENOSPC', 'ENOSPC'],
    ['EPIPE', null],
  ])('whose stream ends with %s has failed with %s', async (code, failure) => {
    const taken: string[] = [];
    const output = processOutput({ fd: 1, open: () => streamOf(taken, code), mayBlock: () => false });
    await output.write('a');
    await output.write('b');
    expect({ taken, failure: output.failure(), closed: output.closed() }).toEqual({
      taken: ['a'],
      failure,
      closed: true,
    });
  });
});
