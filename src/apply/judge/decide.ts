// Decides on each step of a reviewed plan by a plan of the same files and options over a newer reading.
import { groupBy } from '../../base/group-by.ts';
import { canonicalJson, jsonEqual, type Json } from '../../base/json.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey } from '../../model/kind.ts';
import type { LiveState } from '../../model/live.ts';
import type { Change, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { leavesOf, valueAt } from '../../model/paths.ts';
import { isIdToCome } from '../../model/reference.ts';
import { assessStep, isUnseen, strangersIn, strangerWords, type Decision } from './assess.ts';
import { grownIn } from './contents.ts';
import { kindOf, type Run } from '../run/run.ts';
import { inOrder } from '../run/scheduler.ts';
import { resolveStep } from '../step/resolve-step.ts';

/** A plan of the same files and options over a newer reading; the guards are those of the reviewed plan. */
export interface PlannedAgain {
  /** Null if it has errors. */
  readonly plan: Plan | null;
  readonly live: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}

/** `send`: the same request is planned again · `done`: no request is planned any more · `unread`: the scope was not read · `changed`: all else. */
type PlanDecision = Decision | { readonly state: 'unread'; readonly reason: string };

export interface Decided {
  readonly decisions: ReadonlyMap<StepId, PlanDecision>;
  /** By address, the ids of resources that the reviewed plan creates or finds and that exist by now. */
  readonly ids: ReadonlyMap<Address, ResourceId>;
}

/** Only withholds steps: a step that the reviewed plan does not have is never sent. */
export function decidePlan(run: Run, reviewed: Plan, again: PlannedAgain): Decided {
  const ids = idsSince(reviewed, again);
  const steps = groupBy(again.plan?.steps ?? [], ({ address }) => address);
  const changes = groupBy(again.plan?.changes ?? [], ({ address }) => address);
  const decisions = new Map<StepId, PlanDecision>();
  const trails = groupBy(inOrder(reviewed.steps), (step) => `${step.address} ${targetOf(step)}`);
  for (const trail of trails.values()) {
    const [{ address }] = trail;
    const own: Trail = [resolveStep(trail[0], ids), ...trail.slice(1).map((step) => resolveStep(step, ids))];
    const of = { steps: steps.get(address) ?? [], changes: changes.get(address) ?? [] };
    const decided = decideTrail(run, own, { ...again, ...of, wasToCome: targetOf(trail[0]) === '' });
    own.forEach(({ id }, at) => decisions.set(id, decided[at] ?? { state: 'send' }));
  }
  return { decisions, ids };
}

type Trail = readonly [Step, ...Step[]];

/** The target of a step; empty for a creation and the requests that complete it. */
function targetOf({ address, expects }: Step): ResourceId {
  return expects.state === 'absent' || isIdToCome(expects.id, address) ? '' : expects.id;
}

/** The newer plan, with its steps and changes of one address. */
interface Newer extends PlannedAgain {
  readonly steps: readonly Step[];
  readonly changes: readonly Change[];
  /** The reviewed plan did not know the id of the target. */
  readonly wasToCome: boolean;
}

/** Steps on one resource build on each other: if only the last ones are still planned, the first ones are done. */
function decideTrail(run: Run, own: Trail, newer: Newer): readonly PlanDecision[] {
  const isPlanned = (step: Step): boolean => newer.steps.some((one) => isSameRequest(step, one));
  const first = own.findLastIndex((step) => !isPlanned(step)) + 1;
  const [done, open] = [own.slice(0, first), own.slice(first)];
  const [next] = open;
  const reason =
    next === undefined
      ? null
      : (changedSince(run, next, newer, done) ?? open.map((step) => inTheWay(run, step, newer)).find(isWords) ?? null);
  const gap = done.some(isPlanned) ? done.find((step) => !isPlanned(step)) : undefined;
  if (reason !== null || gap !== undefined) {
    const words = reason ?? reasonOf(run, gap ?? own[0], newer);
    return own.map(() => ({ state: 'changed', reason: words }));
  }
  const target = next?.expects.state === 'present' ? next.expects.id : null;
  return [
    ...done.map((step): PlanDecision =>
      target === null ? decideUnplanned(run, step, newer) : { state: 'done', id: target },
    ),
    ...open.map((): PlanDecision => ({ state: 'send' })),
  ];
}

function isSameRequest(one: Step, other: Step): boolean {
  return (
    one.action === other.action &&
    one.method === other.method &&
    one.path === other.path &&
    jsonEqual(one.body, other.body)
  );
}

/** Why the step does not fit although it is planned again, null if it fits; `done` are earlier steps on its target. */
function changedSince(run: Run, step: Step, { live, wasToCome }: Newer, done: readonly Step[]): string | null {
  const { expects, address, achieves } = step;
  if (expects.state === 'present' && isIdToCome(expects.id, address)) return null;
  const { canonical, marks } = kindOf(run, step);
  const listed = live.resources.filter((one) => scopeKey(one) === scopeKey(step));
  const earlier = done.flatMap(({ achieves: made }) => (made === null ? [] : [made]));
  const verdict = assessStep(step, listed, { claimed: run.known.claims, canonical, marks, earlier });
  if (verdict.state === 'changed') return verdict.reason;
  const late = wasToCome && achieves === null ? madeLater(step, live) : null;
  if (late !== null) return late;
  const around = live.resources.filter(({ projectId }) => projectId === step.projectId);
  return grownIn(run, step, listed, { around, isReview: true });
}

function decideUnplanned(run: Run, step: Step, again: Newer): PlanDecision {
  const { expects, achieves } = step;
  const { steps: planned, changes } = again;
  const unread = unreadFor(step, again);
  if (unread !== null) return { state: 'unread', reason: unread };
  const error = errorFor(step, again);
  if (error !== null) return { state: 'changed', reason: error };
  if (achieves === null) {
    const isThere =
      expects.state === 'present' &&
      again.live.resources.some((one) => one.kind === step.kind && one.id === expects.id);
    const successor = planned.find((one) => one.achieves === null);
    if (!isThere && successor === undefined) return { state: 'done', id: null };
  } else {
    const done = changes.find(({ action, blockedBy }) => action === 'none' && blockedBy.length === 0);
    const id = done?.resourceId ?? null;
    if (id !== null && planned.length === 0 && (expects.state === 'absent' || expects.id === id))
      return { state: 'done', id };
  }
  return { state: 'changed', reason: reasonOf(run, step, again) };
}

/** The resource that has taken a slot which the step was to take over, in words. */
function inTheWay(run: Run, step: Step, { live }: PlannedAgain): string | null {
  const { expects, address } = step;
  if (expects.state === 'absent' || !isIdToCome(expects.id, address)) return null;
  if (expects.joins === null || !isUnseen(expects)) return null;
  const listed = live.resources.filter((one) => scopeKey(one) === scopeKey(step));
  const { canonical } = kindOf(run, step);
  const [stranger] = strangersIn(expects.joins, listed, { claimed: run.known.claims, canonical });
  return stranger === undefined ? null : strangerWords(stranger);
}

function isWords(one: string | null): one is string {
  return one !== null;
}

/** A resource that is this much younger than its copied parent was not copied with it, so its removal is not the planned one. */
const COPY_MS = 60_000;

function madeLater({ kind, parentId, expects }: Step, { resources }: LiveState): string | null {
  if (expects.state === 'absent') return null;
  const parent = resources.find(({ id }) => id === parentId);
  const target = resources.find((one) => one.kind === kind && one.id === expects.id);
  if (target === undefined || (target.createdAtMs ?? -Infinity) <= (parent?.createdAtMs ?? Infinity) + COPY_MS)
    return null;
  return `the resource ${target.id}, which the plan does not know, has taken the slot`;
}

/** Why the step's scope was not read, null if it was. */
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

/** The error that keeps the step's project from being planned. */
function errorFor({ address }: Step, { plan, diagnostics }: PlannedAgain): string | null {
  const unplanned = plan?.unplanned.find(({ project }) => project === scopeOf(address));
  const errors = (plan === null ? diagnostics : (unplanned?.diagnostics ?? [])).filter(
    (one) => one.severity === 'error',
  );
  const own = errors.find((one) => one.address === address);
  return own?.message ?? (errors[0] && `its project can no longer be planned: ${errors[0].message}`) ?? null;
}

/** The first difference in words. */
function reasonOf(run: Run, step: Step, again: Newer): string {
  const { steps: planned, changes } = again;
  const fact = changedSince(run, step, again, []);
  if (fact !== null) return fact;
  const blocked = changes.find(({ action, blockedBy }) => action !== 'none' && blockedBy.length > 0);
  if (blocked !== undefined) {
    const why = blocked.notes.length > 0 ? blocked.notes : blocked.blockedBy;
    return `it is blocked by now: ${why.join('; ')}`;
  }
  const other = planned.find(({ action }) => action === step.action) ?? planned[0];
  if (other === undefined) return 'it is not planned any more';
  if (other.action !== step.action) return `a new plan has a ${other.action} in place of the ${step.action}`;
  if (other.path !== step.path) return `a new plan sends it to ${other.path}, not to ${step.path}`;
  const [left, right] = [step.body ?? {}, other.body ?? {}];
  const differs = [...leavesOf(right), ...leavesOf(left)].find(
    ({ segments }) => !jsonEqual(valueAt(left, segments) ?? null, valueAt(right, segments) ?? null),
  );
  const textAt = (body: typeof left): string =>
    canonicalJson((differs && valueAt(body, differs.segments)) ?? (null as Json));
  return `a new plan sends ${differs?.path ?? 'another request'} as ${textAt(right)}, not ${textAt(left)}`;
}

/** The ids of projects, and of resources that had none in the reviewed plan. */
function idsSince(reviewed: Plan, { plan, live }: PlannedAgain): ReadonlyMap<Address, ResourceId> {
  const toCome = new Set(
    reviewed.steps.flatMap(({ address, expects }) =>
      expects.state === 'absent' || isIdToCome(expects.id, address) ? [address] : [],
    ),
  );
  const found = (plan?.changes ?? []).filter(
    ({ address, action, resourceId }) => toCome.has(address) && resourceId !== null && KEEPS.has(action),
  );
  const known = [
    ...found.map(({ address, resourceId }) => [address, resourceId ?? ''] as const),
    ...live.projects.map(({ label, id }) => [label, id] as const),
  ];
  return new Map(known.filter(([address, id]) => !isIdToCome(id, address)));
}

const KEEPS: ReadonlySet<Change['action']> = new Set(['none', 'update', 'move', 'restart', 'delete']);
