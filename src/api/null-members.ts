// Members that a reply shows as null where its schema knows no null: they are read as missing.
import type { ValidationError } from './generated/validators.js';

/** Removes from `body` the null members that `errors` complain of, in all entries of a list alike; false when there are none. */
export function dropNulls(body: unknown, errors: readonly ValidationError[]): boolean {
  const places = new Set(errors.map(({ instancePath }) => instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*')));
  return [...places].map((place) => dropAt(body, place.split('/').slice(1))).includes(true);
}

function dropAt(body: unknown, [name, ...rest]: readonly string[]): boolean {
  if (typeof body !== 'object' || body === null || name === undefined) return false;
  if (Array.isArray(body)) return body.map((entry) => dropAt(entry, name === '*' ? rest : [])).includes(true);
  const member: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  if (rest.length > 0) return dropAt(member, rest);
  return member === null && Reflect.deleteProperty(body, name);
}
