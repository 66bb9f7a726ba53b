// The timeline of a run as an inline SVG: when each step ran, what it waited for, and when it was sent again.
import { isoTime } from '../../base/time/clock.ts';
import { elapsedText, operationWords } from '../messages/events.ts';
import { html, type Markup } from './page.ts';
import { shown } from '../text/escape.ts';
import { cutMiddle } from '../text/width.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { RunResult, StepOutcome, StepResult } from '../../model/outcome/result.ts';

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

/** Shows spans from 1 to 10 seconds with one decimal, so that neighboring marks never have the same text. */
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

export interface Segment {
  readonly fromMs: number;
  readonly toMs: number;
  /** `request`: no operation is known · `operation`: one of the service runs · `waiting`: for something else. */
  readonly doing: 'request' | 'operation' | 'waiting';
  readonly label: string;
}

export interface TimelineRow {
  readonly step: StepId;
  readonly address: string;
  readonly action: string;
  readonly outcome: StepOutcome;
  readonly segments: readonly Segment[];
  readonly retries: readonly { readonly atMs: number; readonly label: string }[];
}

export interface Timeline {
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: readonly TimelineRow[];
}

/** The steps that began, in the order of their beginnings. Without events each step is one bar. */
export function timelineOf(result: RunResult, events: readonly ApplyEvent[]): Timeline {
  const began = result.steps
    .filter((step) => step.startedAtMs !== null)
    .toSorted((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
  const rows = began.map((step) => rowOf(step, events));
  const times = rows.flatMap(({ segments }) => segments.flatMap(({ fromMs, toMs }) => [fromMs, toMs]));
  const startMs = times.reduce((least, ms) => Math.min(least, ms), times[0] ?? 0);
  return { startMs, endMs: times.reduce((most, ms) => Math.max(most, ms), startMs), rows };
}

function rowOf(step: StepResult, events: readonly ApplyEvent[]): TimelineRow {
  const startMs = step.startedAtMs ?? 0;
  const endMs = startMs + (step.elapsedMs ?? 0);
  const own = events.filter((event) => 'step' in event && event.step === step.id);
  return {
    step: step.id,
    address: step.address,
    action: step.action,
    outcome: step.outcome,
    segments: segmentsOf(own, startMs, endMs),
    retries: own.flatMap((event) =>
      event.type === 'retry' ? [{ atMs: event.atMs, label: `attempt ${event.attempt}: ${event.cause}` }] : [],
    ),
  };
}

/** The segments of a step: each status lasts until the next poll that shows another status. */
function segmentsOf(events: readonly ApplyEvent[], startMs: number, endMs: number): Segment[] {
  const segments: Segment[] = [];
  let fromMs = startMs;
  for (const event of events) {
    if (event.type !== 'apply_progress') continue;
    const toMs = Math.min(Math.max(event.atMs, fromMs), endMs);
    push(segments, {
      fromMs,
      toMs,
      doing: event.waitingFor !== null ? 'waiting' : event.operation === null ? 'request' : 'operation',
      label: event.waitingFor ?? (event.operation === null ? 'request' : operationWords(event.operation)),
    });
    fromMs = toMs;
  }
  const last = segments.at(-1);
  push(segments, { fromMs, toMs: endMs, doing: last?.doing ?? 'operation', label: last?.label ?? 'step' });
  return segments;
}

function push(segments: Segment[], next: Segment): void {
  const last = segments.at(-1);
  if (last !== undefined && last.doing === next.doing && last.label === next.label)
    segments[segments.length - 1] = { ...last, toMs: next.toMs };
  else if (next.toMs > next.fromMs || last === undefined) segments.push(next);
}
