// Tells the rehearsal step by step: the life of a repository with three pull requests, a broken script and a hostile fork. `npm run rehearsal`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath, exit } from 'node:process';
import { ensureInstalled } from './installed.mjs';

ensureInstalled();
const root = join(import.meta.dirname, '../..');
const words = ['node_modules/vitest/vitest.mjs', 'run', 'test/gitops/rehearsal.slow.test.ts', '--reporter=verbose'];
const { status } = spawnSync(execPath, words, { cwd: root, stdio: 'inherit' });
exit(status ?? 1);
