// The timeline of a run: each step that began, with its time and a bar.
import { elapsedText } from '../messages/events.ts';
import { html, htmlSection, htmlTable, type Markup } from './page.ts';
import type { StepResult } from '../../model/outcome/result.ts';

/** The width of the whole run in the drawing's units. */
const WIDTH = 1000;

export function timeline(steps: readonly StepResult[]): Markup[] {
  const began = steps
    .flatMap((step) => (step.startedAtMs === null ? [] : [{ ...step, fromMs: step.startedAtMs }]))
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const [first] = began;
  if (first === undefined) return [];
  const endMs = began.reduce((ms, { fromMs, elapsedMs }) => Math.max(ms, fromMs + (elapsedMs ?? 0)), first.fromMs);
  const unit = WIDTH / Math.max(1, endMs - first.fromMs);
  const rows = began.map(({ action, address, outcome, fromMs, elapsedMs }) => {
    const isDone = outcome === 'done' || outcome === 'satisfied';
    const left = Math.round((fromMs - first.fromMs) * unit);
    const width = Math.max(5, Math.round((elapsedMs ?? 0) * unit));
    return [
      html`${action} <code>${address}</code>
        <svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="${isDone ? 'done' : 'undone'}" x="${left}" width="${width}" height="10" />
        </svg>`,
      html`${elapsedText(fromMs - first.fromMs)}`,
      html`${elapsedMs === null ? '-' : elapsedText(elapsedMs)}`,
    ];
  });
  return [htmlSection('Timeline', [htmlTable('Timeline', ['Step', 'Began after', 'Took'], rows)])];
}
