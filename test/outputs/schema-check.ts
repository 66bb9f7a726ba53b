// The shipped schemas as a check of JSON texts: open objects are closed, since a member that nobody described is a mistake here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../schemas');
const FILES = ['plan', 'result', 'event', 'drift', 'lists'];

/** The validator of a schema, by its name below `schemas/`. */
export function schemaValidators(): (ref: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });
  for (const name of FILES)
    ajv.addSchema(closed(JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), 'utf8'))) as object);
  return (ref) => {
    const found = ajv.getSchema(`https://trueup.dev/schemas/${ref}`);
    if (found === undefined) throw new Error(`there is no schema ${ref}`);
    return found;
  };
}

/** Expects a text to be JSON of a schema. */
export function schemaCheck(): (ref: string, text: string) => void {
  const validator = schemaValidators();
  return (ref, text) => {
    const valid = validator(ref);
    expect(valid(JSON.parse(text)), JSON.stringify(valid.errors, null, 1)).toBe(true);
  };
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const describes = typeof own['properties'] === 'object' && 'type' in own && !('additionalProperties' in own);
  // Members that the parts of a shape describe are described too.
  return describes ? { ...own, ['allOf' in own ? 'unevaluatedProperties' : 'additionalProperties']: false } : own;
}
