// Installs the pinned rivals and builds trueup, each only where it is needed; without a registry the rivals stay "not installed".
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from '../../clients/support/install.mjs';
import { benchFolder, installedVersion } from './paths.mjs';

export function prepareRivals() {
  const { dependencies } = JSON.parse(readFileSync(join(benchFolder, 'package.json'), 'utf8'));
  if (Object.entries(dependencies).some(([name, version]) => installedVersion(name) !== version)) {
    console.log('installing the rivals …');
    // Some of what they bring asks for a newer Node.js, and none of what is run here does.
    const options = ['ci', '--engine-strict=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', options, { cwd: benchFolder, stdio: 'inherit' });
    if (status !== 0) console.log('not all rivals could be installed; their rows will say so');
  }
  buildIfStale();
}
