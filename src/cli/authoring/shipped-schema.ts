// The schemas that this version ships: their texts, and the line by which editors find that of the files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `file` such as `plan.schema.json`. */
export function shippedSchema(file: string): string {
  return readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8');
}

const DESIRED = 'schemas/desired-state.schema.json';

/**
 * The first line of a file in `folder` (absolute) that tells editors its schema: the package that is installed for that folder, which
 * everybody with the repository has at the same place; else the one that runs, wherever it lies on this machine.
 */
export function schemaLine(folder: string): string {
  return `# yaml-language-server: $schema=${installedFor(folder) ?? ownPlace()}`;
}

function installedFor(folder: string): string | null {
  for (let above = folder; ; above = dirname(above)) {
    const path = join(above, 'node_modules/trueup', DESIRED);
    if (existsSync(path)) {
      const way = relative(folder, path).replaceAll('\\', '/');
      return way.startsWith('..') ? way : `./${way}`;
    }
    if (dirname(above) === above) return null;
  }
}

/** As a URL where a blank would end it. */
function ownPlace(): string {
  const url = new URL(`../../../${DESIRED}`, import.meta.url);
  const path = fileURLToPath(url);
  return /^\/[\w./@+-]+$/.test(path) ? path : pathToFileURL(path).href;
}
