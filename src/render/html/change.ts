// A change, or several alike ones, as a card of an HTML report.
import { tallyOf } from '../../model/outcome/event.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { SIDES, type ChangeView } from '../report/report.ts';
import { htmlTable } from './page.ts';
import { html, type Markup } from './markup.ts';

/** `isDrift`: the sides of a difference are live and file. */
export function changeCard(view: ChangeView, isDrift: boolean): Markup {
  const { group, nested, lines } = view;
  return html`<article class="change ${group[0].action}">
    ${headOf(view)}${differenceTable(view, isDrift)}${nested.map(
      ({ root, lines: inner }) =>
        html`<p><code>${root}</code></p>
          <pre tabindex="0">${inner.map(({ sign, text }) => diffLine(sign, text))}</pre>`,
    )}${lines.map(({ label, text, tone }) => html`<p class="${tone}">${label === '' ? null : html`<b>${label}:</b> `}${text}</p> `)}
  </article> `;
}

function headOf({ group, heads }: ChangeView): Markup {
  const [change] = group;
  const [first, ...others] = heads;
  const worst = first?.worst ?? '';
  const badges = html`${badge(change.action, actionTone(change))}${worst === '' ? null : badge(worst, 'bad')}${change.blockedBy.map((block) => badge(`blocked: ${block}`, 'bad'))}`;
  if (first !== undefined && others.length === 0)
    return html`<h3><code>${first.address}</code> ${badges}</h3>
      ${first.what === '' ? null : html`<p class="faint"><code>${first.what}</code></p> `}`;
  return html`<h3>${heads.length} alike ${badges}</h3>
    <ul class="members">
      ${heads.map(({ address, what }) => html`<li><code>${address}</code> <span class="faint">${what}</span></li> `)}
    </ul> `;
}

function differenceTable({ group, rows, hasBefore }: ChangeView, isDrift: boolean): Markup {
  const sides = isDrift ? SIDES.map((side) => side.charAt(0).toUpperCase() + side.slice(1)) : ['Before', 'After'];
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

function diffLine(sign: '+' | '-' | ' ', text: string): Markup {
  const line = `${sign} ${text}`;
  if (sign === '+') return html`<ins>${line}</ins>`;
  return sign === '-' ? html`<del>${line}</del>` : html`<span>${line}</span>`;
}

function badge(text: string, tone: 'good' | 'warn' | 'bad' | 'turn'): Markup {
  return html`<span class="badge ${tone}">${text}</span>`;
}

function actionTone(change: Change): 'good' | 'warn' | 'bad' | 'turn' {
  switch (tallyOf(change)) {
    case 'create':
    case 'rotate':
      return 'good';
    case 'delete':
    case 'revoke':
    case 'replace':
      return 'bad';
    case 'restart':
      return 'turn';
    default:
      return 'warn';
  }
}
