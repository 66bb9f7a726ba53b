// Alchemy: declares branches with a compute each; compares the declaration with its own state file.
import { join } from 'node:path';
import process from 'node:process';
import { benchFolder, installedVersion } from '../support/paths.mjs';
import { measure } from '../support/measure.mjs';
import { environment } from './environment.mjs';

const script = join(benchFolder, 'contenders', 'alchemy-script.mjs');
const run = ({ folder, url, fleet }, ...words) => ({
  command: [process.execPath, script, JSON.stringify(fleet), ...words],
  env: environment(folder, { BENCH_URL: url, NEON_API_KEY: 'bench' }),
  cwd: folder,
});

export const alchemy = {
  name: 'Alchemy (NeonBranch)',
  version: () => installedVersion('alchemy'),
  noop: {
    // Its state file has to know the branches first.
    prepare: async (input) => {
      const { command, ...setting } = run(input);
      await measure(command, setting);
    },
    run: (input) => run(input),
    sawDrift: (_, { requests }) => (requests === 0 ? 'nothing (0 requests)' : 'rewrote'),
  },
  create: { prepare: () => undefined, run: (input) => run(input) },
  replicas: {
    prepare: () => undefined,
    run: (input) => run({ ...input, fleet: { projects: 1, branches: 10 } }, 'read_only'),
  },
};
