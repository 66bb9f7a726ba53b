// Credentials and addresses: what cannot be used is refused before anything is sent, and is never repeated on the screen.
import { chmodSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { play } from '../support/play.ts';
import { openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer } from './support/server.ts';
import { silentServer } from './support/silent-server.ts';

afterAll(cleanUp);
const [server, silent] = await Promise.all([startServer({ world: worldOf('shop') }), silentServer()]);
const desk = openDesk(server, 'shop');
desk.wish({ primary: 'branch: main' });
desk.write('large-key', 'canary'.repeat(1000));
chmodSync(desk.path('large-key'), 0o600);

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
    name: 'a file that is missing',
    args: ['--api-key-file', 'nowhere'],
    says: /cannot read nowhere: there is no such file or folder \(ENOENT\)/,
  },
  { name: 'a file that is too large', args: ['--api-key-file', 'large-key'], says: /larger than 4096 bytes/ },
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

  it('a revoked one is an error that says so', async () => {
    const made = await server.request<{ id: number; key: string }>('POST', '/api_keys', { key_name: 'short-lived' });
    await server.request('DELETE', `/api_keys/${made.id}`);
    const { code, out, err } = await desk.run(['plan', '--detailed-exitcode'], { env: { TRUEUP_API_KEY: made.key } });
    expect(err).toMatch(/401|credential|refused/);
    expect(out + err).not.toContain(made.key);
    expect(code).toBe(1);
  });
});
