// JSON as text that is exact for machines and harmless for whoever looks at it in a terminal or a CI log.
import { ACTIVE } from '../../base/text/inert.ts';
import { stringifyJson } from '../../base/json.ts';
import { ANYWHERE_COMMAND } from '../text/escape.ts';

// JSON spells controls itself; between its members there are line breaks.
const HIDDEN = new RegExp(`(?!\\n)(?:${ACTIVE.source})`, ACTIVE.flags);

/** The same value with every active character and every runner command (`##[`) spelled with `\uXXXX`. */
export function jsonText(value: unknown, indent?: number): string {
  return stringifyJson(value, indent).replace(HIDDEN, escaped).replace(ANYWHERE_COMMAND, '\\u0023#');
}

/** The same as a whole output: indented, with a line feed at the end. */
export function jsonPage(value: unknown): string {
  return `${jsonText(value, 2)}\n`;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
