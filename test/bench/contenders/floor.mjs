// The bare undici loop as a contender among the others, by itself and after a bare reading of the files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { floorScript, root } from '../support/paths.mjs';
import { writeFleet } from '../support/world-files.mjs';
import { environment } from './environment.mjs';

const run = (folder, url, words) => ({
  command: [process.execPath, floorScript, ...words.map(String)],
  env: environment(folder),
  cwd: folder,
  url,
});

const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

export const floor = {
  name: 'bare undici loop',
  version: () => versionOf('undici'),
  noop: { run: ({ folder, url }) => run(folder, url, ['read', url, 32, 0]) },
  create: {
    run: ({ folder, url, pollMs = 100, perMinute = Infinity }) =>
      run(folder, url, ['create', url, 32, pollMs, '--requests-per-minute', perMinute]),
  },
  replicas: { run: ({ folder, url }) => run(folder, url, ['serial', url, 1, 100]) },
};

/** What no tool that reads the same files with the same library can come below. */
export const readingFloor = {
  name: 'bare loop after `parse` of yaml',
  version: () => versionOf('yaml'),
  noop: {
    prepare: ({ folder, fleet }) => writeFleet(folder, fleet),
    run: ({ folder, url }) => run(folder, url, ['read', url, 32, 0, 'fleet']),
  },
  create: {
    prepare: ({ folder, fleet }) => writeFleet(folder, fleet),
    run: ({ folder, url, pollMs = 100 }) => run(folder, url, ['create', url, 32, pollMs, 'fleet']),
  },
};
