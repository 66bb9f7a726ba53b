// How an apply went, as Markdown: verdict, counts, and the steps that are not done first.
import { vacatedHeading } from '../messages/problems.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';
import { countWords, elapsedText, endSentence } from '../messages/events.ts';
import { upkeepSentence } from '../messages/upkeep.ts';
import { mostThatFit, code, firstItems, firstRows, page } from './pieces.ts';
import type { MarkdownOptions } from './plan.ts';
import { shown } from '../text/escape.ts';

const MARKER = '<!-- trueup apply -->';

const VACATED_LISTED = 10;

export function renderResultMarkdown(result: RunResult, options: MarkdownOptions): string {
  const { added, changed, destroyed } = result.counts;
  const head = [
    MARKER,
    `### ${result.status === 'converged' ? 'Apply complete! ' : ''}Resources: ${added} added, ${changed} changed, ${destroyed} destroyed.`,
    `${endSentence(result.status, result.counts)} ${countWords(result.counts)}; ${result.requests} requests in ${elapsedText(result.seconds * 1000)}.`,
    ...result.secretsAtRisk.map(
      ({ address, id }) =>
        `**${code(address)}: its secret could be neither stored nor revoked. Revoke id ${code(id)} at once.**`,
    ),
    ...result.vacated
      .slice(0, VACATED_LISTED)
      .map(({ diagnostic }) => `**${vacatedHeading(diagnostic.code)}: ${code(diagnostic.message, 400)}**`),
    ...result.upkeep.flatMap((one) => (one.outcome === 'failed' ? [`**${code(upkeepSentence(one), 500)}**`] : [])),
    result.vacated.length > VACATED_LISTED ? `… and ${result.vacated.length - VACATED_LISTED} more of these.` : '',
  ];
  const steps = result.steps.toSorted((a, b) => rank(a) - rank(b));
  const rows = steps.map(stepCells);
  const upTo = (limit: number): string =>
    page([
      ...head,
      firstRows(HEADING, rows, limit, 'more steps'),
      messages(result.diagnostics, limit < rows.length ? FEW_MESSAGES : MOST_MESSAGES),
    ]);
  return mostThatFit(upTo, rows.length, options.maxChars);
}

const HEADING = ['Outcome', 'Resource', 'Action', 'Began', 'Took', 'Operations', 'Message'];
const MOST_MESSAGES = 50;
const FEW_MESSAGES = 5;

function messages(diagnostics: readonly Diagnostic[], most: number): string {
  const errorsFirst = diagnostics.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const items = errorsFirst.map(({ severity, code: word, address, message }) => {
    const who = address === undefined ? '' : ` ${code(address)}`;
    return `${severity} ${code(word, 60)}${who}: ${code(message, 500)}`;
  });
  return firstItems(items, most);
}

function rank(step: StepResult): number {
  return step.outcome === 'done' || step.outcome === 'satisfied' ? 1 : 0;
}

function stepCells({ outcome, address, action, startedAtMs, elapsedMs, operations, message }: StepResult): string[] {
  return [
    outcome.replaceAll('_', ' '),
    code(address),
    action,
    startedAtMs === null ? '-' : isoTime(startedAtMs).slice(11, 19),
    elapsedMs === null ? '-' : elapsedText(elapsedMs),
    operations.map((one) => code(`${shown(one.action, 60)} ${shown(one.status, 40)}`)).join(' ') || '-',
    message === null ? '-' : code(message, 500),
  ];
}
