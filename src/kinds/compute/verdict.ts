// Decides whether a declared restart is needed, and warns of a failed start and of a missing branch.
import { listed } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { objectOf, textOf, type JsonObject } from '../../base/json.ts';
import { warningAt, restartPolicyOf, type DesiredResource, type RestartPolicy } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasFailed } from '../../model/operations/operation.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../../model/live.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import type { Judge, Judgement, Proposal } from '../define.ts';
import { unlikelyBranch } from './branches.ts';

/** Returns the time since which any start satisfies the step; null if there is no such time. */
export function restartSinceMs({ restart }: JsonObject): number | null {
  return millisecondsOf(objectOf(restart)['since']);
}

export const computeVerdict: Judge = (input) => {
  const { desired, live, context } = input;
  const { diagnostics = [], ...verdict } = restartVerdict(input);
  const failed = live === null || desired.absent ? [] : failedStart(desired, live, context);
  return { ...verdict, diagnostics: [...diagnostics, ...unlikelyBranch(desired, live, context), ...failed] };
};

const restartVerdict: Judge = ({ desired, live, restarts, context }) => {
  const { nowMs, noHistory = false } = context;
  const policy = restartPolicyOf(desired);
  if (policy === null || live === null) return {};
  const asked = askedSince(policy, nowMs);
  const { notBeforeMs } = policy;
  if (asked.length === 0 && notBeforeMs !== null)
    return { notes: [`restart.not_before ${isoTime(notBeforeMs)} is in the future`] };
  const start = lastStart(live, context);
  const open = asked.filter(({ sinceMs }) => start.atMs === null || start.atMs < sinceMs);
  const [first] = open;
  if (first === undefined) return {};
  if (restarts) return { notes: [`this change restarts the compute, which satisfies ${first.word}`] };
  if (live.observed['current_state'] !== 'active')
    return { notes: [`the compute is not running, and its next start satisfies ${first.word}`] };
  const proven = open.find(({ sinceMs }) => start.seenFromMs <= sinceMs);
  if (proven !== undefined) return { intents: [restartIntent(live, proven, { asked, start, nowMs })] };
  if (noHistory) return { notes: [`${first.word} was not checked: operation logs were not read`] };
  return missingEvidence(desired, live, first, context);
};

interface Asked {
  readonly word: 'restart.not_before' | 'restart.max_age';
  readonly sinceMs: number;
  readonly due: boolean;
}

/** Returns the restarts that the policy asks for now. A fixed time comes first, because a restart by age runs only in a run with `--due`. */
function askedSince({ notBeforeMs, maxAgeMs }: RestartPolicy, nowMs: number): readonly Asked[] {
  return listed<Asked>(
    notBeforeMs !== null && notBeforeMs <= nowMs && { word: 'restart.not_before', sinceMs: notBeforeMs, due: false },
    maxAgeMs !== null && { word: 'restart.max_age', sinceMs: nowMs - maxAgeMs, due: true },
  );
}

interface Start {
  readonly atMs: number | null;
  readonly isCreation: boolean;
  /** The evidence shows every start from this time on. */
  readonly seenFromMs: number;
}

function lastStart(live: LiveResource, { history, nowMs }: KindContext): Start {
  const startedAtMs = Math.max(...startsOf(live, history?.operations ?? []));
  const { createdAtMs: madeAtMs } = live;
  if (startedAtMs >= (madeAtMs ?? -Infinity) && startedAtMs !== -Infinity)
    return { atMs: startedAtMs, isCreation: false, seenFromMs: -Infinity };
  return { atMs: madeAtMs, isCreation: madeAtMs !== null, seenFromMs: logFrom(history, nowMs) };
}

/** Returns the wall times of all known starts, whoever caused them: any start satisfies a restart. */
export function startsOf({ id, observed }: LiveResource, operations: readonly OperationRecord[]): readonly number[] {
  const logged = operations.flatMap(({ resourceId, action, status, createdAtMs, updatedAtMs }) =>
    resourceId === id && action === 'start_compute' && status === 'finished' ? [updatedAtMs ?? createdAtMs ?? 0] : [],
  );
  return [...logged, millisecondsOf(observed['started_at']) ?? -Infinity];
}

export function startWords(atMs: number): string {
  return `the compute started ${isoTime(atMs)}, which satisfies the restart`;
}

/** The service may remove operations after six months. */
const KEPT_MS = 180 * 86_400_000;

/** Returns the time from which the log is complete. */
function logFrom(history: OperationHistory | null, nowMs: number): number {
  if (history?.complete === true) return nowMs - KEPT_MS;
  const times = (history?.operations ?? []).flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return times.reduce((least, time) => Math.min(least, time), Infinity);
}

function restartIntent(
  target: LiveResource,
  { word, due, sinceMs }: Asked,
  { asked, start, nowMs }: { readonly asked: readonly Asked[]; readonly start: Start; readonly nowMs: number },
): Proposal {
  const { atMs, isCreation } = start;
  const since =
    atMs === null ? 'the last start is not known' : `${isCreation ? 'created' : 'last started'} ${isoTime(atMs)}`;
  const ago = `${atMs === null ? 'long' : humanDuration(nowMs - atMs)} ago`;
  // Any start after the latest asked time satisfies the step, even if the step was not sent yet.
  const latestMs = Math.max(...asked.map((one) => one.sinceMs));
  return {
    action: 'restart',
    target,
    due,
    origin: 'restart',
    reasons: [`${word}: ${since}, ${due ? ago : `before ${isoTime(sinceMs)}`}`],
    options: { restart: { since: isoTime(latestMs), planned_at: isoTime(nowMs) } },
  };
}

function missingEvidence(
  desired: DesiredResource,
  live: LiveResource,
  { word }: Asked,
  { history }: KindContext,
): Judgement {
  const why =
    history === null
      ? 'the operation log was not read'
      : history.complete
        ? 'the service keeps its operation log for six months'
        : 'the pages of the operation log that were read do not reach back far enough';
  const message = `the last start of ${live.id} is not known (${why}), so ${word} cannot be checked`;
  const hint = 'Restart the compute once by hand, write a later time, or remove `restart`.';
  return {
    unread: [`${word}: the last start is not known (${why})`],
    diagnostics: [warningAt(desired, 'restart', 'restart_evidence_missing', message, hint)],
  };
}

/** Warns of a failed start, which is no difference to fix: any access changes the state ("Compute current_state"). */
function failedStart(desired: DesiredResource, live: LiveResource, { history }: KindContext): readonly Diagnostic[] {
  const newest = history?.operations.find(
    ({ resourceId, action }) => resourceId === live.id && action === 'start_compute',
  );
  const state = live.observed['current_state'];
  if (newest === undefined || !hasFailed(newest) || state === 'active' || live.spec['disabled'] === true) return [];
  const why = newest.error === null ? '' : ` (${newest.error})`;
  const message = `the last start of ${desired.address} (start_compute ${newest.id}) ended as ${newest.status}${why}; its state is ${textOf(state) ?? 'not running'}`;
  const hint =
    'The next connection starts the compute again. If that start fails too, delete the compute and apply to re-create it, or ask the service.';
  return [warningAt(desired, '', 'start_failed', message, hint)];
}
