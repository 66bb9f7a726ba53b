// Progress that redraws in place on a terminal: the frame for a moment, and the bytes that put it on the screen.
import { humanDuration } from '../../base/time/duration.ts';
import { runningWords } from './run-log.ts';
import type { RunView } from '../view/run-state.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';
import { cutColumns } from '../text/width.ts';

const MOST_STEPS = 12;
const BAR_COLUMNS = 20;
const SPINNER = ['|', '/', '-', '\\'] as const;
const SPIN_MS = 250;

/** Lines of the frame, each within the width: a bar, then the steps under way, longest running first. */
export function progressFrame(
  view: RunView,
  nowMs: number,
  { color, width: columns }: Pick<HumanOptions, 'color' | 'width'>,
): string[] {
  if (view.finished || view.startedAtMs === null) return [];
  const style = styleOf(color);
  const steps = [...view.running.values()].toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const listed = steps.slice(0, MOST_STEPS);
  const rest = steps.length - listed.length;
  // The last column stays free: a terminal may wrap a full line.
  const width = columns - 1;
  const spin = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length] ?? '|';
  return [
    style.strong(cutColumns(headline(view, nowMs), width)),
    ...listed.map(
      (step) => `${style.mark(spin)} ${cutColumns(runningWords(step, nowMs, view.silentSinceMs), width - 2)}`,
    ),
    ...(rest > 0 ? [style.faint(cutColumns(`  … and ${rest} more`, width))] : []),
  ];
}

function headline(view: RunView, nowMs: number): string {
  const { done, total } = view.progress;
  const filled = total === 0 ? 0 : Math.round((done / total) * BAR_COLUMNS);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_COLUMNS - filled)}]`;
  const facts = [
    // The total is unknown before the first step.
    ...(total === 0 ? [] : [`${done} of ${total} steps`]),
    ...(view.failed > 0 ? [`${view.failed} not done`] : []),
    humanDuration(nowMs - (view.startedAtMs ?? nowMs)),
  ];
  return `${bar} ${facts.join(', ')}`;
}

/**
 * Bytes that replace a frame of `previous` lines by `lines` (which stay on the screen for good) and the new `frame`.
 * The cursor is expected in the line below the frame (the echo of a key may have moved it), and left at its start.
 */
export function redraw(previous: number, lines: readonly string[], frame: readonly string[]): string {
  const erase = previous > 0 ? `\r\u001b[${previous}A\u001b[0J` : '';
  return erase + [...lines, ...frame].map((line) => `${line}\n`).join('');
}
