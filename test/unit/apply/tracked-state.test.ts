// What git tracks below the tool's own folder is found in its index, whatever the index looks like, without running git.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../../src/apply/folder/file-system.ts';
import { indexNames } from '../../../src/apply/folder/git-index.ts';
import { trackedState } from '../../../src/apply/folder/tracked-state.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trueup-tracked-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function plant(root: string, path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A work tree with some files in its index. */
function treeWith(files: readonly string[], ...settings: readonly string[]): string {
  const root = newFolder();
  git(root, 'init', '-q', ...settings);
  for (const file of files) plant(root, file);
  if (files.length > 0) git(root, 'add', '-f', '--', ...files);
  return root;
}

const said = async (folder: string): Promise<string | null> => trackedState(nodeFileSystem, join(folder, '.trueup'));

const MANY = Array.from({ length: 40 }, (_, number) => `teams/${'deep/'.repeat(number % 7)}file-${number}.yaml`);

describe('the index', () => {
  const forms: readonly (readonly [string, (root: string) => void])[] = [
    ['of version 2', (root) => void git(root, 'update-index', '--index-version', '2')],
    [
      'of version 3',
      (root) => {
        plant(root, 'later');
        git(root, 'add', '--intent-to-add', 'later');
      },
    ],
    ['of version 4', (root) => void git(root, 'update-index', '--index-version', '4')],
    ['with extensions', (root) => void git(root, 'commit', '-q', '-m', 'all')],
    ['with its untracked files', (root) => void git(root, 'update-index', '--force-untracked-cache')],
  ];
  it.each(forms)('%s gives the names that git lists', (_what, change) => {
    const root = treeWith([...MANY, 'zz ü.txt']);
    change(root);
    const names = indexNames(readFileSync(join(root, '.git/index')))?.names;
    expect(names).toEqual(git(root, 'ls-files', '-z').split('\0').filter(Boolean));
  });

  it.each(forms)('%s with ids of SHA-256 as well', (_what, change) => {
    const root = treeWith(MANY, '--object-format=sha256');
    change(root);
    const names = indexNames(readFileSync(join(root, '.git/index')))?.names;
    expect(names).toEqual(git(root, 'ls-files', '-z').split('\0').filter(Boolean));
  });

  it('that is cut short, or is none, gives no names', () => {
    const root = treeWith(MANY);
    const whole = readFileSync(join(root, '.git/index'));
    for (const length of [0, 4, 11, 12, 40, 100, whole.length - 30, whole.length - 1])
      expect(indexNames(whole.subarray(0, length))).toBeNull();
    expect(indexNames(Buffer.from('DIRC\0\0\0\u0009\0\0\0\0'))).toBeNull();
  });
});

describe('the folder', () => {
  it.each<[string, readonly string[], string | null]>([
    ['with a journal', ['a.txt', '.trueup/journal'], '.trueup/journal'],
    ['with a secret', ['.trueup/secrets/ci.json'], '.trueup/secrets/ci.json'],
    ['with its ignore file alone', ['.trueup/.gitignore'], '.trueup/.gitignore'],
    ['in other letters', ['.TrueUp/journal'], '.TrueUp/journal'],
    ['with a letter that nobody sees', ['.true\u200cup/journal'], '.true\u200cup/journal'],
    ['with a dot at its end', ['.trueup./journal'], '.trueup./journal'],
    ['of another name', ['.trueupper/journal', 'trueup/journal', 'a/.trueup/x'], null],
    ['of a tree that tracks nothing', [], null],
  ])('%s', async (_what, files, found) => {
    const root = treeWith(files);
    expect(await said(root)).toBe(found === null ? null : `git tracks ${found}`);
  });

  it('in a subfolder of the tree, also one that is reached by a link', async () => {
    const root = treeWith(['env/prod/.trueup/journal']);
    symlinkSync(join(root, 'env/prod'), join(root, 'here'));
    expect(await said(join(root, 'env/prod'))).toBe('git tracks env/prod/.trueup/journal');
    expect(await said(join(root, 'here'))).toBe('git tracks env/prod/.trueup/journal');
    expect(await said(root)).toBeNull();
    expect(await said(join(root, 'env'))).toBeNull();
  });

  it('that is itself a link, or a tree of its own', async () => {
    const root = treeWith([]);
    symlinkSync('elsewhere', join(root, '.trueup'));
    git(root, 'add', '-f', '.trueup');
    expect(await said(root)).toBe('git tracks .trueup');
  });

  it('in a work tree of its own beside the first, and in a module', async () => {
    const root = treeWith(['a', '.trueup/journal']);
    git(root, 'commit', '-q', '-m', 'all');
    const beside = join(newFolder(), 'beside');
    git(root, 'worktree', 'add', '-q', beside, '-b', 'beside');
    expect(await said(beside)).toBe('git tracks .trueup/journal');
    const outer = treeWith(['b']);
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'module');
    expect(await said(join(outer, 'module'))).toBe('git tracks .trueup/journal');
    expect(await said(outer)).toBeNull();
  });

  it('in a tree within a tree that tracks it', async () => {
    const outer = treeWith(['inner/.trueup/journal']);
    git(join(outer, 'inner'), 'init', '-q');
    expect(await said(join(outer, 'inner'))).toBe('git tracks inner/.trueup/journal');
  });

  it('whose names the index shares with another file', async () => {
    const root = treeWith(['a', '.trueup/journal']);
    git(root, 'update-index', '--split-index');
    plant(root, 'b');
    git(root, 'add', 'b');
    expect(await said(root)).toBe('git tracks .trueup/journal');
  });

  it('whose names the index keeps as one entry', async () => {
    const root = treeWith(['a', 'keep/b', '.trueup/journal', '.trueup/secrets/c']);
    git(root, 'commit', '-q', '-m', 'all');
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'keep');
    expect(await said(root)).toMatch(/^git tracks \.trueup\//);
  });

  it('cannot be told where the index cannot be read', async () => {
    const root = treeWith(['a']);
    writeFileSync(join(root, '.git/index'), 'DIRC');
    expect(await said(root)).toContain('cannot be read');
  });

  it('lies in no work tree', async () => {
    expect(await said(newFolder())).toBeNull();
  });
});
