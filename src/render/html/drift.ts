// Drift as one HTML page.
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { FINDING_TITLES, findingSections } from '../view/findings.ts';
import { selectionRows } from '../view/plan-context.ts';
import { changeCards } from './change.ts';
import { figures, htmlPage, htmlSection, someOf, tableSection } from './page.ts';
import { html } from './markup.ts';

export function renderDriftHtml(report: DriftReport): string {
  const sections = findingSections(report);
  return htmlPage({
    title: driftVerdict(report),
    lead: selectionRows(report.selection).map(([label, text]) => `${label}: ${text}`),
    sections: [
      figures(someOf(sections.map(({ kind, findings }) => [kind.replaceAll('_', ' '), findings.length]))),
      ...sections.map(({ kind, findings, changes }) => {
        if (changes.length > 0) return htmlSection(FINDING_TITLES[kind], changeCards(changes));
        const rows = findings.map(({ address, message }) => [html`<code>${address}</code>`, html`${message}`]);
        return tableSection(FINDING_TITLES[kind], ['Resource', 'What'], rows);
      }),
    ],
  });
}
