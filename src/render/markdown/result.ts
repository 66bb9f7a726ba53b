// How an apply went, as Markdown: verdict, counts, and the steps that are not done first.
import { isoTime } from '../../base/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult, StepResult } from '../../model/result.ts';
import { countWords, elapsedText, endSentence } from '../messages/events.ts';
import { mostThatFit } from './fit.ts';
import type { MarkdownOptions } from './plan.ts';
import { code, markdownTable } from './pieces.ts';
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
    ...result.withoutPrimary
      .slice(0, VACATED_LISTED)
      .map(({ diagnostic }) => `**Left without a primary: ${code(diagnostic.message, 400)}**`),
    result.withoutPrimary.length > VACATED_LISTED
      ? `… and ${result.withoutPrimary.length - VACATED_LISTED} more without a primary.`
      : '',
  ];
  const steps = result.steps.toSorted((a, b) => rank(a) - rank(b));
  const page = (limit: number): string => {
    const rest = steps.length - limit;
    const parts = [
      ...head,
      stepTable(steps.slice(0, limit)),
      rest > 0 ? `… and ${rest} more steps.` : '',
      messages(result.diagnostics, limit < steps.length ? FEW_MESSAGES : MOST_MESSAGES),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  };
  return mostThatFit(page, steps.length, options.maxChars);
}

const MOST_MESSAGES = 50;
const FEW_MESSAGES = 5;

function messages(diagnostics: readonly Diagnostic[], most: number): string {
  const errorsFirst = diagnostics.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const lines = errorsFirst.slice(0, most).map(({ severity, code: word, address, message }) => {
    const who = address === undefined ? '' : ` ${code(address)}`;
    return `- ${severity} ${code(word, 60)}${who}: ${code(message, 500)}`;
  });
  const rest = diagnostics.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more.`] : [])].join('\n');
}

function rank(step: StepResult): number {
  return step.outcome === 'done' || step.outcome === 'satisfied' ? 1 : 0;
}

function stepTable(steps: readonly StepResult[]): string {
  return markdownTable(
    ['Outcome', 'Resource', 'Action', 'Began', 'Took', 'Operations', 'Message'],
    steps.map((step) => [
      step.outcome.replaceAll('_', ' '),
      code(step.address),
      step.action,
      step.startedAtMs === null ? '-' : isoTime(step.startedAtMs).slice(11, 19),
      step.elapsedMs === null ? '-' : elapsedText(step.elapsedMs),
      step.operations.map(({ action, status }) => code(`${shown(action, 60)} ${shown(status, 40)}`)).join(' ') || '-',
      step.message === null ? '-' : code(step.message, 500),
    ]),
  );
}
