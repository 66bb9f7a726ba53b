// Drawn values as YAML, in all the ways in which YAML can be written, right and wrong.
import type { Draw } from '../draw.ts';
import type { Drawn } from './grammar.ts';

const HEADS = ['---\n', '%YAML 1.2\n---\n', '%YAML 1.1\n---\n', '# a file\n', '\ufeff'];

/** The text of a file. */
export function writeFile(value: Drawn, draw: Draw): string {
  const head = draw.chance(0.05) ? draw.pick(HEADS) : '';
  const body = block(value, 0, draw);
  return `${head}${body.startsWith('\n') ? body.slice(1) : body}${draw.chance(0.9) ? '\n' : ''}`;
}

function block(value: Drawn, indent: number, draw: Draw): string {
  if (isList(value)) return value.length === 0 || draw.chance(0.4) ? flow(value, draw) : items(value, indent, draw);
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 || draw.chance(0.15) ? flow(value, draw) : members(value, indent, draw);
  return scalar(value, draw);
}

function isList(value: Drawn): value is readonly Drawn[] {
  return Array.isArray(value);
}

function items(list: readonly Drawn[], indent: number, draw: Draw): string {
  const blanks = ' '.repeat(indent);
  return list.map((item) => `\n${blanks}- ${block(item, indent + 2, draw)}`).join('');
}

function members(map: Readonly<Record<string, Drawn>>, indent: number, draw: Draw): string {
  const blanks = ' '.repeat(indent);
  const lines = Object.entries(map).flatMap(([key, value]) => {
    const remark = draw.chance(0.03) ? draw.pick([' # note', '   ', ' #']) : '';
    const mark = draw.chance(0.02) ? draw.pick(['&a ', '!!map ', '!!str ', '!x ', '*a ', '&a &b ']) : '';
    const line = `\n${blanks}${scalar(key, draw)}: ${mark}${block(value, indent + 2, draw)}${remark}`;
    return draw.chance(0.01) ? [line, `\n${blanks}<<: *a`] : [line];
  });
  return lines.join('');
}

function flow(value: Drawn, draw: Draw): string {
  if (isList(value)) return `[${value.map((item) => flow(item, draw)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${scalar(key, draw)}: ${flow(inner, draw)}`)
      .join(', ')} }`;
  return scalar(value, draw);
}

function scalar(value: null | boolean | number | string, draw: Draw): string {
  if (value === null) return draw.pick(['null', '~', '']);
  if (typeof value === 'number')
    return draw.chance(0.05)
      ? draw.pick([`0${value}`, `+${value}`, `${value}.0`, `0x${value}`, `${value}_000`])
      : String(value);
  if (typeof value === 'boolean')
    return draw.chance(0.1) ? draw.pick(['True', 'yes', 'no', 'TRUE', 'on']) : String(value);
  const way = draw.below(8);
  if (way === 0) return JSON.stringify(value);
  if (way === 1) return `'${value.replaceAll("'", "''")}'`;
  return /^[A-Za-z0-9][A-Za-z0-9 ._/:+-]*$/.test(value) || draw.chance(0.02) ? value : JSON.stringify(value);
}
