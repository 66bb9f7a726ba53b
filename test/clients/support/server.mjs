// Starts `trueup serve` as its users do, on a store in a temporary folder, and stops it again.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isolatedEnvironment } from './command.mjs';
import { trueupBin } from './paths.mjs';
import { seedWorld } from './seed.mjs';

const START_MS = 30_000;
// Long enough for clients to meet running operations, short enough for a whole run to take a minute.
const OPERATION_MS = '60-160';

/** Resolves with the API's URL and first key once the server listens; with `--postgres` among the flags, also with where that is. */
export async function startServer(folder, flags = []) {
  const data = join(folder, 'data');
  const seed = join(folder, 'world.yaml');
  writeFileSync(seed, JSON.stringify(seedWorld()));
  const options = ['--port', '0', '--data', data, '--seed', seed, '--operation-ms', OPERATION_MS, ...flags];
  const child = spawn(process.execPath, [trueupBin, 'serve', ...options], {
    cwd: folder,
    env: isolatedEnvironment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const { origin, postgres } = await listening(child, flags.includes('--postgres'));
  return {
    url: `${origin}/api/v2`,
    postgres,
    key: readFileSync(join(data, 'root-key'), 'utf8').trim(),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listening(child, hasPostgres) {
  return new Promise((resolve, reject) => {
    let text = '';
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    const fail = (reason) => {
      child.kill('SIGKILL');
      reject(new Error(`trueup serve does not start: ${reason}`));
    };
    const deadline = setTimeout(() => fail(`no "listening" line within ${START_MS} ms`), START_MS);
    const atExit = (code) => fail(`it ended with exit code ${code}: ${complaints.trim()}`);
    child.once('exit', atExit);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const origin = /^listening on (http:\S+)$/m.exec(text)?.[1];
      const postgres = /^postgres on (\S+)$/m.exec(text)?.[1];
      if (origin === undefined || (hasPostgres && postgres === undefined)) return;
      clearTimeout(deadline);
      child.off('exit', atExit);
      resolve({ origin, postgres });
    });
  });
}
