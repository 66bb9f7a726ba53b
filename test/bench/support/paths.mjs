// Where things are.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const benchFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(benchFolder));
export const trueupBin = join(root, 'dist', 'cli', 'bin.js');
export const floorScript = join(benchFolder, 'floor', 'floor.mjs');
export const parserScript = join(benchFolder, 'floor', 'parse-yaml.mjs');

/** A file of an installed rival. */
export const installed = (...parts) => join(benchFolder, 'node_modules', ...parts);

/** The version of a rival that is installed, or undefined. */
export function installedVersion(name) {
  const manifest = installed(name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}
