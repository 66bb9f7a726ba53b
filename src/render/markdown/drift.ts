// Drift as Markdown: verdict, then a table of findings by class, cut to what fits.
import { isoTime } from '../../base/time/clock.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { findingsOf, likelyAt, type Finding } from '../view/findings.ts';
import { blocks, mostThatFit, code, details, fence, firstRows, page, selectionText } from './pieces.ts';
import type { MarkdownOptions } from './plan.ts';
import { diffLines } from './change.ts';

const MARKER = '<!-- trueup drift -->';

export function renderDriftMarkdown(report: DriftReport, options: MarkdownOptions): string {
  const findings = findingsOf(report);
  const head = blocks([MARKER, `### ${driftVerdict(report)}`, selectionText(report.selection)]);
  const rows = findings.map((finding) => [
    finding.class.replaceAll('_', ' '),
    code(finding.address),
    code(finding.message, 500),
    since(finding),
  ]);
  const table = (limit: number): string => firstRows(['Class', 'Resource', 'What', 'Since'], rows, limit);
  const full = page([head, table(rows.length), diffSection(report)]);
  if (full.length <= options.maxChars) return full;
  return mostThatFit((limit) => page([head, table(limit)]), rows.length, options.maxChars);
}

function since(finding: Finding): string {
  const at = finding.change === null ? null : likelyAt(finding.change);
  if (at === null) return '-';
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? code(at, 40) : isoTime(ms).slice(0, 16).replace('T', ' ');
}

function diffSection(report: DriftReport): string {
  const changes = [...report.changed, ...report.missing];
  return changes.length === 0 ? '' : details('Live → wanted', fence('diff', diffLines(changes, 3)));
}
