// A rotation is rehearsed: the clock of a local server is set forward, and what is due then is due for the program too.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp, newFolder, run, type Ended } from './support/program.ts';
import { startServer } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
afterAll(cleanUp);

const FILE = `version: 1
api_keys: { deploy: { secret: { file: deploy.json }, rotate: { every: 90d } } }
`;

function folderOf(): string {
  const cwd = newFolder('rehearsal');
  writeFileSync(join(cwd, 'trueup.yaml'), FILE);
  return cwd;
}

/** The ids of the keys that the file declares, as the program lists them. */
async function keysBy(trueup: (...args: readonly string[]) => Promise<Ended>): Promise<readonly unknown[]> {
  const { out } = await trueup('keys', '--format', 'json');
  const { keys } = JSON.parse(out) as { readonly keys: readonly { readonly name: string; readonly id: unknown }[] };
  return keys.filter(({ name }) => name === 'deploy').map(({ id }) => id);
}

it('a key that is rotated every 90 days is due when the clock of the server is 100 days ahead', async () => {
  const server = await startServer();
  const cwd = folderOf();
  const env = { TRUEUP_API_KEY: server.key, TRUEUP_BASE_URL: server.baseUrl };
  const trueup = (...args: readonly string[]): Promise<Ended> => run(args, { cwd, env });
  expect((await trueup('apply', '--auto-approve')).code).toBe(0);
  const first = await keysBy(trueup);
  expect((await trueup('plan', '--due', '--detailed-exitcode')).code).toBe(0);

  await server.advance('100d');
  const planned = await trueup('plan', '--due', '--detailed-exitcode');
  expect([planned.code, planned.out]).toEqual([2, expect.stringContaining('api_keys/deploy')]);
  const done = await trueup('apply', '--due', '--auto-approve');
  expect(done.code, done.err).toBe(0);
  expect(await keysBy(trueup)).not.toEqual(first);
  // The clock goes on from there: nothing more is due.
  expect((await trueup('plan', '--due', '--detailed-exitcode')).code).toBe(0);
});

it('a store whose clock was set ahead is believed with --local as well', async () => {
  const cwd = folderOf();
  const data = join(newFolder('store'), 'local');
  const trueup = (...args: readonly string[]): Promise<Ended> => run([...args, `--local=${data}`], { cwd });
  expect((await trueup('apply', '--auto-approve')).code).toBe(0);
  const first = await keysBy(trueup);
  const server = await startServer({ data });
  await server.advance('100d');
  await server.request('POST', '/api_keys', { key_name: 'of-somebody' });
  server.process.signal('SIGTERM');
  await server.process.ended;
  const done = await trueup('apply', '--due', '--auto-approve');
  expect(done.code, done.err).toBe(0);
  expect(await keysBy(trueup)).not.toEqual(first);
});
