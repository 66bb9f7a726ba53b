// Verifies a run by a plan that is made after it, and derives the status of the run.
import { canonicalJson } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import { scopeOf } from '../../model/address.ts';
import { errorOf, warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import { isWhole, type Change, type Plan, type Step } from '../../model/outcome/plan.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';
import type { ExecutionReport } from '../run/run.ts';

export interface Verification {
  readonly converged: boolean;
  /** True if no difference is left, although a running operation may still make one. */
  readonly matches?: boolean;
  /** True if guards block every remaining change. */
  readonly heldBack?: boolean;
  readonly remaining: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the executed plan with a plan made after the run, and reports why each remaining difference exists. */
export function verifyByPlan(executed: Plan, outcomes: readonly StepResult[], after: Plan): Verification {
  const addressesOf = (isWanted: (step: StepResult) => boolean): ReadonlySet<string> =>
    new Set(outcomes.filter(isWanted).map(({ address }) => address));
  const done = addressesOf(({ outcome }) => outcome === 'done');
  const unfinished = addressesOf(({ outcome }) => !isWell(outcome));
  const rotated = addressesOf(({ action, outcome }) => action === 'rotate' && isWell(outcome));
  // Not a difference: the next run revokes the predecessor of a key that this run rotated.
  const isPredecessor = ({ action, address }: Step | Change): boolean => action === 'revoke' && rotated.has(address);
  const steps = after.steps.filter((step) => !isPredecessor(step));
  const differing = new Set(steps.map(({ address }) => address));
  const before = new Map(executed.changes.map((change) => [change.address, change]));
  const isSaid = ({ code, address }: Diagnostic): boolean =>
    executed.diagnostics.some((one) => one.code === code && one.address === address);
  const unread = new Set(executed.unread.flatMap(({ what, part }) => (part === undefined ? [scopeOf(what)] : [])));
  const diagnosticOf = (change: Change): Diagnostic => {
    const { action, address } = change;
    const made = outcomes.find((one) => one.address === address && one.action === 'create' && one.outcome === 'done');
    const planned = before.get(address);
    if (action === 'create' && typeof made?.resourceId === 'string') return notListed(change, made.resourceId);
    if (done.has(address) && planned !== undefined) return notApplied(change, planned);
    return notPlanned(change);
  };
  const open = after.changes.filter((change) => !unfinished.has(change.address) && !isPredecessor(change));
  // Keeps only changes that the executed plan did not block, because the result of the run already counts the blocked ones.
  const wasHeldBack = new Set(executed.changes.filter(isHeldBack).map(({ address }) => address));
  const heldBack = open.filter((change) => isHeldBack(change) && !wasHeldBack.has(change.address));
  const isOver = steps.length === 0 && isWhole(after) && executed.unplanned.length === 0;
  return {
    converged: isOver && heldBack.length === 0,
    ...(isOver && heldBack.length > 0 ? { heldBack: true } : {}),
    remaining: [...new Set([...differing, ...heldBack.map(({ address }) => address)])].sort(),
    diagnostics: [
      ...open
        .filter((change) => change.action !== 'none' && !isHeldBack(change) && differing.has(change.address))
        .map(diagnosticOf),
      ...heldBack.map(heldBackSince),
      // Adds the problems of projects that could not be read for the executed plan: that plan did not report these problems.
      ...after.diagnostics.filter((one) => unread.has(scopeOf(one.address ?? '')) && !isSaid(one)),
    ],
  };
}

function isHeldBack({ action, due, blockedBy }: Change): boolean {
  return action !== 'none' && !due && blockedBy.length > 0;
}

export function isWell(outcome: StepResult['outcome']): boolean {
  return outcome === 'done' || outcome === 'satisfied';
}

function errorAt({ address, source }: Change, code: string, message: string, hint: string): Diagnostic {
  return errorOf(code, message, hint, { address, ...present({ range: source }) });
}

function notListed(change: Change, id: string): Diagnostic {
  const message = `the service accepted the create, but its list does not show ${id}`;
  const hint = 'Run trueup plan before trueup apply: if the list lags, apply would create a second resource.';
  return errorAt(change, 'not_listed', message, hint);
}

function notApplied(change: Change, planned: Change): Diagnostic {
  const asked = new Set(planned.attributes.map(({ path }) => path));
  const words = change.attributes
    .filter(({ path }) => asked.has(path) || planned.action === 'create')
    .map(({ path, before, after }) => `${path} is ${canonicalJson(before)}, not ${canonicalJson(after)}`);
  return errorAt(
    change,
    'not_applied',
    `the service accepted the ${planned.action}, but the live state differs: ${words.join('; ') || `a new plan still has the ${change.action}`}`,
    'Somebody else may be changing the value back, or the service does not support the value. To leave the attribute to others, write lifecycle.ignore.',
  );
}

/** Reports a difference that came during the run, or that the executed plan lacks, because the resource was not read. */
function notPlanned(change: Change): Diagnostic {
  const message = `the live state differs (${change.action}), and the plan has no step for it`;
  return warningOf('not_planned', message, 'Run trueup apply again.', { address: change.address });
}

function heldBackSince(change: Change): Diagnostic {
  const why = [...change.blockedBy, ...change.notes].join('; ');
  const message = `the live state differs (${change.action}), and the change is blocked: ${why}`;
  return warningOf('held_back', message, 'Run trueup plan to see how to lift the block.', { address: change.address });
}

interface StatusInput {
  readonly halted: ExecutionReport['halted'];
  readonly result: RunResult;
  readonly verification: Verification | null;
  readonly isStopped?: boolean;
}

/** Returns the first status that applies: interrupted, stale, incomplete, blocked, converged. */
export function statusOf({ halted, result, verification, isStopped = false }: StatusInput): RunStatus {
  const isReadBack = verification?.diagnostics.some(({ code }) => code === 'not_verified') !== true;
  if (halted === 'interrupted' || (isStopped && !isReadBack)) return 'interrupted';
  if (halted === 'stale') return 'stale';
  const { failed, unknown, timedOut, notStarted, blocked } = result.counts;
  if (failed + unknown + timedOut + notStarted > 0 || halted !== null) return 'incomplete';
  if (verification?.converged !== true) return verification?.heldBack === true ? 'blocked' : 'incomplete';
  if (result.upkeep.some(({ outcome }) => outcome === 'failed')) return isStopped ? 'interrupted' : 'incomplete';
  return blocked > 0 ? 'blocked' : 'converged';
}
