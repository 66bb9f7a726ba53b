// The plan as a comment on a pull request: whatever its size, verdict, counts and dangerous steps survive.
import { isoTime } from '../../base/time/clock.ts';
import { groupBy } from '../../base/group-by.ts';
import { plural } from '../../base/text/words.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { blockWords, limitSentence } from '../messages/blocks.ts';
import {
  firstThatFits,
  mostThatFit,
  blocks,
  code,
  details,
  fence,
  firstItems,
  htmlCode,
  markdownTable,
  page,
  selectionText,
} from './pieces.ts';
import { dangerSentence, gapSentences, verdictLine } from '../messages/verdicts.ts';
import { UPKEEP_TITLE, upkeepDeed, upkeepWhy } from '../messages/upkeep.ts';
import { isDangerous, outagesOf } from '../messages/impacts.ts';
import { diffLines } from './change.ts';
import { graphSection } from './graph.ts';
import { actionWords, byAddress, byProject, dangerList, dangerTable } from './danger.ts';
import { comparedCounts, comparedSections, type ComparedSection } from '../view/comparison.ts';
import { guardChangeGroups, guardChangeTexts, guardTexts } from '../view/guard-texts.ts';
import { scopeOf } from '../../model/address.ts';
import { planRows, unplannedWords, type PlanRows } from '../view/plan-rows.ts';
import { valueText } from '../text/value.ts';

export interface MarkdownOptions {
  readonly maxChars: number;
  /** Tells what a plan's change brings from what was pending already. */
  readonly comparison?: Comparison | null;
}

/** Finds the comment again, so that the next run can replace it. */
const MARKER = '<!-- trueup plan -->';
const PROJECT_ROWS = 200;
/** No line of a change has fewer characters. */
const SHORTEST_CHANGE = 10;

export function renderPlanMarkdown(plan: Plan, options: MarkdownOptions): string {
  const rows = planRows(plan);
  const { comparison = null, maxChars } = options;
  const head = (outages: number, guards: string): readonly string[] => [
    MARKER,
    verdict(rows, selectionText(plan.options)),
    outageList(rows, outages),
    countsTable(rows),
    comparison === null ? '' : comparedLine(rows, comparison),
    guards,
  ];
  const changes = reviewedIn(rows);
  const { table, apart, names } = dangerForms(rows);
  const limits = rows.limitsExceeded.map((limit) => `- ${code(limitSentence(limit))}`).join('\n');
  const attention = attentionSections(rows);
  const lists = listSections(rows);
  const groups = comparison === null ? [] : guardChangeGroups(comparison);
  const guards = guardList(
    groups.map(({ text }) => text),
    GROUP,
  );
  const full = (context: number | null, graph: boolean): string =>
    page([
      ...head(OUTAGES_LISTED, guardList(comparison === null ? [] : guardChangeTexts(comparison), WHOLE)),
      table,
      limits,
      attention,
      lists,
      ...(comparison === null
        ? projectSections(changes, context)
        : comparedSections(rows, comparison)
            // What is said in sentences stands above.
            .filter(({ sentences }) => sentences.length === 0)
            .map((compared) => comparedSection(compared, context))),
      graph ? graphSection(plan) : '',
      footer(plan, false),
    ]);
  const projects = projectCounts(changes, PROJECT_ROWS);
  /** As many changes as there is room for, after what must not be left out. */
  const cut = (danger: string, parts: readonly string[]): string => {
    const pageOf = (limit: number): string =>
      page([...head(OUTAGES_LISTED, guards), danger, ...parts, ...firstChanges(changes, limit), footer(plan, true)]);
    const least = pageOf(0);
    const room = Math.floor((maxChars - least.length) / SHORTEST_CHANGE);
    return room <= 0 ? least : mostThatFit(pageOf, Math.min(changes.length, room), maxChars);
  };
  const parts = [[limits, attention, projects], [limits, projects], [limits], []];
  const cuts = (some: readonly (readonly string[])[], forms: readonly string[]): readonly (() => string)[] =>
    forms.flatMap((form) => some.map((one) => () => cut(form, one)));
  const dangerous = changes.filter(isDangerous);
  const barest = (steps: number, outages: number = OUTAGES_LISTED, some: string = guards): string =>
    page([...head(outages, some), dangerList(dangerous, byProject, steps), footer(plan, true)]);
  const briefs = groups.map(({ brief }) => brief);
  return firstThatFits(
    [
      () => full(3, true),
      () => full(0, false),
      () => full(null, false),
      ...cuts([[limits, attention, lists, projects], ...parts], [table]),
      ...cuts(parts, apart),
      ...cuts(parts, names),
      () => mostThatFit(barest, dangerous.length, maxChars),
      () => mostThatFit((outages) => barest(0, outages), OUTAGES_LISTED, maxChars),
      () => barest(0, 0),
      () => mostThatFit((many) => barest(0, 0, guardList(briefs, GROUP, many)), briefs.length, maxChars),
    ],
    maxChars,
  );
}

