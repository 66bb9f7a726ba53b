// Drift as one HTML page.
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { findingSections } from '../view/findings.ts';
import type { FindingClass } from '../view/findings.ts';
import { changeCards } from './change.ts';
import { figures, htmlPage, htmlSection, tableSection } from './page.ts';
import { html } from './markup.ts';

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
  const sections = findingSections(report);
  return htmlPage({
    title: driftVerdict(report),
    lead: [],
    sections: [
      figures(sections.map(({ kind, findings }) => [kind.replaceAll('_', ' '), findings.length])),
      ...sections.map(({ kind, findings, changes }) => {
        if (changes.length > 0) return htmlSection(TITLES[kind], changeCards(changes));
        const rows = findings.map(({ address, message }) => [html`<code>${address}</code>`, html`${message}`]);
        return tableSection(TITLES[kind], ['Resource', 'What'], rows);
      }),
    ],
  });
}
