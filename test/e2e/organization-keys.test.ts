// `trueup keys` where a file declares keys of an organization, against a server of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp, newFolder, run } from './support/program.ts';
import { startServer } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterAll(cleanUp);

it('keys of an organization stand behind those of the account, with place and rotation', async () => {
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
  const rowsOf = async (...words: readonly string[]): Promise<readonly unknown[]> => {
    const { out } = await run(['keys', '--format', 'json', ...words], { cwd, env });
    const { keys } = JSON.parse(out) as { readonly keys: readonly Readonly<Record<string, unknown>>[] };
    return keys.map(({ address, name, sink, rotation }) => [address, name, sink, rotation]);
  };
  const deploy = ['org_api_keys/deploy', 'deploy', 'file:d.json', expect.stringMatching(/^rotates in (89|90)d/)];
  expect(await rowsOf()).toEqual([[null, 'root', null, null], deploy]);
  expect(await rowsOf('--target', 'org_api_keys/*')).toEqual([deploy]);
});
