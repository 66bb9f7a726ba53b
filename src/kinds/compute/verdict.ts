// Restarts as desired state, and the warnings of computes: a start that failed, a branch that is missing.
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { objectOf, type JsonObject } from '../../base/json.ts';
import { restartPolicyOf, type DesiredResource, type RestartPolicy } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasFailed } from '../../model/operations/status.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../../model/live.ts';
import type { KindContext, KindRules, Verdict } from '../../plan/kind-rules.ts';
import { diagnosed } from '../shared/problems.ts';
import { unlikelyBranch } from './branches.ts';

const NOTHING: Verdict = { intents: [], notes: [], diagnostics: [], blockedBy: [] };

/** The time since which a start satisfies the step; null for a step without one. */
export function restartSinceMs({ restart }: JsonObject): number | null {
  return millisecondsOf(objectOf(restart)['since']);
}

/** The wall time of a successful start; null for any other operation. */
function startedBy({ action, status, createdAtMs, updatedAtMs }: OperationRecord): number | null {
  return action === 'start_compute' && status === 'finished' ? (updatedAtMs ?? createdAtMs ?? 0) : null;
}

/** Restarts, and warnings of a missing branch and of a start that failed. */
export const computeVerdict: KindRules['verdict'] = (input) => {
  const { desired, live, context } = input;
  const { notes, diagnostics, ...verdict } = restartVerdict(input);
  const branch = unlikelyBranch(desired, live, context);
  const failed = live === null || desired.absent ? [] : failedStart(desired, live, context);
  return {
    ...verdict,
    notes: [...notes, ...branch.notes],
    diagnostics: [...diagnostics, ...branch.diagnostics, ...failed],
  };
};

const restartVerdict: KindRules['verdict'] = ({ desired, live, restarts, context }) => {
  const policy = restartPolicyOf(desired);
  if (policy === null || live === null) return NOTHING;
  const asked = askedSince(policy, context.nowMs);
  if (asked.length === 0) return futureNote(policy);
  const start = lastStart(live, context);
  const open = asked.filter(({ sinceMs }) => start.atMs === null || start.atMs < sinceMs);
  const first = open[0];
  if (first === undefined) return NOTHING;
  if (restarts) return { ...NOTHING, notes: [`this change restarts the compute, which satisfies ${first.word}`] };
  if (live.observed['current_state'] !== 'active')
    return { ...NOTHING, notes: [`the compute is not running, and its next start satisfies ${first.word}`] };
  const unproven = open.find(({ sinceMs }) => !isProven(start, sinceMs));
  const proven = open.find(({ sinceMs }) => isProven(start, sinceMs));
  if (proven === undefined && context.noHistory === true)
    return { ...NOTHING, notes: [`${first.word} was not checked: operation logs were not read`] };
  if (proven === undefined) return missingEvidence(desired, live, unproven ?? first, context);
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
        // A start since `since` satisfies the step, whenever the step is sent.
        options: {
          restart: {
            since: isoTime(Math.max(...asked.map(({ sinceMs }) => sinceMs))),
            planned_at: isoTime(context.nowMs),
          },
        },
      },
    ],
  };
};

interface Asked {
  readonly word: 'restart.not_before' | 'restart.max_age';
  readonly sinceMs: number;
  readonly due: boolean;
}

/** A fixed time comes first, since an age alone makes a change due. */
function askedSince({ notBeforeMs, maxAgeMs }: RestartPolicy, nowMs: number): readonly Asked[] {
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

interface Start {
  readonly atMs: number | null;
  readonly source: 'log' | 'service' | 'creation' | 'none';
  /** The log is complete from this time on; null if it was not read. */
  readonly logFromMs: number | null;
}

function lastStart(live: LiveResource, { history, nowMs }: KindContext): Start {
  const made = live.createdAtMs === null ? [] : [{ atMs: live.createdAtMs, source: 'creation' as const }];
  const starts = [...startsOf(live, history?.operations ?? []), ...made].sort((a, b) => b.atMs - a.atMs);
  return { ...(starts[0] ?? { atMs: null, source: 'none' as const }), logFromMs: logFrom(history, nowMs) };
}

/** A start by anybody satisfies a restart. */
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

/** The service may remove operations after six months. */
const KEPT_MS = 180 * 86_400_000;

function logFrom(history: OperationHistory | null, nowMs: number): number | null {
  if (history === null) return null;
  if (history.complete) return nowMs - KEPT_MS;
  const times = history.operations.flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return times.length === 0 ? null : times.reduce((least, time) => Math.min(least, time));
}

/** True if every start since `sinceMs` would be seen. */
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
      diagnosed(desired, 'restart', {
        code: 'restart_evidence_missing',
        message: `${words}, so ${asked.word} cannot be checked`,
        hint: 'Restart the compute once by hand, write a later time, or remove `restart`.',
      }),
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
      : `${source === 'creation' ? 'created' : 'last started'} ${isoTime(atMs)}`;
  if (asked.due) return `${asked.word}: ${since}, ${atMs === null ? 'long' : humanDuration(nowMs - atMs)} ago`;
  return `${asked.word}: ${since}, before ${isoTime(asked.sinceMs)}`;
}

/** Any access changes a state ("Compute current_state"), so a failed start is a warning and no difference. */
function failedStart(desired: DesiredResource, live: LiveResource, { history }: KindContext): readonly Diagnostic[] {
  const newest = history?.operations.find(
    ({ resourceId, action }) => resourceId === live.id && action === 'start_compute',
  );
  if (newest === undefined || !hasFailed(newest)) return [];
  const state = live.observed['current_state'];
  if (state === 'active' || live.spec['disabled'] === true) return [];
  const why = newest.error === null ? '' : ` (${newest.error})`;
  return [
    diagnosed(desired, '', {
      code: 'start_failed',
      message: `the last start of ${desired.address} (start_compute ${newest.id}) ended as ${newest.status}${why}; its state is ${typeof state === 'string' ? state : 'not running'}`,
      hint: 'The next connection starts the compute again. If that start fails too, delete the compute and apply to re-create it, or ask the service.',
    }),
  ];
}
