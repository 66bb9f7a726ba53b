// The plan as one HTML page.
import { isoTime } from '../../base/time/clock.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { limitSentence } from '../messages/blocks.ts';
import { changeCards } from './change.ts';
import { stepGraph } from './step-graph.ts';
import { figures, htmlPage, htmlSection, someOf, tableSection } from './page.ts';
import { html, type Markup } from './markup.ts';
import { dangerSentence, gapSentences, verdictLine } from '../messages/verdicts.ts';
import { outagesOf } from '../messages/impacts.ts';
import { UPKEEP_TITLE, upkeepDeed, upkeepWhy } from '../messages/upkeep.ts';
import { comparedSections, type ComparedSection } from '../view/comparison.ts';
import { guardTexts } from '../view/guard-texts.ts';
import { contextRows, type PlanContext } from '../view/plan-context.ts';
import { planRows, stepsInOrder, unplannedWords, type PlanRows } from '../view/plan-rows.ts';
import { valueText } from '../text/value.ts';

/** `comparison` tells what this change brings from what was pending already. */
export function renderPlanHtml(plan: Plan, context: PlanContext, comparison: Comparison | null = null): string {
  const rows = planRows(plan);
  const { add, change, destroy, restart, blocked, held, due, unread, unplanned, unchanged } = rows.counts;
  return htmlPage({
    title: verdictLine(rows),
    lead: [
      ...contextRows(plan, context).map(([label, text]) => `${label}: ${text}`),
      dangerSentence(rows.changes, 'Attention'),
      ...gapSentences(rows.counts),
    ].filter((line) => line !== ''),
    sections: [
      htmlSection(
        'Outages',
        outagesOf(rows.changes).map(
          ({ change: { address, action }, words }) =>
            html`<p class="bad"><code>${address}</code> (${action}): ${words}</p> `,
        ),
      ),
      figures([
        ['to add', add],
        ['to change', change],
        ['to destroy', destroy],
        ...someOf([
          ['restarts', restart],
          ['blocked', blocked],
          ['held', held],
          ['due', due],
          ['unread', unread],
          ['unplanned', unplanned],
          ['unchanged', unchanged],
        ]),
      ]),
      ...(comparison === null
        ? [htmlSection('Changes', changeCards(rows.changes))]
        : comparedSections(rows, comparison).map(comparedSection)),
      htmlSection('Due (run by trueup apply --due)', changeCards(rows.due)),
      ...(rows.upkeep.length === 0 ? [] : [upkeepSection(rows)]),
      htmlSection('Blocked', [
        ...rows.limitsExceeded.map((limit) => html`<p class="bad">${limitSentence(limit)}</p>`),
        ...changeCards(rows.blocked, rows),
      ]),
      heldSection(rows.held),
      htmlSection('Guards in force', rows.inSync ? [] : guardTexts(rows).map((text) => html`<p>${text}</p> `)),
      htmlSection(
        'Nothing to do, but to know',
        rows.noted.map(({ address, notes }) => html`<p><code>${address}</code> ${notes.join('; ')}</p> `),
      ),
      ...restSections(rows),
      htmlSection('Order of the steps', stepGraph(plan.steps)),
      stepSection(plan),
    ],
  });
}

function comparedSection({ title, sentences, changes, elsewhere, addresses, isAlwaysTold }: ComparedSection): Markup {
  const content = [
    ...sentences.map((line) => html`<p class="warn">${line}</p> `),
    ...changeCards(changes),
    ...elsewhere.map(
      ({ change, where }) => html`<p><code>${change.address}</code> ${change.action} (${where}, see below)</p> `,
    ),
    ...addresses.map((address) => html`<p><code>${address}</code></p> `),
  ];
  return htmlSection(title, content.length === 0 && isAlwaysTold ? [html`<p>Nothing.</p>`] : content);
}

function upkeepSection({ upkeep }: PlanRows): Markup {
  const rows = upkeep.map((one) => [
    html`<code>${one.address}</code>`,
    html`${upkeepDeed(one)}`,
    html`${upkeepWhy(one)}`,
  ]);
  return tableSection(UPKEEP_TITLE, ['Resource', 'What', 'Why'], rows);
}

function heldSection(changes: readonly Change[]): Markup {
  const rows = changes.flatMap((change) =>
    change.held.map(({ path, live, wanted, untilMs, reason }) => [
      html`<code>${change.address}</code>`,
      html`<code>${path}</code>`,
      html`<span class="mono">${valueText(live)}</span>`,
      html`<span class="mono">${valueText(wanted)}</span>`,
      html`${isoTime(untilMs).slice(0, 10)}`,
      html`${reason}`,
    ]),
  );
  return tableSection(
    'Held (known differences, let be)',
    ['Resource', 'Attribute', 'Live', 'Wanted', 'Until', 'Reason'],
    rows,
  );
}

function restSections(rows: PlanRows): Markup[] {
  return [
    htmlSection(
      'Not read',
      rows.unread.map(({ what, reason }) => html`<p><code>${what}</code>: ${reason}</p> `),
    ),
    htmlSection(
      'Not planned',
      rows.unplanned.map((one) => html`<p class="bad"><code>${one.project}</code>: ${unplannedWords(one)}</p> `),
    ),
    htmlSection(
      'Not managed by these files (left alone)',
      rows.unmanaged.map(({ address, described = '' }) => html`<p><code>${address}</code> ${described}</p> `),
    ),
    htmlSection(
      'Warnings',
      rows.diagnostics.map(
        ({ severity, code, message, hint }) =>
          html`<p class="${severity === 'error' ? 'bad' : 'warn'}">${severity} ${code}: ${message}</p>
            ${hint === undefined ? null : html`<p class="faint">Hint: ${hint}</p> `}`,
      ),
    ),
  ];
}

function stepSection(plan: Plan): Markup {
  const rows = stepsInOrder(plan.steps).map((step, at) => [
    html`${at + 1}`,
    html`<code>${step.id}</code>`,
    html`<code>${step.method} ${step.path}</code>`,
    step.needs.length === 0 ? html`-` : html`${step.needs.map((id) => html`<code>${id}</code> `)}`,
  ]);
  return tableSection('Steps', ['No.', 'Step', 'Request', 'After'], rows);
}
