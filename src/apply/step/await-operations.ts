// Waits for the operations that a write started, and judges the step by how they ended.
import { unreachable } from '../../base/assert.ts';
import type { OperationRef, WaitOptions, WaitOutcome } from '../../client/operations/waiting.ts';
import { ApiFailure, isExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { OperationRecord } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { hasAchieved } from '../judge/assess.ts';
import { hasFailed, isOpen } from '../../model/operation-status.ts';
import { readHistory } from '../read/operation-log.ts';
import { failedBecause, kindOf, refOf, unknownBecause, warn, type Run, type StepEnd } from '../run/run.ts';

/** A step's own time, on the monotonic clock. */
export interface Timing {
  startedAtMs: number;
  deadlineMs: number;
}

export interface Awaited {
  readonly step: Step;
  readonly id: ResourceId | null;
  readonly operations: readonly OperationRef[];
  readonly timing: Timing;
}

/** The step's end. A deadline or a signal to stop leaves it "still running": never a reason to repeat or remove anything. */
export async function awaitOperations(run: Run, awaited: Awaited): Promise<StepEnd> {
  const { step, id, operations } = awaited;
  if (operations.length === 0) return { end: 'done', id };
  run.tell.reach('waiting');
  let outcome: WaitOutcome;
  try {
    outcome = await run.use.waiter.settled(operations, waitOptions(run, step, awaited.timing));
  } catch (error) {
    return unknownBecause(waitFailure(run, error), run.use.signals.waits.aborted);
  }
  switch (outcome.end) {
    case 'finished':
      warnOfFailures(run, step, outcome.operations);
      return { end: 'done', id };
    case 'failed':
      return afterFailure(run, step, id, outcome.operations);
    case 'vanished':
      return afterVanishing(run, step, id);
    case 'timed_out':
      return unknownBecause(stillRunning(outcome.operations), true);
    default:
      return unreachable(outcome.end);
  }
}

/** Operations that usually take less are over before anybody has read of them. */
const SHORTEST_ESTIMATE_MS = 1000;

/** When the step will have ended, from its beginning, as far as its present operation goes; null where that is not known, or not worth saying. */
function estimateMs(elapsedMs: number, usualMs: number | null): number | null {
  return usualMs !== null && usualMs >= SHORTEST_ESTIMATE_MS ? elapsedMs + usualMs : null;
}

/** `others`: what is waited for is not the step's own, and is told in words. */
export function waitOptions(run: Run, step: Step, timing: Timing, others: boolean = false): WaitOptions {
  const estimates = new Map<string, number | null>();
  return {
    deadlineMs: timing.deadlineMs,
    signal: run.use.signals.waits,
    onLook: (operation, usualMs) => {
      const { id, action, status, failuresCount, resourceId } = operation;
      const elapsedMs = run.use.clock.monotonicMs() - timing.startedAtMs;
      // As it was when the operation was first looked at: what others take that wait in the same queue must not let it grow.
      if (!estimates.has(id)) estimates.set(id, estimateMs(elapsedMs, usualMs));
      const expectedMs = estimates.get(id) ?? null;
      const whose = resourceId === null ? '' : ` of ${resourceId}`;
      run.tell.emit({
        type: 'apply_progress',
        ...refOf(step),
        elapsedMs,
        expectedMs,
        operation: others ? null : { id, action, status, failuresCount },
        progress: run.tell.progress(),
        waitingFor: others ? `${action} ${id}${whose}` : null,
      });
    },
  };
}

/** In words, why waiting ended without an answer; a refused credential stops the run. */
function waitFailure(run: Run, error: unknown): string {
  if (error instanceof ApiFailure) {
    if (error.status === 401) run.tell.halt('unauthorized');
    return `its operations could not be followed: ${error.message}`;
  }
  if (run.use.signals.waits.aborted) return 'it was still running when the run was told to stop';
  throw error;
}

function stillRunning(operations: readonly OperationRecord[]): string {
  const open = operations.filter(isOpen).map(({ id, action, status }) => `${action} ${id} is ${status}`);
  return open.length === 0 ? 'its operations could not be looked at in time' : open.join(', ');
}

function warnOfFailures(run: Run, step: Step, operations: readonly OperationRecord[]): void {
  for (const { id, action, failuresCount } of operations)
    if (failuresCount > 0)
      warn(run, step, 'operation_retried', `${action} ${id} succeeded after ${failuresCount} failed attempts`);
}

/** A failed operation fails the step, unless it is only a side effect and the resource shows what was asked for. */
async function afterFailure(
  run: Run,
  step: Step,
  id: ResourceId | null,
  operations: readonly OperationRecord[],
): Promise<StepEnd> {
  const { remote } = kindOf(run, step);
  const failed = operations.filter(hasFailed);
  const words = failed.map(
    ({ id: operation, action, status, failuresCount, error }) =>
      `${action} ${operation} ended as ${status} (failures: ${failuresCount}${error === null ? '' : `, ${error}`})`,
  );
  const message = `the service accepted it, but ${words.join('; ') || 'an operation failed'}`;
  // One that had ended when it was first seen does not tell of which resource it is: it is one of the step's own.
  const isAside =
    failed.length > 0 &&
    failed.every((operation) => !remote.proves(step, { ...operation, resourceId: operation.resourceId ?? id }));
  if (!isAside || (await achieved(run, step, id)) !== true)
    return failedBecause(step, 'operation_failed', message, 'Run it again: the next plan shows what is left to do.');
  warn(run, step, 'operation_failed', message);
  return { end: 'done', id };
}

/** Old operations may be forgotten by the service: what the resource shows decides. */
async function afterVanishing(run: Run, step: Step, id: ResourceId | null): Promise<StepEnd> {
  if ((await achieved(run, step, id)) === true) return { end: 'done', id };
  return unknownBecause('its operation is no longer known to the service, and the resource does not prove the outcome');
}

/** Null when the world could not be read. */
async function achieved(run: Run, step: Step, id: ResourceId | null): Promise<boolean | null> {
  try {
    const live = await run.use.world.reread(step, run.use.signals.requests);
    const target = live.find((resource) => resource.id === id);
    return hasAchieved(step, target, kindOf(run, step).canonical);
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
}

/** A log may lag behind the reply: pauses between looks at it where none of the operations that the step needs shows. */
const LOG_PAUSES_MS = [500, 1000, 2000, 4000];
/** The pauses for a step that may need no operation at all. */
const BRIEF_PAUSES_MS = [500];

export interface Unreported {
  readonly step: Step;
  readonly id: ResourceId | null;
  /** What was known before the request; its operations are not ours. */
  readonly before: { readonly operations: ReadonlySet<string> | null };
  /** When the first request was sent, by the service's time; null when that is not known. */
  readonly sinceMs: number | null;
  readonly timing: Timing;
}

/**
 * Operations of the resource that the reply, lost or without them, would have named. Looked for until one shows that carries out the
 * step, within a bound: a step that starts one is not done while none is seen to end. Empty when the log cannot be read.
 */
export async function openOperations(run: Run, unreported: Unreported): Promise<readonly OperationRef[]> {
  const { step, id, timing } = unreported;
  // What makes a project is in that.
  const projectId = step.kind === PROJECT ? id : step.projectId;
  if (projectId === null || id === null) return [];
  const { remote } = kindOf(run, step);
  const earlier = new Set(run.known.histories.get(projectId)?.operations.map((operation) => operation.id));
  const { parentId, expects } = step;
  const of = { id, isNew: expects.state === 'absent', ...(parentId === undefined ? {} : { parentId }) };
  const concerns = (operation: OperationRecord): boolean =>
    remote.concerns?.(of, operation) ?? operation.resourceId === id;
  const lag = remote.mayStartNone === true ? BRIEF_PAUSES_MS : LOG_PAUSES_MS;
  const isWanted = (operation: OperationRecord): boolean =>
    concerns(operation) && !earlier.has(operation.id) && isOurs(operation, unreported);
  const log = await lookInLog(run, projectId, {
    pauses: step.achieves === null ? [] : lag,
    timing,
    isEnough: (operations) => operations.some((one) => isWanted(one) && remote.proves(step, one)),
  });
  return log.filter(isWanted);
}

/**
 * Waits, within the same bound, until the log shows why the project is busy: an operation that is under way, or one that was not there
 * before. What it does not show yet may be the very thing that the step is for.
 */
export async function logShowsWhy(
  run: Run,
  { step, before, timing }: Omit<Unreported, 'id' | 'sinceMs'>,
): Promise<void> {
  const { operations: known } = before;
  if (known === null || step.projectId === null) return;
  const isEnough = (log: readonly OperationRecord[]): boolean => log.some((one) => isOpen(one) || !known.has(one.id));
  await lookInLog(run, step.projectId, { pauses: LOG_PAUSES_MS, timing, isEnough });
}

interface LogLooks {
  /** Between looks after the first. */
  readonly pauses: readonly number[];
  readonly timing: Timing;
  readonly isEnough: (operations: readonly OperationRecord[]) => boolean;
}

/** The project's newest operations as the last look showed them; empty when the log cannot be read. */
async function lookInLog(
  { use }: Run,
  projectId: string,
  { pauses, timing, isEnough }: LogLooks,
): Promise<readonly OperationRecord[]> {
  const { clock, client, signals } = use;
  let found: readonly OperationRecord[] = [];
  for (const pauseMs of [0, ...pauses]) {
    const isLast = signals.waits.aborted || clock.monotonicMs() + pauseMs > timing.deadlineMs;
    if (pauseMs > 0 && isLast) break;
    try {
      if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits);
      found = (await readHistory(client, projectId, { sinceMs: null }, signals.requests)).operations;
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
    if (isEnough(found)) break;
  }
  return found;
}

/** Times in whole seconds. */
const ROUNDING_MS = 1000;

/** True unless the operation was there before the request; where that is not known, the time of one that has ended tells. */
function isOurs(operation: OperationRecord, { before, sinceMs }: Unreported): boolean {
  if (before.operations !== null) return !before.operations.has(operation.id);
  if (isOpen(operation)) return true;
  const { createdAtMs } = operation;
  return sinceMs !== null && createdAtMs !== null && createdAtMs >= sinceMs - ROUNDING_MS;
}
