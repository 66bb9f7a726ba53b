// Credentials and addresses: what cannot be used is refused before anything is sent, and is never repeated on the screen.
import { chmodSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { play } from '../support/play.ts';
import { openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp, run } from './support/program.ts';
import { startServer, type Server } from './support/server.ts';
import { silentServer, type SilentServer } from './support/silent-server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: Server;
let silent: SilentServer;
let desk: Desk;
beforeAll(async () => {
  [server, silent] = await Promise.all([startServer({ world: worldOf('shop') }), silentServer()]);
  desk = openDesk(server, 'shop');
  desk.wish({ primary: 'branch: main' });
  desk.write('key', `${server.key}\n`);
  chmodSync(desk.path('key'), 0o600);
  desk.write('open-key', 'canary-open-key');
  chmodSync(desk.path('open-key'), 0o646);
  desk.write('large-key', 'canary'.repeat(1000));
  chmodSync(desk.path('large-key'), 0o600);
  desk.write('empty-key', '\n');
  chmodSync(desk.path('empty-key'), 0o600);
  symlinkSync(desk.path('open-key'), desk.path('linked-key'));
});
afterAll(cleanUp);

interface Case {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const KEY = { TRUEUP_API_KEY: 'canary-of-the-environment' };

const NEVER_A_FLAG = /no flag --api-key here[\s\S]*An API key is never the value of a flag: set TRUEUP_API_KEY/;

const credentials: readonly Case[] = [
  { name: 'none', says: /no API key[\s\S]*TRUEUP_API_KEY/ },
  {
    name: 'empty ones alone',
    env: { TRUEUP_API_KEY: '', TRUEUP_API_KEY_FILE: '', NEON_API_KEY: '' },
    says: /no API key/,
  },
  { name: 'only a line break', env: { TRUEUP_API_KEY: '\n' }, says: /TRUEUP_API_KEY is empty/ },
  { name: 'a space in it', env: { TRUEUP_API_KEY: 'canary key' }, says: /has a space/ },
  { name: 'a line break in it', env: { TRUEUP_API_KEY: 'canary\nX-Evil: 1' }, says: /has a line break/ },
  { name: 'a carriage return in it', env: { TRUEUP_API_KEY: 'canary\rkey' }, says: /has a line break/ },
  { name: 'a letter beyond ASCII', env: { TRUEUP_API_KEY: 'canaryé' }, says: /has characters that no key has/ },
  {
    name: 'two: variable and variable',
    env: { ...KEY, TRUEUP_API_KEY_FILE: 'key' },
    says: /two API keys are given/,
  },
  {
    name: 'a file that is missing',
    args: ['--api-key-file', 'nowhere'],
    says: /cannot read nowhere: there is no such file or folder \(ENOENT\)/,
  },
  {
    name: 'a file that others may write',
    args: ['--api-key-file', 'open-key'],
    says: /open-key is writable by other users[\s\S]*chmod 600/,
  },
  {
    name: 'a link to such a file',
    args: ['--api-key-file', 'linked-key'],
    says: /linked-key is writable by other users/,
  },
  { name: 'a file that is too large', args: ['--api-key-file', 'large-key'], says: /larger than 4096 bytes/ },
  { name: 'an empty file', args: ['--api-key-file', 'empty-key'], says: /is empty/ },
  { name: 'a folder', args: ['--api-key-file', '.'], says: /cannot read \.: it is a folder/ },
  { name: 'on the command line', args: ['--api-key', 'canary-of-argv'], says: NEVER_A_FLAG },
  { name: 'on the command line with =', args: ['--api-key=canary-of-argv'], says: NEVER_A_FLAG },
  { name: 'on the command line, short', args: ['-kcanary-of-argv'], says: /unknown option '-k'/ },
  {
    name: 'the vendor’s, for another host',
    env: { NEON_API_KEY: 'canary-of-the-vendor' },
    says: /NEON_API_KEY is sent to the vendor’s host only/,
  },
];

const addresses: readonly Case[] = [
  {
    name: 'plain HTTP beyond this machine',
    args: ['--base-url', 'http://api.example.com/api/v2'],
    env: KEY,
    says: /http:\/\//,
  },
  {
    name: 'a name that only begins like localhost',
    args: ['--base-url', 'http://localhost.example.com/api/v2'],
    env: KEY,
    says: /http:\/\//,
  },
  {
    name: 'user and password in it',
    args: ['--base-url', 'https://user:canary-pw@example.com/api/v2'],
    env: KEY,
    says: /user|credential|password/,
  },
  {
    name: 'user and password, otherwise broken',
    args: ['--base-url', 'https://user:canary-pw@exa mple/'],
    env: KEY,
    says: /base URL/,
  },
  { name: 'no scheme', args: ['--base-url', 'example.com/api/v2'], env: KEY, says: /base URL/ },
  { name: 'a file', args: ['--base-url', 'file:///etc/passwd'], env: KEY, says: /base URL/ },
  { name: 'FTP', args: ['--base-url', 'ftp://127.0.0.1/api/v2'], env: KEY, says: /base URL/ },
  {
    name: 'a query',
    args: ['--base-url', 'https://example.com/api/v2?token=canary-query'],
    env: KEY,
    says: /base URL/,
  },
  { name: 'a fragment', args: ['--base-url', 'https://example.com/api/v2#canary'], env: KEY, says: /base URL/ },
  {
    name: 'twice',
    args: ['--base-url', 'https://example.com/api/v2', '--base-url', 'https://example.com/api/v2'],
    env: KEY,
    says: /twice/,
  },
  {
    name: 'and --local',
    args: ['--base-url', 'https://example.com/api/v2', '--local'],
    env: KEY,
    says: /exclude each other/,
  },
  {
    name: 'without certificate checks',
    args: ['--base-url', 'https://example.com/api/v2'],
    env: { ...KEY, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    says: /NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off/,
  },
];

describe('refused before anything is sent', () => {
  const cases = [
    ...credentials.map((given) => ({ ...given, what: 'a credential' })),
    ...addresses.map((given) => ({ ...given, what: 'a base URL' })),
  ];
  it.each<Case & { readonly what: string }>(cases)('$what: $name', async ({ args = [], env = {}, says }) => {
    const knocks = { TRUEUP_BASE_URL: args.includes('--local') ? '' : silent.baseUrl };
    const { code, out, err } = await play(['ping', ...args], { cwd: desk.folder, env: { ...knocks, ...env } });
    expect(err).toMatch(says);
    expect(out + err).not.toContain('canary');
    expect(code).toBe(1);
  });
});

describe('accepted', () => {
  it('nothing of the above has reached the service', async () => {
    expect(await silent.close()).toBe(0);
  });

  it.concurrent.each([
    ['from a file of the owner', { args: ['--api-key-file', 'key'], env: {} }],
    ['from a file that a variable names', { args: [], env: { TRUEUP_API_KEY_FILE: 'key' } }],
    ['with one line break at its end', { args: [], env: { TRUEUP_API_KEY: 'KEY\n' } }],
  ])('a credential %s', async (_, { args, env }) => {
    const given = 'TRUEUP_API_KEY' in env ? { TRUEUP_API_KEY: `${server.key}\n` } : env;
    const { code, err } = await run(['ping', ...args], {
      cwd: desk.folder,
      env: { TRUEUP_BASE_URL: server.baseUrl, ...given },
    });
    expect(code, err).toBe(0);
  });

  it('one in a file, before those of the environment', async () => {
    const env = { TRUEUP_BASE_URL: server.baseUrl, TRUEUP_API_KEY: 'overruled', TRUEUP_API_KEY_FILE: '' };
    const { code, err } = await run(['ping', '--api-key-file', 'key'], { cwd: desk.folder, env });
    expect(code, err).toBe(0);
  });

  it('a revoked one is an error that says so', async () => {
    const made = await server.request<{ id: number; key: string }>('POST', '/api_keys', { key_name: 'short-lived' });
    await server.request('DELETE', `/api_keys/${made.id}`);
    const { code, out, err } = await desk.run(['plan', '--detailed-exitcode'], { env: { TRUEUP_API_KEY: made.key } });
    expect(err).toMatch(/401|credential|refused/);
    expect(out + err).not.toContain(made.key);
    expect(code).toBe(1);
  });
});
