// One change, or several alike, as lines for a terminal.
import { tallyOf } from '../../model/outcome/event.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { differencesOf, type AttributeRow, type NestedDiff } from '../view/differences.ts';
import { otherwiseNamed } from '../view/plan-rows.ts';
import { impactWords, isDangerous, reasonWords } from '../messages/impacts.ts';
import { blockWords, type BlockContext } from '../messages/blocks.ts';
import { consentWords } from '../messages/consents.ts';
import { actionPaint, ACTION_SYMBOLS, styleOf, type HumanOptions, type Style } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';
import { columnsOf, padColumns, wrap } from '../text/width.ts';

const DETAIL_INDENT = '        ';
const VALUE_INDENT = `${DETAIL_INDENT}    `;
/** Harmless changes that read the same are listed up to this number when brief. */
const ALIKE_SHOWN = 8;
const LONG_VALUE = 400;

/** Heads of all members, then what they have in common. */
export function changeLines(group: readonly Change[], options: HumanOptions): string[] {
  const first = group[0];
  if (first === undefined) return [];
  const style = styleOf(options.color);
  const all = options.verbose || isDangerous(first) || group.length <= ALIKE_SHOWN + 1;
  const listed = all ? group : group.slice(0, ALIKE_SHOWN);
  const unlisted = group.length - listed.length;
  const lines: string[] = [];
  for (const change of listed) for (const line of headLines(change, style, options.width)) lines.push(line);
  if (unlisted > 0) lines.push(`  ${' '.repeat(4)}${style.faint(`… and ${unlisted} more alike (-v lists them)`)}`);
  if (group.length > 1) lines.push(`${DETAIL_INDENT}${style.faint(`all ${group.length}:`)}`);
  for (const line of detailLines(first, style, options)) lines.push(line);
  if (options.verbose) for (const change of group) lines.push(...originLines(change, style, options, group.length > 1));
  return lines;
}

/**
 * `  ~ shop/first  update  ep-…  (why it is taken to be this one)`; what does not fit goes on below. The name is never cut, and one without
 * blanks stands on one line: two names that differ in the middle must not look alike.
 */
function headLines(change: Change, style: Style, width: number): string[] {
  const paint = actionPaint(tallyOf(change), style);
  const symbol = paint(padColumns(ACTION_SYMBOLS[tallyOf(change)], 3));
  const name = nameText(change.address);
  const id = otherwiseNamed(change) || (change.resourceId === null ? '' : nameText(change.resourceId, 80));
  const match = change.matchedBy === '' ? '' : `(${sentence(change.matchedBy)})`;
  const short = `  ${symbol} ${style.strong(name)}  ${paint(change.action)}`;
  const below = (text: string): string[] =>
    wrap(text, { width, indent: DETAIL_INDENT, hanging: VALUE_INDENT }).map(style.faint);
  const rest = `${id} ${match}`.trim();
  if (columnsOf(short) > width) {
    // One with blanks in it, in quotes, is broken at these.
    const [first = '', ...others] = wrap(name, { width, indent: '      ', hanging: VALUE_INDENT });
    const named = [`  ${symbol} ${style.strong(first.trimStart())}`, ...others.map(style.strong)];
    return [...named, `${DETAIL_INDENT}${paint(change.action)}`, ...(rest === '' ? [] : below(rest))];
  }
  const painted = id === '' ? short : `${short}  ${id}`;
  if (columnsOf(painted) > width) return [short, ...below(rest)];
  if (match === '') return [painted];
  if (columnsOf(painted) + 2 + columnsOf(match) <= width) return [`${painted}  ${style.faint(match)}`];
  return [painted, ...wrap(match, { width, indent: DETAIL_INDENT }).map(style.faint)];
}

function detailLines(change: Change, style: Style, options: HumanOptions): string[] {
  const { width } = options;
  const { rows, nested } = differencesOf(change, options.verbose ? 3 : 1);
  // Lists that are mostly empty, of thousands of changes: they are put into one as they are made.
  const lines = attributeLines(rows, style, width);
  for (const one of nested) lines.push(...nestedLines(one, style, width));
  for (const sink of change.sinks ?? [])
    lines.push(...wrap(`→ ${sentence(sink)}`, { width, indent: DETAIL_INDENT, hanging: VALUE_INDENT }));
  const impact = impactWords(change);
  if (impact.length > 0) {
    const paint = isDangerous(change) ? style.destroy : style.warning;
    lines.push(...labelled('impact', impact.join('; '), width).map(paint));
  }
  for (const words of consentWords(change)) lines.push(...labelled('consent', words, width));
  for (const note of change.notes) lines.push(...labelled('note', sentence(note), width));
  for (const reason of change.reasons)
    for (const line of labelled('because', reasonWords(change, reason), width)) lines.push(style.faint(line));
  return lines;
}

