// Reports operations that this run did not start on the target of a step, and waits for them.
import { failureOf } from '../../client/failure.ts';
import { isAbout } from '../../client/operations/log.ts';
import type { OperationRecord } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { waitOptions, type Timing } from './await-operations.ts';
import { isBusy } from '../../model/operations/status.ts';
import { failedBecause, warn, type Run, type StepEnd } from '../run/run.ts';

/** The operations of a log that are under way on the target of the step. */
export function foreignOperations(
  { expects }: Step,
  operations: readonly OperationRecord[],
): readonly OperationRecord[] {
  if (expects.state !== 'present') return [];
  return operations.filter((operation) => isAbout(operation, expects.id) && isBusy(operation));
}

/** The same, by the log that was read before the run. */
export function foreignBefore({ known: { histories } }: Pick<Run, 'known'>, step: Step): readonly OperationRecord[] {
  return foreignOperations(step, histories.get(step.projectId ?? '')?.operations ?? []);
}

/** Reports before the first write which operations are under way on targets of the run. */
export function announceForeign(run: Pick<Run, 'known' | 'tell'>, steps: readonly Step[]): void {
  const said = new Set<string>();
  for (const step of steps)
    for (const { id, action, status } of foreignBefore(run, step)) {
      if (said.has(id)) continue;
      said.add(id);
      const message = `waiting for the operation ${action} ${id}, which this run did not start (${status})`;
      warn(run, step, 'operation_under_way', message);
    }
}

export function busyElsewhere(step: Step): StepEnd {
  return failedBecause(step, 'busy', 'an operation that this run did not start was still running at the deadline');
}

/** Waits until the operations have ended, well or ill; false at the deadline. Rejects when no further step may start. */
export async function joinForeign(
  run: Run,
  step: Step,
  operations: readonly OperationRecord[],
  timing: Timing,
): Promise<boolean> {
  let over = operations;
  try {
    const options = { ...waitOptions(run, step, timing, true), signal: run.use.signals.admission };
    const { end, operations: seen } = await run.use.waiter.settled(operations, options);
    if (end === 'timed_out') return false;
    // A wait ends with the first failure, and other operations may still run.
    over = end === 'failed' ? seen.filter((operation) => !isBusy(operation)) : seen;
  } catch (error) {
    // A log that cannot be read holds up nothing, because the service refuses a conflicting request.
    failureOf(error);
  }
  for (const operation of over) run.known.joined.set(operation.id, operation);
  return true;
}
