// The YAML 1.2 core schema for one plain scalar, such as an unquoted variable.
import type { ScalarValue } from './source-tree.ts';

const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const LONGEST_WORD = 5;
const NUMERIC = /^[-+.0-9]/;

export function coreScalar(text: string): ScalarValue {
  if (NUMERIC.test(text)) return numberOf(text) ?? text;
  const word = text.length > LONGEST_WORD ? undefined : WORDS.get(text);
  return word === undefined ? text : word;
}

function numberOf(text: string): number | bigint | undefined {
  if (/^[-+]?[0-9]+$/.test(text)) return BigInt(text.replace(/^\+/, ''));
  if (/^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return BigInt(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? NaN : undefined;
}

/** YAML 1.1 and 1.2 read a number with leading zeros differently. */
export function hasLeadingZero(text: string): boolean {
  return /^[-+]?0[0-9]+$/.test(text);
}
