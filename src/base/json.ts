// JSON values: types, exact parsing, equality and the canonical text for digests.
import { isSafeNumber, parse as parseExactly, stringify as stringifyExactly } from 'lossless-json';
import { hash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function arrayOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Like `Array.isArray`, without widening to `any`. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Thrown for JSON text that is too deep or too large, or in which a key is repeated or is `__proto__`. The message quotes no value. */
export class RefusedJson extends SyntaxError {}

/** A double cannot hold every number of 16 or more digits exactly. */
const LONG_NUMBER = /\d{16}/;
const WHOLE = /^-?\d+$/;

/** Parses JSON text; integers beyond 2^53 become strings, so that no id is rounded. Throws SyntaxError or RefusedJson. */
export function parseJson(text: string): Json {
  const written = writtenMembers(text);
  const value = LONG_NUMBER.test(text)
    ? (parseExactly(text, undefined, (digits) =>
        WHOLE.test(digits) && !isSafeNumber(digits) ? digits : Number(digits),
      ) as Json)
    : (JSON.parse(text) as Json);
  // JSON may write the characters of `__proto__` as escapes (`\u005f`), so every `\u00` is checked too.
  if (text.includes('__proto__') || text.includes('\\u00')) refuseProto(value);
  if (written !== keptMembers(value)) throw new RefusedJson('an object has the same key twice');
  return value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST_BEGIN = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT_BEGIN = 0x7b;
const OBJECT_END = 0x7d;

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** Counts the members after parsing, which keeps only the last member of each key. */
function keptMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value) as readonly Json[];
  let count = isJsonArray(value) ? 0 : inner.length;
  for (const one of inner) count += keptMembers(one);
  return count;
}

function refuseProto(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (
    Object.hasOwn(value, '__proto__') ||
    Object.getPrototypeOf(value) !== (Array.isArray(value) ? Array.prototype : Object.prototype)
  )
    throw new RefusedJson('the key "__proto__" is not accepted');
  for (const inner of Object.values(value)) refuseProto(inner);
}

const MAX_DEPTH = 200;
const MAX_VALUES = 2_000_000;

/** Counts the members written in JSON text, of which each has one colon outside of strings. Refuses a text that is too deep or too large. */
function writtenMembers(text: string): number {
  let [depth, values, members] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === LIST_BEGIN || character === OBJECT_BEGIN) {
      values++;
      if (++depth > MAX_DEPTH) throw new RefusedJson(`it is nested deeper than ${MAX_DEPTH} levels`);
    } else if (character === LIST_END || character === OBJECT_END) depth--;
    else if (character === COMMA) values++;
    else if (character === COLON) members++;
    if (values > MAX_VALUES) throw new RefusedJson(`it holds more than ${MAX_VALUES.toLocaleString('en-US')} values`);
  }
  return members;
}

/** Writes JSON text in which a `bigint` becomes an exact integer. `indent` is a number of spaces. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringifyExactly(value, undefined, indent) ?? 'null';
}

/** Compares two values: the order of object keys does not matter, and `1` and `1.0` are the same number. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b))
    return isJsonArray(a) && isJsonArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at]));
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}

/** Writes JSON text with sorted keys and without spaces, so that equal values give equal text. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const written: string[] = [];
  // `sort` without a comparison orders by UTF-16 code units, the same on every machine.
  for (const name of Object.keys(members).sort())
    if (members[name] !== undefined) written.push(`${JSON.stringify(name)}:${canonicalJson(members[name])}`);
  return `{${written.join(',')}}`;
}

export function digestOf(value: unknown): string {
  return `sha256:${hash('sha256', canonicalJson(value), 'hex')}`;
}

/** Orders by UTF-16 code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a comparison by several texts: the first text that differs decides. */
export function inOrderOf<T>(textsOf: (one: T) => readonly string[]): (a: T, b: T) => number {
  return (a, b) => {
    const others = textsOf(b);
    return textsOf(a).reduce((order, text, at) => order || compareText(text, others[at] ?? ''), 0);
  };
}
