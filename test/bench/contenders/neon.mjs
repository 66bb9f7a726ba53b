// `neon config plan`, the vendor's configuration as code: one branch a run, so a loop of processes. It creates no computes.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { installed, installedVersion } from '../support/paths.mjs';
import { names } from '../stub/world.mjs';
import { environment } from './environment.mjs';

const POLICY = `import { defineConfig } from '@neon/config/v1';

const computeSettings = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
export default defineConfig({ branch: () => ({ postgres: { computeSettings } }) });
`;
const LOOP =
  'bin=$1; shift; for pair in "$@"; do "$0" "$bin" config plan --project-id "${pair%%:*}" --branch "${pair##*:}" --api-host "$BENCH_URL" --no-analytics --config-dir "$HOME" -o json || exit 1; done';

export const neon = {
  name: 'neon config plan',
  version: () => installedVersion('neon'),
  noop: {
    /** More takes minutes: a process per branch. */
    mostComputes: 10,
    prepare: ({ folder }) => {
      writeFileSync(join(folder, 'neon.ts'), POLICY);
      symlinkSync(installed(), join(folder, 'node_modules'), 'junction');
    },
    run: ({ folder, url, fleet }) => {
      const pairs = [];
      for (let p = 1; p <= fleet.projects; p++)
        for (let b = 1; b <= fleet.branches; b++) pairs.push(`${names.projectId(p)}:${names.branchId(p, b)}`);
      return {
        command: ['bash', '-c', LOOP, process.execPath, installed('neon', 'dist', 'cli.js'), ...pairs],
        env: environment(folder, { NEON_API_KEY: 'bench', BENCH_URL: url, CI: '1' }),
        cwd: folder,
      };
    },
    sawDrift: ({ stdout, code }) =>
      `${(stdout.match(/"action": "update"/g) ?? []).length} to update${code === 0 ? '' : `, exit ${code}`}`,
  },
};
