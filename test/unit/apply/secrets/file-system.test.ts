// The door to local files: what it refuses by itself, and the folder that it keeps out of commits.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  nodeFileSystem,
  readWhole,
  writeAll,
  type OpenMode,
  ensureStateFolder,
} from '../../../../src/apply/file-system.ts';
import { errorCode } from '../../../../src/base/error-code.ts';
import { makeFifo, workFolder } from './world.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => errorCode(error),
  );
}

describe('opening', () => {
  it.each<OpenMode>(['create', 'append', 'write', 'read'])('to %s never follows a symlink', async (mode) => {
    const folder = workFolder();
    writeFileSync(join(folder, 'elsewhere'), 'untouched');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    expect(await codeOf(nodeFileSystem.open(join(folder, 'link'), mode))).toBe(mode === 'create' ? 'EEXIST' : 'ELOOP');
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('untouched');
  });

  it('does not wait at a FIFO that was put where a file should be', async () => {
    const path = join(workFolder(), 'fifo');
    makeFifo(path);
    expect(await codeOf(readWhole(nodeFileSystem, path, 10))).toBe('EINVAL');
    expect(await codeOf(nodeFileSystem.open(path, 'write'))).toBe('ENXIO');
  });

  it('to append writes at the end, to write at the position', async () => {
    const path = join(workFolder(), 'file');
    for (const text of ['ab', 'cd']) {
      const file = await nodeFileSystem.open(path, 'append');
      await writeAll(file, Buffer.from(text));
      await file.close();
    }
    const file = await nodeFileSystem.open(path, 'write');
    await writeAll(file, Buffer.from('X'), 1);
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('aXcd');
  });
});

it('reading whole refuses what is larger than allowed', async () => {
  const path = join(workFolder(), 'file');
  writeFileSync(path, '12345');
  expect(await codeOf(readWhole(nodeFileSystem, path, 4))).toBe('EFBIG');
  expect(Buffer.from(await readWhole(nodeFileSystem, path, 5)).toString()).toBe('12345');
});

describe('the state folder', () => {
  it('is made with those above it, all closed to others', async () => {
    const top = workFolder();
    await ensureStateFolder(nodeFileSystem, join(top, 'a/b/c'));
    await ensureStateFolder(nodeFileSystem, join(top, 'a/b/c'));
    for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(top, name)).mode & 0o777).toBe(0o700);
  });

  it('is synced in the folder above it by each run, because the run that made it may have been killed before', async () => {
    const top = workFolder();
    const synced: string[] = [];
    const noting = { ...nodeFileSystem, syncFolder: async (path: string) => void synced.push(relative(top, path)) };
    await ensureStateFolder(noting, join(top, 'a/b'));
    await ensureStateFolder(noting, join(top, 'a/b'));
    expect(synced).toEqual(['', 'a', 'a']);
  });

  it('is refused where others may write to it', async () => {
    const folder = join(workFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o770);
    expect(await codeOf(ensureStateFolder(nodeFileSystem, folder))).toBe('EPERM');
  });

  it('is refused where a file or a symlink stands', async () => {
    const folder = workFolder();
    symlinkSync(workFolder(), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['link', 'file'])
      expect(await codeOf(ensureStateFolder(nodeFileSystem, join(folder, name)))).toBe('ENOTDIR');
  });
});
