// No secret in a commit: inside a git work tree only an ignored file takes one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { programRunner, type RunProgram } from '../../../../src/apply/sinks/run-program.ts';
import { NEW, recordOf, sinkIn, workFolder } from './world.ts';

const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent' };
const realGit = { run: programRunner(systemClock), env };
const noGit: RunProgram = async () =>
  Promise.resolve({ end: 'not_started', code: null, stderr: '', problem: 'ENOENT' });

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder, env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null' }, stdio: 'pipe' });
}

function repository(): string {
  const folder = workFolder();
  git(folder, 'init', '-q');
  return folder;
}

describe('in a git work tree', () => {
  it('the default folder brings its own ignore file', async () => {
    const workDir = repository();
    const sink = sinkIn(workDir, realGit);
    expect(await sink.check()).toMatchObject({ state: 'absent' });
    await (await sink.reserve()).store(recordOf('42'), { key: NEW });
    git(workDir, 'add', '-A');
    expect(execFileSync('git', ['ls-files'], { cwd: workDir, encoding: 'utf8' })).toBe('');
    expect(await sink.check()).toMatchObject({ state: 'stored', holds: { id: '42' } });
  });

  it('another folder is refused until it is ignored', async () => {
    const workDir = repository();
    const nested = join(workDir, 'deep', 'er');
    mkdirSync(nested, { recursive: true });
    const sink = sinkIn(nested, { ...realGit, secretsDir: 'keys' });
    expect(await sink.check()).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining('not ignored') as string,
    });
    await expect(sink.reserve()).rejects.toThrow(/not ignored/);
    writeFileSync(join(workDir, '.gitignore'), '**/keys/*.json\n');
    expect(await sink.check()).toMatchObject({
      reason: expect.stringContaining('a temporary file beside it') as string,
    });
    writeFileSync(join(workDir, '.gitignore'), '**/keys/\n');
    expect(await sink.check()).toMatchObject({ state: 'absent' });
    await (await sink.reserve()).store(recordOf('42'), { key: NEW });
    expect(readdirSync(join(nested, 'keys'))).toEqual(['ci.json']);
  });

  it('a file that is tracked in spite of the ignore file is refused', async () => {
    const workDir = repository();
    const sink = sinkIn(workDir, realGit);
    await (await sink.reserve()).store(recordOf('42'), { key: NEW });
    git(workDir, 'add', '-f', '.trueup/secrets/ci.json');
    await expect(sink.reserve()).rejects.toThrow(/not ignored/);
  });

  it('without git on the machine, only an ignore file that covers everything is proof', async () => {
    const workDir = repository();
    await (await sinkIn(workDir, { run: noGit }).reserve()).store(recordOf('42'), { key: NEW });
    const other = sinkIn(workDir, { run: noGit, secretsDir: 'keys' });
    writeFileSync(join(workDir, '.gitignore'), 'keys/\n');
    expect(await other.check()).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining('could not say') as string,
    });
    await expect(other.reserve()).rejects.toThrow(/could not say/);
  });

  it('the environment cannot point git at another repository', async () => {
    const workDir = repository();
    const sink = sinkIn(workDir, { ...realGit, env: { ...env, GIT_DIR: '/nonexistent' }, secretsDir: 'keys' });
    expect(await sink.check()).toMatchObject({ reason: expect.stringContaining('not ignored') as string });
  });
});
