// What a read-back reads, and reads again while the account does not show what it has acknowledged: lists lag behind writes, and operations take their time.
import { isBusy } from '../../model/operations/status.ts';
import type { Clock } from '../../base/time/clock.ts';
import { isExpected } from '../../client/failure.ts';
import type { OperationWaiter } from '../../client/operations/waiting.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { OperationHistory, OperationRecord } from '../../model/live.ts';
import type { Plan, StepAction } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import type { KnownReading } from '../../apply/read/read-input.ts';
import type { Joined } from '../applying/join-running.ts';
import type { ApplyRequest } from '../types.ts';

/** Pauses between looks: fifteen and a half seconds in all, and none where the first look shows everything. */
export const SETTLE_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000];

export interface Look<T> {
  readonly value: T;
  /** Ids of the projects (null: the account) in which something that was acknowledged does not show. */
  readonly unsettled: ReadonlySet<string | null>;
  /** Operations that no reply named, under way on what was changed. */
  readonly running: readonly OperationRecord[];
}

interface Patience {
  readonly clock: Clock;
  readonly waiter: OperationWaiter;
  /** Monotonic: no pause and no wait lasts longer. */
  readonly deadlineMs: number;
  /** Aborted: what the last look showed has to do. */
  readonly signal: AbortSignal;
}

/** The last look: the first one that shows all, or that at the end of the patience. `again` reads the named projects. */
export async function settled<T>(
  first: Look<T>,
  again: (projects: ReadonlySet<string | null>) => Promise<Look<T>>,
  { clock, waiter, deadlineMs, signal }: Patience,
): Promise<T> {
  let look = first;
  const awaited = new Set<string>();
  const pauses = [...SETTLE_PAUSES_MS];
  for (;;) {
    const fresh = look.running.filter(({ id }) => !awaited.has(id));
    const projects = new Set([...look.unsettled, ...fresh.map(({ projectId }) => projectId)]);
    if (projects.size === 0 || signal.aborted) return look.value;
    const pauseMs = pauses[0] ?? Infinity;
    if (fresh.length > 0) await waitForEnd(waiter, fresh, { deadlineMs, signal });
    else {
      pauses.shift();
      if (clock.monotonicMs() + pauseMs > deadlineMs) return look.value;
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
    for (const { id } of fresh) awaited.add(id);
    if (signal.aborted) return look.value;
    look = await again(projects);
  }
}

/** What cannot be followed is judged by the next look. */
async function waitForEnd(
  waiter: OperationWaiter,
  operations: readonly OperationRecord[],
  options: Pick<Patience, 'deadlineMs' | 'signal'>,
): Promise<void> {
  const projects = new Set(operations.map(({ projectId }) => projectId));
  const waits = [...projects].map(async (id) =>
    waiter.settled(
      operations.filter(({ projectId }) => projectId === id),
      options,
    ),
  );
  for (const wait of await Promise.allSettled(waits))
    if (wait.status === 'rejected' && !isExpected(wait.reason, options.signal)) throw wait.reason;
}

/** Operations under way on these resources, by what was read of the logs. */
export function runningOn(
  histories: ReadonlyMap<string, OperationHistory>,
  ids: ReadonlySet<string>,
): readonly OperationRecord[] {
  return [...histories.values()].flatMap(({ operations }) =>
    operations.filter((operation) => ids.has(operation.resourceId ?? '') && isBusy(operation)),
  );
}

/** The projects (null: the account) of those addresses of which a step was done. */
export function projectsOf(
  { steps }: Plan,
  { steps: outcomes }: RunResult,
  addresses: readonly Address[],
): ReadonlySet<string | null> {
  const late = new Set(addresses);
  const done = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : [])));
  return new Set(steps.flatMap(({ id, address, projectId }) => (done.has(id) && late.has(address) ? [projectId] : [])));
}

/** Addresses, by id, of what was changed without an operation that could be followed: only the log tells whether there was one. */
export function unreportedIds({ steps }: RunResult): ReadonlyMap<ResourceId, Address> {
  return new Map(
    steps.flatMap(({ action, outcome, operations, resourceId, address }) =>
      CHANGES.has(action) && outcome === 'done' && operations.length === 0 && resourceId !== null
        ? [[resourceId, address] as const]
        : [],
    ),
  );
}

const CHANGES: ReadonlySet<StepAction> = new Set(['update', 'move']);

/** What the plan's own reading still tells; nothing when a part of it failed, for then nobody knows what that part holds. */
export function knownOf({ plan, reading }: ApplyRequest, joined: Joined): KnownReading | null {
  if (reading === null || reading.live.unread.length > 0) return null;
  const changed = new Set([...joined.projects, ...plan.steps.map(({ projectId }) => projectId)]);
  return { live: reading.live, changed };
}

/**
 * Ids of the projects whose logs decide as well: where a log was unread, where operations of others were waited for, and where a
 * change that had failed was sent again and no operation of it was followed to its end.
 */
export function logsToJudge({ plan, reading }: ApplyRequest, result: RunResult, joined: Joined): ReadonlySet<string> {
  const followed = new Set(
    result.steps.flatMap(({ address, outcome, operations }) =>
      outcome === 'done' && operations.length > 0 ? [address] : [],
    ),
  );
  const unproven = plan.changes.filter(
    ({ origin, action, address }) => origin === 'last_operation_failed' && action !== 'none' && !followed.has(address),
  );
  const unlogged = (reading?.live.unread ?? []).filter(({ part }) => part !== undefined);
  const unreported = new Set(unreportedIds(result).values());
  const unfollowed = plan.steps.filter(({ address }) => unreported.has(address));
  const open = [...unproven, ...unlogged, ...unfollowed].flatMap(({ projectId }) => projectId ?? []);
  return new Set([...joined.projects, ...open]);
}
