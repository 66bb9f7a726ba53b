// kill -9 at every failpoint, each time that it is passed, of an apply that makes a whole project with all its secrets.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [path('node_modules/vitest/vitest.mjs'), 'run', 'test/e2e/account-kill.slow.test.ts'],
  { cwd: path('.'), env: { ...process.env, TRUEUP_ACCOUNT_KILLS: 'all' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
