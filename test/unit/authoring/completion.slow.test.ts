// Completion: what the program offers for a line, and the scripts in the shells themselves (those that are installed).
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScripts } from '../../../src/cli/commands/files/completion.ts';
import { main } from '../../../src/cli/main.ts';
import { bin, built } from '../../e2e/support/program.ts';
import { fakeIo, testClock } from '../../support/fake-io.ts';

/** By action, and by what is lost. */
const CONSENTS = [
  '*',
  'access',
  'create',
  'delete',
  'disable',
  'drop',
  'expire',
  'move',
  'oneway',
  'recreate',
  'replace',
  'restart',
  'revoke',
  'shorten',
].map((word) => `${word}:`);
const folder = mkdtempSync(join(tmpdir(), 'trueup-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WISH = `version: 1
api_keys: { ci-deploy: {} }
projects:
  shop:
    branches: { main: br-main-1 }
    computes: { primary: { branch: main }, reports: { branch: main, type: read_only } }
`;

beforeAll(() => {
  writeFileSync(join(folder, 'trueup.yaml'), WISH);
  mkdirSync(join(folder, 'infra'));
  writeFileSync(join(folder, 'infra/lab.yaml'), WISH.replace('shop', 'lab'));
  writeFileSync(join(folder, 'managed.yaml'), 'version: 1\nprojects: { shop: { history_retention_seconds: 7d } }\n');
  writeFileSync(join(folder, 'broken.yaml'), 'version: [');
  writeFileSync(join(folder, 'plan.json'), '{}');
});

async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const clock = testClock();
  const io = fakeIo({ cwd: folder, clock, env: {} });
  expect(await clock.run(main(['completion', 'words', '--', ...words], io))).toBe(0);
  expect(io.err()).toBe('');
  return io.out().split('\n').slice(0, -1);
}

describe('the words of a line', () => {
  const cases: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ['pl', ['plan']],
    ['help pl', ['plan']],
    ['he', ['help']],
    ['nonsense ', []],
    ['plan --det', ['--detailed-exitcode']],
    ['plan --format ', ['html', 'human', 'json', 'markdown', 'ndjson']],
    ['ping --f', ['--format']],
    ['plan --format=h', ['--format=html', '--format=human']],
    ['plan --write h', ['html=', 'human=']],
    ['plan --write html=', []],
    ['apply --auto-approve=n', ['--auto-approve=no-impact']],
    ['apply --allow ', CONSENTS],
    ['apply --allow delete:shop/p', ['delete:shop/primary']],
    ['plan --target shop/', ['shop/primary', 'shop/reports']],
    ['plan --target=api', ['--target=api_keys/ci-deploy']],
    ['plan -f infra --target ', ['api_keys/ci-deploy', 'lab/primary', 'lab/reports']],
    ['plan --file=infra --exclude lab/r', ['lab/reports']],
    ['list -f - ', ['api_keys/ci-deploy', 'shop/primary', 'shop/reports']],
    ['list -f broken.yaml ', []],
    ['list -f nowhere ', []],
    ['list shop/', ['shop/primary', 'shop/reports']],
    ['hold shop/r', ['shop/reports']],
    ['hold shop/primary --path pooler_', ['pooler_enabled', 'pooler_mode']],
    ['import --project ', ['shop']],
    ['import -f managed.yaml --project ', ['shop']],
    ['import --attributes ', ['full', 'minimal']],
    ['import --from', ['--from-terraform']],
    ['explain autoscaling_', ['autoscaling_limit_max_cu', 'autoscaling_limit_min_cu']],
    ['explain rotate.', ['rotate.every', 'rotate.not_before', 'rotate.overlap', 'rotate.revoke']],
    ['schema d', ['desired-state', 'drift']],
    ['completion ', ['bash', 'fish', 'zsh']],
    ['apply ', []],
    ['--v', ['--version']],
    ['plan --he', ['--help']],
  ];
  it.each(cases)('%s', async (line, expected) => {
    expect(await offered(...line.split(' '))).toEqual(expected);
  });

  it('every command has its flags', async () => {
    const commands = (await offered('')).filter((name) => name !== 'help');
    expect(commands).toContain('drift');
    for (const command of commands) expect(await offered(command, '--h')).toContain('--help');
  });
});

describe('the scripts', () => {
  it('for another shell there is none, and that is said', async () => {
    const io = fakeIo({ cwd: folder, clock: testClock() });
    expect(await main(['completion', 'tcsh'], io)).toBe(1);
    expect(io.err()).toContain('bash, zsh, fish');
  });

  const lines: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ['trueup pl', ['plan']],
    ['trueup plan --target shop/', ['shop/primary', 'shop/reports']],
    ['trueup plan -f infra --target lab/p', ['lab/primary']],
    ['trueup apply --allow delete:shop/p', ['delete:shop/primary']],
    ['trueup apply --auto-approve=n', ['--auto-approve=no-impact']],
    ['trueup apply --allow ', CONSENTS],
    ['trueup explain rotate.e', ['rotate.every']],
  ];

  describe('bash', () => {
    it.each(lines)('%s', (line, expected) => {
      expect(bash(line)).toEqual(expected.map((word) => afterBreak(line, word)));
    });

    it('leaves files to the shell where there is nothing to offer', () => {
      expect(bash('trueup apply pl')).toEqual([]);
      expect(completionScripts['bash']).toContain('complete -o default');
    });

    it('completes within a quote', () => {
      expect(bash("trueup list 'shop/p")).toEqual(['shop/primary']);
    });

    it('completes in the middle of a line', () => {
      expect(bash('trueup pl --target x', 'trueup pl'.length)).toEqual(['plan']);
    });
  });

  describe.skipIf(!isThere('zsh'))('zsh', () => {
    it.each(lines)('%s', (line, expected) => {
      expect(zsh(line).toSorted()).toEqual(expected);
    });
    it('leaves files to the shell where there is nothing to offer', () => {
      expect(zsh('trueup apply pl')).toEqual(['(files)']);
    });
  });

  describe.skipIf(!isThere('fish'))('fish', () => {
    it.each(lines)('%s', (line, expected) => {
      expect(fish(line).toSorted()).toEqual(expected);
    });
    it('offers files where there is nothing else', () => {
      expect(fish('trueup apply pl')).toEqual(['plan.json']);
    });
  });
});

function isThere(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

/** What bash replaces is only what stands after the last = or : of the word. */
function afterBreak(line: string, word: string): string {
  const current = line.slice(line.lastIndexOf(' ') + 1);
  return word.slice(Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1);
}

/** An environment in which `trueup` is the built program and the scripts lie in files. */
function shell(program: string, args: readonly string[]): readonly string[] {
  built();
  writeFileSync(join(folder, 'trueup'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(folder, 'trueup'), 0o755);
  for (const [name, text] of Object.entries(completionScripts)) writeFileSync(join(folder, `script.${name}`), text);
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder, LC_ALL: 'C' };
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

function bash(line: string, point: number = line.length): readonly string[] {
  const text = `source script.bash; COMP_LINE=$1 COMP_POINT=$2; complete -p trueup > /dev/null
_trueup; for one in "\${COMPREPLY[@]}"; do printf '%s\\n' "$one"; done`;
  return shell('bash', ['--norc', '-euc', text, 'bash', line, String(point)]);
}

/** The words as zsh's own line editor hands them over; what it is given is printed. */
function zsh(line: string): readonly string[] {
  const text = `compdef() { :; }; _files() { print -r -- '(files)'; }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@"; }
source ./script.zsh
words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; _trueup`;
  return shell('zsh', ['-fc', text, 'zsh', ...line.split(' ')]);
}

function fish(line: string): readonly string[] {
  return shell('fish', ['--no-config', '-c', 'source script.fish; complete -C $argv[1]', line]);
}