/** What runs, and what a guard holds back: the hash that a review gives may cover that, and it runs as soon as its window is open. */
function reviewedIn({ changes, blocked }: Pick<PlanRows, 'changes' | 'blocked'>): readonly Change[] {
  return [...changes, ...blocked];
}

/** All that is dangerous, the fullest form first. */
interface DangerForms {
  /** A row each, with what it does to people. */
  readonly table: string;
  /** What is held back apart from that, by its names; nothing where nothing is. */
  readonly apart: readonly string[];
  /** Ever shorter lists of names. */
  readonly names: readonly string[];
}

function dangerForms(rows: PlanRows): DangerForms {
  const [running, held] = [rows.changes.filter(isDangerous), rows.blocked.filter(isDangerous)];
  const dangerous = [...running, ...held];
  return {
    table: dangerTable(dangerous),
    apart: held.length === 0 ? [] : [blocks([dangerTable(running), dangerList(held, byAddress)])],
    names: [dangerList(dangerous, byAddress), dangerList(dangerous, byProject)],
  };
}

function verdict(rows: PlanRows, selection: string): string {
  const danger = dangerSentence(rows.changes, 'Attention');
  const held = dangerSentence(rows.blocked, 'Held back by guards');
  return blocks([`### ${verdictLine(rows)}`, selection, danger, held, ...gapSentences(rows.counts)]);
}

const OUTAGES_LISTED = 10;

/** Which service is taken away, by which change: what runs comes before what guards hold back. */
function outageList({ changes, blocked }: PlanRows, limit: number): string {
  const items = [...outagesOf(changes), ...outagesOf(blocked)].map(
    ({ change, words }) => `${code(change.address)} ${actionWords(change)}: ${code(words, 400)}`,
  );
  return items.length === 0 ? '' : blocks(['**Outages**', firstItems(items, limit)]);
}

/** What stands under the counts also where all else is cut: where the other files cannot be planned, that nobody knows what is new. */
function comparedLine(rows: PlanRows, comparison: Comparison): string {
  const unusable = rows.diagnostics.find(({ code: word }) => word === 'base_unusable');
  if (unusable === undefined) return `Of these: **${comparedCounts(rows, comparison)}**.`;
  return `**Not compared**: ${code(unusable.message, 1000)}`;
}

/** How long a line of a page is that has all, and of one that is cut. */
const WHOLE = Infinity;
const GROUP = 700;

/** What of the guards is another one than in the files compared with, on a page of any size: else a great change would hide it. */
function guardList(texts: readonly string[], longest: number, limit: number = texts.length): string {
  const items = texts.map((text) => code(text, longest));
  return items.length === 0 ? '' : blocks(['#### Guards changed', firstItems(items, limit)]);
}

/** How many addresses a list shows: the comment has other things to say too. */
const ADDRESSES_LISTED = 50;

function comparedSection(compared: ComparedSection, context: number | null): string {
  const { title, changes, elsewhere, addresses, isAlwaysTold } = compared;
  const blocked = elsewhere.filter(({ where }) => where === 'blocked').map(({ change }) => change);
  const due = elsewhere.filter(({ where }) => where === 'due').map(({ change }) => change);
  const list = (items: readonly string[]): string => firstItems(items, ADDRESSES_LISTED, '');
  const body = blocks([
    ...projectSections([...changes, ...blocked], context),
    list(due.map((change) => `${code(change.address)} ${change.action}: due`)),
    addresses.length === 0
      ? ''
      : details(plural(addresses.length, 'resource'), list(addresses.map((address) => code(address)))),
  ]);
  return body === '' && !isAlwaysTold ? '' : blocks([`#### ${title}`, body === '' ? 'Nothing.' : body]);
}

/** In the order in which they are counted. */
function countsTable(rows: PlanRows): string {
  return markdownTable(Object.keys(rows.counts), [Object.values(rows.counts).map(String)]);
}

/** How many addresses a row of the table of blocked changes names. */
const ALIKE_LISTED = 20;

