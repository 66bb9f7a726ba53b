// The plan for a person in a terminal: dangerous first, brief unless asked, honest in its last line.
import { isoTime } from '../../base/time/clock.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Change, Plan, Step } from '../../model/outcome/plan.ts';
import { limitSentence } from '../messages/blocks.ts';
import { diagnosticLines } from './diagnostics.ts';
import { blockLines, changeLines } from './change.ts';
import { listLines, page, rowLines, titled, type PageOptions } from './page.ts';
import { outagesOf } from '../messages/impacts.ts';
import { dangerSentence, gapSentences, verdictLine } from '../messages/verdicts.ts';
import { UPKEEP_TITLE, upkeepText } from '../messages/upkeep.ts';
import { comparedSections, type ComparedSection } from '../view/comparison.ts';
import { guardTexts } from '../view/guard-texts.ts';
import { groupAlike, planRows, stepsInOrder, unlistedText, unplannedWords, type PlanRows } from '../view/plan-rows.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';
import { wrap } from '../text/width.ts';
import { contextRows, selectionRows, type PlanContext } from '../view/plan-context.ts';

export interface PlanTextOptions extends PageOptions {
  /** Tells what this change brings from what was pending already. */
  readonly comparison?: Comparison | null;
  readonly context: PlanContext;
}

const BRIEF_LIST = 10;

/** The whole plan as text that ends in a line feed. */
export function renderPlan(plan: Plan, options: PlanTextOptions): string {
  const rows = planRows(plan);
  const section = (title: string, lines: readonly string[]): string[] => titled(title, lines, options);
  const list = (title: string, texts: readonly string[], most?: number): string[] =>
    section(title, listLines(texts, options, most));
  return page([
    contextLines(plan, options),
    section('Outages', outageLines(rows, options)),
    ...(options.comparison
      ? comparedSections(rows, options.comparison).map((compared) => comparedLines(compared, options))
      : [changesLines(rows.changes, options)]),
    section('Due (run by trueup apply --due)', changesLines(rows.due, options)),
    list(UPKEEP_TITLE, rows.upkeep.map(upkeepText), BRIEF_LIST),
    section('Blocked', blockedLines(rows, options)),
    list('Held (known differences, let be)', rows.held.flatMap(heldTexts)),
    list('Guards in force', rows.inSync && !options.verbose ? [] : guardTexts(rows), BRIEF_LIST),
    list('Nothing to do, but to know', rows.noted.map(notedText), BRIEF_LIST),
    list(
      'Not read',
      rows.unread.map(({ what, reason }) => `${nameText(what)}: ${sentence(reason)}`),
    ),
    list(
      'Not planned',
      rows.unplanned.map((one) => `${nameText(one.project)}: ${sentence(unplannedWords(one))}`),
    ),
    list('Not managed by these files (left alone)', rows.unmanaged.map(unlistedText), BRIEF_LIST),
    options.diagnostics === false ? [] : diagnosticLines(rows.diagnostics, options),
    list('Steps', options.verbose ? stepsInOrder(plan.steps).map(stepText) : []),
    summaryLines(rows, options),
  ]);
}

/** What stands above the end of an apply that had nothing to do; empty where there was something to show. */
export function renderNoChanges(plan: Plan, options: HumanOptions): string {
  const rows = planRows(plan);
  if (!rows.inSync || plan.summary.due > 0) return '';
  return `${page([rowLines(selectionRows(plan.options), options), [verdictLine(rows)]])}\n`;
}

/** `Account  https://…`, and below it files and hash. */
export function contextLines(
  plan: Plan,
  { context, ...options }: Pick<PlanTextOptions, 'context' | 'color' | 'width'>,
): string[] {
  return rowLines(contextRows(plan, context), options);
}

/** What a reader in a hurry must not miss: which service is taken away, by which change. */
function outageLines({ changes }: PlanRows, options: HumanOptions): string[] {
  const texts = outagesOf(changes).map(
    ({ change, words }) => `! ${nameText(change.address)} (${change.action}): ${words}`,
  );
  return listLines(texts, options, BRIEF_LIST, '    ').map(styleOf(options.color).destroy);
}

function comparedLines(compared: ComparedSection, options: HumanOptions): string[] {
  const { title, sentences, changes, elsewhere, addresses, isAlwaysTold } = compared;
  const lines = [
    ...listLines(sentences, options, Infinity, '    '),
    ...changesLines(changes, options),
    ...(changes.length > 0 && elsewhere.length > 0 ? [''] : []),
    ...elsewhere.map(({ change, where }) => `  ${nameText(change.address)}  ${change.action} (${where}, see below)`),
    ...addresses.map((address) => `  ${nameText(address)}`),
  ];
  return titled(title, lines.length === 0 && isAlwaysTold ? ['  nothing'] : lines, options);
}

function changesLines(changes: readonly Change[], options: HumanOptions): string[] {
  const lines: string[] = [];
  for (const group of groupAlike(changes)) {
    if (lines.length > 0) lines.push('');
    for (const line of changeLines(group, options)) lines.push(line);
  }
  return lines;
}

function blockedLines(rows: PlanRows, options: HumanOptions): string[] {
  const limits = listLines(rows.limitsExceeded.map(limitSentence), options, Infinity, '    ');
  const groups = groupAlike(rows.blocked).map((group) => [
    ...changeLines(group, options),
    ...blockLines(group, options.width, rows),
  ]);
  return [...limits, ...groups.flatMap((lines, at) => (at === 0 && limits.length === 0 ? lines : ['', ...lines]))];
}

function heldTexts({ address, held }: Change): string[] {
  return held.map(
    ({ path, live, wanted, untilMs, reason }) =>
      `${nameText(address)}  ${shown(path)}: live ${valueText(live, 60)}, wanted ${valueText(wanted, 60)}` +
      `, until ${isoTime(untilMs).slice(0, 10)}${reason === '' ? '' : ` (${sentence(reason)})`}`,
  );
}

function notedText({ address, notes }: Change): string {
  return `${nameText(address)}: ${notes.map((note) => sentence(note)).join('; ')}`;
}

function stepText({ id, method, path, needs }: Step, at: number): string {
  const after = needs.length === 0 ? '' : ` (after ${needs.map((one) => shown(one)).join(', ')})`;
  return `${at + 1}. ${shown(id)}: ${method} ${shown(path, 300)}${after}`;
}

function summaryLines(rows: PlanRows, { color, width }: HumanOptions): string[] {
  const style = styleOf(color);
  const { blocked, held, due } = rows.counts;
  return [
    ...[dangerSentence(rows.changes, 'Attention'), ...gapSentences(rows.counts)].flatMap((text) =>
      text === '' ? [] : wrap(text, { width }).map(style.warning),
    ),
    ...(blocked > 0 ? [`Blocked: ${blocked}.`] : []),
    ...(held > 0 ? [`Held: ${held}.`] : []),
    ...(due > 0 ? [`Due: ${due}.`] : []),
    style.strong(verdictLine(rows)),
  ];
}
