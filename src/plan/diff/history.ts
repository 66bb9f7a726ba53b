// Reads the operation log of a resource: finds its last change, whether that change failed, and how to repair it.
import { attributeAt } from '../../model/attributes.ts';
import type { JsonObject } from '../../base/json.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { inert } from '../../base/text/inert.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../../model/live.ts';
import {
  hasFailed,
  hasSucceeded,
  isInDoubt,
  isOpen,
  isOvertaken,
  showsChanges,
} from '../../model/operations/operation.ts';
import type { Action, Block, LastOperation } from '../../model/outcome/plan.ts';
import { coversPath, withValue } from '../../model/values.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Binding } from '../match/match-state.ts';
import type { Scope } from '../scope.ts';
import { managedLeaves, type Difference } from './difference.ts';

/** Says how to repair a failed change: the plan sends the managed values again, even those that do not differ. */
interface Repair {
  readonly isNeeded: boolean;
  /** Empty if the file manages no value that can be sent. */
  readonly send: JsonObject;
  readonly restarts: boolean;
  readonly notes: readonly string[];
  readonly blockedBy: readonly Block[];
}

const NO_REPAIR: Repair = { isNeeded: false, send: {}, restarts: false, notes: [], blockedBy: [] };

export function repairOf(scope: Scope, { desired, live }: Binding, { held }: Difference): Repair {
  const failed = live === null ? null : failedBefore(scope, live);
  if (live === null || failed === null) return NO_REPAIR;
  const { rules } = scope;
  const { id, action, status, error } = failed;
  const words = `the last ${action} (${id}) ended as ${status}${error === null ? '' : `: ${error}`}`;
  // An idle resource applies its configuration at its next start, without an operation, so no repair is needed.
  const { current_state: state, pending_state: pending } = live.observed;
  if (state === 'idle' && pending !== 'active')
    return { ...NO_REPAIR, notes: [`${words}; the next start applies the configured values`] };
  const leaves = managedLeaves(desired).filter(({ path }) => {
    const { change, isOpen } = attributeAt(rules, path);
    const isSent = change === 'update' || change === 'move';
    return path !== 'name' && isSent && isOpen === undefined && !held.some((one) => coversPath(one.path, path));
  });
  const isEmpty = leaves.length === 0;
  const then = isEmpty
    ? ', and the file has no attribute to send again: write one, or change one by hand'
    : '; the managed attributes are sent again';
  return {
    isNeeded: true,
    send: leaves.reduce((send: JsonObject, { segments, value }) => withValue(send, segments, value), {}),
    restarts: leaves.some(({ path }) => attributeAt(rules, path).restarts),
    notes: [words + then],
    blockedBy: isEmpty ? ['refused'] : [],
  };
}

/** Returns the newest failed update, unless a newer operation applied the configuration. Suspensions and checks are ignored. */
function failedBefore({ rules, operations, history, nowMs }: Scope, live: LiveResource): OperationRecord | null {
  const { names, starts = {} } = rules.operations ?? {};
  const applies = [...(starts.update ?? []), ...(names === 'itself' ? (starts.create ?? []) : [])];
  const own = operations.get(live.id) ?? [];
  const isOver = ({ createdAtMs: failedAtMs }: OperationRecord): boolean =>
    (history?.operations ?? []).some(
      (one) =>
        rules.operations?.repairs?.(one) === live.id &&
        hasSucceeded(one) &&
        (one.createdAtMs ?? 0) > (failedAtMs ?? Infinity),
    );
  for (const one of own) {
    // The service tries this operation again, so its end is not known yet.
    if (hasFailed(one) && (one.retryAtMs ?? 0) > nowMs) return null;
    if (hasFailed(one) && (starts.update ?? applies).includes(one.action)) return isOver(one) ? null : one;
    if (applies.includes(one.action) && !hasFailed(one)) return null;
  }
  return null;
}

/** Returns the wall time of the resource's last change; null if the service does not show it. */
function changedAtMs({ operations }: KindRules, { observed }: LiveResource): number | null {
  return operations === undefined || operations.names === 'parent' ? null : millisecondsOf(observed['updated_at']);
}

function isUpdate({ operations }: Pick<KindRules, 'operations'>, { action }: OperationRecord): boolean {
  return operations?.starts.update?.includes(action) === true;
}

/** If an operation was not updated for longer than this, its doubtful status counts as final. */
const DOUBT_LASTS_MS = 600_000;

