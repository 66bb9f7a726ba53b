// The folder of secrets: which names stay inside, who else may write on the way to it, and what is made anew.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '../../../../src/apply/file-system.ts';
import { fileNameProblem } from '../../../../src/apply/sinks/secret-folder.ts';
import { NEW, recordOf, sinkIn, systemError, workFolder } from './world.ts';

const LEADS_OUT = 'the name must not lead out of the secrets folder';
const ODD = 'use letters, digits and ._@+=-, with / between folders; each part begins with a letter, a digit or _';

it.each<[string, string | null]>([
  ...['ci.json', 'team/ci-deploy.json', 'a', '_x@1+2=3.json'].map((name): [string, null] => [name, null]),
  ...['', '.', '..', '../x', 'C:x', 'a//b', '.gitignore', 'a\0b', 'a\nb', 'ü'].map((name): [string, string] => [
    name,
    expect.any(String) as string,
  ]),
  ['a/b/c/d/e/f/g/h', null],
  ['a/b/c/d/e/f/g/h/i', ODD],
  ['/etc/passwd', LEADS_OUT],
  ['a/../b', LEADS_OUT],
  ['a\\b', LEADS_OUT],
  ['a/', ODD],
  ['a b', ODD],
  ['x'.repeat(100), null],
  ['x'.repeat(101), ODD],
])('a name of a file: %j', (name, problem) => {
  expect(fileNameProblem(name)).toEqual(problem);
});

/** Where a secret goes of which the operator named the folder: `secretsDir` stands in a new folder of its own. */
async function storedIn(workDir: string, secretsDir: string): Promise<unknown> {
  const sink = sinkIn(workDir, { secretsDir });
  await (await sink.reserve()).store(recordOf('42'), { key: NEW });
  return sink.check();
}

describe('a folder that the operator named', () => {
  it.each([
    ['right above it', ''],
    ['farther above it', 'mine'],
  ])('outside of the working folder may have one %s that others may write to', async (_where, between) => {
    const elsewhere = workFolder();
    const folder = join(elsewhere, between, 'keys');
    mkdirSync(join(elsewhere, between), { recursive: true });
    chmodSync(elsewhere, 0o777);
    expect(await storedIn(workFolder(), folder)).toMatchObject({ state: 'stored', holds: { id: '42' }, reason: null });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('outside of the working folder may be reached through a link', async () => {
    const elsewhere = workFolder();
    mkdirSync(join(elsewhere, 'real'));
    symlinkSync('real', join(elsewhere, 'link'));
    expect(await storedIn(workFolder(), join(elsewhere, 'link', 'keys'))).toMatchObject({ state: 'stored' });
    expect(readdirSync(join(elsewhere, 'real', 'keys'))).toEqual(['ci.json']);
  });

  it('outside of the working folder must not be a link itself, nor open to others', async () => {
    const elsewhere = workFolder();
    mkdirSync(join(elsewhere, 'open'));
    chmodSync(join(elsewhere, 'open'), 0o770);
    symlinkSync('open', join(elsewhere, 'link'));
    await expect(storedIn(workFolder(), join(elsewhere, 'link'))).rejects.toThrow(/is a symlink; name the real folder/);
    await expect(storedIn(workFolder(), join(elsewhere, 'open'))).rejects.toThrow(/by other users \(mode 0770\)/);
  });

  it('inside of the working folder may have one above it that others may write to, but no link', async () => {
    const workDir = workFolder();
    mkdirSync(join(workDir, 'team'));
    chmodSync(join(workDir, 'team'), 0o770);
    symlinkSync('team', join(workDir, 'link'));
    expect(await storedIn(workDir, 'team/keys')).toMatchObject({ state: 'stored' });
    await expect(storedIn(workDir, 'link/keys')).rejects.toThrow(/its folder link is a symlink/);
  });
});

describe('a folder on the way', () => {
  it('that somebody makes at the same time is as good', async () => {
    const workDir = workFolder();
    const fileSystem = {
      ...nodeFileSystem,
      makeFolder: async (path: string): Promise<void> => {
        mkdirSync(path, { mode: 0o700 });
        return nodeFileSystem.makeFolder(path);
      },
    };
    const reservation = await sinkIn(workDir, { secretsDir: 'keys', fileSystem }).reserve();
    await expect(reservation.store(recordOf('42'), { key: NEW })).resolves.toBeUndefined();
  });

  it('that is no folder is refused by its name', async () => {
    const workDir = workFolder();
    writeFileSync(join(workDir, 'team'), '');
    await expect(storedIn(workDir, 'team/keys')).rejects.toThrow('file:ci.json: its folder team is not a folder');
  });

  it('that vanishes at once is refused by its name', async () => {
    const workDir = workFolder();
    const facts: FileSystem['facts'] = async (path) =>
      path === join(workDir, 'keys') ? null : nodeFileSystem.facts(path);
    const sink = sinkIn(workDir, { secretsDir: 'keys', fileSystem: { ...nodeFileSystem, facts } });
    await expect(sink.reserve()).rejects.toThrow('file:ci.json: its folder keys was deleted while trueup used it');
  });

  it('that cannot be made is refused with the word of the system', async () => {
    const makeFolder = async (): Promise<void> => Promise.reject(systemError('EACCES'));
    const sink = sinkIn(workFolder(), { secretsDir: 'keys', fileSystem: { ...nodeFileSystem, makeFolder } });
    await expect(sink.reserve()).rejects.toThrow('file:ci.json: cannot be written: permission denied (EACCES)');
  });
});
