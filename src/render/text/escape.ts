// Text from outside on its way into a line for people: inert, bounded, and never a command to a CI runner.
import { inert } from '../../base/text/inert.ts';

/** `##[…`, `##vso[…`, `##teamcity[…`: runners look for these anywhere in a line. */
export const ANYWHERE_COMMAND: RegExp = /##(?=[a-z]*\[)/gi;
/** `::command::` counts at the start of a line, after blanks; wrapping may bring any word there. An IPv6 address is no command. */
const LEADING_COMMAND = /(^|\s)::(?![\da-f:.]*(?:[\s,;)\]]|$))/gi;
/** So many that a word cut among them would begin with two again. */
const COLONS = /:{3,}/g;
const PLAIN_NAME = /^[A-Za-z0-9._/~][A-Za-z0-9._/~*?@%-]*$/;

/** Outside text as part of a line: no control, bidi or hidden characters, no runner commands, at most `maxLength` characters. */
export function shown(text: string, maxLength: number = 200): string {
  return disarmed(inert(text, maxLength));
}

/** `text` with the beginnings of runner commands spelled as `\u{..}`. */
function disarmed(text: string): string {
  if (!text.includes('::') && !text.includes('##')) return text;
  return text
    .replace(ANYWHERE_COMMAND, '\\u{23}#')
    .replace(COLONS, (run) => run.replaceAll(':', '\\u{3a}'))
    .replace(LEADING_COMMAND, '$1\\u{3a}:');
}

/** A sentence that may carry outside text; longer than a name may be. */
export function sentence(text: string): string {
  return shown(text, 1000);
}

/** More than the longest address has: two that differ never look alike. */
export const MAX_NAME = 450;

/** A name: as it is when it is plain, in quotes (with inner quotes escaped) when it is not. */
export function nameText(name: string, maxLength: number = MAX_NAME): string {
  if (name.length <= maxLength && PLAIN_NAME.test(name)) return name;
  return `"${shown(name, maxLength).replaceAll('"', '\\"')}"`;
}

const PLAIN_WORD = /^[a-z]+(?:[,;:]?$|[,;:]? )/;

export function asSentence(text: string): string {
  const begun = PLAIN_WORD.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.:!?…]$/.test(begun) ? begun : `${begun}.`;
}
