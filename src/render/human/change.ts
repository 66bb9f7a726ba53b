// Renders a change, or a group of similar changes, as lines for a terminal.
import { tallyOf } from '../../model/outcome/plan.ts';
import { isDangerous } from '../messages/impacts.ts';
import { ACTIONS, styleOf, type HumanOptions, type Paint, type Style } from '../text/style.ts';
import { columnsOf, padColumns, wrap } from '../text/width.ts';
import type { ChangeView, Head } from '../report/report.ts';

const DETAIL_INDENT = '      ';
const VALUE_INDENT = `${DETAIL_INDENT}    `;
/** A brief report lists only this many harmless changes of a larger group. */
const ALIKE_SHOWN = 8;

/** The first lines of each listed change, then the lines of the whole group. With `isDrift`, differences show live and file. */
export function changeLines(view: ChangeView, options: HumanOptions, isDrift: boolean): string[] {
  const { group, heads } = view;
  const style = styleOf(options.color);
  const all = options.verbose || isDangerous(group[0]) || group.length <= ALIKE_SHOWN + 1;
  const listed = all ? heads : heads.slice(0, ALIKE_SHOWN);
  const paint = style[ACTIONS[tallyOf(group[0])].tone];
  const inline = isDrift || group.length > 1 ? '' : pairsOf(view);
  const lines: string[] = [];
  for (const head of listed)
    lines.push(...headLines(isDrift ? { ...head, deed: '' } : head, inline, paint, style, options.width));
  if (listed.length < group.length)
    lines.push(`${DETAIL_INDENT}${style.faint(`… and ${group.length - listed.length} more alike (-v lists them)`)}`);
  if (group.length > 1) lines.push(`${DETAIL_INDENT}${style.faint(`all ${group.length}:`)}`);
  // Appends to one array, because joining thousands of arrays is slow and most are empty.
  if (inline === '') lines.push(...attributeLines(view, style, options.width, isDrift));
  for (const { label, text, tone, isDetail } of view.lines)
    if (options.verbose || !isDetail)
      for (const one of below(label === '' ? text : `${label}: ${text}`, options.width)) lines.push(style[tone](one));
  return lines;
}

/** A creation's values in one line: `owner_name app`. Empty for other changes, or if a value is nested or comes from a profile or overlay. */
function pairsOf({ hasBefore, rows }: ChangeView): string {
  if (hasBefore || rows.some(({ layer, path }) => layer !== '' || path.includes('.'))) return '';
  return rows.map(({ path, after }) => `${path} ${after}`).join(', ');
}

/** `  ~ shop/first  update, RESTARTS  ep-…`; other text goes below. The address is never cut, so that it stays unique. */
function headLines(head: Head, inline: string, paint: Paint, style: Style, width: number): string[] {
  const { symbol, address, deed, what } = head;
  const sign = paint(symbol);
  const rest = [what, inline].filter((part) => part !== '').join('  ');
  const short = `  ${symbol} ${address}  ${deed}`.trimEnd();
  if (columnsOf(short) > width) {
    // Only a quoted address has blanks, at which it may be wrapped.
    const [first = '', ...others] = wrap(address, { width, indent: '    ', hanging: VALUE_INDENT });
    const named = [`  ${sign} ${style.strong(first.trimStart())}`, ...others.map(style.strong)];
    return [...named, ...(deed === '' ? [] : [`${DETAIL_INDENT}${paint(deed)}`]), ...below(rest, width)];
  }
  const painted = `  ${sign} ${style.strong(address)}${deed === '' ? '' : `  ${paint(deed)}`}`;
  if (rest === '') return [painted];
  if (columnsOf(`${short}  ${rest}`) <= width) return [`${painted}  ${rest}`];
  if (what !== '' && inline !== '' && columnsOf(`${short}  ${what}`) <= width)
    return [`${painted}  ${what}`, ...below(inline, width)];
  return [painted, ...below(rest, width)];
}

function below(text: string, width: number): string[] {
  return text === '' ? [] : wrap(text, { width, indent: DETAIL_INDENT, hanging: `${DETAIL_INDENT}  ` });
}

/** Paths in one column, `before → after` in the next. A pair that is too wide goes below its path. Paths are never cut. */
function attributeLines({ hasBefore, rows }: ChangeView, style: Style, width: number, isDrift: boolean): string[] {
  const widest = Math.floor(width * 0.6);
  const column = Math.max(0, ...rows.map(({ path }) => columnsOf(path)).filter((columns) => columns <= widest));
  const isSided = isDrift && hasBefore;
  const valueLines = (text: string, sign: string = ''): string[] =>
    wrap(text, { width, indent: `${VALUE_INDENT}${sign}`, hanging: `${VALUE_INDENT}  ` });
  return rows.flatMap(({ path, before, after, restarts, layer }) => {
    const lead = `${DETAIL_INDENT}${padColumns(path, column)}  `;
    const suffix = restarts ? '  (restarts)' : '';
    const [from, to] = isSided ? [`live ${before}`, `file ${after}`] : [before, after];
    const whole = before === '' ? after : `${from}${isSided ? ', ' : ' → '}${to}`;
    const place = layer === '' ? '' : `  (${layer})`;
    const painted = `${lead}${whole}${style.turn(suffix)}`;
    if (columnsOf(lead + whole + suffix + place) <= width) return [painted + style.faint(place)];
    return [
      ...(columnsOf(lead + whole + suffix) <= width
        ? [painted]
        : [
            ...wrap(path, { width, indent: DETAIL_INDENT, hanging: VALUE_INDENT }),
            ...(before === '' ? [] : valueLines(from)),
            ...valueLines(to + suffix, before === '' || isSided ? '' : '→ '),
          ]),
      ...(layer === '' ? [] : valueLines(place.trim()).map(style.faint)),
    ];
  });
}
