// Makes outside text safe for a line: visible characters, limited length, and no commands to CI runners.
import { inert } from '../../base/text/inert.ts';
import { canonicalJson, type Json } from '../../base/json.ts';
import { isReference } from '../../model/values.ts';

/** CI runners look for `##[…`, `##vso[…` and `##teamcity[…` anywhere in a line. */
export const ANYWHERE_COMMAND: RegExp = /##(?=[a-z]*\[)/gi;
/** GitHub Actions runs `::command::` at the start of a line, where wrapping can put any word. IPv6 addresses are kept. */
const LEADING_COMMAND = /(^|\s)::(?![\da-f:.]*(?:[\s,;)\]]|$))/gi;
/** Three or more colons need care too: if such a word is cut, the rest may begin with `::`. */
const COLONS = /:{3,}/g;
const PLAIN_NAME = /^[A-Za-z0-9._/~][A-Za-z0-9._/~*?@%-]*$/;

/** Makes outside text safe: no control, bidi or hidden characters, no runner commands, at most `maxLength` characters. */
export function shown(text: string, maxLength: number = 200): string {
  return disarmed(inert(text, maxLength));
}

function disarmed(text: string): string {
  if (!text.includes('::') && !text.includes('##')) return text;
  return text
    .replace(ANYWHERE_COMMAND, '\\u{23}#')
    .replace(COLONS, (run) => run.replaceAll(':', '\\u{3a}'))
    .replace(LEADING_COMMAND, '$1\\u{3a}:');
}

export function sentence(text: string): string {
  return shown(text, 1000);
}

/** The maximum length of a shown name. Addresses are shorter, so that two of them never look alike. */
export const MAX_NAME = 450;

/** A plain name stays unchanged; any other name gets quotes. */
export function nameText(name: string, maxLength: number = MAX_NAME): string {
  if (name.length <= maxLength && PLAIN_NAME.test(name)) return name;
  return `"${shown(name, maxLength).replaceAll('"', '\\"')}"`;
}

const PLAIN_WORD = /^[a-z]+(?:[,;:]?$|[,;:]? )/;

export function asSentence(text: string): string {
  const begun = PLAIN_WORD.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.:!?…]$/.test(begun) ? begun : `${begun}.`;
}

const BARE_WORD = /^[A-Za-z][A-Za-z0-9._/-]*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off)$/i;

/** A value on one line: `8`, `"two words"`, `{"a":1}`, `(not set)` for null, `main (br-…)` for an id with a name. */
export function valueText(
  value: Json | undefined,
  maxLength: number = 200,
  names: Readonly<Record<string, string>> = {},
): string {
  if (value === null || value === undefined) return '(not set)';
  if (typeof value === 'string' && Object.hasOwn(names, value))
    return `${nameText(names[value] ?? '', maxLength)} (${shown(value, maxLength)})`;
  if (typeof value === 'string')
    return BARE_WORD.test(value) && !RESERVED.test(value)
      ? shown(value, maxLength)
      : `"${shown(value, maxLength).replaceAll('"', '\\"')}"`;
  if (isReference(value))
    return `${value.field === 'id' ? '' : `${shown(value.field)} of `}${nameText(value.ref)} (known after apply)`;
  if (typeof value === 'object') return shown(canonicalJson(value), maxLength);
  return String(value);
}
