// Installs this folder's own packages when they are not there yet, from its lock file and without their scripts.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Throws when they cannot be installed. */
export function ensureInstalled() {
  if (existsSync(join(import.meta.dirname, 'node_modules'))) return;
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', words, { cwd: import.meta.dirname, stdio: 'inherit' });
  if (status !== 0) throw new Error('the packages of test/gitops could not be installed');
}
