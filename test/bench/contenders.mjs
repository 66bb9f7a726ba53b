// The three that are measured: a bare undici loop, the same loop after a bare reading of the files, and the built trueup.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { floorScript, root, trueupBin } from './support/paths.mjs';
import { writeFleet } from './support/world-files.mjs';

/** The environment of every measured process: no settings, a home of its own. */
export function environment(folder, extra) {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', ...extra };
}

const versionOf = (...folder) => JSON.parse(readFileSync(join(root, ...folder, 'package.json'), 'utf8')).version;
const prepare = ({ folder, fleet }) => writeFleet(folder, fleet);

const loop = (folder, ...words) => ({
  command: [process.execPath, floorScript, ...words.map(String)],
  env: environment(folder),
  cwd: folder,
});

export const floor = {
  name: 'bare undici loop',
  version: versionOf('node_modules', 'undici'),
  noop: { run: ({ folder, url }) => loop(folder, 'read', url, 32, 0) },
  create: { run: ({ folder, url, pollMs = 100 }) => loop(folder, 'create', url, 32, pollMs) },
};

/** No tool that reads the same files with the same library is faster. */
export const readingFloor = {
  name: 'bare loop after `parse` of yaml',
  version: versionOf('node_modules', 'yaml'),
  noop: { prepare, run: ({ folder, url }) => loop(folder, 'read', url, 32, 0, 'fleet') },
  create: { prepare, run: ({ folder, url, pollMs = 100 }) => loop(folder, 'create', url, 32, pollMs, 'fleet') },
};

/** The program without its default request rate, which would be all that one sees. */
const program = ({ folder, url }, ...words) => ({
  command: [process.execPath, trueupBin, ...words, '-f', 'fleet', '--requests-per-minute', '1000000'],
  env: environment(folder, { TRUEUP_API_KEY: 'bench', TRUEUP_BASE_URL: url }),
  cwd: folder,
});

export const trueup = {
  name: 'trueup',
  version: versionOf(),
  noop: { prepare, run: (input) => program(input, 'plan', '--max-entries', '1000000') },
  create: { prepare, run: (input) => program(input, 'apply', '--auto-approve', '--parallelism', '32') },
};
