// The YAML 1.2 core schema for one plain scalar: what a variable's value means where it stands alone and unquoted.
import type { ScalarValue } from './source-tree.ts';

/** The value of a plain scalar: null, a boolean, an exact integer, a float, or the text itself. */
export function coreScalar(text: string): ScalarValue {
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?[0-9]+$/.test(text)) return BigInt(text.replace(/^\+/, ''));
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return BigInt(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return NaN;
  return text;
}

/** True for a number with leading zeros, which YAML 1.1 and 1.2 read differently. */
export function hasLeadingZero(text: string): boolean {
  return /^[-+]?0[0-9]+$/.test(text);
}
