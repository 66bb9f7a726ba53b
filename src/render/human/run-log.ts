// The progress of a run for people, as a log whose lines never change.
import { isoTime } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import { eventSentence, eventTone, shortOperation, stepWords } from '../messages/events.ts';
import { PLAN_PROBLEMS } from '../messages/problems.ts';
import { RunTracker, type RunningStep } from '../view/run-state.ts';
import { styleOf, type HumanOptions, type Style } from '../text/style.ts';
import { nameText, sentence } from '../text/escape.ts';

/** The minimum time between two heartbeats: twice the polling interval that the service recommends. */
const HEARTBEAT_MS = 10_000;
const STEPS_IN_HEARTBEAT = 3;

/** Returns a function that renders each event. Without `verbose`, progress and repeated reads get only occasional lines. */
export function startRunLog({
  color,
  verbose,
}: Pick<HumanOptions, 'color' | 'verbose'>): (event: ApplyEvent) => readonly string[] {
  const view = new RunTracker();
  const style = styleOf(color);
  const retrySentenceOf = retryTeller(verbose);
  const linesOf = (event: ApplyEvent): readonly string[] => {
    if (event.type !== 'retry') return eventLines(event, style, verbose);
    const text = retrySentenceOf(event);
    return text === null ? [] : [style.faint(text)];
  };
  let lastLineAtMs = 0;
  let lastBeatAtMs = 0;
  return (event) => {
    view.add(event);
    const isProgress = event.type === 'apply_progress' && !verbose;
    // Retries delay no heartbeat, because their lines do not mention the steps that wait.
    const isSilence = event.type === 'retry' && view.running.size > 0;
    const sinceMs = event.atMs - (isSilence ? lastBeatAtMs : lastLineAtMs);
    const isBeat = (isProgress || isSilence) && sinceMs >= HEARTBEAT_MS;
    if (isBeat) lastBeatAtMs = event.atMs;
    const beats = isBeat ? [style.faint(heartbeat(view, event.atMs))] : [];
    const lines = [...linesOf(event), ...beats];
    if (lines.length > 0) lastLineAtMs = event.atMs;
    return lines;
  };
}

const SHOWN_ELSEWHERE: ReadonlySet<ApplyEvent['type']> = new Set(['planned_change', 'change_summary', 'run_finished']);

function eventLines(event: ApplyEvent, style: Style, verbose: boolean): string[] {
  if (SHOWN_ELSEWHERE.has(event.type) || (event.type === 'apply_progress' && !verbose)) return [];
  if (event.type === 'diagnostic' && PLAN_PROBLEMS.has(event.diagnostic.code)) return [];
  const severity = event.type === 'diagnostic' ? `${event.diagnostic.severity}: ` : '';
  const hint = 'diagnostic' in event ? event.diagnostic.hint : undefined;
  const text = style[eventTone(event)](`${severity}${eventSentence(event)}`);
  return hint === undefined ? [text] : [text, `  hint: ${sentence(hint)}`];
}

/** Returns text like `Still waiting, 3 of 14 done: shop/first updating 12s (apply_config running); and 2 more`. */
function heartbeat(view: RunTracker, nowMs: number): string {
  const waiting = [...view.running.values()].toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const listed = waiting.slice(0, STEPS_IN_HEARTBEAT).map((step) => runningWords(step, nowMs, view.silentSinceMs));
  const rest = waiting.length - listed.length;
  const { done, total } = view.progress;
  return `Still waiting, ${done} of ${total} done: ${[...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')}`;
}

function runningWords(step: RunningStep, nowMs: number, silentSinceMs: number | null = null): string {
  const elapsed = humanDuration(Math.max(0, nowMs - step.startedAtMs));
  const doing = `${nameText(step.address)} ${stepWords(step).doing} ${elapsed}`;
  const awaited = awaitedWords(step);
  if (silentSinceMs === null || nowMs - silentSinceMs < SILENT_MS)
    return awaited === '' ? doing : `${doing} (${awaited})`;
  const known = awaited === '' ? 'nothing is known yet' : `last known: ${awaited}`;
  return `${doing} (no answer since ${isoTime(silentSinceMs).slice(11, 19)} UTC; ${known})`;
}

const SILENT_MS = 5_000;

function awaitedWords(step: RunningStep): string {
  const parts = [
    step.waitingFor === null ? '' : `waiting for ${sentence(step.waitingFor)}`,
    step.operation === null ? '' : shortOperation(step.operation),
  ].filter((part) => part !== '');
  return parts.join('; ');
}

type Retry = Extract<ApplyEvent, { readonly type: 'retry' }>;

/** A shorter pause, at the first two attempts, gets no line: it ends before anybody has read the line. */
const QUIET_RETRY_MS = 2_000;
/** The minimum time between two lines about repeated reads. */
const READS_EVERY_MS = 5_000;

/** Returns a function that gives a sentence for each retry, or null for no line. With `verbose`, it never gives null. */
export function retryTeller(verbose: boolean): (event: Retry) => string | null {
  let readAtMs = -Infinity;
  return (event) => {
    if (verbose) return eventSentence(event);
    if (event.attempt <= 2 && event.delayMs < QUIET_RETRY_MS) return null;
    if (event.method !== 'GET') return eventSentence(event);
    if (event.atMs - readAtMs < READS_EVERY_MS) return null;
    readAtMs = event.atMs;
    return eventSentence(event);
  };
}
