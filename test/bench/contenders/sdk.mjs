// A script with the vendor's @neon/sdk: no plan, no file, no memory; the honest measure of what a tool adds.
import { join } from 'node:path';
import process from 'node:process';
import { benchFolder, installedVersion } from '../support/paths.mjs';
import { environment } from './environment.mjs';

const script = join(benchFolder, 'contenders', 'sdk-script.mjs');
const run = (job) => ({
  prepare: () => undefined,
  run: ({ folder, url, fleet }) => ({
    command: [process.execPath, script, job, url, JSON.stringify(fleet ?? { projects: 1, branches: 1 })],
    env: environment(folder),
    cwd: folder,
  }),
});

export const sdk = {
  name: '@neon/sdk script',
  version: () => installedVersion('@neon/sdk'),
  seesDrift: 'reads all, compares nothing',
  noop: run('read'),
  // More takes minutes: it looks at each operation by itself, a second apart.
  create: { ...run('create'), mostComputes: 100 },
  replicas: run('replicas'),
};
