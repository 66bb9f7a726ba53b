// Rule: a plan is plain data. A copy of its structure and its JSON give it back whole.
import { isDeepStrictEqual } from 'node:util';

/** What of a value is not plain, each with its path; empty for what `structuredClone` and JSON give back whole. */
export function plainViolations(value: unknown): string[] {
  const found = oddities(value, 'plan');
  if (found.length > 0) return found;
  return [
    ...(isDeepStrictEqual(structuredClone(value), value) ? [] : ['plan: a structured clone of it differs']),
    ...(isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value) ? [] : ['plan: its JSON reads differently']),
  ];
}

function oddities(value: unknown, path: string): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path}: ${value}`];
  if (typeof value !== 'object') return [`${path}: ${typeof value}`];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return [`${path}: of a class`];
  return Reflect.ownKeys(value).flatMap((key) => {
    if (typeof key === 'symbol') return [`${path}: a symbol`];
    if (Array.isArray(value) && key === 'length') return [];
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (member?.get !== undefined || member?.set !== undefined) return [`${path}.${key}: a getter`];
    if (member?.enumerable !== true) return [`${path}.${key}: hidden`];
    return oddities(member.value, `${path}.${key}`);
  });
}
