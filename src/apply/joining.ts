// Operations of others (or of an earlier run) on what a step is about to change: noticed, said, and waited for.
import { ApiFailure } from '../client/failure.ts';
import type { OperationRecord } from '../model/live.ts';
import type { Step } from '../model/plan.ts';
import { waitOptions } from './await-operations.ts';
import type { Timing } from './await-operations.ts';
import { isUnderWay } from './operation-log.ts';
import type { Run } from './run.ts';

/** Operations under way on the resource that `step` acts on, as the log showed before the run. */
function foreignOperations(run: Pick<Run, 'histories'>, step: Step): readonly OperationRecord[] {
  const { expects, projectId } = step;
  if (expects.state !== 'present' || projectId === null) return [];
  const operations = run.histories.get(projectId)?.operations ?? [];
  return operations.filter((operation) => operation.resourceId === expects.id && isUnderWay(operation));
}

/** Says before the first write what is under way on the targets of the run. */
export function announceForeign(run: Pick<Run, 'histories' | 'emit'>, steps: readonly Step[]): void {
  const said = new Set<string>();
  for (const step of steps)
    for (const { id, action, status } of foreignOperations(run, step)) {
      if (said.has(id)) continue;
      said.add(id);
      const message = `${action} ${id} of an earlier run or of somebody else is ${status}; it is waited for`;
      run.emit({
        type: 'diagnostic',
        diagnostic: { severity: 'warning', code: 'operation_under_way', message, address: step.address },
      });
    }
}

/** Waits until they have ended, however they end. False at the deadline. Nothing is sent yet: rejects when no further step may start. */
export async function joinForeign(run: Run, step: Step, timing: Timing): Promise<boolean> {
  const operations = foreignOperations(run, step);
  if (operations.length === 0) return true;
  try {
    const options = { ...waitOptions(run, step, timing, true), signal: run.signals.admission };
    const outcome = await run.waiter.settled(operations, options);
    return outcome.end !== 'timed_out';
  } catch (error) {
    // A log that cannot be read holds nothing up: the service itself refuses what conflicts.
    if (error instanceof ApiFailure && error.status !== 401) return true;
    throw error;
  }
}
