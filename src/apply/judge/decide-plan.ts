// Decides on each step of a reviewed plan, by a second plan of the same files and options from a newer reading of the account.
import { groupBy } from '../../base/group-by.ts';
import { jsonEqual } from '../../base/json.ts';
import { roundsOf } from '../../base/rounds.ts';
import { bytesWords } from '../../base/text/words.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey } from '../../model/kind.ts';
import type { LiveResource, LiveState, Stake } from '../../model/live.ts';
import type { Change, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { isIdToCome } from '../../model/values.ts';
import { kindOf, targetIdOf, type Decision, type Run } from '../run/run.ts';
import { resolveStep } from '../step/resolve-step.ts';
import { decide, differenceWords } from './decide.ts';

export interface PlannedAgain {
  /** Null if the plan has errors. */
  readonly plan: Plan | null;
  readonly live: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}

/** `send`: the second plan has the same request · `done`: the second plan needs none · `unread`: the scope was not read · `changed`: all else. */
type PlanDecision = Decision | { readonly state: 'unread'; readonly reason: string };

interface Decided {
  readonly decisions: ReadonlyMap<StepId, PlanDecision>;
  /** Ids by address: of the live projects, and of resources that have an id by now but had none in the reviewed plan. */
  readonly ids: ReadonlyMap<Address, ResourceId>;
}

/** Decides on every step of the reviewed plan. The second plan can only withhold steps: a step that the reviewed plan lacks is never sent. */
export function decidePlan(run: Run, reviewed: Plan, again: PlannedAgain): Decided {
  const ids = idsSince(reviewed, again);
  const steps = groupBy(again.plan?.steps ?? [], ({ address }) => address);
  const changes = groupBy(again.plan?.changes ?? [], ({ address }) => address);
  const scopes = groupBy(again.live.resources, scopeKey);
  const projects = groupBy(again.live.resources, ({ projectId }) => projectId ?? '');
  const { rounds, left } = roundsOf(reviewed.steps);
  const trails = groupBy([...rounds.flat(), ...left], (step) => `${step.address} ${targetOf(step)}`);
  const decisions = [...trails.values()].flatMap((trail) => {
    const own = trail.map((step) => resolveStep(step, ids));
    return own.map((step, at): [StepId, PlanDecision] => {
      const newer: Newer = {
        ...again,
        steps: steps.get(step.address) ?? [],
        changes: changes.get(step.address) ?? [],
        before: own.slice(0, at),
        after: own.slice(at + 1),
        listed: scopes.get(scopeKey(step)) ?? [],
        around: projects.get(step.projectId ?? '') ?? [],
        wasToCome: targetOf(trail[0]) === '',
      };
      return [step.id, decideReviewed(run, step, newer)];
    });
  });
  return { decisions: new Map(decisions), ids };
}

/** Returns the id of the step's target; empty if that id becomes known only during the run, as for a creation. */
function targetOf({ address, expects }: Step): ResourceId {
  return expects.state === 'absent' || isIdToCome(expects.id, address) ? '' : expects.id;
}

interface Newer extends PlannedAgain {
  readonly steps: readonly Step[];
  readonly changes: readonly Change[];
  /** The other steps of the reviewed plan on the same target, before and after this step. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly listed: readonly LiveResource[];
  readonly around: readonly LiveResource[];
  readonly wasToCome: boolean;
}

/** The steps on one resource build on each other, so a step is done if the second plan has only later steps of that resource. */
function decideReviewed(run: Run, step: Step, newer: Newer): PlanDecision {
  const isPlanned = (one: Step): boolean => newer.steps.some((other) => isSameRequest(one, other));
  if (isPlanned(step)) {
    const reason = changedSince(run, step, newer);
    return reason === null ? { state: 'send' } : { state: 'changed', reason };
  }
  if (newer.before.some(isPlanned)) return { state: 'changed', reason: reasonOf(run, step, newer) };
  const next = newer.after.find(isPlanned);
  const id = next === undefined ? '' : targetOf(next);
  return id === '' ? decideUnplanned(run, step, newer) : { state: 'done', id };
}

function isSameRequest(one: Step, other: Step): boolean {
  return (
    one.action === other.action &&
    one.method === other.method &&
    one.path === other.path &&
    jsonEqual(one.body, other.body)
  );
}

function changedSince(run: Run, step: Step, { before, listed, around, wasToCome }: Newer): string | null {
  const { expects, achieves, parentId } = step;
  const earlier = before.flatMap(({ achieves: made }) => (made === null ? [] : [made]));
  const decision = decide(run, step, { live: listed, around, earlier });
  if (decision.state === 'changed') return decision.reason;
  const target = listed.find(({ id }) => id === targetIdOf(step));
  if (target === undefined || expects.state === 'absent') return null;
  const parent = around.find(({ id }) => id === parentId);
  if (achieves === null && wasToCome && isLater(target, parent))
    return `the resource ${target.id}, which the plan does not know, has taken the slot`;
  const stake = kindOf(run, step).contents?.stake(target, around);
  const more = expects.stake && stake && changedStake(expects.stake, stake);
  return more ? `${target.id} ${more} since the plan was made` : null;
}

/** A resource that is younger than its parent by more than this is no copy made with the parent: the reviewer did not agree to its deletion. */
const COPY_MS = 60_000;

function isLater(target: LiveResource, parent: LiveResource | undefined): boolean {
  return (target.createdAtMs ?? -Infinity) > (parent?.createdAtMs ?? Infinity) + COPY_MS;
}

/** Data may grow by a tenth between a review and its apply without a new review. */
const GROWTH = 1.1;

/** Returns how the data to delete changed since the plan, else null. Checked only before a run, because the run's own requests use the data. */
function changedStake(then: Stake, now: Stake): string | null {
  const isUsed = now.usedAt !== null && now.usedAt > (then.usedAt ?? '');
  if (isUsed) return now.usedAt === 'now' ? 'came into use' : `was in use (${now.usedAt})`;
  if (now.version !== then.version) return 'was written to or reset';
  if (then.bytes === null || now.bytes === null || now.bytes <= then.bytes * GROWTH) return null;
  return `grew from ${bytesWords(then.bytes)} to ${bytesWords(now.bytes)}`;
}

function decideUnplanned(run: Run, step: Step, newer: Newer): PlanDecision {
  const { expects, achieves } = step;
  const unread = unreadFor(step, newer);
  if (unread !== null) return { state: 'unread', reason: unread };
  const error = errorFor(step, newer);
  if (error !== null) return { state: 'changed', reason: error };
  const decision: PlanDecision = { state: 'changed', reason: reasonOf(run, step, newer) };
  if (achieves === null) {
    const isThere = newer.listed.some(({ id }) => id === targetIdOf(step));
    const hasSuccessor = newer.steps.some((one) => one.achieves === null);
    return isThere || hasSuccessor ? decision : { state: 'done', id: null };
  }
  const done = newer.changes.find(({ action, blockedBy }) => action === 'none' && blockedBy.length === 0);
  const id = done?.resourceId ?? null;
  const isTarget = id !== null && (expects.state === 'absent' || expects.id === id);
  return isTarget && newer.steps.length === 0 ? { state: 'done', id } : decision;
}

function unreadFor({ address, kind, projectId, parentId }: Step, { plan, live }: PlannedAgain): string | null {
  const gap = (plan?.unread ?? live.unread).find((one) => {
    if (one.part !== undefined) return false;
    if (one.what === address) return true;
    const isPlace = one.what === scopeOf(address) || (projectId !== null && one.projectId === projectId);
    return one.kind === undefined
      ? isPlace
      : one.projectId === projectId && one.kind === kind && one.parentId === parentId;
  });
  return gap === undefined ? null : gap.reason;
}

function errorFor({ address }: Step, { plan, diagnostics }: PlannedAgain): string | null {
  const unplanned = plan?.unplanned.find(({ project }) => project === scopeOf(address));
  const errors = (plan === null ? diagnostics : (unplanned?.diagnostics ?? [])).filter(
    (one) => one.severity === 'error',
  );
  const own = errors.find((one) => one.address === address);
  return own?.message ?? (errors[0] && `the project can no longer be planned: ${errors[0].message}`) ?? null;
}

function reasonOf(run: Run, step: Step, newer: Newer): string {
  const { steps: planned, changes } = newer;
  const fact = changedSince(run, step, { ...newer, before: [] });
  if (fact !== null) return fact;
  const blocked = changes.find(({ action, blockedBy }) => action !== 'none' && blockedBy.length > 0);
  if (blocked !== undefined) {
    const why = blocked.notes.length > 0 ? blocked.notes : blocked.blockedBy;
    return `the change is blocked now: ${why.join('; ')}`;
  }
  const other = planned.find(({ action }) => action === step.action) ?? planned[0];
  if (other === undefined) return 'a new plan does not have this change';
  if (other.action !== step.action) return `a new plan has a ${other.action} instead of the ${step.action}`;
  if (other.path !== step.path) return `a new plan sends the request to ${other.path}, not to ${step.path}`;
  return `a new plan has another request: ${differenceWords(step.body ?? {}, other.body ?? {})}`;
}

function idsSince(reviewed: Plan, { plan, live }: PlannedAgain): ReadonlyMap<Address, ResourceId> {
  const toCome = new Set(reviewed.steps.flatMap((step) => (targetOf(step) === '' ? [step.address] : [])));
  const found = (plan?.changes ?? []).filter(({ address, action }) => toCome.has(address) && KEEPS.has(action));
  const known = [
    ...found.map(({ address, resourceId }) => [address, resourceId ?? ''] as const),
    ...live.projects.map(({ label, id }) => [label, id] as const),
  ];
  return new Map(known.filter(([address, id]) => id !== '' && !isIdToCome(id, address)));
}

const KEEPS: ReadonlySet<Change['action']> = new Set(['none', 'update', 'move', 'restart', 'delete']);
