// Drift for a person in a terminal.
import type { DriftReport } from '../../model/drift.ts';
import type { Change } from '../../model/plan.ts';
import { driftVerdict, findingName, findingsOf, likely } from '../view/findings.ts';
import type { FindingClass } from '../view/findings.ts';
import { changeLines, labelled } from './change.ts';
import { groupAlike } from '../view/plan-rows.ts';
import { styleOf } from '../text/style.ts';
import type { HumanOptions } from '../text/style.ts';
import { nameText } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

const BRIEF_LIST = 20;

/** The whole report as text that ends in a line feed; the verdict is its last line. */
export function renderDrift(report: DriftReport, options: HumanOptions): string {
  const style = styleOf(options.color);
  const paint = report.status === 'in_sync' ? style.good : style.warning;
  const sections = [
    titled('Changed (live → wanted)', changeSection(report.changed, options), options),
    titled('Missing', changeSection(report.missing, options), options),
    titled('Unmanaged', findingSection(report, 'unmanaged', options), options),
    titled('Held (known differences, let be)', findingSection(report, 'held', options), options),
    titled('Due (run by trueup apply --due)', findingSection(report, 'due', options), options),
    titled('Not compared', findingSection(report, 'not_compared', options), options),
    titled('Not read', findingSection(report, 'unread', options), options),
    titled('Not compared for what is live there', findingSection(report, 'unplanned', options), options),
    wrap(driftVerdict(report), { width: options.width }).map((line) => style.strong(paint(line))),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function titled(title: string, lines: readonly string[], options: HumanOptions): string[] {
  return lines.length === 0 ? [] : [styleOf(options.color).strong(`${title}:`), ...lines];
}

function changeSection(changes: readonly Change[], options: HumanOptions): string[] {
  return groupAlike(changes).flatMap((group, at) => [
    ...(at === 0 ? [] : ['']),
    ...changeLines(group, { ...options, verbose: false }),
    ...group.flatMap((change) => likelyLines(change, options, group.length > 1)),
  ]);
}

function likelyLines(change: Change, options: HumanOptions, named: boolean): string[] {
  const words = likely(change);
  if (words === '') return [];
  return named
    ? labelled(nameText(change.address), words, options.width)
    : wrap(words, { width: options.width, indent: '        ', hanging: '          ' });
}

function findingSection(report: DriftReport, kind: FindingClass, options: HumanOptions): string[] {
  const findings = findingsOf(report).filter((finding) => finding.class === kind);
  const listed = options.verbose ? findings : findings.slice(0, BRIEF_LIST);
  const rest = findings.length - listed.length;
  return [
    ...listed.flatMap((finding) =>
      wrap(`${findingName(finding)}: ${finding.message}`, {
        width: options.width,
        indent: '  ',
        hanging: '        ',
      }),
    ),
    ...(rest > 0 ? [`  … and ${rest} more (-v lists them)`] : []),
  ];
}
