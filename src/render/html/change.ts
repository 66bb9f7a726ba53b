// One change as a card of an HTML report.
import { tallyOf } from '../../model/outcome/event.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { differencesOf } from '../view/differences.ts';
import { blockWords, type BlockContext } from '../messages/blocks.ts';
import { consentWords } from '../messages/consents.ts';
import { htmlTable } from './page.ts';
import { html, type Markup } from './markup.ts';
import { impactWords, isDangerous, reasonWords } from '../messages/impacts.ts';
import { groupAlike, otherwiseNamed, restarts } from '../view/plan-rows.ts';
import { valueText } from '../text/value.ts';

/** A card for every change; alike ones share a card. */
export function changeCards(changes: readonly Change[], context?: BlockContext): Markup[] {
  return groupAlike(changes).map((group) => card(group, context));
}

function card(group: readonly [Change, ...Change[]], context: BlockContext | undefined): Markup {
  const [change] = group;
  return html`<article class="change ${change.action}">
    ${headOf(change, group)}${differenceTable(change)}${effectLines(group, context)}${group.map(originLine)}
  </article> `;
}

function headOf(change: Change, group: readonly Change[]): Markup {
  const badges = html`${badge(change.action, actionTone(change))}${restarts(change) && change.action !== 'restart' ? badge('restarts', 'turn') : null}${change.blockedBy.map((block) => badge(`blocked: ${block}`, 'bad'))}`;
  if (group.length === 1)
    return html`<h3><code>${change.address}</code> ${badges}</h3>
      ${change.resourceId === null && change.matchedBy === '' ? null : html`<p class="faint">${identity(change)}</p> `}`;
  return html`<h3>${group.length} alike ${badges}</h3>
    <ul class="members">
      ${group.map((member) => html`<li><code>${member.address}</code> <span class="faint">${identity(member)}</span></li> `)}
    </ul> `;
}

function identity(change: Change): Markup {
  const id = otherwiseNamed(change) || change.resourceId;
  return html`${id === null ? null : html`<code>${id}</code> `}${change.matchedBy}`;
}

function differenceTable(change: Change): Markup {
  const { rows, nested } = differencesOf(change, 3);
  // What is made anew has nothing before.
  const isNew = rows.every(({ isMade }) => isMade);
  const table = htmlTable(
    `Differences of ${change.address}`,
    isNew ? ['Attribute', 'Value'] : ['Attribute', 'Before', 'After'],
    rows.map(({ path, before, after, restarts: restarting, isMade, layer }) => [
      html`<code>${path}</code>${restarting ? badge('restarts', 'turn') : null}`,
      ...(isNew ? [] : [isMade ? html`-` : html`<del class="mono">${valueText(before)}</del>`]),
      html`<ins class="mono">${valueText(after)}</ins
        >${layer === '' ? null : html` <span class="faint">(${layer})</span>`}`,
    ]),
  );
  return html`${table}${nested.map(
    ({ root, lines }) =>
      html`<p><code>${root}</code></p>
        <pre tabindex="0">${lines.map(({ sign, text }) => diffLine(sign, text))}</pre>`,
  )}`;
}

function effectLines(group: readonly [Change, ...Change[]], context: BlockContext | undefined): Markup {
  const [change] = group;
  const impact = impactWords(change).join('; ');
  const blocks = change.blockedBy.map((block) => blockWords(block, group, context));
  const sinks = (change.sinks ?? []).map((sink) => html`<p>Its secret → <code>${sink}</code></p> `);
  return html`${sinks}${impact === '' ? null : html`<p class="${isDangerous(change) ? 'bad' : 'warn'}">Impact: ${impact}</p> `}${consentWords(change).map((words) => html`<p>Consent: ${words}</p> `)}${change.notes.map(
    (note) => html`<p>Note: ${note}</p> `,
  )}${change.reasons.map((reason) => html`<p class="faint">Because: ${reasonWords(change, reason)}</p> `)}${blocks.map(
    ({ why, lift }) => html`<p>Blocked: ${why}. To lift: ${lift}.</p> `,
  )}`;
}

function diffLine(sign: '+' | '-' | ' ', text: string): Markup {
  const line = `${sign} ${text}`;
  if (sign === '+') return html`<ins>${line}</ins>`;
  return sign === '-' ? html`<del>${line}</del>` : html`<span>${line}</span>`;
}

function originLine(change: Change): Markup {
  const { source, lastOperation, changedAt } = change;
  if (source === null && lastOperation === null && changedAt === undefined) return html``;
  const from = source === null ? '' : `${change.address} from ${source.file}:${source.start.line}. `;
  const last =
    lastOperation === null
      ? ''
      : `Last operation on ${change.resourceId ?? change.address}: ${lastOperation.action} ${lastOperation.id} ${lastOperation.at ?? ''}. `;
  const changed = changedAt === undefined ? '' : `Last changed ${changedAt}, without an operation.`;
  return html`<p class="faint">${from}${last}${changed}</p> `;
}

export function badge(text: string, tone: 'good' | 'warn' | 'bad' | 'turn'): Markup {
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
