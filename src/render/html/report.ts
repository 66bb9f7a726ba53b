// Any report as one HTML page; that of an apply has a timeline.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Item, Report, Section } from '../report/report.ts';
import { changeCard } from './change.ts';
import { html, type Markup } from './markup.ts';
import { figures, htmlPage, htmlSection } from './page.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { resultReport } from '../report/result-report.ts';
import { timelineOf, timelineChart } from './timeline.ts';

/** `extra`: sections of one sort of report, after those that a reader must see first. */
export function renderReportHtml(report: Report, extra: readonly Markup[] = []): string {
  const { context, sections, diagnostics, warning, summary, verdict, next } = report;
  return htmlPage({
    title: verdict.text,
    lead: [
      ...context.map(([label, text]) => `${label}: ${text}`),
      ...[...summary, ...next].flatMap(({ label, text }) => (label === '' ? [text] : [])),
    ],
    sections: [
      sectionOf(warning, false),
      figures(report.figures.filter(([, value]) => value !== 0)),
      ...extra,
      ...sections.map((one) => sectionOf(one, report.name === 'drift')),
      htmlSection('Messages', diagnostics.map(diagnosticOf)),
    ],
  });
}

function sectionOf({ title, tone, items, changes }: Section, isDrift: boolean): Markup {
  const cards = changes.map((change) => changeCard(change, isDrift));
  return htmlSection(title === '' ? 'Changes' : title, [...items.map((one) => itemOf(one, tone)), ...cards]);
}

function itemOf({ address, text, more }: Item, tone: string): Markup {
  return html`<p class="${tone}">${address === null ? null : html`<code>${address}</code> `}${text}</p>
    ${more.map((one) => html`<p class="faint">${one}</p> `)}`;
}

function diagnosticOf({ severity, code, address, message, hint }: Diagnostic): Markup {
  return html`<p class="${severity === 'error' ? 'bad' : 'warn'}">
      ${severity} ${code}${address === undefined ? null : html` <code>${address}</code>`}: ${message}
    </p>
    ${hint === undefined ? null : html`<p class="faint">Hint: ${hint}</p> `}`;
}

/** `events`: those of the run, for waits and retries in the timeline; empty when they were not kept. */
export function renderResultHtml(result: RunResult, events: readonly ApplyEvent[]): string {
  return renderReportHtml(resultReport(result), [htmlSection('Timeline', timelineChart(timelineOf(result, events)))]);
}
