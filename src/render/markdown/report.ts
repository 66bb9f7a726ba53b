// Renders any report as a pull-request comment. Under a size limit, verdict and counts stay; so do dangerous steps if they fit.
import { groupBy } from '../../base/group-by.ts';
import { plural } from '../../base/text/words.ts';
import { scopeOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ChangeView, Item, Report, Section } from '../report/report.ts';
import { isDangerous } from '../messages/impacts.ts';
import { dangerList, dangerTable } from './danger.ts';
import { blocks, code, details, diffs, firstItems, firstThatFits, markdownTable, mostThatFit, page } from './pieces.ts';
import { restarts } from '../view/plan-rows.ts';

const ITEMS_LISTED = 200;
const WARNINGS_LISTED = 10;
const LONGEST = 1000;
const LONGEST_CUT = 700;
/** The minimum length of a change's line, which limits how many changes can fit. */
const SHORTEST_CHANGE = 10;

export function renderReportMarkdown(report: Report, maxChars: number): string {
  const sections = report.sections.filter(({ isDetail }) => !isDetail);
  const kept = sections.filter(({ shorter }) => shorter.length > 0);
  const others = sections.filter(({ shorter }) => shorter.length === 0);
  const keptList = (form: number, most: number = ITEMS_LISTED): string =>
    blocks(kept.map(({ title, shorter }) => itemList(title, shorter.at(form) ?? [], LONGEST_CUT, most)));
  const views = report.sections.filter(({ isReviewed }) => isReviewed).flatMap(({ changes }) => changes);
  const dangerous = report.name === 'plan' ? views.flatMap(({ group }) => group).filter(isDangerous) : [];
  const full = (): string =>
    page([
      headOf(report, WARNINGS_LISTED),
      ...kept.map(({ title, items }) => itemList(title, items, Infinity)),
      dangerTable(dangerous),
      ...others.map(sectionOf),
      folded('Messages', report.diagnostics.map(messageText)),
      footer(report, false),
    ]);
  const alarms = others.filter(({ tone }) => tone === 'bad');
  const changes = views.flatMap((view) =>
    view.group.map((change, at): Listed => ({ changes: [change], lines: [headLine(view, at)] })),
  );
  /** Lists as many changes as fit after the parts that must stay. */
  const cut = (danger: string): string => {
    const pageOf = (limit: number): string =>
      page([
        headOf(report, WARNINGS_LISTED),
        keptList(0),
        danger,
        ...alarms.map(({ title, items }) => itemList(title, items, LONGEST, WARNINGS_LISTED)),
        ...firstChanges(changes, limit),
        footer(report, true),
      ]);
    const least = pageOf(0);
    const room = Math.floor((maxChars - least.length) / SHORTEST_CHANGE);
    return room <= 0 ? least : mostThatFit(pageOf, Math.min(changes.length, room), maxChars);
  };
  const barest = (steps: number, warnings: number, some: string = keptList(0)): string =>
    page([headOf(report, warnings), some, dangerList(dangerous, steps), footer(report, true)]);
  const mostKept = Math.max(0, ...kept.map(({ shorter }) => shorter.at(-1)?.length ?? 0));
  return firstThatFits(
    [
      full,
      () => cut(dangerTable(dangerous)),
      () => cut(dangerList(dangerous)),
      () => mostThatFit((steps) => barest(steps, WARNINGS_LISTED), dangerous.length, maxChars),
      () => mostThatFit((warnings) => barest(0, warnings), WARNINGS_LISTED, maxChars),
      () => mostThatFit((many) => barest(0, 0, keptList(-1, many)), mostKept, maxChars),
    ],
    maxChars,
  );
}

function headOf({ name, verdict, context, warning, figures, summary, next }: Report, warnings: number): string {
  return blocks([
    `<!-- trueup ${name} -->`,
    `### ${verdict.text}`,
    ...context.flatMap(([label, text]) => (label === 'Targets' ? [`${label}: ${code(text, 500)}`] : [])),
    itemList('Warning', warning, 400, warnings),
    markdownTable(
      figures.map(([label]) => label),
      figures.length === 0 ? [] : [figures.map(([, value]) => String(value))],
    ),
    // Lines with a label are counts, which are already in the table.
    ...[...summary, ...next].flatMap(({ label, text }) => (label === '' ? [plainOrCode(text)] : [])),
  ]);
}

