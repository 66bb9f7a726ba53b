// When git is asked about a secret's place, what it is asked, and what its answer means.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '../../../../src/apply/folder/file-system.ts';
import { commitDanger, type GitGuardInput } from '../../../../src/apply/sinks/git-guard.ts';
import type { ProgramCall, ProgramEnd } from '../../../../src/apply/sinks/run-program.ts';
import { sinkIn, systemError, workFolder } from './world.ts';

const IGNORED: ProgramEnd = { end: 'exited', code: 0, stderr: '', problem: null };
const NOT_IGNORED: ProgramEnd = { ...IGNORED, code: 1 };
const NO_REPOSITORY: ProgramEnd = { ...IGNORED, code: 128 };
const TOO_SLOW: ProgramEnd = { ...IGNORED, end: 'timed_out', code: null };

const EXPOSED = /it lies in a git work tree and is not ignored/;
const UNKNOWN = /git could not say whether it is ignored/;
const BESIDE = /a temporary file beside it would not be/;

interface Case {
  /** Contents of `.gitignore` files by folder of the work tree (`..`: above it); null = there is no work tree at all. */
  readonly ignores: Readonly<Record<string, string>> | null;
  readonly effort?: GitGuardInput['effort'];
  readonly answers?: readonly ProgramEnd[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file, from the root of the work tree. */
  readonly path?: string;
  /** A program in the work tree. */
  readonly plant?: string;
}

/** What is said of `keys/ci.json` in a work tree, and the calls of git. */
async function asked({
  ignores,
  effort = 'full',
  answers = [],
  env = {},
  path = 'keys/ci.json',
  plant,
}: Case): Promise<{
  danger: string | null;
  calls: ProgramCall[];
  root: string;
}> {
  const root = join(realpathSync(workFolder()), 'tree');
  mkdirSync(join(root, 'keys'), { recursive: true });
  if (ignores !== null) mkdirSync(join(root, '.git'));
  for (const [folder, text] of Object.entries(ignores ?? {})) writeFileSync(join(root, folder, '.gitignore'), text);
  if (plant !== undefined) {
    mkdirSync(dirname(join(root, plant)), { recursive: true });
    writeFileSync(join(root, plant), '#!/bin/sh\n', { mode: 0o755 });
  }
  const calls: ProgramCall[] = [];
  const run = async (call: ProgramCall): Promise<ProgramEnd> => {
    calls.push(call);
    return Promise.resolve(answers[calls.length - 1] ?? IGNORED);
  };
  const danger = await commitDanger({
    fileSystem: nodeFileSystem,
    run,
    env: { ...env, ...('PATH' in env ? { PATH: env['PATH'].replace('{}', root) } : {}) },
    path: join(root, path),
    workDir: root,
    effort,
  });
  return { danger, calls, root };
}

describe('the place of a secret', () => {
  it.each<[string, Case, RegExp | null, number]>([
    ['outside of any work tree: nobody is asked', { ignores: null }, null, 0],
    ['that git ignores', { ignores: {} }, null, 2],
    ['that git does not ignore', { ignores: {}, answers: [NOT_IGNORED] }, EXPOSED, 1],
    ['that git ignores, but not what lies beside it', { ignores: {}, answers: [IGNORED, NOT_IGNORED] }, BESIDE, 2],
    ['of which git knows nothing', { ignores: {}, answers: [NO_REPOSITORY] }, UNKNOWN, 1],
    ['of which git says nothing in time', { ignores: {}, answers: [TOO_SLOW] }, UNKNOWN, 1],
    [
      'of which git knows nothing, though everything there is ignored',
      { ignores: { keys: '*\n' }, answers: [NO_REPOSITORY, TOO_SLOW] },
      null,
      2,
    ],
    [
      'that git does not ignore, whatever a file says',
      { ignores: { keys: '*\n' }, answers: [NOT_IGNORED] },
      EXPOSED,
      1,
    ],
    ['at a quick look, where everything is ignored', { ignores: { keys: '*\n' }, effort: 'quick' }, null, 0],
    ['at a quick look, where not', { ignores: {}, effort: 'quick', answers: [NOT_IGNORED] }, EXPOSED, 1],
    ['in folders that are not there yet', { ignores: {}, path: 'new/er/ci.json', answers: [NOT_IGNORED] }, EXPOSED, 1],
  ])('%s', async (_what, situation, words, count) => {
    const { danger, calls } = await asked(situation);
    if (words === null) expect(danger).toBeNull();
    else expect(danger).toMatch(words);
    expect(calls).toHaveLength(count);
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['a star', { keys: '*' }, true],
    ['a star with blanks and remarks', { keys: '# all of it\r\n\r\n  *  \r\n' }, true],
    ['a star further up', { '.': '*\n' }, true],
    ['a star above the work tree', { '..': '*\n' }, false],
    ['a star with an exception', { keys: '*\n!ci.json\n' }, false],
    ['an exception before a star', { keys: '!ci.json\n*\n' }, false],
    ['remarks alone', { keys: '# *\n' }, false],
    ['a star in a remark’s end', { keys: 'x#\n*\n' }, false],
    ['nothing', { keys: '' }, false],
  ])('is covered without git by %s: %s', async (_what, ignores, covered) => {
    const { danger, calls } = await asked({ ignores, effort: 'quick', answers: [NO_REPOSITORY] });
    expect([danger === null, calls.length === 0]).toEqual([covered, covered]);
  });

  it('is told to git with its folder and its tree, without settings of the environment, and so that nothing in the tree is run', async () => {
    const env = { PATH: '/bin', GIT_DIR: '/elsewhere', GIT_WORK_TREE: '/', DIGIT: '1' };
    const { calls, root } = await asked({ ignores: {}, env, path: 'keys/new/ci.json' });
    const bin = realpathSync('/bin');
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({ program: join(bin, 'git'), stdin: null, folder: root, timeoutMs: 10_000 });
    expect(calls[0]?.args).toEqual([
      `--git-dir=${root}/.git`,
      `--work-tree=${root}`,
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'safe.bareRepository=explicit',
      '-c',
      'protocol.allow=never',
      '--no-pager',
      'check-ignore',
      '-q',
      '--',
      './keys/new/ci.json',
    ]);
    expect(calls[1]?.args.at(-1)).toBe('./keys/new/.ci.json.trueup-run-1.tmp');
    expect(calls[0]?.env).toEqual({
      PATH: bin,
      DIGIT: '1',
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
    });
  });

  it.each(['.', '', 'bin', '{root}/bin', '{root}/keys/..'])(
    'runs no git that PATH finds in the tree: %s',
    async (folder) => {
      const { calls } = await asked({
        ignores: {},
        env: { PATH: `${folder.replace('{root}', '{}')}:/bin` },
        plant: 'bin/git',
      });
      expect(calls.map(({ program }) => program)).toEqual([0, 1].map(() => join(realpathSync('/bin'), 'git')));
      expect(calls.map(({ env }) => env['PATH'])).toEqual([0, 1].map(() => realpathSync('/bin')));
    },
  );
});

it('a folder that cannot be looked at is not passed by: who knows where it lies', async () => {
  const root = realpathSync(workFolder());
  mkdirSync(join(root, 'keys'));
  const realPath: FileSystem['realPath'] = async (path) => {
    if (path === join(root, 'keys')) throw systemError('EACCES');
    return nodeFileSystem.realPath(path);
  };
  const sink = sinkIn(root, { secretsDir: 'keys', fileSystem: { ...nodeFileSystem, realPath } });
  expect(await sink.check()).toMatchObject({ state: 'broken', reason: 'permission denied (EACCES)' });
});

describe('a look at the folder that brings its own ignore file', () => {
  const looked = async (prepare: (workDir: string) => void, ...answers: readonly ProgramEnd[]): Promise<unknown> => {
    const workDir = realpathSync(workFolder());
    mkdirSync(join(workDir, '.git'));
    prepare(workDir);
    let calls = 0;
    const { state } = await sinkIn(workDir, {
      run: async () => Promise.resolve(answers[calls++] ?? NOT_IGNORED),
    }).check();
    return [state, calls];
  };

  it.each<[string, (workDir: string) => void, unknown]>([
    ['asks nobody while it is not there', () => undefined, ['absent', 0]],
    ['asks nobody while that file is not there', (dir) => mkdirSync(join(dir, '.trueup')), ['absent', 0]],
    [
      'believes the file that it brings',
      (dir) => {
        mkdirSync(join(dir, '.trueup'));
        writeFileSync(join(dir, '.trueup/.gitignore'), '*\n');
      },
      ['absent', 0],
    ],
    [
      'asks git when somebody wrote another',
      (dir) => {
        mkdirSync(join(dir, '.trueup'));
        writeFileSync(join(dir, '.trueup/.gitignore'), '!secrets\n');
      },
      ['broken', 1],
    ],
  ])('%s', async (_what, prepare, expected) => {
    expect(await looked(prepare)).toEqual(expected);
  });
});
