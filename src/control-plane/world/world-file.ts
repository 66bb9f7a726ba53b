// Seed files: parses YAML or JSON to checked seed data.
import { parse } from 'yaml';
import { World as isWorld } from '../../api/generated/world.js';
import type { World } from '../../api/index.ts';
import { shapeResult } from '../../api/shape.ts';
import { WorldError } from './load-project.ts';

/** Limits the expansion of YAML aliases, so that a small file cannot exhaust memory. */
const MAX_ALIASES = 100;

/** Reads seed data from YAML or JSON. Throws WorldError with the positions of the problems. */
export function worldFromYaml(text: string): World {
  const checked = shapeResult<World>(isWorld, exact(parsed(text)));
  if (!checked.ok) throw new WorldError(`this is not valid seed data: ${checked.problems.join('; ')}`);
  return checked.value;
}

function parsed(text: string): unknown {
  try {
    return parse(text, { intAsBigInt: true, maxAliasCount: MAX_ALIASES, schema: 'core' }) as unknown;
  } catch (error) {
    throw new WorldError(`this is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
  }
}

/** Turns safe integers into numbers, and larger ones into text, so that no id is rounded. */
function exact(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
      ? Number(value)
      : String(value);
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exact(member)]));
}
