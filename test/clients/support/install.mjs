// Installs the locked clients and builds trueup, each only where it is needed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { clientsFolder, installedVersion, root, trueupBin } from './paths.mjs';

/** `npm ci` unless every client is there in its version; the reason, where that fails. */
export function installClients() {
  const { dependencies } = JSON.parse(readFileSync(join(clientsFolder, 'package.json'), 'utf8'));
  const missing = Object.entries(dependencies).some(
    ([name, version]) => installedVersion(name) !== version.replace(/^npm:.*@/, ''),
  );
  if (!missing) return undefined;
  console.log('installing the clients …');
  try {
    // Some of what they bring asks for a newer Node.js, and none of what is run here does.
    const options = ['ci', '--engine-strict=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', options, { cwd: clientsFolder, stdio: ['ignore', 'inherit', 'pipe'] });
    return undefined;
  } catch (error) {
    const lines = String(error.stderr ?? error.message).split('\n');
    return lines.find((line) => line.trim() !== '') ?? 'npm ci failed';
  }
}

/** Builds unless dist/ is newer than all that it is made from. */
export function buildIfStale() {
  const sources = Math.max(newest(join(root, 'src')), newest(join(root, 'schemas')));
  if (existsSync(trueupBin) && newest(join(root, 'dist')) >= sources) return;
  console.log('building trueup …');
  const { status } = spawnSync(process.execPath, [join(root, '.ci', 'build.mjs')], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('trueup cannot be built');
}

function newest(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
