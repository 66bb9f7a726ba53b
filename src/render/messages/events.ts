// Events of a run as sentences, which are the same on terminals, in CI logs and in machine formats.
import { humanDuration } from '../../base/time/duration.ts';
import { unreachable } from '../../base/assert.ts';
import { listOfFirst, plural } from '../../base/text/words.ts';
import {
  SO_ALREADY,
  type ApplyEvent,
  type OperationGlimpse,
  type OutcomeCounts,
  type RunStatus,
  type StepRef,
} from '../../model/outcome/event.ts';
import type { ResourceId } from '../../model/desired.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import type { Tone } from '../text/style.ts';
import { changeCounts, removedWords } from '../view/plan-rows.ts';
import type { Upkeep, UpkeepAction, UpkeepResult } from '../../model/outcome/upkeep.ts';

type ActionWords = Readonly<Record<'doing' | 'done' | 'noun', string>>;

/** The words for a step in a sentence. A move through a temporary slot has different words for its first step. */
export function stepWords({ step, action }: Pick<StepRef, 'step' | 'action'>): ActionWords {
  const stem = action.replace(/e$/, '');
  const away = step.startsWith('detour:') ? ' out of the way' : '';
  return { doing: `${stem}ing${away}`, done: `${stem}ed${away}`, noun: `${action}${away}` };
}

export function elapsedText(ms: number): string {
  return ms < 1000 ? `${Math.max(0, Math.round(ms))}ms` : humanDuration(ms);
}

const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  converged: 'Converged: the live state matches the files.',
  incomplete: 'Incomplete: some steps failed, have an unknown outcome or were not attempted.',
  stale: 'Stale: the live state no longer matches the plan; no further step was started.',
  blocked: 'Blocked: a guard blocks changes.',
  interrupted: 'Interrupted: no new step was started.',
  error: 'Error: the run could not continue.',
};

/** The last sentence about a run. If every step succeeded, a check or a task at the end made the run incomplete. */
function endSentence(status: RunStatus, counts: OutcomeCounts): string {
  const { failed, unknown, timedOut, skipped, notStarted, blocked } = counts;
  return status === 'incomplete' && failed + unknown + timedOut + skipped + notStarted + blocked === 0
    ? 'Incomplete: no step failed, but the live state is not verified to match.'
    : STATUS_WORDS[status];
}

export function eventSentence(event: ApplyEvent): string {
  switch (event.type) {
    case 'planned_change':
      return [`${nameText(event.change.address)}: plan to ${event.change.action}`, removedWords(event.change)]
        .filter((words) => words !== '')
        .join(' ');
    case 'change_summary':
      return countsLine(changeCounts(event.summary, event.halfReplaced));
    case 'apply_start':
      return `${nameText(event.address)}: ${stepWords(event).doing}...${idSuffix(event.resourceId)}`;
    case 'apply_progress':
      return `${nameText(event.address)}: still ${stepWords(event).doing}: ${progressWords(event)}`;
    case 'apply_complete':
      return `${nameText(event.address)}: ${stepWords(event).done} after ${elapsedText(event.elapsedMs)}${idSuffix(event.resourceId)}`;
    case 'apply_errored':
      return `${nameText(event.address)}: ${stepWords(event).noun} failed after ${elapsedText(event.elapsedMs)}: ${sentence(event.diagnostic.message)}`;
    case 'step_skipped':
      return event.satisfied === true
        ? satisfiedSentence(event)
        : `${nameText(event.address)}: ${stepWords(event).noun} not done: ${sentence(event.reason)}`;
    case 'step_unknown':
      return unknownSentence(event);
    case 'retry':
      return retrySentence(event);
    case 'secret_stored':
      return `${nameText(event.address)}: secret stored in ${sentence(event.sink)}${event.path === undefined ? '' : ` (${sentence(event.path)})`}`;
    case 'upkeep':
      return upkeepSentence(event);
    case 'verify':
      return verifySentence(event);
    case 'diagnostic':
      return `${event.diagnostic.address === undefined ? '' : `${nameText(event.diagnostic.address)}: `}${sentence(event.diagnostic.message)}`;
    case 'run_finished':
      return `${endSentence(event.status, event.counts)} ${countWords(event.counts)}.`;
    default:
      return unreachable(event);
  }
}

const TONES: Readonly<Partial<Record<ApplyEvent['type'], Tone>>> = {
  apply_progress: 'faint',
  apply_complete: 'good',
  apply_errored: 'bad',
  step_unknown: 'warn',
  retry: 'faint',
  secret_stored: 'good',
};

export function eventTone(event: ApplyEvent): Tone {
  switch (event.type) {
    case 'step_skipped':
      return event.satisfied === true ? 'plain' : 'warn';
    case 'upkeep':
      return event.outcome === 'done' ? 'good' : 'bad';
    case 'verify':
      return event.converged ? 'faint' : 'warn';
    case 'diagnostic':
      return event.diagnostic.severity === 'error' ? 'bad' : 'warn';
    case 'run_finished':
      return event.status === 'converged' ? 'good' : 'bad';
    default:
      return TONES[event.type] ?? 'plain';
  }
}

