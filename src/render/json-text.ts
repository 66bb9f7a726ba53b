// JSON as text that is exact for machines and harmless for whoever looks at it in a terminal or a CI log.
import { stringifyJson } from '../base/json.ts';

// What JSON leaves bare but a terminal, an editor or a browser may act upon: DEL, C1, bidi, hidden characters, separators.
const ACTIVE =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;
const RUNNER_COMMAND = /##(?=[a-z]*\[)/gi;

/** The same value with every active character and every runner command (`##[`) spelled with `\uXXXX`. */
export function jsonText(value: unknown, indent?: number): string {
  return stringifyJson(value, indent).replace(ACTIVE, escaped).replace(RUNNER_COMMAND, '\\u0023#');
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
