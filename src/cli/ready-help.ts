// Help that the build has made ahead: most who ask for it have 80 columns, or none.
import { readFileSync } from 'node:fs';

/** The columns that the texts are made for. */
export const READY_COLUMNS = 80;

/** The text for a command line that asks for help alone; null for any other, and where there is no text. */
export function readyHelp(words: readonly string[]): string | null {
  const name = askedFor(words);
  if (name === null) return null;
  try {
    const texts = readyTexts(new URL('./code/help.json', import.meta.url));
    return Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
  } catch {
    return null;
  }
}

/** The texts by command, '' for the program. */
export function readyTexts(file: URL): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}

/** The command that help is asked for, '' for the program; null when the words ask for something else. */
export function askedFor([first = '', second, ...rest]: readonly string[]): string | null {
  if (rest.length > 0) return null;
  if (second === undefined) return isHelp(first) || first === 'help' ? '' : null;
  if (first === 'help') return second.startsWith('-') ? null : second;
  return isHelp(second) && !first.startsWith('-') ? first : null;
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
