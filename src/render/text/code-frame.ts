// A few lines of the user's file around a problem, with carets under it.
import type { SourceRange, Sources } from '../../model/source.ts';
import type { Style } from './style.ts';
import { shown } from './escape.ts';
import { columnsOf, cutColumns, padStartColumns } from './width.ts';

export interface FrameOptions {
  readonly width: number;
  readonly style: Style;
}

const LINES_BEFORE = 1;
const LINES_AFTER = 1;
/** No line is looked at beyond this many characters around the problem. */
const REACH = 500;

/** Lines of the frame; empty when the text of the file is not known or has no such line. */
export function codeFrame(range: SourceRange, sources: Sources, options: FrameOptions): string[] {
  const text = sources.get(range.file);
  if (text === undefined) return [];
  const first = Math.max(1, range.start.line - LINES_BEFORE);
  const lines = linesAt(text, range.start.offset, first, range.start.line, range.start.line + LINES_AFTER);
  if (!lines.some(({ number }) => number === range.start.line)) return [];
  const gutter = String(lines.at(-1)?.number ?? 0).length;
  const room = Math.max(20, options.width - gutter - 5);
  return lines.flatMap(({ number, text: line }) => {
    const label = padStartColumns(String(number), gutter);
    if (number !== range.start.line)
      return [options.style.faint(`  ${label} | ${cutLine(line, 0, 0, room).text}`.trimEnd())];
    const cut = cutLine(line, range.start.column - 1, endColumn(range, line), room);
    const caret = `${' '.repeat(cut.before)}${options.style.bad('^'.repeat(Math.max(1, cut.marked)))}`;
    return [`${options.style.bad('>')} ${label} | ${cut.text}`, `  ${' '.repeat(gutter)} | ${caret}`];
  });
}

function endColumn(range: SourceRange, line: string): number {
  return range.end.line === range.start.line ? range.end.column - 1 : line.length;
}

/** The lines `first` to `last` of a text in which `offset` lies on line `line`; walks outwards, so a huge file costs nothing. */
function linesAt(
  text: string,
  offset: number,
  first: number,
  line: number,
  last: number,
): { readonly number: number; readonly text: string }[] {
  // Ranges that come from a saved file know lines only.
  const at = offset === 0 && line > 1 ? startOfLine(text, line) : Math.min(Math.max(0, offset), text.length);
  let start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  let number = line;
  while (number > first && start > 0) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    number--;
  }
  const lines: { number: number; text: string }[] = [];
  for (; number <= last && start <= text.length; number++) {
    const end = text.indexOf('\n', start);
    lines.push({ number, text: text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '') });
    if (end < 0) break;
    start = end + 1;
  }
  if (lines.length > 1 && lines.at(-1)?.text === '') lines.pop();
  return lines;
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** A window of `room` columns on the line in which the problem can be seen, inert, tabs as two blanks. */
function cutLine(
  line: string,
  from: number,
  to: number,
  room: number,
): { readonly text: string; readonly before: number; readonly marked: number } {
  const windowStart =
    columnsOf(line.slice(0, Math.min(from, REACH))) + 10 > room || from > REACH ? Math.max(0, from - 20) : 0;
  const lead = windowStart > 0 ? '…' : '';
  const before = lead + display(line.slice(windowStart, from));
  const marked = display(line.slice(from, Math.min(to, from + REACH)));
  const after = display(line.slice(Math.max(from, to), Math.max(from, to) + REACH));
  const whole = before + marked + after;
  const text = cutColumns(whole, room);
  const beforeColumns = columnsOf(before);
  return {
    text,
    before: beforeColumns,
    marked: Math.min(columnsOf(marked), Math.max(1, columnsOf(text) - beforeColumns)),
  };
}

function display(text: string): string {
  return shown(text.replaceAll('\t', '  '), REACH * 2);
}
