// Makes the report of drift: live and file side by side, the likely time of each difference, and commands that end it.
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { blockWords } from '../messages/blocks.ts';
import { asSentence, nameText, shown } from '../text/escape.ts';
import { driftVerdict, FINDING_TITLES, findingSections, likelyWords } from '../view/findings.ts';
import { selectionRows } from '../view/plan-rows.ts';
import { isDangerous } from '../messages/impacts.ts';
import { changeViews, deedOf, effectsOf } from './change-view.ts';
import { item, line, reportOf, section, type ChangeView, type Line, type Report } from './report.ts';

/** `again` has the flags for the same account and files, which the suggested commands repeat. */
export function driftReport(report: DriftReport, again: string = ''): Report {
  const sections = findingSections(report);
  return reportOf('drift', line(driftVerdict(report), { tone: report.status === 'in_sync' ? 'good' : 'warn' }), {
    context: selectionRows(report.selection),
    sections: sections.map(({ kind, findings, changes }) =>
      changes.length > 0
        ? section(FINDING_TITLES[kind], { changes: driftViews(changes, report, again), isReviewed: true })
        : section(FINDING_TITLES[kind], { items: findings.map(({ address, message }) => item(message, address)) }),
    ),
    figures: sections.map(({ kind, findings }) => [kind.replaceAll('_', ' '), findings.length]),
  });
}

function driftViews(changes: readonly Change[], { names = {} }: DriftReport, again: string): ChangeView[] {
  return changeViews(changes, {
    names,
    effects: 'none',
    more: (group) => [
      ...group.flatMap((change) => likelyLines(change, group.length > 1)),
      ...group[0].blockedBy.map((block) =>
        line(blockWords(block, group).why, { label: `Restoring is blocked (${block})`, tone: 'warn' }),
      ),
      restoreLine(group, again),
      ...keepLines(group[0], group.length > 1, again),
    ],
  });
}

function likelyLines(change: Change, isNamed: boolean): Line[] {
  const words = likelyWords(change);
  return words === '' ? [] : [line(asSentence(words), { label: isNamed ? nameText(change.address) : '' })];
}

function restoreLine([change, ...others]: readonly [Change, ...Change[]], again: string): Line {
  const target = others.length > 0 ? '' : ` --target ${nameText(change.address)}`;
  const effects = effectsOf(change, false).join(' ');
  return line(`trueup apply${again}${target} (${deedOf(change)})${effects === '' ? '' : `. ${effects}`}`, {
    label: 'Restore',
    tone: isDangerous(change) ? 'bad' : 'plain',
  });
}

function keepLines({ address, action, attributes, source }: Change, isAlike: boolean, again: string): Line[] {
  const file = source === null ? 'the file' : `${nameText(source.file)}:${source.start.line}`;
  const [first, ...others] = attributes;
  const path = first === undefined || others.length > 0 ? 'PATH' : shown(first.path, 100);
  const hold = `, or trueup hold${again} ${isAlike ? 'ADDRESS' : nameText(address)} --path ${path} --until DATE --reason TEXT`;
  return [line(`edit ${file}${action === 'create' || first === undefined ? '' : hold}`, { label: 'Keep' })];
}
