// The plan for a person in a terminal: dangerous first, brief unless asked, honest in its last line.
import { isoTime } from '../../base/clock.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Sources } from '../../model/source.ts';
import type { Change, Plan, Step } from '../../model/plan.ts';
import { blockWords, limitSentence } from '../messages/blocks.ts';
import { comparedLines } from './comparison.ts';
import { diagnosticLines } from './diagnostics.ts';
import { changeLines, labelled } from './change.ts';
import { outagesOf } from '../messages/impacts.ts';
import { dangerSentence, gapSentences, verdictLine } from '../messages/plan-verdict.ts';
import { groupAlike, planRows, stepsInOrder, unplannedWords } from '../view/plan-rows.ts';
import type { PlanRows } from '../view/plan-rows.ts';
import { styleOf } from '../text/style.ts';
import type { HumanOptions, Style } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';
import { wrap } from '../text/width.ts';

export interface PlanTextOptions extends HumanOptions {
  /** Texts of the files, for code frames under warnings. */
  readonly sources?: Sources;
  /** False when warnings and errors have been printed elsewhere. */
  readonly diagnostics?: boolean;
  /** Tells what this change brings from what was pending already. */
  readonly comparison?: Comparison | null;
}

const BRIEF_LIST = 10;

/** The whole plan as text that ends in a line feed. */
export function renderPlan(plan: Plan, options: PlanTextOptions): string {
  const rows = planRows(plan);
  const style = styleOf(options.color);
  const sections = [
    section('Outages', outageLines(rows, options).map(style.destroy), style),
    ...(options.comparison
      ? comparedLines(rows, options.comparison, {
          style,
          width: options.width,
          changesLines: (changes) => changesLines(changes, options),
        })
      : [changesLines(rows.changes, options)]),
    section('Due (run by trueup apply --due)', changesLines(rows.due, options), style),
    section('Blocked', blockedLines(rows, options), style),
    section('Held (known differences, let be)', heldLines(rows.held, options), style),
    section('Nothing to do, but to know', notedLines(rows, options), style),
    section('Not read', unreadLines(rows, options), style),
    section('Not planned', unplannedLines(rows, options), style),
    section('Not managed by these files (left alone)', unmanagedLines(rows, options), style),
    options.diagnostics === false
      ? []
      : diagnosticLines(rows.diagnostics, { ...options, sources: options.sources ?? new Map() }),
    section('Steps', options.verbose ? stepLines(plan.steps, options) : [], style),
    summaryLines(rows, style, options.width),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.strong(`${title}:`), ...lines];
}

/** What a reader in a hurry must not miss: which service is taken away, by which change. */
function outageLines({ changes }: PlanRows, options: HumanOptions): string[] {
  const outages = outagesOf(changes);
  const listed = options.verbose ? outages : outages.slice(0, BRIEF_LIST);
  const rest = outages.length - listed.length;
  return [
    ...listed.flatMap(({ change, words }) =>
      wrap(`! ${nameText(change.address)} (${change.action}): ${words}`, {
        width: options.width,
        indent: '  ',
        hanging: '    ',
      }),
    ),
    ...(rest > 0 ? [`  … and ${rest} more (-v lists them)`] : []),
  ];
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
  const limits = rows.limitsExceeded.flatMap((limit) =>
    wrap(limitSentence(limit), { width: options.width, indent: '  ', hanging: '    ' }),
  );
  const groups = groupAlike(rows.blocked).map((group) => [
    ...changeLines(group, options),
    ...group[0].blockedBy.flatMap((block) => {
      const { why, lift } = blockWords(block, group, rows.windows);
      return [...labelled(`blocked (${block})`, why, options.width), ...labelled('to lift', lift, options.width)];
    }),
  ]);
  return [...limits, ...groups.flatMap((lines, at) => (at === 0 && limits.length === 0 ? lines : ['', ...lines]))];
}

function heldLines(changes: readonly Change[], options: HumanOptions): string[] {
  return changes.flatMap((change) =>
    change.held.flatMap((held) =>
      wrap(
        `${nameText(change.address)}  ${shown(held.path)}: live ${valueText(held.live, 60)}, wanted ${valueText(held.wanted, 60)}` +
          `, until ${isoTime(held.untilMs).slice(0, 10)}${held.reason === '' ? '' : ` (${sentence(held.reason)})`}`,
        { width: options.width, indent: '  ', hanging: '        ' },
      ),
    ),
  );
}

function notedLines({ noted }: PlanRows, options: HumanOptions): string[] {
  const listed = options.verbose ? noted : noted.slice(0, BRIEF_LIST);
  const rest = noted.length - listed.length;
  return [
    ...listed.flatMap(({ address, notes }) =>
      wrap(`${nameText(address)}: ${notes.map((note) => sentence(note)).join('; ')}`, {
        width: options.width,
        indent: '  ',
        hanging: '        ',
      }),
    ),
    ...(rest > 0 ? [`  … and ${rest} more (-v lists them)`] : []),
  ];
}

function unreadLines(rows: PlanRows, options: HumanOptions): string[] {
  return rows.unread.flatMap((unread) =>
    wrap(`${nameText(unread.what)}: ${sentence(unread.reason)}`, {
      width: options.width,
      indent: '  ',
      hanging: '        ',
    }),
  );
}

function unplannedLines(rows: PlanRows, options: HumanOptions): string[] {
  return rows.unplanned.flatMap((one) =>
    wrap(`${nameText(one.project)}: ${sentence(unplannedWords(one))}`, {
      width: options.width,
      indent: '  ',
      hanging: '        ',
    }),
  );
}

function unmanagedLines(rows: PlanRows, options: HumanOptions): string[] {
  const listed = options.verbose ? rows.unmanaged : rows.unmanaged.slice(0, BRIEF_LIST);
  const rest = rows.unmanaged.length - listed.length;
  return [
    ...listed.flatMap(({ address }) =>
      wrap(nameText(address), { width: options.width, indent: '  ', hanging: '        ' }),
    ),
    ...(rest > 0 ? [`  … and ${rest} more (-v lists them)`] : []),
  ];
}

function stepLines(steps: readonly Step[], options: HumanOptions): string[] {
  return stepsInOrder(steps).flatMap((step, at) =>
    wrap(
      `${at + 1}. ${shown(step.id)}: ${step.method} ${shown(step.path, 300)}` +
        (step.needs.length === 0 ? '' : ` (after ${step.needs.map((id) => shown(id)).join(', ')})`),
      { width: options.width, indent: '  ', hanging: '        ' },
    ),
  );
}

function summaryLines(rows: PlanRows, style: Style, width: number): string[] {
  const { counts } = rows;
  const danger = dangerSentence(rows.changes);
  const lines = danger === '' ? [] : wrap(danger, { width }).map(style.warning);
  for (const gap of gapSentences(counts)) lines.push(...wrap(gap, { width }).map(style.warning));
  if (counts.blocked > 0) lines.push(`Blocked: ${counts.blocked}.`);
  if (counts.held > 0) lines.push(`Held: ${counts.held}.`);
  if (counts.due > 0) lines.push(`Due: ${counts.due}.`);
  lines.push(style.strong(verdictLine(rows)));
  return lines;
}
