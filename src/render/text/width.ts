// Measures, pads, cuts and wraps text by terminal columns, in which some characters are two wide.
import stringWidth from 'fast-string-width';
import { isPlain } from '../../base/text/inert.ts';

/** The number of columns that `text` takes; escape sequences for colors take none. */
export function columnsOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

export function cutColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    const width = columnsOf(character);
    if (used + width > columns - 1) break;
    kept += character;
    used += width;
  }
  return `${kept}…`;
}

const ADDRESS = /^\/?[A-Za-z0-9._~*?@%-]+(?:\/[A-Za-z0-9._~*?@%-]+)+[:;,.]?$/;

const FLAG = /^--[a-z-]+$/;

/** Breaks uncolored text at blanks. An address stays whole and a flag stays with its value, so that users can copy both. */
export function wrap(
  text: string,
  options: { readonly width: number; readonly indent?: string; readonly hanging?: string },
): string[] {
  const first = options.indent ?? '';
  const hanging = options.hanging ?? first;
  // Most lines are short and plain, so they need no wrapping.
  if (text.length <= roomAfter(first, options.width) && isPlain(text)) return [first + text];
  const lines: string[] = [];
  let line = first;
  let empty = true;
  const next = (): void => {
    lines.push(line);
    line = hanging;
    empty = true;
  };
  const words = text.split(' ');
  for (const [at, word] of words.entries()) {
    const whole = FLAG.test(word) ? `${word} ${words[at + 1] ?? ''}` : word;
    if (!empty && columnsOf(line) + 1 + columnsOf(whole) > options.width) next();
    if (!empty) {
      line += ` ${word}`;
      continue;
    }
    const parts = ADDRESS.test(word)
      ? [word]
      : piecesOf(word, roomAfter(line, options.width), roomAfter(hanging, options.width));
    for (const [at, part] of parts.entries()) {
      if (at > 0) next();
      line += part;
    }
    empty = false;
  }
  lines.push(line);
  return lines;
}

function roomAfter(indent: string, width: number): number {
  return Math.max(20, width - columnsOf(indent));
}

/** Splits `word`: the first piece has at most `first` columns, the other pieces at most `others`. */
function piecesOf(word: string, first: number, others: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (columnsOf(part + character) > (parts.length === 0 ? first : others)) {
      // Keeps colons with the character before them, because CI runners take a line that begins with `::` for a command.
      const kept = character === ':' ? part.replace(/[^:]:*$/u, '') : part;
      parts.push(kept);
      part = part.slice(kept.length);
    }
    part += character;
  }
  return [...parts, part];
}
