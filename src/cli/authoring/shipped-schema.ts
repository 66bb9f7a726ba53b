// The schemas that this version ships, as texts.
import { readFileSync } from 'node:fs';

/** `file` such as `plan.schema.json`. */
export function shippedSchema(file: string): string {
  return readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8');
}
