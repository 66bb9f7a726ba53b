// One change, or several alike, as lines for a terminal.
import type { Change } from '../model/plan.ts';
import { differencesOf } from './attribute-rows.ts';
import type { AttributeRow, NestedDiff } from './attribute-rows.ts';
import { impactWords, isDangerous } from './impact-words.ts';
import { actionPaint, ACTION_SYMBOLS, styleOf } from './style.ts';
import type { HumanOptions, Style } from './style.ts';
import { reasonWords } from './reason-words.ts';
import { nameText, sentence, shown } from './text.ts';
import { valueText } from './value.ts';
import { columnsOf, cutMiddle, padColumns, wrap } from './width.ts';

const DETAIL_INDENT = '        ';
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
  return [
    ...listed.flatMap((change) => headLines(change, style, options.width)),
    ...(unlisted > 0 ? [`  ${' '.repeat(4)}${style.faint(`… and ${unlisted} more alike (-v lists them)`)}`] : []),
    ...(group.length > 1 ? [`${DETAIL_INDENT}${style.faint(`all ${group.length}:`)}`] : []),
    ...detailLines(first, style, options),
    ...(options.verbose ? group.flatMap((change) => originLines(change, style, options, group.length > 1)) : []),
  ];
}

/** `  ~ shop/primary  update  ep-…  (why it is taken to be this one)`; the reason moves to its own line when too long. */
function headLines(change: Change, style: Style, width: number): string[] {
  const paint = actionPaint(change.action, style);
  const name = cutMiddle(nameText(change.address), Math.max(24, width - 30));
  const id = change.resourceId === null ? '' : `  ${nameText(change.resourceId, 80)}`;
  const plain = `  ${padColumns(ACTION_SYMBOLS[change.action], 3)} ${name}  ${change.action}${id}`;
  const painted = `  ${paint(padColumns(ACTION_SYMBOLS[change.action], 3))} ${style.strong(name)}  ${paint(change.action)}${id}`;
  if (change.matchedBy === '') return [painted];
  const match = `(${sentence(change.matchedBy)})`;
  if (columnsOf(plain) + 2 + columnsOf(match) <= width) return [`${painted}  ${style.faint(match)}`];
  return [painted, ...wrap(match, { width, indent: DETAIL_INDENT }).map(style.faint)];
}

function detailLines(change: Change, style: Style, options: HumanOptions): string[] {
  const differences = differencesOf(change, options.verbose ? 3 : 1);
  const impact = impactWords(change);
  const paint = isDangerous(change) ? style.destroy : style.warning;
  return [
    ...attributeLines(differences.rows, style, options.width),
    ...differences.nested.flatMap((nested) => nestedLines(nested, style)),
    ...(impact.length === 0 ? [] : labelled('impact', impact.join('; '), options.width).map(paint)),
    ...change.notes.flatMap((note) => labelled('note', sentence(note), options.width)),
    ...change.reasons.flatMap((reason) =>
      labelled('because', reasonWords(change, reason), options.width).map(style.faint),
    ),
  ];
}

/** `label: text`, wrapped under the text. */
export function labelled(label: string, text: string, width: number): string[] {
  return wrap(`${label}: ${text}`, { width, indent: DETAIL_INDENT, hanging: `${DETAIL_INDENT}  ` });
}

/** Paths in one column, `before → after` in the other; a pair that does not fit stands on two lines. */
function attributeLines(rows: readonly AttributeRow[], style: Style, width: number): string[] {
  const paths = rows.map((row) => shown(row.path, 100));
  const column = Math.min(Math.max(0, ...paths.map(columnsOf)), Math.max(20, Math.floor(width / 2) - 4));
  return rows.flatMap((row, at) => {
    const lead = `${DETAIL_INDENT}${padColumns(cutMiddle(paths[at] ?? '', column), column)}  `;
    const suffix = row.restarts ? '  (restarts)' : '';
    const before = row.before === null ? '' : valueText(row.before, LONG_VALUE);
    const after = valueText(row.after, LONG_VALUE);
    const whole = before === '' && row.after !== null ? after : `${before === '' ? '(not set)' : before} → ${after}`;
    const mark = style.restart(suffix);
    if (columnsOf(lead + whole + suffix) <= width || before === '') return [`${lead}${whole}${mark}`];
    return [`${lead}${before}`, `${DETAIL_INDENT}${' '.repeat(Math.max(0, column - 2))}  → ${after}${mark}`];
  });
}

function nestedLines(nested: NestedDiff, style: Style): string[] {
  const paints = { '+': style.add, '-': style.destroy, ' ': style.faint };
  return [
    `${DETAIL_INDENT}${shown(nested.root)}:${nested.restarts ? style.restart('  (restarts)') : ''}`,
    ...nested.lines.map(({ sign, text }) => `${DETAIL_INDENT}  ${paints[sign](`${sign} ${shown(text)}`)}`),
  ];
}

/** Where the wish stands in the file and which operation last touched the resource. */
function originLines(change: Change, style: Style, options: HumanOptions, named: boolean): string[] {
  const who = named ? `${nameText(change.address)} ` : '';
  const lines: string[] = [];
  if (change.source !== null)
    lines.push(`${who}from ${nameText(change.source.file)}:${change.source.start.line} (${shown(change.origin)})`);
  if (change.lastOperation !== null) {
    const { id, action, at } = change.lastOperation;
    lines.push(`${who}last operation ${shown(action)} ${shown(id)}${at === null ? '' : ` at ${shown(at)}`}`);
  }
  return lines.flatMap((line) => wrap(line, { width: options.width, indent: DETAIL_INDENT }).map(style.faint));
}
