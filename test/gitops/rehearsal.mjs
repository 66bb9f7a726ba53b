// Tells the rehearsal step by step: a change from its pull request to a green night, and a hostile fork. `npm run rehearsal`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath, exit } from 'node:process';

const root = join(import.meta.dirname, '../..');
const words = ['node_modules/vitest/vitest.mjs', 'run', 'test/gitops/rehearsal.slow.test.ts', '--reporter=verbose'];
const { status } = spawnSync(execPath, words, { cwd: root, stdio: 'inherit' });
exit(status ?? 1);
