// The schemas of this version: their texts, and the comment line that points editors to one.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export function shippedSchema(file: string): string {
  return readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8');
}

const DESIRED = 'desired-state.schema.json';

/** The first line of a file in `folder` (absolute): points to the schema of the installed package, else to the file beside it. */
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
