// The sections of a comparison in the HTML report.
import type { Comparison } from '../../model/comparison.ts';
import { compareRows, GUARDS_CHANGED, NO_LONGER_MANAGED } from '../view/comparison.ts';
import type { ComparedSection } from '../view/comparison.ts';
import { changeCards } from './change.ts';
import { htmlSection } from './page.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import type { PlanRows } from '../view/plan-rows.ts';

export function comparedMarkup(rows: PlanRows, comparison: Comparison): Markup[] {
  const { fromThisChange, alreadyPending, noLongerManaged, guardsChanged } = compareRows(rows, comparison);
  const content = ({ changes, elsewhere }: ComparedSection): Markup[] => [
    ...changeCards(changes),
    ...elsewhere.map(
      ({ change, where }) => html`<p><code>${change.address}</code> ${change.action} (${where}, see below)</p> `,
    ),
  ];
  const own = content(fromThisChange);
  return [
    htmlSection(
      GUARDS_CHANGED,
      guardsChanged.map((line) => html`<p class="warn">${line}</p> `),
    ),
    htmlSection(fromThisChange.title, own.length === 0 ? [html`<p>Nothing.</p>`] : own),
    htmlSection(alreadyPending.title, content(alreadyPending)),
    htmlSection(
      NO_LONGER_MANAGED,
      noLongerManaged.map((address) => html`<p><code>${address}</code></p> `),
    ),
  ];
}
