// The built program in work trees that somebody else wrote: git is never made to run a program of theirs, and a committed memory is refused.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ASKING, cleanUp, newFolder, run } from './support/program.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterAll(cleanUp);

const WISH = `version: 1
expect: { has_project: none-000001 }
api_keys: { ci: { secret: { file: ci.json } } }
`;

function git(folder: string, ...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: 'pipe' });
}

function plant(root: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

/** A work tree with a file of wishes; `told` is what a program of the attacker would make. */
function tree(): { readonly root: string; readonly program: string; readonly told: string } {
  const root = newFolder('tree');
  git(root, 'init', '-q');
  plant(root, 'trueup.yaml', WISH);
  const told = join(root, 'told');
  plant(root, 'evil.sh', `#!/bin/sh\ntouch '${told}'\necho evil\nexit 0\n`, 0o755);
  return { root, program: join(root, 'evil.sh'), told };
}

const HOSTILE_CONFIG = (program: string, bare: boolean): string =>
  `[core]\n\trepositoryformatversion = 0\n\tbare = ${bare}\n\tfsmonitor = ${program}\n\thooksPath = ${dirname(program)}\n\tpager = ${program}\n\tsshCommand = ${program}\n[alias]\n\tcheck-ignore = !${program}\n`;

/** An own repository in `folder`, by its parts as in a bare one, whose settings name the program. */
function plantRepository(folder: string, program: string): void {
  mkdirSync(folder, { recursive: true });
  const made = newFolder('made');
  git(made, 'init', '-q');
  plant(made, 'a', 'a');
  git(made, 'add', 'a');
  // An index that was watched once asks its watcher whenever it is read.
  git(made, '-c', 'core.fsmonitor=/bin/true', 'update-index', '--fsmonitor');
  for (const part of ['HEAD', 'index', 'objects', 'refs']) renameSync(join(made, '.git', part), join(folder, part));
  writeFileSync(join(folder, 'config'), HOSTILE_CONFIG(program, false).replace('[core]', '[core]\n\tworktree = .'));
}

const COMMANDS: readonly (readonly string[])[] = [
  ...ASKING,
  ['hold', 'shop/primary', '--path', 'disabled', '--until', '2099-01-01', '--reason', 'x'],
];

it('the planted repository would run its program if git were asked within it', () => {
  const { root, program, told } = tree();
  plantRepository(join(root, '.trueup/secrets'), program);
  expect(() => git(join(root, '.trueup/secrets'), 'check-ignore', '-q', '--', './ci.json')).toThrow('Command failed');
  expect(existsSync(told)).toBe(true);
});

describe('nothing in the tree is run by', () => {
  it.each(['plan', 'keys', 'apply'])('%s, where a secret is to lie', async (command) => {
    const { root, program, told } = tree();
    plantRepository(join(root, '.trueup/secrets'), program);
    chmodSync(join(root, '.trueup'), 0o700);
    chmodSync(join(root, '.trueup/secrets'), 0o700);
    // An ignore file of somebody else makes git be asked.
    plant(root, '.trueup/.gitignore', 'journal\n');
    const more = command === 'apply' ? ['--auto-approve'] : [];
    await run([command, '--local', ...more], { cwd: root });
    const dirs = ['--secrets-dir', '.trueup/secrets'];
    await run([command, '--local', ...dirs, ...more], { cwd: root });
    expect(existsSync(told)).toBe(false);
  });

  it('plan, from PATH, aliases, hooks and settings of the tree', async () => {
    const { root, program, told } = tree();
    writeFileSync(join(root, '.git/config'), HOSTILE_CONFIG(program, false));
    plant(root, 'git', `#!/bin/sh\ntouch '${told}'\nexit 0\n`, 0o755);
    plant(root, '.git/hooks/post-index-change', `#!/bin/sh\ntouch '${told}'\n`, 0o755);
    const PATH = `.::bin:${root}:${process.env['PATH'] ?? ''}`;
    for (const command of ['plan', 'keys'])
      await run([command, '--local', '--secrets-dir', 'keys'], { cwd: root, env: { PATH } });
    await run(['apply', '--local', '--secrets-dir', 'keys', '--auto-approve'], { cwd: root, env: { PATH } });
    expect(existsSync(told)).toBe(false);
  });
});

describe('a memory that git tracks is refused by', () => {
  it.each(COMMANDS)('%s', async (...args) => {
    const { root } = tree();
    plant(root, '.trueup/journal', '{"type":"run"}\n');
    if (args[0] === 'hold')
      plant(root, 'trueup.yaml', `${WISH}projects: { shop: { computes: { primary: { branch_id: br-a } } } }\n`);
    git(root, 'add', '-f', '.trueup');
    const hasFormats = args[0] !== 'import' && args[0] !== 'hold' && args[0] !== 'pin';
    const more = ['--base-url', 'http://127.0.0.1:9/api/v2', ...(hasFormats ? ['--format', 'json'] : [])];
    const { code, err, out } = await run([...args, ...more], {
      cwd: root,
      env: { TRUEUP_API_KEY: 'key-of-nobody' },
    });
    expect([code, err]).toEqual([1, expect.stringContaining('git tracks .trueup/journal') as string]);
    expect(err).toContain('error tracked_state:');
    if (hasFormats) expect(out).toContain('"tracked_state"');
    expect(err).toContain('git rm -r --cached');
  });

  it.each([
    ['plan', '--local'],
    ['serve', '--port', '0'],
    ['plan', '--local=kept'],
  ])('%s %s', async (...args) => {
    const { root } = tree();
    const folder = join(root, 'env/prod');
    plant(folder, 'trueup.yaml', WISH);
    const tracked = args[1] === '--local=kept' ? 'kept/store' : '.Trueup/local/root-key';
    plant(folder, tracked, 'x');
    git(root, 'add', '-f', '.');
    const { code, err } = await run(args, { cwd: folder });
    expect([code, err]).toEqual([1, expect.stringContaining(`git tracks env/prod/${tracked}`) as string]);
  });
});
