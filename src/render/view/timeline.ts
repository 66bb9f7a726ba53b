// When each step ran, what it waited for and when it sent again: read from the events of a run.
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { RunResult, StepOutcome, StepResult } from '../../model/outcome/result.ts';
import { operationWords } from '../messages/events.ts';

/** `request`: before anything is awaited · `operation`: the service is at work · `waiting`: for something else. */
export interface Segment {
  readonly fromMs: number;
  readonly toMs: number;
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

/** Steps that began, in the order in which they did. Without events each is one bar. */
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

/** The segments between looks: a state holds until the look that shows another one. */
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
