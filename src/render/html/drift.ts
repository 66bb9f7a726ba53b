// Drift as one HTML page.
import type { DriftReport } from '../../model/drift.ts';
import { driftVerdict, FINDING_CLASSES, findingsOf } from '../view/findings.ts';
import type { Finding, FindingClass } from '../view/findings.ts';
import { changeCards } from './change.ts';
import { figures, htmlPage, htmlSection, htmlTable } from './page.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const TITLES: Readonly<Record<FindingClass, string>> = {
  changed: 'Changed (live before, wanted after)',
  missing: 'Missing',
  unmanaged: 'Unmanaged',
  held: 'Held',
  due: 'Due',
  not_compared: 'Not compared',
  unread: 'Not read',
  unplanned: 'Not compared for what is live there',
};

export function renderDriftHtml(report: DriftReport): string {
  const findings = findingsOf(report);
  const ofClass = (kind: FindingClass): Finding[] => findings.filter((finding) => finding.class === kind);
  return htmlPage({
    title: driftVerdict(report),
    lead: [],
    sections: [
      figures(FINDING_CLASSES.map((kind) => [kind.replaceAll('_', ' '), ofClass(kind).length])),
      ...FINDING_CLASSES.map((kind) => htmlSection(TITLES[kind], sectionOf(kind, ofClass(kind)))),
    ],
  });
}

function sectionOf(kind: FindingClass, findings: readonly Finding[]): Markup[] {
  if (kind === 'changed' || kind === 'missing')
    return changeCards(findings.flatMap(({ change }) => (change === null ? [] : [change])));
  if (findings.length === 0) return [];
  const rows = findings.map(({ address, message }) => [html`<code>${address}</code>`, html`${message}`]);
  return [htmlTable(TITLES[kind], ['Resource', 'What'], rows)];
}
