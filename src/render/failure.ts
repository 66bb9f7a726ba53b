// A plan or a drift report that could not be made, as the pages that stand where it would.
import type { Diagnostic } from '../model/diagnostic.ts';
import { rangeText } from './human/diagnostics.ts';
import { mostThatFit, code, firstRows, page } from './markdown/pieces.ts';
import { htmlPage, tableSection } from './html/page.ts';
import { html } from './html/markup.ts';
import type { MarkdownOptions } from './markdown/plan.ts';
import { problemText } from './messages/problems.ts';

/** What failed. */
export type FailedWork = 'plan' | 'drift';

const VERDICTS: Readonly<Record<FailedWork, string>> = {
  plan: 'No plan: it could not be made.',
  drift: 'No drift report: the comparison failed.',
};

/** Begins with the marker of the page that it replaces. */
export function renderFailureMarkdown(
  work: FailedWork,
  problems: readonly Diagnostic[],
  { maxChars }: Pick<MarkdownOptions, 'maxChars'>,
): string {
  const head = `<!-- trueup ${work} -->\n\n### ${VERDICTS[work]}`;
  const rows = problems.map((problem) => [
    code(problem.code),
    code(whereOf(problem)),
    code(problemText(problem), 1000),
  ]);
  return mostThatFit(
    (limit) => page([head, firstRows(['Problem', 'Where', 'What'], rows, limit)]),
    rows.length,
    maxChars,
  );
}

export function renderFailureHtml(work: FailedWork, problems: readonly Diagnostic[]): string {
  const rows = problems.map((problem) => [
    html`<code>${problem.code}</code>`,
    html`<code>${whereOf(problem)}</code>`,
    html`${problemText(problem)}`,
  ]);
  const section = tableSection('Problems', ['Problem', 'Where', 'What'], rows);
  return htmlPage({ title: VERDICTS[work], lead: [], sections: [section] });
}

/** `-` where it is about nothing in particular. */
function whereOf({ range, address }: Diagnostic): string {
  return range === undefined ? (address ?? '-') : rangeText(range);
}
