// How an apply went, as one HTML page with its timeline.
import { vacatedHeading } from '../messages/problems.ts';
import { columnsOf, titleOf } from '../tables/resources.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';
import { countWords, elapsedText, operationWords, endSentence } from '../messages/events.ts';
import { upkeepDeed } from '../messages/upkeep.ts';
import { badge } from './change.ts';
import { figures, htmlPage, htmlSection, tableSection } from './page.ts';
import { html, type Markup } from './markup.ts';
import { timelineChart } from './timeline-chart.ts';
import { timelineOf } from '../view/timeline.ts';

/** `events`: those of the run, for waits and retries in the timeline; empty when they were not kept. */
export function renderResultHtml(result: RunResult, events: readonly ApplyEvent[]): string {
  const { counts } = result;
  return htmlPage({
    title: endSentence(result.status, result.counts),
    lead: [`${countWords(counts)}.`, `Plan hash ${result.planHash}`],
    sections: [
      ...result.secretsAtRisk.map(
        ({ address, id }) =>
          html`<p class="bad" role="alert">
            <code>${address}</code>: its secret could be neither stored nor revoked. Revoke id <code>${id}</code> at
            once.
          </p>`,
      ),
      ...result.vacated.map(
        ({ diagnostic: { code, message, hint } }) =>
          html`<p class="bad" role="alert">
            ${vacatedHeading(code)}: ${message}${hint === undefined ? '' : ` (${hint})`}
          </p>`,
      ),
      figures([
        ['added', counts.added],
        ['changed', counts.changed],
        ['destroyed', counts.destroyed],
        ['already so', counts.satisfied],
        ['failed', counts.failed],
        ['unknown', counts.unknown],
        ['still running', counts.timedOut],
        ['not attempted', counts.skipped + counts.notStarted],
        ['requests', result.requests],
        ['in all', elapsedText(result.seconds * 1000)],
      ]),
      htmlSection('Timeline', timelineChart(timelineOf(result, events))),
      stepSection(result.steps),
      ...(result.upkeep.length === 0 ? [] : [upkeepSection(result)]),
      resourceSection(result),
      htmlSection(
        'Messages',
        result.diagnostics.map(
          ({ severity, code, address, message, hint }) =>
            html`<p class="${severity === 'error' ? 'bad' : 'warn'}">
                ${severity} ${code}${address === undefined ? null : html` <code>${address}</code>`}: ${message}
              </p>
              ${hint === undefined ? null : html`<p class="faint">Hint: ${hint}</p> `}`,
        ),
      ),
    ],
  });
}

function stepSection(steps: readonly StepResult[]): Markup {
  const rows = steps.map((step) => [
    badge(step.outcome.replaceAll('_', ' '), tone(step)),
    html`<code>${step.address}</code>`,
    html`${step.action}`,
    html`${step.elapsedMs === null ? '-' : elapsedText(step.elapsedMs)}`,
    html`${step.attempts}`,
    html`${step.operations.map((operation) => html`<p><code>${operationWords(operation)}</code></p> `)}${step.message ?? ''}${step.hint === undefined ? '' : html` (${step.hint})`}`,
  ]);
  return tableSection('Steps', ['Outcome', 'Resource', 'Action', 'Took', 'Requests', 'Operations and message'], rows);
}

function upkeepSection({ upkeep }: RunResult): Markup {
  const rows = upkeep.map((one) => [
    badge(one.outcome, one.outcome === 'done' ? 'good' : 'bad'),
    html`<code>${one.address}</code>`,
    html`${upkeepDeed(one)}`,
    html`${one.message ?? ''}`,
  ]);
  return tableSection('Upkeep', ['Outcome', 'Resource', 'What', 'Message'], rows);
}

function tone({ outcome }: StepResult): 'good' | 'warn' | 'bad' {
  if (outcome === 'done' || outcome === 'satisfied') return 'good';
  return outcome === 'failed' ? 'bad' : 'warn';
}

function resourceSection({ resources }: RunResult): Markup {
  const members = columnsOf(resources);
  const rows = Object.entries(resources).map(([address, { id, columns, pinned }]) => [
    html`<code>${address}</code>`,
    html`<code>${id}</code>${pinned ? '' : ' (not pinned)'}`,
    ...members.map((member) => html`<code>${columns[member] ?? '-'}</code>`),
  ]);
  return tableSection('Resources', ['Address', 'Id', ...members.map(titleOf)], rows);
}
