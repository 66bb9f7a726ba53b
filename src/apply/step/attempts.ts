// The requests that one step has made so far: what is known of them, how long the next may take, and whether and when it is still made.
import type { Assessment } from '../judge/assess.ts';
import { grownByNow } from '../judge/contents.ts';
import { isNotNew, judgeAfresh, judgeAlone, type Before } from '../judge/evidence.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import type { Pass } from '../run/lanes.ts';
import type { Timing } from './await-operations.ts';
import {
  failedBecause,
  isNamed,
  keepsSecret,
  kindOf,
  remakesSecret,
  unknownBecause,
  type Run,
  type StepEnd,
} from '../run/run.ts';
import { refusalHint } from './remedies.ts';
import { failureOf, type ApiFailure, isExpected } from '../../client/failure.ts';
import { withinTime } from '../../client/http/within-time.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { windowsAgainst } from '../../plan/guard/windows.ts';

/** What is known of the requests of a step while it runs. */
export interface Delivery {
  /** The newest one may have been done, and nothing has proved it yet. */
  isUnproven: boolean;
  /** How often the step was told to come later, or was sent anew by the client: a service may have done it all the same. */
  repeats: number;
  /** When the first request was sent, by the service's time; null while none was, or where that is not known. */
  sentAtMs: number | null;
  /** Ids of all that was listed of the kind when the first request was sent; null while none was. */
  listed: ReadonlySet<ResourceId> | null;
}

export interface Attempts {
  /** Requests that the service may have acted on. */
  sent: number;
  /** All requests, those that were refused for now included. */
  made: number;
  /** A reply was lost: a refusal after it may be the echo of our own first attempt. */
  lost: boolean;
  /** What was known before the first request whose reply was lost. */
  beforeLost: Before | null;
}

/** How long an answer is waited for after the deadline of the run; the looks that follow a lost one come after that. */
const LAST_ANSWER_MS = 3000;

/** How long it is looked for traces of a lost request after the deadline of its step, two looks two seconds apart. */
const LAST_LOOKS_MS = 3000;

/** Until when traces of a lost request are looked for, monotonic. */
export function lookUntil({ use: { clock } }: Pick<Run, 'use'>, { deadlineMs }: Timing): number {
  return Math.max(deadlineMs, clock.monotonicMs()) + LAST_LOOKS_MS;
}

/** Until when a request may be answered, monotonic: the step's deadline. At that of the run, an answer that is a little late is better than none. */
export function answerBy({ use: { runDeadlineMs } }: Pick<Run, 'use'>, { deadlineMs }: Timing): number {
  return deadlineMs < runDeadlineMs ? deadlineMs : runDeadlineMs + LAST_ANSWER_MS;
}

/** What ends the waiting to be sent: as long as nothing may have been done, it gives way when the run is told to stop. */
export function patienceOf({ use: { signals } }: Pick<Run, 'use'>, { sent }: Attempts): AbortSignal {
  return sent === 0 ? signals.admission : signals.waits;
}

/** The run was told to stop while nothing may have been done: it is not sent again. */
export function isCalledOff({ use: { signals } }: Pick<Run, 'use'>, { sent }: Attempts): boolean {
  return sent === 0 && signals.admission.aborted;
}

/** Nothing is sent again after a lost reply any more. */
export function isTooLate({ use: { signals, clock } }: Pick<Run, 'use'>, { deadlineMs }: Timing): boolean {
  return signals.waits.aborted || clock.monotonicMs() >= deadlineMs;
}

/**
 * Why `step` waits for another time than `nowMs` (null: it is not known); null when it may be sent. What comes after a disruptive step that this run has carried
 * out is sent in any case: a chain that stops half way leaves a place empty until the next window.
 */
export function windowHold(
  plan: Plan,
  step: Step,
  carriedOut: ReadonlySet<StepId>,
  nowMs: number | null,
): string | null {
  if (plan.windows.length === 0) return null;
  const closed = windowsAgainst(plan, step, nowMs);
  if (closed.length === 0 || followsDisruption(plan, step, carriedOut)) return null;
  if (nowMs === null)
    return `the step is disruptive, and the time at the service is not known, so no safety window counts as open (${closed.join('; ')})`;
  return `the step is disruptive, and no safety window is open (${closed.join('; ')}); run trueup apply again within a window`;
}

