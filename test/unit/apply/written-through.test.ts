// The machine's own files: what is appended is on the disk when it has been written, and a closed file reaches no other.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/apply/folder/file-system.ts';

const O_DSYNC = 0o10000;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trueup-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The flags with which this process has the file open, as the system tells them. */
function flagsOf(path: string): number {
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`) !== path) continue;
      return Number.parseInt(/flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '', 8);
    } catch {
      // The one that lists them is closed again.
    }
  }
  throw new Error(`${path} is not open`);
}

it.runIf(platform() === 'linux').each([
  ['append', true],
  ['create', false],
] as const)('a file opened to %s is written through: %s', async (mode, isWrittenThrough) => {
  const path = join(await nodeFileSystem.realPath(folder), 'file');
  const file = await nodeFileSystem.open(path, mode);
  try {
    expect((flagsOf(path) & O_DSYNC) !== 0).toBe(isWrittenThrough);
  } finally {
    await file.close();
  }
});

it('a closed file neither writes nor closes the one that was given its number', async () => {
  const open = async (name: string) => nodeFileSystem.open(join(folder, name), 'create');
  const first = await open('first');
  await first.close();
  const second = await open('second');
  await expect(first.write(new Uint8Array([1]))).rejects.toMatchObject({ code: 'EBADF' });
  await first.close();
  await second.write(new Uint8Array([2]));
  await second.close();
  expect([...readFileSync(join(folder, 'second'))]).toEqual([2]);
});
