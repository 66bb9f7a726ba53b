// Columns of a terminal: measuring, padding, cutting and wrapping with wide characters counted right.
import stringWidth from 'fast-string-width';
import { isPlain } from '../base/inert.ts';

/** Columns that `text` takes; escape sequences of our own colours take none. */
export function columnsOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStartColumns(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
}

/** `text` (without colours) cut to `columns` with an ellipsis at the end. */
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

/** `text` (without colours) cut to `columns` in the middle, so that both ends stay readable. */
export function cutMiddle(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const head = cutColumns(text, Math.ceil(columns / 2));
  const rest = columns - columnsOf(head);
  let tail = '';
  let used = 0;
  for (const character of Array.from(text).reverse()) {
    const width = columnsOf(character);
    if (used + width > rest) break;
    tail = character + tail;
    used += width;
  }
  return head + tail;
}

export interface WrapOptions {
  readonly width: number;
  readonly indent?: string;
  /** Indent of the lines after the first; the same as `indent` when left out. */
  readonly hanging?: string;
}

/** Breaks `text` (without colours) at blanks; a word longer than a line is cut into pieces. */
export function wrap(text: string, options: WrapOptions): string[] {
  const first = options.indent ?? '';
  const hanging = options.hanging ?? first;
  // Most lines are short and plain: nothing of them is to be broken.
  const longest = Math.min(options.width - columnsOf(first), longestPiece(hanging, options.width));
  if (text.length <= longest && isPlain(text)) return [first + text];
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ').flatMap((piece) => pieces(piece, longestPiece(hanging, options.width)))) {
    if (!empty && columnsOf(line) + 1 + columnsOf(word) > options.width) {
      lines.push(line);
      line = hanging;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  lines.push(line);
  return lines;
}

function longestPiece(hanging: string, width: number): number {
  return Math.max(20, width - columnsOf(hanging));
}

function pieces(word: string, columns: number): string[] {
  if (columnsOf(word) <= columns) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (columnsOf(part + character) > columns) {
      // A line that began with `::` could be taken for a command to a build service: some more goes along.
      const kept = character === ':' ? part.replace(/[^:]:*$/u, '') : part;
      parts.push(kept);
      part = part.slice(kept.length);
    }
    part += character;
  }
  parts.push(part);
  return parts;
}
