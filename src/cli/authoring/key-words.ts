// The words for one key of the file: the values that it takes, and the effect of a change.
import type { Attribute } from '../../model/attributes.ts';
import { arrayOf, isJsonObject, objectOf, stringifyJson, type JsonObject } from '../../base/json.ts';

/** The values that a key takes, with their bounds: `a whole number, 1 to 100`. */
export function typeWords(schema: JsonObject): string {
  const { expected } = objectOf(schema['x-trueup']);
  if (typeof expected === 'string')
    return schema['maximum'] === undefined ? expected : `${expected} (${rangeOf(schema).join()})`;
  const values = schema['const'] === undefined ? arrayOf(schema['enum']) : [schema['const']];
  const named = values.filter((value) => value !== null).map((value) => stringifyJson(value));
  const { items } = schema;
  return [
    (named.length > 0 ? named : typesOf(schema)).join(' or '),
    ...rangeOf(schema),
    ...mostOf(schema),
    ...(isJsonObject(items) ? [`each ${typeWords(items)}`] : []),
  ].join(', ');
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a mapping',
};

function typesOf({ type }: JsonObject): readonly string[] {
  const types = (Array.isArray(type) ? type : [type ?? null]).filter((one) => one !== 'null');
  return types.length > 3 ? ['any value'] : types.map((one) => TYPES[String(one)] ?? 'any value');
}

function rangeOf({ minimum, maximum }: JsonObject): readonly string[] {
  if (minimum === undefined) return [];
  return [maximum === undefined ? `at least ${String(minimum)}` : `${String(minimum)} to ${String(maximum)}`];
}

function mostOf({ maxLength, maxItems, maxProperties }: JsonObject): readonly string[] {
  const entries = maxItems ?? maxProperties;
  return [
    ...(entries === undefined ? [] : [`at most ${String(entries)} entries`]),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
  ];
}

const CHANGES: Readonly<Record<Attribute['change'], string>> = {
  update: 'in place',
  move: 'moves the resource',
  replace: 'replaces the resource',
  immutable: 'blocked',
  never: 'refused',
};

/** The way in which a change is made: `in place`, `with a restart`. */
export function changeWords({ change, restarts }: Pick<Attribute, 'change' | 'restarts'>): string {
  return restarts ? 'with a restart' : CHANGES[change];
}