function plainOrCode(text: string): string {
  return /^[\w .,:;()-]*$/.test(text) ? text : code(text, LONGEST);
}

function itemText({ address, text, more }: Item, longest: number = LONGEST): string {
  const head = [address === null ? '' : code(address), text === '' ? '' : code(text, longest)];
  const words = head.filter((part) => part !== '').join(': ');
  return [words, ...more.map((one) => code(one, LONGEST))].join(' ');
}

function itemList(title: string, items: readonly Item[], longest: number, most: number = ITEMS_LISTED): string {
  const texts = items.map((one) => itemText(one, longest));
  return texts.length === 0 ? '' : blocks([`#### ${title}`, firstItems(texts, most)]);
}

function folded(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : details(`${title}: ${items.length}`, firstItems(items, ITEMS_LISTED));
}

function messageText({ severity, code: word, message, hint }: Diagnostic): string {
  return `${severity} ${code(word)}: ${code(message, LONGEST)}${hint === undefined ? '' : ` ${code(hint, LONGEST)}`}`;
}

/** Folds a section without changes, unless its tone is `bad`. In a section with changes, items come first. */
function sectionOf({ title, tone, items, changes }: Section): string {
  if (changes.length === 0 && tone === 'bad') return itemList(title, items, LONGEST);
  const texts = items.map((one) => itemText(one));
  if (changes.length === 0) return folded(title, texts);
  const listed = changes.map((view): Listed => ({ changes: view.group, lines: diffLines(view) }));
  return blocks([title === '' ? '' : `#### ${title}`, firstItems(texts, ITEMS_LISTED), ...diffsByScope(listed)]);
}

interface Listed {
  readonly changes: ChangeView['group'];
  readonly lines: readonly string[];
}

function diffsByScope(listed: readonly Listed[]): readonly string[] {
  const byScope = groupBy(listed, ({ changes }) => scopeOf(changes[0].address));
  return [...byScope].map(([scope, inner]) => {
    const count = inner.reduce((sum, { changes }) => sum + changes.length, 0);
    return diffs(
      scope,
      count,
      inner.flatMap(({ lines }) => lines),
    );
  });
}

function firstChanges(changes: readonly Listed[], limit: number): readonly string[] {
  const rest = changes.length - limit;
  return [...diffsByScope(changes.slice(0, limit)), ...(rest === 0 ? [] : [`… and ${plural(rest, 'more change')}.`])];
}

function footer({ name, context }: Report, isCut: boolean): string {
  const hash = context.flatMap(([label, text]) => (label === 'Hash' ? [`Plan hash ${code(text)}.`] : []));
  const more = isCut
    ? [
        `This comment is shortened to fit; \`trueup show\` on the saved ${name === 'apply' ? 'result' : name} shows everything.`,
      ]
    : [];
  return [...hash, ...more].join(' ');
}

function diffLines(view: ChangeView): string[] {
  const { heads, rows, lines } = view;
  return [
    ...heads.map((_, at) => headLine(view, at)),
    ...rows.flatMap(({ path, before, after, layer }) => [
      ...(before === '' ? [] : [`-     ${path}: ${before}`]),
      `+     ${path}: ${after}${layer === '' ? '' : `  (${layer})`}`,
    ]),
    ...lines.flatMap(({ label, text, isDetail }) =>
      isDetail ? [] : [`#     ${label === '' ? '' : `${label}: `}${text}`],
    ),
  ];
}

/** `! …` for a restart, which Markdown diffs show in orange. Other changes have the symbol of the plan. */
function headLine({ group, heads }: ChangeView, at: number): string {
  const [head, change] = [heads[at], group[at]];
  if (head === undefined || change === undefined) return '';
  const { symbol, address, deed, what } = head;
  const blocked = change.blockedBy.length === 0 ? '' : ` (blocked: ${change.blockedBy.join(', ')})`;
  const rest = what === '' ? '' : `  ${what}`;
  return `${restarts(change) ? '!' : symbol} ${address}  ${deed}${blocked}${rest}`;
}
