// `trueup keys` where a file declares keys of an organization, against a server of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, newFolder, run, type Ended } from './support/program.ts';
import { startServer, type Server } from './support/server.ts';
import { always } from '../support/faults.ts';

afterAll(cleanUp);

interface Desk {
  readonly server: Server;
  keys(...words: readonly string[]): Promise<Ended>;
}

/** A folder whose file declares one key of an organization, which is there. */
async function open(): Promise<Desk> {
  const server = await startServer();
  const { organizations } = await server.request<{ readonly organizations: readonly { readonly id: string }[] }>(
    'GET',
    '/users/me/organizations',
  );
  const cwd = newFolder('keys');
  const key = `org: ${organizations[0]?.id ?? ''}, secret: { file: d.json }, rotate: { every: 90d }`;
  writeFileSync(join(cwd, 'trueup.yaml'), `version: 1\norg_api_keys: { deploy: { ${key} } }\n`);
  const env = { TRUEUP_API_KEY: server.key, TRUEUP_BASE_URL: server.baseUrl };
  const { code, err } = await run(['apply', '--auto-approve'], { cwd, env });
  expect(code, err).toBe(0);
  return { server, keys: async (...words) => run(['keys', ...words], { cwd, env }) };
}

function rowsIn({ out }: Ended): readonly unknown[] {
  const { keys } = JSON.parse(out) as { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  return keys.map(({ address, name, org_id: org, sink, rotation }) => [address, name, org, sink, rotation]);
}

const ROOT = [null, 'root', null, null, null];
const DEPLOY = [
  'org_api_keys/deploy',
  'deploy',
  expect.stringMatching(/^org-/),
  'file:d.json',
  expect.stringMatching(/^rotates in (89|90)d/),
];

it('keys of an organization stand behind those of the account, with place and rotation', async () => {
  const { keys } = await open();
  expect(rowsIn(await keys('--format', 'json'))).toEqual([ROOT, DEPLOY]);
  expect(rowsIn(await keys('--format', 'json', '--target', 'org_api_keys/*'))).toEqual([DEPLOY]);
  expect(rowsIn(await keys('--format', 'json', '--exclude', 'org_api_keys/**'))).toEqual([ROOT]);
  expect(rowsIn(await keys('--format', 'json', '--target', '*/root'))).toEqual([ROOT]);
  expect(rowsIn(await keys('--format', 'json', '--exclude', '*/?'))).toEqual([ROOT, DEPLOY]);
  expect((await keys()).out).toMatch(/^root \(unmanaged\) +\d.*\ndeploy \(of org-\S+\) +\d/m);
});

it.each([
  ['the organization', '/organizations/*/api_keys', ROOT, 'api_keys/*'],
  ['the account', '/api_keys', DEPLOY, 'org_api_keys/*'],
])(
  'without the right to list those of %s the others are shown, and the code says that it is not all',
  async (_, path, row, others) => {
    const { server, keys } = await open();
    await server.addFaults(always({ method: 'GET', path }, { kind: 'reply', commit: false, status: 403 }));
    const part = await keys('--format', 'json');
    expect([part.code, rowsIn(part)]).toEqual([1, [row]]);
    expect(part.err).toContain('the keys could not be read');
    const asked = await keys('--format', 'json', '--target', others);
    expect([asked.code, rowsIn(asked)], asked.err).toEqual([0, [row]]);
  },
);
