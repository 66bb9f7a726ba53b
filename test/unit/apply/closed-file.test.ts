// The machine's own files: a closed file reaches no other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/apply/file-system.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trueup-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
