// trueup: the built program as a process, with its budget of requests lifted and as many writes in flight as the floor has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root, trueupBin } from '../support/paths.mjs';
import { writeFleet, writeReplicaFile } from '../support/world-files.mjs';
import { environment } from './environment.mjs';

const UNHURRIED = 1_000_000;

const run = (folder, url, words, perMinute = UNHURRIED) => ({
  command: [process.execPath, trueupBin, ...words, '--requests-per-minute', String(perMinute)],
  env: environment(folder, { TRUEUP_API_KEY: 'bench', TRUEUP_BASE_URL: url }),
  cwd: folder,
});

export const trueup = {
  name: 'trueup',
  version: () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  noop: {
    prepare: ({ folder, fleet }) => writeFleet(folder, fleet),
    run: ({ folder, url }) => run(folder, url, ['plan', '-f', 'fleet', '--max-entries', '1000000']),
    sawDrift: ({ stdout }) => /Plan: (\d+) to add, (\d+) to change/.exec(stdout)?.[0] ?? 'nothing',
  },
  create: {
    prepare: ({ folder, fleet }) => writeFleet(folder, fleet),
    run: ({ folder, url, parallelism = 32, perMinute }) =>
      run(folder, url, ['apply', '-f', 'fleet', '--auto-approve', '--parallelism', String(parallelism)], perMinute),
  },
  replicas: {
    prepare: ({ folder, count }) => writeReplicaFile(join(folder, 'trueup.yaml'), count),
    run: ({ folder, url }) => run(folder, url, ['apply', '--auto-approve', '--parallelism', '32']),
  },
};
