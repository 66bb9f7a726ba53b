// The timeline of a run as an inline SVG.
import { isoTime } from '../../base/time/clock.ts';
import { elapsedText } from '../messages/events.ts';
import { html, type Markup } from './markup.ts';
import { shown } from '../text/escape.ts';
import type { Segment, Timeline, TimelineRow } from '../view/timeline.ts';
import { cutMiddle } from '../text/width.ts';

const LABEL_WIDTH = 240;
const PLOT_WIDTH = 700;
const ROW_HEIGHT = 22;
const TOP = 24;
const MOST_ROWS = 500;
const NICE_MS = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
  7_200_000, 21_600_000, 86_400_000,
];

export function timelineChart(timeline: Timeline): Markup[] {
  if (timeline.rows.length === 0) return [];
  const rows = timeline.rows.slice(0, MOST_ROWS);
  const rest = timeline.rows.length - rows.length;
  const spanMs = Math.max(1, timeline.endMs - timeline.startMs);
  const height = TOP + rows.length * ROW_HEIGHT + 6;
  const width = LABEL_WIDTH + PLOT_WIDTH + 70;
  const x = (ms: number): number =>
    Math.round((LABEL_WIDTH + ((ms - timeline.startMs) / spanMs) * PLOT_WIDTH) * 10) / 10;
  return [
    html`<div class="scroll" tabindex="0" role="region" aria-label="Timeline">
      <svg
        width="${width}"
        height="${height}"
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label="When each step ran, from ${isoTime(timeline.startMs)}"
      >
        ${ticks(timeline, spanMs, x, height)}${rows.map((row, at) => rowMarkup(row, at, x))}
      </svg>
    </div>`,
    html`<p class="faint">
      From ${isoTime(timeline.startMs)}, ${spanText(spanMs)} in all. Blue: an operation runs; amber: waiting for
      something else; grey: request; red: not done; violet marks: sent
      again.${rest > 0 ? ` ${rest} more steps not drawn.` : ''}
    </p>`,
  ];
}

/** Short spans to a tenth of a second, so that neighbouring marks never read the same. */
function spanText(ms: number): string {
  return ms >= 1000 && ms < 10_000 ? `${Math.round(ms / 100) / 10}s` : elapsedText(ms);
}

function ticks(timeline: Timeline, spanMs: number, x: (ms: number) => number, height: number): Markup[] {
  const everyMs = NICE_MS.find((ms) => spanMs / ms <= 8) ?? spanMs / 8;
  const count = Math.floor(spanMs / everyMs);
  return Array.from({ length: count + 1 }, (_, at) => {
    const left = x(timeline.startMs + at * everyMs);
    return html`<line class="grid" x1="${left}" y1="${TOP - 6}" x2="${left}" y2="${height}" /><text
        class="small"
        x="${left}"
        y="12"
        >${at === 0 ? '0' : spanText(at * everyMs)}</text
      > `;
  });
}

function rowMarkup(row: TimelineRow, at: number, x: (ms: number) => number): Markup {
  const top = TOP + at * ROW_HEIGHT;
  const last = row.segments.at(-1);
  const first = row.segments[0];
  const elapsed = last === undefined || first === undefined ? 0 : last.toMs - first.fromMs;
  const bad = row.outcome !== 'done' && row.outcome !== 'satisfied';
  return html`<g
    ><title>${row.action} ${row.address}: ${row.outcome.replaceAll('_', ' ')}, ${spanText(elapsed)}</title
    ><text x="0" y="${top + 13}">${cutMiddle(shown(`${row.action} ${row.address}`), 31)}</text>
    ${row.segments.map((segment, index) => segmentMarkup(segment, top, x, bad && index === row.segments.length - 1))}${row.retries.map(
      ({ atMs, label }) =>
        html`<rect class="retry" x="${x(atMs) - 1}" y="${top}" width="3" height="18"
          ><title>sent again, ${label}</title></rect
        >`,
    )}<text class="small" x="${(last === undefined ? LABEL_WIDTH : x(last.toMs)) + 6}" y="${top + 13}"
      >${spanText(elapsed)}</text
    ></g
  > `;
}

function segmentMarkup(segment: Segment, top: number, x: (ms: number) => number, failed: boolean): Markup {
  const left = x(segment.fromMs);
  const width = Math.max(2, Math.round((x(segment.toMs) - left) * 10) / 10);
  return html`<rect
    class="seg ${failed ? 'failed' : segment.doing}"
    x="${left}"
    y="${top + 3}"
    width="${width}"
    height="12"
    rx="2"
    ><title>${segment.label}, ${spanText(segment.toMs - segment.fromMs)}</title></rect
  >`;
}
