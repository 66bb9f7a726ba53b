// The schemas of this version: their texts, and the line by which editors find the schema of the file.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** `file` such as `plan.schema.json`. */
export function shippedSchema(file: string): string {
  return readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8');
}

const DESIRED = 'desired-state.schema.json';

/**
 * The first line of a file in `folder` (absolute), which names the schema for editors. It is the same on every machine: the
 * package installed for that folder, else the file beside it, which `trueup schema` prints.
 */
export function schemaLine(folder: string): string {
  return `# yaml-language-server: $schema=${installedFor(folder) ?? `./${DESIRED}`}`;
}

function installedFor(folder: string): string | null {
  for (let above = folder; ; above = dirname(above)) {
    const path = join(above, 'node_modules/trueup/schemas', DESIRED);
    if (existsSync(path)) {
      const way = relative(folder, path).replaceAll('\\', '/');
      return way.startsWith('..') ? way : `./${way}`;
    }
    if (dirname(above) === above) return null;
  }
}
