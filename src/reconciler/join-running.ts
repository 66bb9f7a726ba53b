// Operations of an earlier run that were still under way when the account was read: their end decides whether what was read holds.
import { isUnderWay } from '../apply/operation-log.ts';
import { ApiFailure } from '../client/failure.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { OperationRecord } from '../model/live.ts';
import type { ApplyParts } from './parts.ts';
import type { ApplyRequest } from './types.ts';

const LONGEST_MS = 600_000;

/**
 * Waits for the operations of managed resources that no step of the plan acts on (a step waits for its own). True when there were
 * any: then what was read before is no longer proof.
 */
export async function joinRunning(
  { line, options }: ApplyParts,
  request: ApplyRequest,
  emit: (event: ApplyEvent) => void,
): Promise<boolean> {
  const longestMs = options.stepTimeoutMs ?? LONGEST_MS;
  const running = runningOf(request, line.clock.nowMs() - longestMs);
  const deadlineMs = line.clock.monotonicMs() + longestMs;
  const signal = request.stop?.soft ?? new AbortController().signal;
  for (const { operation, address } of running) {
    const { id, action, status } = operation;
    const message = `${action} ${id} of an earlier run or of somebody else is ${status}; it is waited for`;
    const diagnostic = { severity: 'warning', code: 'operation_under_way', message, address } as const;
    emit({ type: 'diagnostic', atMs: line.clock.nowMs(), diagnostic });
  }
  const projects = [...new Set(running.map(({ operation }) => operation.projectId))];
  const waits = projects.map(async (projectId) =>
    line.waiter.settled(
      running.flatMap(({ operation }) => (operation.projectId === projectId ? [operation] : [])),
      { deadlineMs, signal },
    ),
  );
  for (const wait of await Promise.allSettled(waits))
    // What cannot be followed is judged by what is read next.
    if (wait.status === 'rejected' && !(wait.reason instanceof ApiFailure) && !signal.aborted) throw wait.reason;
  return running.length > 0;
}

interface Running {
  readonly operation: OperationRecord;
  readonly address: string;
}

function runningOf({ plan, reading }: ApplyRequest, sinceMs: number): readonly Running[] {
  const acted = new Set(plan.steps.flatMap(({ expects }) => (expects.state === 'present' ? [expects.id] : [])));
  const managed = new Map(
    plan.changes.flatMap(({ resourceId, address }) =>
      resourceId === null || acted.has(resourceId) ? [] : [[resourceId, address] as const],
    ),
  );
  return [...(reading?.live.histories.values() ?? [])].flatMap(({ operations }) =>
    operations.flatMap((operation): Running[] => {
      const address = operation.resourceId === null ? undefined : managed.get(operation.resourceId);
      // What is older than any wait hangs: it holds nothing up.
      const isRecent = isUnderWay(operation) && (operation.createdAtMs ?? 0) > sinceMs;
      return address === undefined || !isRecent ? [] : [{ operation, address }];
    }),
  );
}
