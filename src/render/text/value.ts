// Attribute values as people read them, and nested values as flat lists of leaves.
import { canonicalJson, compareText, isJsonObject, type Json } from '../../base/json.ts';
import { isReference } from '../../model/reference.ts';
import { nameText, shown } from './escape.ts';

const PLAIN_WORD = /^[A-Za-z][A-Za-z0-9._/-]*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off)$/i;

/**
 * `8`, `true`, `transaction`, `"two words"`, `{"a":1}`; `(not set)` for null, `main (br-…)` for an id with a name, and
 * `shop/first (known after apply)` for a value that another resource brings. One line, inert.
 */
export function valueText(
  value: Json | undefined,
  maxLength: number = 200,
  names: Readonly<Record<string, string>> = {},
): string {
  if (value === null || value === undefined) return '(not set)';
  if (typeof value === 'string' && Object.hasOwn(names, value))
    return `${nameText(names[value] ?? '', maxLength)} (${shown(value, maxLength)})`;
  if (typeof value === 'string')
    return PLAIN_WORD.test(value) && !RESERVED.test(value)
      ? shown(value, maxLength)
      : `"${shown(value, maxLength).replaceAll('"', '\\"')}"`;
  if (isReference(value))
    return `${value.field === 'id' ? '' : `${shown(value.field)} of `}${nameText(value.ref)} (known after apply)`;
  if (typeof value === 'object') return shown(canonicalJson(value), maxLength);
  return String(value);
}

/** A nested value as indented lines, one leaf or key a line, sorted: what unified diffs are taken of. */
export function outlineOf(value: Json, indent: string = ''): string[] {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.length === 0 ? [`${indent}[]`] : items.map((item) => `${indent}- ${valueText(item)}`);
  }
  if (!isJsonObject(value) || isReference(value)) return [`${indent}${valueText(value)}`];
  return Object.keys(value)
    .sort(compareText)
    .flatMap((key) => {
      const inner = value[key] ?? null;
      const nested =
        typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && !isReference(inner);
      return nested
        ? [`${indent}${shown(key)}:`, ...outlineOf(inner, `${indent}  `)]
        : [`${indent}${shown(key)}: ${valueText(inner)}`];
    });
}
