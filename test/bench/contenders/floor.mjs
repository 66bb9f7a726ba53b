// The bare undici loop as a contender among the others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { floorScript, root } from '../support/paths.mjs';
import { environment } from './environment.mjs';

const run = (folder, url, words, branches = 0) => ({
  command: [process.execPath, floorScript, ...words.map(String)],
  env: environment(folder, { BENCH_BRANCHES: String(branches) }),
  cwd: folder,
  url,
});

export const floor = {
  name: 'bare undici loop',
  version: () => JSON.parse(readFileSync(join(root, 'node_modules', 'undici', 'package.json'), 'utf8')).version,
  noop: { run: ({ folder, url }) => run(folder, url, ['read', url, 32, 0]) },
  create: {
    run: ({ folder, url, fleet, pollMs = 100 }) => run(folder, url, ['create', url, 32, pollMs], fleet.branches),
  },
  replicas: { run: ({ folder, url }) => run(folder, url, ['serial', url, 1, 100]) },
};
