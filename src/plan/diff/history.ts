// The facts that the operation log shows about a resource.
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { inert } from '../../base/text/inert.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../../model/live.ts';
import { hasFailed, isInDoubt, isOvertaken } from '../../model/operations/status.ts';
import type { Action, LastOperation, StepAction } from '../../model/outcome/plan.ts';
import { showsChanges } from '../../model/operations/table.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/**
 * The newest operation of the resource, if it failed. A later operation that applies the configuration ends the failure; a suspension or
 * a check does not.
 */
export function failedBefore({ rules, operations }: Scope, live: LiveResource): OperationRecord | null {
  const { names, starts = {} } = rules.operations ?? {};
  const isNamed = names === 'itself';
  const applies = [...(starts.update ?? []), ...(isNamed ? (starts.create ?? []) : [])];
  const counts = starts.update ?? applies;
  for (const one of operations.get(live.id) ?? []) {
    if (hasFailed(one) && counts.includes(one.action)) return isRepaired(rules, live, operations, one) ? null : one;
    if (applies.includes(one.action) && !hasFailed(one)) return null;
  }
  return null;
}

function lastCarriedOut({ rules, operations }: Scope, { id }: LiveResource): OperationRecord | null {
  return operations.get(id)?.find(({ action }) => startedBy(rules, 'update', action)) ?? null;
}

function startedBy({ operations }: Pick<KindRules, 'operations'>, action: StepAction, started: string): boolean {
  return operations?.starts[action]?.includes(started) === true;
}

/** An operation's status may be in doubt for so long before it counts as final. */
const DOUBT_LASTS_MS = 600_000;

/** The reason why the end of the last change is not known yet; null if it is known, or will never be. */
export function lastChangeInDoubt(scope: Scope, live: LiveResource): string | null {
  const last = lastDoubtful(scope, live);
  if (last === null || isLeftInDoubt(scope, last)) return null;
  return `the last ${last.action} (${last.id}) is ${inert(last.status, 40)}, so the outcome is not known`;
}

function lastDoubtful(scope: Scope, live: LiveResource): OperationRecord | null {
  const last = lastCarriedOut(scope, live);
  const own = scope.operations.get(live.id) ?? [];
  return last === null || !isInDoubt(last) || isOvertaken(last, own) ? null : last;
}

function isLeftInDoubt({ nowMs }: Scope, { updatedAtMs, createdAtMs }: OperationRecord): boolean {
  return nowMs - (updatedAtMs ?? createdAtMs ?? nowMs) > DOUBT_LASTS_MS;
}

/**
 * A change without an operation leaves a failed operation the newest for ever. The failure is over if the resource was changed since then
 * without an operation.
 */
function isRepaired(
  rules: KindRules,
  live: LiveResource,
  operations: Scope['operations'],
  { updatedAtMs: failedAtMs }: OperationRecord,
): boolean {
  const atMs = changedAtMs(rules, live);
  if (rules.operations?.mayStartNone !== true || failedAtMs === null || atMs === null || atMs <= failedAtMs)
    return false;
  return !(operations.get(live.id) ?? []).some((operation) => mayHaveMade(operation, atMs, GRAIN_MS));
}

/** The time of the resource's last change (wall time); null if the service does not show it. */
function changedAtMs({ operations }: KindRules, { observed }: LiveResource): number | null {
  return operations === undefined || operations.names === 'parent' ? null : millisecondsOf(observed['updated_at']);
}

/** The beginning of the note that the log does not show whether the last change failed. */
export const LAST_CHANGE_UNKNOWN = 'it is not known whether the last change failed';

/** True if the log shows the resource's last change, or reaches back to its creation. */
export function tellsLastChange(
  rules: Pick<KindRules, 'operations'>,
  { id, createdAtMs }: LiveResource,
  operations: readonly OperationRecord[],
): boolean {
  // The log of another kind may have no operation at all.
  if (!showsChanges(rules)) return true;
  if (operations.some((one) => one.resourceId === id && startedBy(rules, 'update', one.action))) return true;
  return createdAtMs !== null && operations.some((one) => one.createdAtMs !== null && one.createdAtMs <= createdAtMs);
}

/** The note that the log does not show the end of the last change; null if it does, or if the log was not read. */
export function lastChangeUnknown(scope: Scope, live: LiveResource): string | null {
  const { rules, history } = scope;
  const uncertain = lastDoubtful(scope, live);
  if (uncertain !== null && isLeftInDoubt(scope, uncertain))
    return `${LAST_CHANGE_UNKNOWN}: the last ${uncertain.action} (${uncertain.id}) is still ${inert(uncertain.status, 40)}`;
  if (history === null || isTold(rules, live, history)) return null;
  return `${LAST_CHANGE_UNKNOWN}: the change is not among the last ${history.operations.length} operations of the project`;
}

function isTold(rules: KindRules, live: LiveResource, { complete, operations }: OperationHistory): boolean {
  return complete || tellsLastChange(rules, live, operations);
}

/** The newest operation that `action` may have started on the resource: the likely cause of the live state. */
export function lastOperationOf(scope: Scope, id: ResourceId, action: Action): LastOperation | null {
  if (!showsChanges(scope.rules)) return null;
  const change = action === 'restart' ? 'restart' : 'update';
  const operation = scope.operations.get(id)?.find((one) => startedBy(scope.rules, change, one.action));
  if (operation === undefined) return null;
  const { id: operationId, action: word, createdAtMs } = operation;
  return { id: operationId, action: word, at: createdAtMs === null ? null : isoTime(createdAtMs) };
}

/** The clocks of a service may differ by seconds. */
const SLACK_MS = 5_000;

/** Some services write times in whole seconds. */
const GRAIN_MS = 1_000;

/**
 * The time of the last change, if no operation explains it: an idle resource changes without one. Null if an operation explains the
 * change, if the resource is new, or if the log does not show it.
 */
export function changedWithoutOperation(scope: Scope, live: LiveResource): string | null {
  const { history, rules, operations } = scope;
  const atMs = changedAtMs(rules, live);
  if (history === null || atMs === null) return null;
  if (live.createdAtMs !== null && atMs - live.createdAtMs <= SLACK_MS) return null;
  const reaches = history.complete || history.operations.some(({ createdAtMs }) => (createdAtMs ?? atMs) < atMs);
  const own = operations.get(live.id) ?? [];
  return reaches && !own.some((operation) => mayHaveMade(operation, atMs, SLACK_MS)) ? isoTime(atMs) : null;
}

/** True if the operation may have made a change at that time. */
function mayHaveMade({ createdAtMs, updatedAtMs }: OperationRecord, atMs: number, slackMs: number): boolean {
  return createdAtMs !== null && createdAtMs - slackMs <= atMs && atMs <= (updatedAtMs ?? createdAtMs) + slackMs;
}
