// Unified diffs of lines, with bounds on time and size.
import { structuredPatch } from 'diff';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

const TIMEOUT_MS = 200;
const MAX_EDIT_LENGTH = 2000;

/** The differing lines with `context` lines around them, and `…` between hunks. Beyond the bounds: all old lines, then all new lines. */
export function unifiedLines(before: readonly string[], after: readonly string[], context: number): DiffLine[] {
  const patch = structuredPatch('before', 'after', textOf(before), textOf(after), '', '', {
    context,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (patch === undefined)
    return [
      ...before.map((text) => ({ sign: '-', text }) as const),
      ...after.map((text) => ({ sign: '+', text }) as const),
    ];
  return patch.hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [{ sign: ' ', text: '…' } as const]),
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map(diffLine),
  ]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function diffLine(line: string): DiffLine {
  const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
  return { sign, text: line.slice(1) };
}
