// Drift for a person in a terminal.
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { FINDING_TITLES, findingName, findingSections, likelyWords } from '../view/findings.ts';
import { blockWords } from '../messages/blocks.ts';
import { changeLines, labelled } from './change.ts';
import { listLines, page, rowLines, titled } from './page.ts';
import { selectionRows } from '../view/plan-context.ts';
import { groupAlike } from '../view/plan-rows.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';
import { nameText } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

const BRIEF_LIST = 20;

/** The whole report as text that ends in a line feed; the verdict is its last line. */
export function renderDrift(report: DriftReport, options: HumanOptions): string {
  const style = styleOf(options.color);
  const paint = report.status === 'in_sync' ? style.good : style.warning;
  return page([
    rowLines(selectionRows(report.selection), options),
    ...findingSections(report).map(({ kind, findings, changes }) => {
      const texts = findings.map((finding) => `${findingName(finding)}: ${finding.message}`);
      const lines = changes.length > 0 ? changeSection(changes, options) : listLines(texts, options, BRIEF_LIST);
      return titled(FINDING_TITLES[kind], lines, options);
    }),
    wrap(driftVerdict(report), { width: options.width }).map((line) => style.strong(paint(line))),
  ]);
}

function changeSection(changes: readonly Change[], options: HumanOptions): string[] {
  return groupAlike(changes).flatMap((group, at) => [
    ...(at === 0 ? [] : ['']),
    ...changeLines(group, { ...options, verbose: false }),
    ...group[0].blockedBy.flatMap((block) =>
      labelled(`blocked (${block})`, blockWords(block, group).why, options.width),
    ),
    ...group.flatMap((change) => likelyLines(change, options, group.length > 1)),
  ]);
}

function likelyLines(change: Change, options: HumanOptions, named: boolean): string[] {
  const words = likelyWords(change);
  if (words === '') return [];
  return named
    ? labelled(nameText(change.address), words, options.width)
    : wrap(words, { width: options.width, indent: '        ', hanging: '          ' });
}
