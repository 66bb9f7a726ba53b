// Where things are.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const benchFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(benchFolder));
export const trueupBin = join(root, 'dist', 'cli', 'bin.js');
export const floorScript = join(benchFolder, 'floor', 'floor.mjs');
export const parserScript = join(benchFolder, 'floor', 'parse-yaml.mjs');
