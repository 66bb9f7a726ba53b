// Waits for the operations of a write, whose end decides whether the step succeeded. A list must prove a removal, and a creation without operations.
import { unreachable } from '../../base/assert.ts';
import type { WaitOptions, WaitOutcome } from '../../client/waiter.ts';
import { ApiFailure, isExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { OperationRecord } from '../../model/live.ts';
import type { OperationGlimpse } from '../../model/outcome/event.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { hasFailed, isOpen, mayHaveStarted } from '../../model/operations/operation.ts';
import { LOG_LAG_MS } from '../../model/operations/timing.ts';
import { readNewest } from '../../client/operations.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { failedBecause, kindOf, refOf, unknownBecause, warn, type Run, type StepEnd } from '../run/run.ts';

/** When the step began and must end, on the monotonic clock. */
export interface Timing {
  startedAtMs: number;
  deadlineMs: number;
}

interface Awaited extends Unreported {
  /** The operations that the reply names. */
  readonly operations: readonly OperationRecord[];
}

/** Waits for the operations of the reply, and for others on the same resource that the log shows since the request. */
export async function awaitOperations(run: Run, awaited: Awaited): Promise<StepEnd> {
  const { step, id, operations } = awaited;
  if (operations.length === 0) return { end: 'done', id };
  run.reach('waiting');
  let outcome: WaitOutcome;
  try {
    const { last } = kindOf(run, step).operations ?? {};
    const options = { ...waitOptions(run, step, awaited.timing), isOwn: ownOperations(run, awaited), last };
    outcome = await run.waiter.settled(operations, options);
  } catch (error) {
    return unknownBecause(waitFailure(run, error), run.signals.waits.aborted);
  }
  switch (outcome.end) {
    case 'finished':
      return { end: 'done', id };
    case 'failed':
      return afterFailure(run, step, id, outcome.operations);
    case 'vanished':
      return unknownBecause('the service does not know the operation of the step, so nothing shows how the step ended');
    case 'timed_out':
      return unknownBecause(stillRunning(outcome.operations), true);
    default:
      return unreachable(outcome.end);
  }
}

/** Returns options that report each poll. With `others`, the operations do not belong to the step, so they are reported as a reason to wait. */
export function waitOptions(run: Run, step: Step, timing: Timing, others: boolean = false): WaitOptions {
  return {
    deadlineMs: timing.deadlineMs,
    signal: run.signals.waits,
    onLook: ({ id, action, status, failuresCount, resourceId }) => {
      const whose = resourceId === null ? '' : ` of ${resourceId}`;
      tellWait(run, step, timing, others ? `${action} ${id}${whose}` : { id, action, status, failuresCount });
    },
  };
}

/** Reports an operation of the step, or in words what the step waits for. */
export function tellWait(run: Run, step: Step, { startedAtMs }: Timing, what: OperationGlimpse | string): void {
  const [operation, waitingFor] = typeof what === 'string' ? [null, what] : [what, null];
  const elapsedMs = run.clock.monotonicMs() - startedAtMs;
  const progress = run.progress();
  run.emit({ type: 'apply_progress', ...refOf(step), elapsedMs, operation, progress, waitingFor });
}

/** Returns why the wait ended early; a refused credential also stops the run. */
function waitFailure(run: Run, error: unknown): string {
  if (error instanceof ApiFailure) {
    if (error.status === 401) run.halt('unauthorized');
    return `the operations of the step could not be followed: ${error.message}`;
  }
  if (run.signals.waits.aborted) return 'the operation was still running when the run was stopped';
  throw error;
}

function stillRunning(operations: readonly OperationRecord[]): string {
  const open = operations.filter(isOpen).map(({ id, action, status }) => `${action} ${id} is ${status}`);
  return open.length === 0 ? 'the operations of the step could not be read in time' : open.join(', ');
}

/** A failed operation fails the step even if its resource looks right, but a removal is done if its target is gone. */
async function afterFailure(
  run: Run,
  step: Step,
  id: ResourceId | null,
  operations: readonly OperationRecord[],
): Promise<StepEnd> {
  const words = operations
    .filter(hasFailed)
    .map(
      ({ id: operation, action, status, failuresCount, error }) =>
        `${action} ${operation} ended as ${status} (failures: ${failuresCount}${error === null ? '' : `, ${error}`})`,
    );
  const message = `the service accepted the request, but ${words.join('; ')}`;
  const look = { id: id ?? '', isThere: false };
  const isGone = step.achieves === null && (await listsShow(run, step, look, run.clock.monotonicMs(), [0])) === true;
  if (!isGone) return failedBecause(step, 'operation_failed', message, 'Run trueup plan: it shows what is left to do.');
  warn(run, step, 'operation_failed', message);
  return { end: 'done', id };
}

/** Pauses between readings of a log that does not show the operations of the step yet. */
const LOG_PAUSES_MS = [500, 1000, 2000, LOG_LAG_MS - 3500];
/** Pauses between readings of a log, for a step that may start no operation. */
const BRIEF_PAUSES_MS = [500];

interface Unreported {
  readonly step: Step;
  readonly id: ResourceId | null;
  /** The log before the request: its operations do not come from the step. */
  readonly before: { readonly log: readonly OperationRecord[] | null };
  /** The service's time when the first request was sent; null if unknown. */
  readonly sinceMs: number | null;
  readonly timing: Timing;
}

/** Reads the log for the operations of a step whose reply does not name them, again while the log may lag. Null if the log is unreadable. */
export async function openOperations(run: Run, unreported: Unreported): Promise<readonly OperationRecord[] | null> {
  const { step, id, timing } = unreported;
  // The operations of a creation of a project are in the log of that project.
  const projectId = step.kind === PROJECT ? id : step.projectId;
  if (projectId === null || id === null) return [];
  const { operations: table } = kindOf(run, step);
  if (table === undefined) return [];
  const isOwn = ownOperations(run, unreported);
  const { clock, client, signals } = run;
  const lag = table.mayStartNone?.(step) === true ? BRIEF_PAUSES_MS : LOG_PAUSES_MS;
  let isRead = false;
  for (const pauseMs of [0, ...(step.achieves === null ? [] : lag)]) {
    if (pauseMs > 0 && clock.monotonicMs() + pauseMs > timing.deadlineMs) break;
    try {
      if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits);
      const { operations } = await readNewest(client, projectId, signals.requests);
      isRead = true;
      const own = operations.filter(isOwn);
      if (own.length > 0) return own;
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  }
  return isRead ? [] : null;
}

/** Returns a test for operations that the step may have started: on its resource, since the request, with an action of `table`. */
export function ownOperations(
  run: Run,
  unreported: Omit<Unreported, 'timing'>,
): (operation: OperationRecord) => boolean {
  const { step, id } = unreported;
  const { operations: table } = kindOf(run, step);
  if (table === undefined || id === null) return () => false;
  return (operation) =>
    mayHaveStarted(table, step.action, { id, parentId: step.parentId }, operation) && isOurs(operation, unreported);
}

/** The log has times in whole seconds. */
const ROUNDING_MS = 1000;

/** True if the log from before the request lacks the operation. Without such a log: if the operation is open or not older than the request. */
function isOurs(operation: OperationRecord, { before, sinceMs }: Omit<Unreported, 'timing'>): boolean {
  if (before.log !== null) return !before.log.some(({ id }) => id === operation.id);
  if (isOpen(operation)) return true;
  const { createdAtMs } = operation;
  return sinceMs !== null && createdAtMs !== null && createdAtMs >= sinceMs - ROUNDING_MS;
}

/** The pause before a single reading, as long as all of `LAG_PAUSES_MS` together. */
export const LATE_MS: readonly number[] = [7500];
/** Removals whose replies arrive within this time share one reading of the list. */
const TOGETHER_MS = 100;

/** True once a list read after `afterMs` (monotonic) shows `id`, or without `isThere` omits `id`. False if none does, null if none could be read. */
export async function listsShow(
  run: Run,
  step: Step,
  { id, isThere }: { readonly id: ResourceId; readonly isThere: boolean },
  afterMs: number,
  pausesMs: readonly number[] = [0, ...LAG_PAUSES_MS],
): Promise<boolean | null> {
  const { clock, signals, world } = run;
  let answer: boolean | null = null;
  let sinceMs = afterMs;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0 && signals.waits.aborted) break;
    if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    try {
      const live = await world.list(step, sinceMs, signals.requests);
      sinceMs = clock.monotonicMs();
      answer = live.some((one) => one.id === id) === isThere;
      if (answer) break;
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (signals.requests.aborted) break;
    }
  }
  return answer;
}

/** Turns success into an unknown outcome, unless a list read after `acceptedAtMs` (monotonic) shows the creation or removal. */
export async function proveEnd(
  run: Run,
  step: Step,
  id: ResourceId | null,
  end: StepEnd,
  acceptedAtMs: number,
): Promise<StepEnd> {
  const isRemoval = step.achieves === null;
  if (end.end !== 'done' || id === null || !(isRemoval || step.expects.state === 'absent')) return end;
  const { clock, signals } = run;
  if (isRemoval) await clock.sleep(TOGETHER_MS, signals.waits).catch(() => undefined);
  const isProved = await listsShow(run, step, { id, isThere: !isRemoval }, acceptedAtMs);
  if (isProved === true) return end;
  const why = isProved === null ? 'could not be read again' : isRemoval ? 'is still listed' : 'is not listed';
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
