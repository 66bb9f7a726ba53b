// Verifies a run by the plan that is made after it.
import { canonicalJson } from '../../base/json.ts';
import { scopeOf } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import { isWhole, type Change, type Plan, type Step } from '../../model/outcome/plan.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';
import type { ExecutionReport } from '../run/run.ts';

/** The result of verifying. `remaining` are the addresses that still differ. */
export interface Verification {
  readonly converged: boolean;
  /** No difference is left, although an operation under way may still change that. */
  readonly matches?: boolean;
  /** Guards block all that is left. */
  readonly heldBack?: boolean;
  readonly remaining: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the executed plan with the next one: a difference is either not applied, although accepted, or new, from somebody else. */
export function verifyByPlan(executed: Plan, outcomes: readonly StepResult[], after: Plan): Verification {
  // The next run revokes the predecessor of a key that this run rotated.
  const succeeded = new Set(
    outcomes.filter(({ action, outcome }) => action === 'rotate' && isWell(outcome)).map(({ address }) => address),
  );
  const isPredecessor = ({ action, address }: Step | Change): boolean => action === 'revoke' && succeeded.has(address);
  const steps = after.steps.filter((step) => !isPredecessor(step));
  const addresses = new Set(steps.map(({ address }) => address));
  const finished = new Set(outcomes.filter(({ outcome }) => outcome === 'done').map(({ address }) => address));
  const unfinished = new Set(outcomes.filter(({ outcome }) => !isWell(outcome)).map(({ address }) => address));
  const before = new Map(executed.changes.map((change) => [change.address, change]));
  const differing = after.changes;
  const made = new Map(
    outcomes.flatMap(({ action, outcome, address, resourceId }) =>
      action === 'create' && outcome === 'done' && resourceId !== null ? [[address, resourceId] as const] : [],
    ),
  );
  const unread = unreadIn(executed);
  const diagnostics: Diagnostic[] = [];
  for (const change of differing) {
    if (change.action === 'none' || !addresses.has(change.address) || unfinished.has(change.address)) continue;
    const planned = before.get(change.address);
    const missing = change.action === 'create' ? made.get(change.address) : undefined;
    if (missing !== undefined) diagnostics.push(notListed(change, missing));
    else
      diagnostics.push(
        finished.has(change.address) && planned !== undefined
          ? notApplied(change, planned)
          : changedMeanwhile(change, planned?.blockedBy.includes('unread') ?? unread.has(scopeOf(change.address))),
      );
  }
  // A step that a guard blocked during the run is counted as that already.
  const heldBack = differing.filter(
    (change) =>
      isHeldBack(change) &&
      !isHeldBack(before.get(change.address)) &&
      !unfinished.has(change.address) &&
      !isPredecessor(change),
  );
  const isOver = steps.length === 0 && isWhole(after);
  return {
    converged: isOver && heldBack.length === 0,
    ...(isOver && heldBack.length > 0 ? { heldBack: true } : {}),
    remaining: [...new Set([...addresses, ...heldBack.map(({ address }) => address)])].sort(),
    diagnostics: [
      ...diagnostics,
      ...heldBack.map(heldBackSince),
      // The next plan repeats those of addresses that still differ.
      ...firstSaid(executed, after, unread).filter(({ address = '' }) => !addresses.has(address)),
    ],
  };
}

/** The diagnostics of parts that the executed plan could not read. */
function firstSaid(executed: Plan, after: Plan, unread: ReadonlySet<string>): readonly Diagnostic[] {
  const keyOf = ({ code, address = '', message }: Diagnostic): string => `${code} ${address} ${message}`;
  const said = new Set(executed.diagnostics.map(keyOf));
  const found = [
    ...after.diagnostics.filter(({ address }) => address !== undefined && unread.has(scopeOf(address))),
    ...after.unplanned.flatMap(({ project, diagnostics }) => (unread.has(project) ? diagnostics : [])),
  ];
  return found.filter((diagnostic) => !said.has(keyOf(diagnostic)));
}

/** The labels of projects, and the sections, that a plan did not read completely. */
function unreadIn({ unread }: Plan): ReadonlySet<string> {
  return new Set(unread.flatMap(({ what, part }) => (part === undefined ? [scopeOf(what)] : [])));
}

function isHeldBack(change: Change | undefined): boolean {
  return change !== undefined && change.action !== 'none' && !change.due && change.blockedBy.length > 0;
}

function heldBackSince(change: Change): Diagnostic {
  return {
    severity: 'warning',
    code: 'held_back',
    message: `the live state differs (${change.action}), and the change is blocked: ${[...change.blockedBy, ...change.notes].join('; ')}`,
    hint: 'Run trueup plan to see how to lift the block.',
    address: change.address,
  };
}

export function isWell(outcome: StepResult['outcome']): boolean {
  return outcome === 'done' || outcome === 'satisfied';
}

function notListed({ address, source }: Change, id: ResourceId): Diagnostic {
  return {
    severity: 'error',
    code: 'not_listed',
    message: `the service accepted the create, but its list does not show ${id}`,
    hint: 'Run trueup plan before trueup apply: if the list lags, apply would create a second resource.',
    address,
    ...(source === null ? {} : { range: source }),
  };
}

function notApplied(change: Change, planned: Change): Diagnostic {
  const asked = new Set(planned.attributes.map(({ path }) => path));
  const held = change.attributes.filter(({ path }) => asked.has(path) || planned.action === 'create');
  const words = held.map(
    ({ path, before, after }) => `${path} is ${canonicalJson(before)}, not ${canonicalJson(after)}`,
  );
  if (words.length === 0 && change.origin === 'last_operation_failed') return notProved(change);
  return {
    severity: 'error',
    code: 'not_applied',
    message: `the service accepted the ${planned.action}, but the live state differs: ${words.join('; ') || `a new plan still has the ${change.action}`}`,
    hint: 'Somebody else may be changing the value back, or the service does not support the value. To leave the attribute to others, write lifecycle.ignore.',
    address: change.address,
    ...(change.source === null ? {} : { range: change.source }),
  };
}

/** The log of a resource at rest may not show a request of the same second. */
function notProved({ address, source }: Change): Diagnostic {
  return {
    severity: 'error',
    code: 'not_applied',
    message: 'the service accepted the request, but the operation log still ends with the failed operation',
    hint: 'Wait a few seconds, then run trueup apply again: the operation log shows only whole seconds.',
    address,
    ...(source === null ? {} : { range: source }),
  };
}

function changedMeanwhile(change: Change, wasUnread: boolean): Diagnostic {
  return {
    severity: 'warning',
    code: wasUnread ? 'not_planned' : 'changed_meanwhile',
    message: wasUnread
      ? `the live state differs (${change.action}), and trueup could not read the resource completely when the plan was made`
      : `the live state differs again (${change.action}), and no step of this run caused it`,
    hint: 'Run trueup apply again.',
    address: change.address,
  };
}

export interface StatusInput {
  readonly halted: ExecutionReport['halted'];
  readonly result: RunResult;
  readonly verification: Verification | null;
  /** A signal to stop came. */
  readonly isStopped?: boolean;
}

/** The first of these that holds: interrupted, stale, incomplete, blocked, converged. */
export function statusOf({ halted, result, verification, isStopped = false }: StatusInput): RunStatus {
  const isReadBack = verification?.diagnostics.some(({ code }) => code === 'not_verified') !== true;
  if (halted === 'interrupted' || (isStopped && !isReadBack)) return 'interrupted';
  if (halted === 'stale') return 'stale';
  const { failed, unknown, timedOut, skipped, notStarted, blocked } = result.counts;
  if (failed + unknown + timedOut + skipped + notStarted > 0 || halted !== null) return 'incomplete';
  if (verification?.converged !== true) return verification?.heldBack === true ? 'blocked' : 'incomplete';
  if (result.upkeep.some(({ outcome }) => outcome === 'failed')) return isStopped ? 'interrupted' : 'incomplete';
  return blocked > 0 ? 'blocked' : 'converged';
}
