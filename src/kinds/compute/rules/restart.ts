// Restarts as desired state: whether a compute has started since the time that the file asks for.
import { isoTime, millisecondsOf } from '../../../base/time/clock.ts';
import { humanDuration } from '../../../base/time/duration.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { restartPolicyOf, type DesiredResource, type RestartPolicy } from '../../../model/desired.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../../../model/live.ts';
import type { KindContext, KindRules, Verdict } from '../../../plan/kind-rules.ts';

const NOTHING: Verdict = { intents: [], notes: [], diagnostics: [], blockedBy: [] };

/** What is asked for at the time of planning: a start since `since` meets it. */
function restartOptions(desired: DesiredResource, nowMs: number): JsonObject {
  const request = restartPolicyOf(desired);
  const asked = request === null ? [] : askedSince(request, nowMs);
  if (asked.length === 0) return {};
  const sinceMs = Math.max(...asked.map((one) => one.sinceMs));
  return { restart: { since: isoTime(sinceMs), planned_at: isoTime(nowMs) } };
}

/** The time since which a start satisfies the step; null where a step does not carry it. */
export function restartSinceMs({ restart }: JsonObject): number | null {
  return isJsonObject(restart) ? millisecondsOf(restart['since']) : null;
}

/** When the operation started a compute, wall time; null for another operation, and for one that did not succeed. */
function startedBy({ action, status, createdAtMs, updatedAtMs }: OperationRecord): number | null {
  return action === 'start_compute' && status === 'finished' ? (updatedAtMs ?? createdAtMs ?? 0) : null;
}

export const restartVerdict: KindRules['verdict'] = ({ desired, live, restarts, context }) => {
  const request = restartPolicyOf(desired);
  if (request === null || live === null) return NOTHING;
  const asked = askedSince(request, context.nowMs);
  if (asked.length === 0) return futureNote(request);
  const start = lastStart(live, context);
  // The latest time that is surely met needs no word; the rest is decided by what the log shows.
  const open = asked.filter(({ sinceMs }) => start.atMs === null || start.atMs < sinceMs);
  const first = open[0];
  if (first === undefined) return NOTHING;
  if (restarts) return { ...NOTHING, notes: [`this change restarts the compute, which satisfies ${first.word}`] };
  if (live.observed['current_state'] !== 'active')
    return { ...NOTHING, notes: [`the compute is not running, and its next start satisfies ${first.word}`] };
  const unproven = open.filter(({ sinceMs }) => !isProven(start, sinceMs));
  const proven = open.find(({ sinceMs }) => isProven(start, sinceMs));
  if (proven === undefined && context.noHistory === true)
    return { ...NOTHING, notes: [`${first.word} was not checked: operation logs were not read`] };
  if (proven === undefined) return missingEvidence(desired, live, unproven[0] ?? first, context);
  return {
    ...NOTHING,
    intents: [
      {
        action: 'restart',
        target: live,
        due: proven.due,
        origin: 'restart',
        reasons: [reasonOf(proven, start, context)],
        notes: [],
        blockedBy: [],
        consented: false,
        options: restartOptions(desired, context.nowMs),
      },
    ],
  };
};

interface Asked {
  readonly word: 'restart.not_before' | 'restart.max_age';
  readonly sinceMs: number;
  readonly due: boolean;
}

/** Times since which it must have started; what the file fixes comes before what the clock drives. */
function askedSince({ notBeforeMs, maxAgeMs }: RestartPolicy, nowMs: number): Asked[] {
  return [
    ...(notBeforeMs === null || notBeforeMs > nowMs
      ? []
      : [{ word: 'restart.not_before', sinceMs: notBeforeMs, due: false } as const]),
    ...(maxAgeMs === null ? [] : [{ word: 'restart.max_age', sinceMs: nowMs - maxAgeMs, due: true } as const]),
  ];
}

function futureNote({ notBeforeMs }: RestartPolicy): Verdict {
  if (notBeforeMs === null) return NOTHING;
  return { ...NOTHING, notes: [`restart.not_before ${isoTime(notBeforeMs)} is in the future`] };
}

/** The last start that is known, and since when surely no later one happened. */
interface Start {
  readonly atMs: number | null;
  readonly source: 'log' | 'service' | 'creation' | 'none';
  /** The log shows everything from this time on; null when it was not read. */
  readonly logFromMs: number | null;
}

function lastStart(live: LiveResource, { history, nowMs }: KindContext): Start {
  const made = live.createdAtMs === null ? [] : [{ atMs: live.createdAtMs, source: 'creation' as const }];
  const starts = [...startsOf(live, history?.operations ?? []), ...made].sort((a, b) => b.atMs - a.atMs);
  return { ...(starts[0] ?? { atMs: null, source: 'none' as const }), logFromMs: logFrom(history, nowMs) };
}

/** The starts that the log and the service show, whoever asked for them. */
export function startsOf(
  { id, observed }: LiveResource,
  operations: readonly OperationRecord[],
): readonly { readonly atMs: number; readonly source: 'log' | 'service' }[] {
  const logged = operations.filter(({ resourceId }) => resourceId === id).flatMap((one) => startedBy(one) ?? []);
  const told = millisecondsOf(observed['started_at']);
  return [
    ...logged.map((atMs) => ({ atMs, source: 'log' as const })),
    ...(told === null ? [] : [{ atMs: told, source: 'service' as const }]),
  ];
}

export function startWords(atMs: number): string {
  return `the compute started ${isoTime(atMs)}, which satisfies the restart`;
}

/** Operations older than six months may have been removed, so that even a whole log shows no more than that. */
const KEPT_MS = 180 * 86_400_000;

function logFrom(history: OperationHistory | null, nowMs: number): number | null {
  if (history === null) return null;
  if (history.complete) return nowMs - KEPT_MS;
  const times = history.operations.flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return times.length === 0 ? null : times.reduce((least, time) => Math.min(least, time));
}

/** True when no start can have happened since `sinceMs` without being seen. */
function isProven({ source, logFromMs }: Start, sinceMs: number): boolean {
  return source === 'log' || source === 'service' || (logFromMs !== null && logFromMs <= sinceMs);
}

function missingEvidence(
  desired: DesiredResource,
  live: LiveResource,
  asked: Asked,
  { history }: KindContext,
): Verdict {
  const why = shortfall(history);
  const words = `the last start of ${live.id} is not known (${why})`;
  return {
    ...NOTHING,
    unread: [`${asked.word}: the last start is not known (${why})`],
    diagnostics: [
      {
        severity: 'warning',
        code: 'restart_evidence_missing',
        message: `${words}, so ${asked.word} cannot be checked`,
        hint: 'Restart the compute once by hand, write a later time, or remove `restart`.',
        address: desired.address,
        range: desired.sources['restart'] ?? desired.source,
      },
    ],
  };
}

function shortfall(history: OperationHistory | null): string {
  if (history === null) return 'the operation log was not read';
  if (history.complete) return 'the service keeps its operation log for six months';
  return 'the pages of the operation log that were read do not reach back far enough';
}

function reasonOf(asked: Asked, { atMs, source }: Start, { nowMs }: KindContext): string {
  const since =
    atMs === null
      ? 'the last start is not known'
      : `${source === 'creation' ? 'made' : 'last started'} ${isoTime(atMs)}`;
  if (asked.due) return `${asked.word}: ${since}, ${atMs === null ? 'long' : humanDuration(nowMs - atMs)} ago`;
  return `${asked.word}: ${since}, before ${isoTime(asked.sinceMs)}`;
}
