// Runs other people's clients, unmodified, against `trueup serve`: one line a case, written to the README here.
// usage: node test/clients/run.mjs [CLIENT…]      (part of a client's name; only a run of all of them writes it)
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createApi } from './support/api.mjs';
import { buildIfStale, installClients } from './support/install.mjs';
import { refusedConnections } from './support/loopback-only.mjs';
import { writePage } from './support/page.mjs';
import { runGroup } from './support/runner.mjs';
import { startServer } from './support/server.mjs';
import { group as apiClient } from './cases/api-client.mjs';
import { group as alchemy } from './cases/alchemy.mjs';
import { group as everyone } from './cases/everyone.mjs';
import { group as neon6 } from './cases/neon-6.mjs';
import { group as neonctl1 } from './cases/neonctl-1.mjs';
import { group as neonctl5 } from './cases/neonctl-5.mjs';
import { group as sdk } from './cases/sdk.mjs';
import { group as withPostgres } from './cases/with-postgres.mjs';

const groups = [apiClient, sdk, neon6, neonctl5, neonctl1, alchemy, withPostgres, everyone];
const asked = process.argv.slice(2);
const chosen = groups.filter(({ client }) => asked.length === 0 || asked.some((part) => client.includes(part)));

const folder = mkdtempSync(join(tmpdir(), 'trueup-clients-'));
// PostgreSQL does not run as root: whoever it runs as has to reach its data.
chmodSync(folder, 0o711);
process.env.CLIENTS_REFUSED_LOG = join(folder, 'refused.log');
try {
  const results = await runAll();
  if (asked.length === 0) await writePage(results);
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll() {
  const installFailure = installClients();
  buildIfStale();
  const server = await startServer(folder);
  try {
    const { url, key } = server;
    const surroundings = { url, key, api: createApi({ url, key }), folder, refused: refusedConnections };
    const results = [];
    for (const group of chosen) results.push(...(await runGroup(group, surroundings, installFailure)));
    return results;
  } finally {
    await server.stop();
  }
}
