// Makes outside text harmless in Markdown (code spans, fences, table rows), and finds the fullest text that fits.
import { escapeMarkup } from '../../base/text/inert.ts';
import { plural } from '../../base/text/words.ts';
import { MAX_NAME, shown } from '../text/escape.ts';

/** Outside text as a code span, in which links, mentions and tags have no effect. Escapes `|`, which ends a table cell. */
export function code(text: string, maxLength: number = MAX_NAME): string {
  const inner = shown(text, maxLength).replaceAll('|', '\\u{7c}');
  if (inner.trim() === '') return '`(empty)`';
  const ticks = '`'.repeat(longestRun(inner) + 1);
  const pad = inner.startsWith('`') || inner.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${inner}${pad}${ticks}`;
}

/** The lines of changes as a folded diff. Its fence is longer than any run of backticks in it. Callers must have escaped control characters. */
export function diffs(scope: string, count: number, lines: readonly string[]): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  const diff = [`${ticks}diff`, ...lines, ticks].join('\n');
  return details(`<code>${escapeMarkup(shown(scope))}</code>: ${plural(count, 'change')}`, diff);
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

export function firstItems(items: readonly string[], limit: number): string {
  const rest = items.length - limit;
  return [...items.slice(0, limit), ...(rest > 0 ? [`… and ${rest} more.`] : [])].map((item) => `- ${item}`).join('\n');
}

export function blocks(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

export function page(parts: readonly string[]): string {
  return `${blocks(parts)}\n`;
}

export function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** The first rendering that fits. Renderings go from the longest to the shortest, which is returned if none fits. */
export function firstThatFits(renderings: readonly (() => string)[], maxChars: number): string {
  let text = '';
  for (const rendering of renderings) {
    text = rendering();
    if (text.length <= maxChars) return text;
  }
  return text;
}

/** The longest text with at most `most` items that fits, or `make(0)`. Each item must make the text longer. */
export function mostThatFit(make: (items: number) => string, most: number, maxChars: number): string {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (make(middle).length <= maxChars) low = middle;
    else high = middle - 1;
  }
  return make(low);
}