export const LAST_CHANGE_UNKNOWN = 'it is not known whether the last change failed';

/**
 * Says why the outcome of the last change is in doubt. `unread`: the outcome is not known yet · `note`: the outcome will never be known.
 * Both are null if the log shows the outcome or was not read.
 */
export function lastChangeDoubt(
  { rules, operations, history, nowMs }: Scope,
  live: LiveResource,
): { readonly unread: string | null; readonly note: string | null } {
  const own = operations.get(live.id) ?? [];
  const last = own.find((one) => isUpdate(rules, one));
  if (last !== undefined && isInDoubt(last) && !isOvertaken(last, own)) {
    const isFinal = nowMs - (last.updatedAtMs ?? last.createdAtMs ?? nowMs) > DOUBT_LASTS_MS;
    const words = `the last ${last.action} (${last.id}) is ${isFinal ? 'still ' : ''}${inert(last.status, 40)}`;
    return isFinal
      ? { unread: null, note: `${LAST_CHANGE_UNKNOWN}: ${words}` }
      : { unread: `${words}, so the outcome is not known`, note: null };
  }
  if (history === null || history.complete || tellsLastChange(rules, live, history.operations))
    return { unread: null, note: null };
  const read = 'the operations of the project that were read';
  return { unread: null, note: `${LAST_CHANGE_UNKNOWN}: the change is not among ${read}` };
}

/** True if the log shows the resource's last change, or reaches back to its creation. */
export function tellsLastChange(
  rules: Pick<KindRules, 'operations'>,
  { id, createdAtMs }: LiveResource,
  operations: readonly OperationRecord[],
): boolean {
  // If a change of the kind does not always start an operation, a log without one raises no doubt.
  if (!showsChanges(rules) || operations.some((one) => one.resourceId === id && isUpdate(rules, one))) return true;
  return createdAtMs !== null && operations.some((one) => one.createdAtMs !== null && one.createdAtMs <= createdAtMs);
}

/** Returns the newest operation that an update (for the action `restart`: a restart) may have started: the likely cause of the live state. */
export function lastOperationOf({ rules, operations }: Scope, id: ResourceId, action: Action): LastOperation | null {
  if (!showsChanges(rules)) return null;
  const starts = rules.operations?.starts[action === 'restart' ? 'restart' : 'update'];
  const operation = operations.get(id)?.find((one) => starts?.includes(one.action) === true);
  if (operation === undefined) return null;
  const { id: operationId, action: word, createdAtMs } = operation;
  return { id: operationId, action: word, at: createdAtMs === null ? null : isoTime(createdAtMs) };
}

/** The clocks of a service may differ by this much. */
const SLACK_MS = 5_000;

/** Returns the time of the last change if no operation explains it, else null. Also null if the resource is new, or the log starts later. */
export function changedWithoutOperation({ history, rules, operations }: Scope, live: LiveResource): string | null {
  const atMs = changedAtMs(rules, live);
  if (history === null || atMs === null) return null;
  if (live.createdAtMs !== null && atMs - live.createdAtMs <= SLACK_MS) return null;
  const reaches = history.complete || history.operations.some(({ createdAtMs }) => (createdAtMs ?? atMs) < atMs);
  const own = operations.get(live.id) ?? [];
  return reaches && !own.some((operation) => mayHaveMade(operation, atMs)) ? isoTime(atMs) : null;
}

function mayHaveMade({ createdAtMs, updatedAtMs }: OperationRecord, atMs: number): boolean {
  return createdAtMs !== null && createdAtMs - SLACK_MS <= atMs && atMs <= (updatedAtMs ?? createdAtMs) + SLACK_MS;
}

/** Replaces the members in which operations of one resource, action and status differ, so that such operations become equal. */
const OF_ONE = { id: '', failuresCount: 0, error: null, retryAtMs: null, createdAtMs: null, updatedAtMs: null };

/**
 * Keeps the part of a log that plans use: open operations, and the newest for each resource, action and status. The oldest stays, too,
 * because it shows how far back the log reaches. `operations` are sorted newest first.
 */
export function usedOf({ operations, complete }: OperationHistory): OperationHistory {
  const seen = new Set<string>();
  const isUsed = (operation: OperationRecord, at: number): boolean => {
    const sort = JSON.stringify({ ...operation, ...OF_ONE });
    const isNewest = !seen.has(sort);
    seen.add(sort);
    return isNewest || isOpen(operation) || at === operations.length - 1;
  };
  return { operations: operations.filter(isUsed), complete };
}
