// Operations of an earlier run that were still under way when the account was read: their end decides whether what was read holds.
import { isBusy, isOpen } from '../../model/operations/status.ts';
import { isExpected } from '../../client/failure.ts';
import type { Address } from '../../model/address.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { OperationRecord } from '../../model/live.ts';
import { mayHaveStarted } from '../../model/operations/table.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { DEFAULT_STEP_TIMEOUT_MS, type ApplyParts } from '../parts.ts';
import { kindOf } from '../../kinds/index.ts';
import type { ApplyRequest } from '../types.ts';

export interface Joined {
  /** Projects in which there were any: what was read of them before is no longer proof. */
  readonly projects: ReadonlySet<string>;
  /** Addresses of which operations were still running when the wait ended. */
  readonly running: readonly Address[];
}

export const NOTHING_JOINED: Joined = { projects: new Set(), running: [] };

/** Waits for the operations that concern managed resources that no step of the plan acts on (a step waits for its own). */
export async function joinRunning(
  { session, options }: ApplyParts,
  request: ApplyRequest,
  run: { readonly emit: (event: ApplyEvent) => void; readonly deadlineMs: number | null },
): Promise<Joined> {
  const longestMs = options.stepTimeoutMs ?? DEFAULT_STEP_TIMEOUT_MS;
  const running = runningOf(request, session.serverClock.nowMs() - Math.max(longestMs, DEFAULT_STEP_TIMEOUT_MS));
  const deadlineMs = Math.min(session.clock.monotonicMs() + longestMs, run.deadlineMs ?? Infinity);
  const signal = request.stop?.soft ?? new AbortController().signal;
  for (const { operation, address } of running) {
    const { id, action, status } = operation;
    const message = `waiting for ${action} ${id} of an earlier run or of somebody else (${status})`;
    const diagnostic = { severity: 'warning', code: 'operation_under_way', message, address } as const;
    run.emit({ type: 'diagnostic', atMs: session.clock.nowMs(), diagnostic });
  }
  const projects = new Set(running.map(({ operation }) => operation.projectId));
  const waits = [...projects].map(async (projectId) => {
    const awaited = running.filter(({ operation }) => operation.projectId === projectId);
    const { end, operations } = await session.waiter.settled(
      awaited.map(({ operation }) => operation),
      { deadlineMs, signal },
    );
    const open = new Set(end === 'timed_out' ? operations.filter(isOpen).map(({ id }) => id) : []);
    return awaited.flatMap(({ operation, address }) => (open.has(operation.id) ? [address] : []));
  });
  const stillRunning: Address[] = [];
  for (const wait of await Promise.allSettled(waits))
    if (wait.status === 'fulfilled') stillRunning.push(...wait.value);
    // What cannot be followed is judged by what is read next.
    else if (!isExpected(wait.reason, signal)) throw wait.reason;
  return { projects, running: stillRunning };
}

interface Running {
  readonly operation: OperationRecord;
  readonly address: Address;
}

function runningOf({ plan, reading }: ApplyRequest, sinceMs: number): readonly Running[] {
  const acted = new Set(plan.steps.flatMap(({ expects }) => (expects.state === 'present' ? [expects.id] : [])));
  const managed = plan.changes.filter(({ resourceId }) => resourceId === null || !acted.has(resourceId));
  return [...(reading?.live.histories.values() ?? [])].flatMap(({ operations }) =>
    operations.flatMap((operation): Running[] => {
      // What is older than any wait hangs: it holds nothing up.
      const isRecent = isBusy(operation) && (operation.createdAtMs ?? 0) > sinceMs;
      const change = isRecent ? managed.find((one) => isAboutChange(operation, one)) : undefined;
      return change === undefined ? [] : [{ operation, address: change.address }];
    }),
  );
}

/** True also where it may be about what is gone by now: that lay on the same branch. */
function isAboutChange(operation: OperationRecord, { kind, resourceId, projectId, parentId }: Change): boolean {
  if (operation.projectId !== projectId) return false;
  const { operations: table } = kindOf(kind).remote;
  return table !== undefined && mayHaveStarted(table, null, { id: resourceId ?? '', parentId }, operation);
}
