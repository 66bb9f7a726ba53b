// Which credential a run uses: that of the command line, else the one that the environment has; an empty variable is none.
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCredential, VENDOR_BASE_URL, type Credential } from '../../../src/cli/session/connection.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trueup-credential-'));
  keep('owned', 0o600);
});
afterAll(() => rmSync(folder, { recursive: true }));

function keep(name: string, mode: number): void {
  rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, name), `of-${name}\n`);
  chmodSync(join(folder, name), mode);
}

type Env = Readonly<Record<string, string>>;

const find = (env: Env, file?: string): Credential => findCredential({ env, cwd: folder }, file, VENDOR_BASE_URL);

describe('the credential of a run', () => {
  it.each<[string, Env, string | undefined, string]>([
    ['a variable', { TRUEUP_API_KEY: 'value' }, undefined, 'value'],
    ['a file that a variable names', { TRUEUP_API_KEY_FILE: 'owned' }, undefined, 'of-owned'],
    ['the flag before a variable', { TRUEUP_API_KEY: 'value' }, 'owned', 'of-owned'],
    ['the flag before the file of a variable', { TRUEUP_API_KEY_FILE: 'nowhere' }, 'owned', 'of-owned'],
    ['the flag before two variables', { TRUEUP_API_KEY: 'value', TRUEUP_API_KEY_FILE: 'x' }, 'owned', 'of-owned'],
    ['a file, with an empty variable', { TRUEUP_API_KEY: '', TRUEUP_API_KEY_FILE: 'owned' }, undefined, 'of-owned'],
    ['a variable, with an empty file', { TRUEUP_API_KEY: 'value', TRUEUP_API_KEY_FILE: '' }, undefined, 'value'],
    [
      'the vendor’s, with empty ones',
      { TRUEUP_API_KEY: '', TRUEUP_API_KEY_FILE: '', NEON_API_KEY: 'v' },
      undefined,
      'v',
    ],
  ])('%s', (_, env, file, expected) => {
    expect(find(env, file).secret.reveal()).toBe(expected);
  });

  it.each<[string, Env, RegExp]>([
    ['empty variables alone are none', { TRUEUP_API_KEY: '', TRUEUP_API_KEY_FILE: '', NEON_API_KEY: '' }, /no API key/],
    ['two variables are one too many', { TRUEUP_API_KEY: 'a', TRUEUP_API_KEY_FILE: 'owned' }, /two API keys/],
  ])('%s', (_, env, says) => {
    expect(() => find(env)).toThrow(says);
  });

  it.each([
    ['mounted', 0o444],
    ['grouped-mount', 0o440],
    ['grouped', 0o640],
    ['open', 0o644],
  ])('a file that others may read is used, with a warning: %s (%o)', (name, mode) => {
    keep(name, mode);
    const { secret, notice } = find({}, name);
    expect([secret.reveal(), notice]).toEqual([`of-${name}`, `warning: other users can read the key file ${name}`]);
  });

  it.each([0o620, 0o602, 0o666, 0o662])('a file that others may write is refused: %o', (mode) => {
    keep('written', mode);
    expect(() => find({}, 'written')).toThrow('the key file written is writable by other users');
  });

  it('a link within its folder is followed, as mounted secrets have them', () => {
    symlinkSync('owned', join(folder, 'linked'));
    expect(find({}, 'linked')).toMatchObject({ notice: null });
  });

  it('a link that leads elsewhere is refused: a commit could choose what is sent as the key', () => {
    symlinkSync('/etc/hostname', join(folder, 'elsewhere'));
    expect(() => find({}, 'elsewhere')).toThrow('elsewhere: it leads out of its folder');
  });
});