type EventOf<T extends ApplyEvent['type']> = Extract<ApplyEvent, { readonly type: T }>;

export function countsLine({ add, change, destroy }: ReturnType<typeof changeCounts>): string {
  return `Plan: ${add} to add, ${change} to change, ${destroy} to destroy.`;
}

function idSuffix(id: ResourceId | null): string {
  return id === null ? '' : ` [id=${shown(id, 80)}]`;
}

/** Returns text like `operation apply_config (7f3a6c1e-…) running; 12s so far; 3 of 14 done`. */
function progressWords(event: EventOf<'apply_progress'>): string {
  const parts = [
    event.waitingFor === null ? '' : `waiting for ${sentence(event.waitingFor)}`,
    event.operation === null ? '' : operationWords(event.operation),
    `${elapsedText(event.elapsedMs)} so far`,
    `${event.progress.done} of ${event.progress.total} done`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** Returns text like `operation apply_config (7f3a6c1e-…) running, 2 failures so far`. */
export function operationWords(operation: OperationGlimpse): string {
  return `operation ${shown(operation.action, 60)} (${shown(operation.id, 60)}) ${statusWords(operation)}`;
}

export function shortOperation(operation: OperationGlimpse): string {
  return `${shown(operation.action, 60)} ${statusWords(operation)}`;
}

function statusWords({ status, failuresCount }: OperationGlimpse): string {
  return shown(status, 40) + (failuresCount > 0 ? `, ${plural(failuresCount, 'failure')} so far` : '');
}

function satisfiedSentence({ step, address, action, reason, resourceId = null }: EventOf<'step_skipped'>): string {
  const { done } = stepWords({ step, action });
  const words = reason === SO_ALREADY ? `${done} already` : `not ${done}, ${sentence(reason)}`;
  return `${nameText(address)}: ${words}${idSuffix(resourceId)}`;
}

function unknownSentence(event: EventOf<'step_unknown'>): string {
  const what = event.timedOut ? 'still running' : 'outcome unknown';
  return `${nameText(event.address)}: ${stepWords(event).noun} ${what} after ${elapsedText(event.elapsedMs)}: ${sentence(event.reason)}`;
}

function retrySentence(event: EventOf<'retry'>): string {
  const who = event.address === null ? '' : `${nameText(event.address)}: `;
  return `${who}${shown(event.method, 10)} ${shown(event.path, 200)} again ${event.delayMs === 0 ? 'now' : `in ${elapsedText(event.delayMs)}`} (attempt ${event.attempt}): ${sentence(causeOf(event))}`;
}

/** The cause of a retry, without the request that the sentence already names. */
function causeOf({ method, path, cause }: EventOf<'retry'>): string {
  const request = `${method} ${path} `;
  return cause.startsWith(request) ? `it ${cause.slice(request.length)}` : cause;
}

function verifySentence(event: EventOf<'verify'>): string {
  if (event.converged && event.blocked > 0)
    return `Verified: the live state matches, except for ${plural(event.blocked, 'blocked change')}.`;
  if (event.converged) return 'Verified: the live state matches.';
  if (event.matches === true) return 'Verified: the live state matches, but a step or a task did not succeed.';
  if (event.remaining.length === 0)
    return 'Not verified: a part of the account could not be read or planned, so it is not known whether the live state matches.';
  const names = event.remaining.map((name) => nameText(name));
  return `Verified: ${plural(names.length, 'difference remains', 'differences remain')}: ${listOfFirst(names, 5)}.`;
}

/** Returns text like `5 steps done, 1 failed, 2 not started`. Omits other counts than the first if they are zero. */
export function countWords(counts: OutcomeCounts): string {
  const parts = [
    [counts.satisfied, 'unchanged'],
    [counts.failed, 'failed'],
    [counts.unknown, 'unknown'],
    [counts.timedOut, 'still running'],
    [counts.skipped, 'skipped'],
    [counts.notStarted, 'not started'],
    [counts.blocked, 'blocked'],
  ] as const;
  return [
    `${plural(counts.done, 'step')} done`,
    ...parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`),
  ].join(', ');
}

export const UPKEEP_TITLE = 'Tasks of every apply';

const DONE: Readonly<Record<UpkeepAction, string>> = { renew: 'renewed', refill: 'refilled', forget: 'forgotten' };

/** Returns text like `renew` or `refill → file:app.json`. */
export function upkeepDeed({ action, sinks }: Pick<Upkeep, 'action' | 'sinks'>): string {
  return sinks.length === 0 ? action : `${action} → ${sinks.map((sink) => sentence(sink)).join(', ')}`;
}

export function upkeepWhy({ reasons, isPending }: Pick<Upkeep, 'reasons' | 'isPending'>): string {
  return `${reasons.map((reason) => sentence(reason)).join('; ')}${isPending ? ' (known after apply)' : ''}`;
}

export function upkeepSentence({ address, action, outcome, message }: UpkeepResult): string {
  return outcome === 'done'
    ? `${nameText(address)}: ${DONE[action]}`
    : `${nameText(address)}: not ${DONE[action]}: ${sentence(message ?? 'the reason is not known')}`;
}