/** True after a step that has been carried out within a window, be there others between them. */
function followsDisruption(plan: Plan, { needs }: Step, carriedOut: ReadonlySet<StepId>): boolean {
  const before = new Set(needs);
  for (const id of before) {
    const step = carriedOut.has(id) ? plan.steps.find((one) => one.id === id) : undefined;
    if (step === undefined) continue;
    if (windowsAgainst(plan, step, null).length > 0) return true;
    for (const need of step.needs) before.add(need);
  }
  return false;
}

/** `its reply was lost (…)`. */
export function lostWords(failure: ApiFailure, times: string = ''): string {
  return `the reply ${isNotNew(failure) ? 'cannot be used' : `was lost${times}`} (${failure.message})`;
}

export function givenUp(failure: ApiFailure, times: number): StepEnd {
  const lost = lostWords(failure, times > 1 ? ` ${times} times in a row` : '');
  return unknownBecause(
    `${lost}, and the account does not show the outcome; the next plan shows whether the step was carried out`,
  );
}

/** The failure of a step that cannot be sent again: where an earlier reply of it was lost, nobody knows that nothing was done. */
export function failedOr({ lost }: Attempts, step: Step, code: string, message: string, hint?: string): StepEnd {
  if (!lost) return failedBecause(step, code, message, hint);
  return unknownBecause(`an earlier reply was lost, and the account does not show the outcome: ${message}`);
}

/** A refusal for good, and whether the looks that followed came to their end. */
export interface Refusal {
  readonly failure: ApiFailure;
  readonly isSettled: boolean;
}

/** Refusals that an earlier request which was done may be the reason for: of what is made, that it is there; of what is changed, that it is not, or is so. */
const ECHOES = { absent: new Set([409]), present: new Set([400, 404]) };

/** The end of a step that was refused for good: where looks tell, and have shown nothing of an earlier request, it has failed. */
export function refusedFor(run: Run, step: Step, attempts: Attempts, { failure, isSettled }: Refusal): StepEnd {
  const hint = refusalHint(failure);
  const mayBeOurs = failure.status !== null && ECHOES[step.expects.state].has(failure.status);
  const isTold = attempts.lost && isSettled && !mayBeOurs && isToldByReading(run, step);
  if (!isTold) return failedOr(attempts, step, 'refused', failure.message, hint);
  const shown = 'the lists show no effect of the earlier request whose reply was lost';
  return failedBecause(step, 'refused', `${failure.message}; ${shown}`, hint);
}

interface Refused {
  readonly run: Run;
  readonly step: Step;
  readonly pass: Pass;
  readonly timing: Timing;
}

/**
 * Judges a step that was refused for good. Where an earlier reply of it was lost, lists may lag behind what that did: they are looked at for
 * a while, as far as the time of the step goes and nobody says stop.
 */
export async function judgeRefused(
  { run, step, pass, timing }: Refused,
  { lost }: Attempts,
): Promise<Pick<Refusal, 'isSettled'> & { readonly verdict: Assessment }> {
  const judge = async (own: Run): Promise<Assessment> =>
    step.expects.state === 'absent' ? judgeAlone(own, step, pass) : judgeAfresh(own, step);
  // What came into it after the last look may be why.
  const orGrown = async (own: Run, verdict: Assessment): Promise<Assessment> =>
    verdict.state === 'ready' ? ((await grownByNow(own, step)) ?? verdict) : verdict;
  if (!lost) return { verdict: await orGrown(run, await judge(run)), isSettled: true };
  const { clock, signals } = run.use;
  const time = { clock, deadlineMs: lookUntil(run, timing), signal: signals.waits, longestMs: Infinity };
  const verdict = await withinTime(time, async (requests) => {
    const own = { ...run, use: { ...run.use, signals: { ...signals, requests } } };
    try {
      let last = await judge(own);
      for (const pauseMs of LAG_PAUSES_MS) {
        if (last.state !== 'ready') break;
        await clock.sleep(pauseMs, requests);
        last = await judge(own);
      }
      return await orGrown(own, last);
    } catch (error) {
      if (!requests.aborted || !isExpected(error)) failureOf(error);
      return null;
    }
  });
  return { verdict: verdict ?? { state: 'ready' }, isSettled: verdict !== null };
}

/** What has a name, or changes what is there: a restart and a new password show by no value. */
function isToldByReading(run: Run, step: Step): boolean {
  const isSecret = keepsSecret(run, step) || remakesSecret(run, step);
  if (isSecret || step.action === 'restart' || step.action === 'rotate') return false;
  return isNamed(run, step) || kindOf(run, step).remote.repeat(step) === 'converging';
}