/** What holds these changes back, which read alike, and how to lift it. */
export function blockLines(group: readonly [Change, ...Change[]], width: number, context?: BlockContext): string[] {
  return group[0].blockedBy.flatMap((block) => {
    const { why, lift } = blockWords(block, group, context);
    return [...labelled(`blocked (${block})`, why, width), ...labelled('to lift', lift, width)];
  });
}

/** `label: text`, wrapped under the text. */
export function labelled(label: string, text: string, width: number): string[] {
  return wrap(`${label}: ${text}`, { width, indent: DETAIL_INDENT, hanging: `${DETAIL_INDENT}  ` });
}

/** Paths in one column, `before → after` in the other; a pair that does not fit stands on two lines. No path is cut. */
function attributeLines(rows: readonly AttributeRow[], style: Style, width: number): string[] {
  const paths = rows.map((row) => shown(row.path, 100));
  const widest = Math.max(20, Math.floor(width / 2) - 4);
  let column = 0;
  for (const path of paths) {
    const columns = columnsOf(path);
    if (columns > column && columns <= widest) column = columns;
  }
  const lines: string[] = [];
  rows.forEach((row, at) => {
    const lead = `${DETAIL_INDENT}${padColumns(paths[at] ?? '', column)}  `;
    const suffix = row.restarts ? '  (restarts)' : '';
    const before = row.isMade ? '' : valueText(row.before, LONG_VALUE);
    const after = valueText(row.after, LONG_VALUE);
    const whole = before === '' ? after : `${before} → ${after}`;
    const mark = style.restart(suffix);
    const arrow = (): string => `${DETAIL_INDENT}${' '.repeat(Math.max(0, column - 2))}  → `;
    const layer = row.layer === '' ? '' : `  (${row.layer})`;
    if (columnsOf(lead + whole + suffix + layer) <= width) {
      lines.push(`${lead}${whole}${mark}${style.faint(layer)}`);
      return;
    }
    if (columnsOf(lead + whole + suffix) <= width) lines.push(`${lead}${whole}${mark}`);
    else if (before === '') lines.push(...broken(lead, whole + suffix, width));
    else lines.push(...broken(lead, before, width), ...broken(arrow(), after + suffix, width));
    if (layer !== '') lines.push(...wrap(layer.trim(), { width, indent: VALUE_INDENT }).map(style.faint));
  });
  return lines;
}

/** A long value: below its name where it does not fit beside it, and further in than anything that is a line of its own. */
function broken(lead: string, text: string, width: number): string[] {
  if (columnsOf(lead + text) <= width) return [`${lead}${text}`];
  const arrow = lead.trim() === '→' ? '→ ' : '';
  const own = wrap(text, { width, indent: `${VALUE_INDENT}${arrow}`, hanging: `${VALUE_INDENT}  ` }).map((line) =>
    line.trimEnd(),
  );
  return arrow === '' ? [...wrap(lead.trim(), { width, indent: DETAIL_INDENT, hanging: VALUE_INDENT }), ...own] : own;
}

function nestedLines(nested: NestedDiff, style: Style, width: number): string[] {
  const paints = { '+': style.add, '-': style.destroy, ' ': style.faint };
  return [
    `${DETAIL_INDENT}${shown(nested.root)}:${nested.restarts ? style.restart('  (restarts)') : ''}`,
    ...nested.lines.flatMap(({ sign, text }) => {
      const lead = `${DETAIL_INDENT}  ${sign} `;
      const line = shown(text);
      const lines =
        columnsOf(lead + line) <= width ? [lead + line] : wrap(line, { width, indent: lead, hanging: `${lead}  ` });
      return lines.map((one) => DETAIL_INDENT + paints[sign](one.slice(DETAIL_INDENT.length)));
    }),
  ];
}

/** Where it is declared and which operation last touched the resource. */
function originLines(change: Change, style: Style, options: HumanOptions, named: boolean): string[] {
  const who = named ? `${nameText(change.address)} ` : '';
  const lines: string[] = [];
  if (change.source !== null)
    lines.push(`${who}from ${nameText(change.source.file)}:${change.source.start.line} (${shown(change.origin)})`);
  if (change.lastOperation !== null) {
    const { id, action, at } = change.lastOperation;
    lines.push(`${who}last operation ${shown(action)} ${shown(id)}${at === null ? '' : ` at ${shown(at)}`}`);
  }
  if (change.changedAt !== undefined) lines.push(`${who}last changed ${shown(change.changedAt)}, without an operation`);
  return lines.flatMap((line) => wrap(line, { width: options.width, indent: DETAIL_INDENT }).map(style.faint));
}
