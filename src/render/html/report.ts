// Renders any report as one HTML page. The report of an apply also has a timeline.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { section, type ChangeView, type Item, type Report, type Section } from '../report/report.ts';
import { html, type Markup, figures, htmlPage, htmlSection, htmlTable } from './page.ts';
import { tallyOf } from '../../model/outcome/plan.ts';
import { timeline } from './timeline.ts';
import { ACTIONS, type Tone } from '../text/style.ts';

export function renderReportHtml(report: Report): string {
  const { context, sections, diagnostics, warning, summary, verdict, next } = report;
  return htmlPage(
    verdict.text,
    [
      ...context.map(([label, text]) => `${label}: ${text}`),
      ...[...summary, ...next].flatMap(({ label, text }) => (label === '' ? [text] : [])),
    ],
    [
      sectionOf(section('Warning', { items: warning, tone: 'bad' }), false),
      figures(report.figures.filter(([, value]) => value !== 0)),
      ...timeline(report.steps ?? []),
      ...sections.map((one) => sectionOf(one, report.name === 'drift')),
      htmlSection('Messages', diagnostics.map(diagnosticOf)),
    ],
  );
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

function changeCard(view: ChangeView, isDrift: boolean): Markup {
  const { group, lines } = view;
  return html`<article class="change ${group[0].action}">
    ${headOf(view)}${differenceTable(view, isDrift)}${lines.map(({ label, text, tone }) => html`<p class="${tone}">${label === '' ? null : html`<b>${label}:</b> `}${text}</p> `)}
  </article> `;
}

function headOf({ group, heads }: ChangeView): Markup {
  const [change] = group;
  const [first, ...others] = heads;
  const worst = first?.worst ?? '';
  const badges = html`${badge(change.action, ACTIONS[tallyOf(change)].tone)}${worst === '' ? null : badge(worst, 'bad')}${change.blockedBy.map((block) => badge(`blocked: ${block}`, 'bad'))}`;
  if (first !== undefined && others.length === 0)
    return html`<h3><code>${first.address}</code> ${badges}</h3>
      ${first.what === '' ? null : html`<p class="faint"><code>${first.what}</code></p> `}`;
  return html`<h3>${heads.length} alike ${badges}</h3>
    <ul class="members">
      ${heads.map(({ address, what }) => html`<li><code>${address}</code> <span class="faint">${what}</span></li> `)}
    </ul> `;
}

function differenceTable({ group, rows, hasBefore }: ChangeView, isDrift: boolean): Markup {
  const sides = isDrift ? ['Live', 'File'] : ['Before', 'After'];
  return htmlTable(
    `Differences of ${group[0].address}`,
    hasBefore ? ['Attribute', ...sides] : ['Attribute', 'Value'],
    rows.map(({ path, before, after, restarts, layer }) => [
      html`<code>${path}</code>${restarts ? badge('restarts', 'turn') : null}`,
      ...(hasBefore ? [html`<del class="mono">${before}</del>`] : []),
      html`<ins class="mono">${after}</ins>${layer === '' ? null : html` <span class="faint">(${layer})</span>`}`,
    ]),
  );
}

function badge(text: string, tone: Tone): Markup {
  return html`<span class="badge ${tone}">${text}</span>`;
}