/** Why changes are held back, those of one reason in one row. */
function blockedTable(rows: PlanRows): string {
  const held = rows.blocked.flatMap((change) =>
    change.blockedBy.map((block) => ({ change, words: blockWords(block, [change], rows) })),
  );
  const alike = groupBy(held, ({ change, words: { why, lift } }) => JSON.stringify([change.action, why, lift]));
  return markdownTable(
    ['Blocked', 'Action', 'Why', 'How to lift it'],
    [...alike.values()].map((inner) => {
      const [{ change, words }] = inner;
      const names = inner.slice(0, ALIKE_LISTED).map((one) => code(one.change.address));
      const more = inner.length - names.length;
      const whose = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      return [whose, change.action, code(words.why, 500), code(words.lift, 500)];
    }),
  );
}

/** What is held back, and what waits for the clock. */
function attentionSections(rows: PlanRows): string {
  const due = markdownTable(
    ['Due (`trueup apply --due`)', 'Action', 'Why'],
    rows.due.map((change) => [
      code(change.address),
      change.action,
      change.reasons.map((text) => code(text)).join(' ') || '-',
    ]),
  );
  const upkeep = markdownTable(
    [UPKEEP_TITLE, 'What', 'Why'],
    rows.upkeep.map((one) => [code(one.address), code(upkeepDeed(one)), code(upkeepWhy(one), 500)]),
  );
  return blocks([blockedTable(rows), due, upkeep]);
}

function listSections(rows: PlanRows): string {
  const held = rows.held.flatMap((change) =>
    change.held.map(
      ({ path, live, wanted, untilMs, reason }) =>
        `- ${code(change.address)} ${code(path)}: live ${code(valueText(live))}, wanted ${code(valueText(wanted))}, until ${isoTime(untilMs).slice(0, 10)}${reason === '' ? '' : ` ${code(reason)}`}`,
    ),
  );
  const noted = rows.noted.flatMap(({ address, notes }) =>
    notes.map((note) => `- ${code(address)}: ${code(note, 500)}`),
  );
  const guards = (rows.inSync ? [] : guardTexts(rows)).map((text) => `- ${code(text, 400)}`);
  const unread = rows.unread.map(({ what, reason }) => `- ${code(what)}: ${code(reason, 500)}`);
  const unplanned = rows.unplanned.map((one) => `- ${code(one.project)}: ${code(unplannedWords(one), 1000)}`);
  const unmanaged = rows.unmanaged.map(
    ({ address, described = '' }) => `- ${code(address)}${described === '' ? '' : `: ${code(described)}`}`,
  );
  const diagnostics = rows.diagnostics.map(
    ({ severity, code: word, message }) => `- ${severity} ${code(word)}: ${code(message, 1000)}`,
  );
  return blocks([
    folded(`Held: ${held.length}`, held),
    folded(`Guards in force: ${guards.length}`, guards),
    folded(`Nothing to do, but to know: ${noted.length}`, noted),
    folded(`Not read: ${unread.length}`, unread),
    folded(`Not planned: ${unplanned.length}`, unplanned),
    folded(`Not managed by these files: ${unmanaged.length}`, unmanaged),
    folded(`Warnings: ${diagnostics.length}`, diagnostics),
  ]);
}

function folded(summary: string, items: readonly string[]): string {
  return items.length === 0 ? '' : details(summary, items.join('\n'));
}

function byScope(changes: readonly Change[]): Map<string, Change[]> {
  return groupBy(changes, ({ address }) => scopeOf(address));
}

function projectSections(changes: readonly Change[], context: number | null): string[] {
  return [...byScope(changes)].map(([scope, inner]) =>
    details(`${htmlCode(scope)}: ${plural(inner.length, 'change')}`, fence('diff', diffLines(inner, context))),
  );
}

/** The first `limit` of them, a line each, and how many follow. */
function firstChanges(changes: readonly Change[], limit: number): string[] {
  const rest = changes.length - limit;
  return [
    ...projectSections(changes.slice(0, limit), null),
    ...(rest === 0 ? [] : [`… and ${plural(rest, 'more change')}.`]),
  ];
}

function projectCounts(changes: readonly Change[], limit: number): string {
  const scopes = [...byScope(changes)];
  const rest = scopes.length - limit;
  const table = markdownTable(
    ['Project', 'Changes'],
    scopes.slice(0, limit).map(([scope, inner]) => [code(scope), String(inner.length)]),
  );
  return rest > 0 ? `${table}\n\n… and ${plural(rest, 'more project')}.` : table;
}

function footer(plan: Plan, cut: boolean): string {
  const more = cut ? ' This comment is cut to what fits; `trueup show` on the saved plan gives all of it.' : '';
  return `Plan hash ${code(plan.planHash)}.${more}`;
}
