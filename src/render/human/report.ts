// Renders any report for a terminal: brief unless `verbose` is set.
import { diagnosticLines } from './diagnostics.ts';
import { changeLines } from './change.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';
import { nameText } from '../text/escape.ts';
import { wrap, padColumns } from '../text/width.ts';
import type { Item, Line, Report, Section, ContextRow } from '../report/report.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { verdictLine } from '../messages/problems.ts';
import { selectionRows, planRows } from '../view/plan-rows.ts';

const BRIEF_LIST = 10;
const ITEM_INDENT = '  ';
/** Deeper than any unwrapped line, so that wrapped outside text cannot pass for a line of its own. */
const HANGING = '        ';

export function renderReport(report: Report, options: HumanOptions): string {
  const { name, context, sections, diagnostics, warning, summary, verdict, next } = report;
  const isMeant = ({ isDetail }: Section): boolean => options.verbose || !isDetail;
  return page([
    // The plan already showed its hash, so the result of an apply does not repeat the hash.
    name === 'apply' ? [] : rowLines(context, options),
    ...sections.filter(isMeant).map((one) => sectionLines(one, options, name === 'drift')),
    diagnosticLines(diagnostics, options),
    [
      ...warningLines(warning, options),
      ...summary.flatMap((one) => endLine(one, false, options)),
      ...endLine(verdict, true, options),
      ...next.flatMap((one) => endLine(one, false, options)),
    ],
  ]);
}

function sectionLines({ title, items, changes }: Section, options: HumanOptions, isDrift: boolean): string[] {
  const listed = options.verbose ? items : items.slice(0, BRIEF_LIST);
  const lines: string[] = [];
  for (const one of listed) lines.push(...itemLines(one, options.width));
  if (listed.length < items.length) lines.push(`  … and ${items.length - listed.length} more (-v lists them)`);
  for (const change of changes) for (const one of changeLines(change, options, isDrift)) lines.push(one);
  return title === '' || lines.length === 0 ? lines : [styleOf(options.color).strong(`${title}:`), ...lines];
}

function itemLines(one: Item, width: number): string[] {
  return [...wrap(itemText(one), { width, indent: ITEM_INDENT, hanging: HANGING }), ...moreLines(one, width)];
}

function moreLines({ more, isShell }: Item, width: number): string[] {
  return more.flatMap((text) => (isShell ? [`  ${text}`] : wrap(text, { width, indent: '      ', hanging: HANGING })));
}

function itemText({ address, text }: Item): string {
  return [address === null ? '' : nameText(address), text].filter((part) => part !== '').join(': ');
}

/** A single warning is on the same line as its title. */
function warningLines(items: readonly Item[], { color, width }: HumanOptions): string[] {
  const [only, ...others] = items;
  if (only === undefined) return [];
  const lines =
    others.length === 0
      ? [...wrap(`Warning: ${itemText(only)}`, { width, hanging: '  ' }), ...moreLines(only, width)]
      : ['Warning:', ...items.flatMap((one) => itemLines(one, width))];
  return lines.map(styleOf(color).bad);
}

function endLine({ label, text, tone }: Line, isVerdict: boolean, { color, width }: HumanOptions): string[] {
  const style = styleOf(color);
  const paint = style[tone];
  const hanging = text.startsWith(' ') ? HANGING : '';
  return wrap(`${label === '' ? '' : `${label}: `}${text.trimStart()}`, {
    width,
    indent: text.startsWith(' ') ? ITEM_INDENT : '',
    hanging,
  }).map((one) => (isVerdict ? style.strong(paint(one)) : paint(one)));
}

function page(sections: readonly (readonly string[])[]): string {
  const told = sections.filter((lines) => lines.length > 0);
  return `${told.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const LABEL = 'Account'.length;

export function rowLines(
  rows: readonly ContextRow[],
  { color, width }: Pick<HumanOptions, 'color' | 'width'>,
): string[] {
  return rows
    .flatMap(([label, text]) =>
      wrap(text, { width, indent: `${padColumns(label, LABEL)}  `, hanging: ' '.repeat(LABEL + 2) }),
    )
    .map(styleOf(color).faint);
}

export function renderNoChanges(plan: Plan, options: HumanOptions): string {
  const rows = planRows(plan);
  if (!rows.inSync || plan.summary.due > 0) return '';
  return `${page([rowLines(selectionRows(plan.options), options), [verdictLine(rows)]])}\n`;
}
