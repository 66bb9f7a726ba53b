// Judges a step by a reading: before it is sent, after a refusal, and after a lost reply.
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import type { Step, StepAction } from '../../model/outcome/plan.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Pass } from '../run/lanes.ts';
import { assessStep, strangersIn, type Decision } from './assess.ts';
import { foreignOperations } from '../step/joining.ts';
import { readNewest } from '../read/operation-log.ts';
import { kindOf, laneOf, makesCredential, recognition, type Run } from '../run/run.ts';
import { grownSince } from './contents.ts';
import type { Age } from './world.ts';

/** The state right before a request. */
export interface Before {
  /** The ids in the pool that a creation joins. */
  readonly known: readonly ResourceId[];
  /** The ids of all listed resources of the kind: a creation made none of them. */
  readonly listed: ReadonlySet<ResourceId>;
  /** The ids of the project's newest operations; null if no log is needed to recognise the step. */
  readonly operations: ReadonlySet<string> | null;
}

/** `foreign`: operations under way on the target, which the step waits for. */
export interface Look {
  readonly verdict: Decision;
  readonly before: Before;
  readonly foreign: readonly OperationRecord[];
  /** The project's newest operations; null if they were not read. */
  readonly log: readonly OperationRecord[] | null;
}

/** A step that takes something away or disturbs clients needs a new look whenever it is sent. */
const ALWAYS_LOOKED_AT: ReadonlySet<StepAction> = new Set(['delete', 'revoke', 'move', 'restart']);

export function isAlwaysLookedAt(run: Run, step: Step): boolean {
  return ALWAYS_LOOKED_AT.has(step.action) || makesCredential(run, step);
}

function holds({ expects }: Step): boolean {
  return expects.state === 'present' && expects.contains !== undefined;
}

/** A reading serves other steps for this long. */
const READING_FRESH_MS = 2000;
/** A reading serves such a step for about a round trip, so that steps which are sent together share it. */
const LOOK_FRESH_MS = 50;

/** How new a reading must be before the step is sent; `afterMs` is when the scope may have changed last. */
export function ageFor(run: Run, step: Step, afterMs: number): Age {
  const isStrict = isAlwaysLookedAt(run, step);
  const sinceMs = run.use.clock.monotonicMs() - (isStrict ? LOOK_FRESH_MS : READING_FRESH_MS);
  return { afterMs, sinceMs, beforeWrites: isStrict };
}

/** Reads the scope and judges the step. Rejects with `ApiFailure`. */
export async function lookAt(run: Run, step: Step, age: Age, signal: AbortSignal): Promise<Look> {
  const { world, clock } = run.use;
  const [first, log] = await Promise.all([world.list(step, age, signal), logFor(run, step, signal)]);
  const seen = { live: first, verdict: await judgeBy(run, step, first, log) };
  if (seen.verdict.state === 'send' && holds(step)) {
    const grown = await grownSince(run, step, age, signal);
    // Reading the contents may have taken long.
    seen.live = await world.list(step, { ...age, sinceMs: clock.monotonicMs() - READING_FRESH_MS }, signal);
    seen.verdict = grown === null ? await judgeBy(run, step, seen.live, log) : { state: 'changed', reason: grown };
  }
  const { live, verdict } = seen;
  const under = verdict.state === 'send' ? foreignOperations(step, log ?? []) : [];
  const foreign = under.filter(({ id }) => !run.known.joined.has(id));
  return { verdict, before: beforeOf(run, step, live, log), foreign, log };
}

function beforeOf(run: Run, step: Step, live: readonly LiveResource[], log: readonly OperationRecord[] | null): Before {
  const { joins } = step.expects;
  const { canonical } = kindOf(run, step);
  const members = joins === null ? [] : strangersIn({ ...joins, known: [] }, live, { claimed: new Set(), canonical });
  const known = [...new Set([...(joins?.known ?? []), ...members.map(({ id }) => id)])].sort();
  const listed = new Set(live.map(({ id }) => id));
  return { known, listed, operations: log === null ? null : new Set(log.map(({ id }) => id)) };
}

/** The project's newest operations, if no attribute shows that the step was carried out. */
async function logFor(run: Run, step: Step, signal: AbortSignal): Promise<readonly OperationRecord[] | null> {
  if (recognition(run, step) !== 'operation' || step.projectId === null) return null;
  const { operations } = await readNewest(run.use.client, step.projectId, signal);
  const { joined } = run.known;
  return operations.map((operation) => (isBusy(operation) ? (joined.get(operation.id) ?? operation) : operation));
}

/** Judges the step by resources that were read already. Rejects with `ApiFailure`. */
export async function judgeBy(
  run: Run,
  step: Step,
  live: readonly LiveResource[],
  log: readonly OperationRecord[] | null = null,
): Promise<Decision> {
  const { canonical, marks, remote } = kindOf(run, step);
  const id = step.expects.state === 'present' ? step.expects.id : null;
  const earlier = id === null ? [] : (run.known.made.get(id) ?? []);
  const verdict = assessStep(step, live, { claimed: run.known.claims, canonical, marks, earlier });
  const found = live.find((one) => one.id === (verdict.state === 'done' ? verdict.id : id));
  if (found === undefined || verdict.state === 'changed') return verdict;
  if (verdict.state === 'done')
    return (await isOurs(run, step, found))
      ? verdict
      : { state: 'changed', reason: `${found.id} has the same name, and nothing shows that this run made it` };
  const reason = remote.needless?.(step, found, log ?? []) ?? null;
  return reason === null ? verdict : { state: 'done', id, reason };
}

/** False where a note could show that a run of this plan made the resource, and does not. */
export async function isOurs(run: Run, step: Step, made: LiveResource): Promise<boolean> {
  const { client, runId, signals } = run.use;
  // A resource that is made with another one bears no note of its own.
  if (step.expects.state !== 'absent' || step.with !== undefined) return true;
  return (await kindOf(run, step).remote.isOurs?.(client, made, runId, signals.requests)) ?? true;
}

/** Judges the step by a reading that begins now, and claims the resource that it finds. */
export async function judgeAfresh(run: Run, step: Step): Promise<Decision> {
  const verdict = await judgeBy(run, step, await run.use.world.reread(step, run.use.signals.requests));
  if (verdict.state === 'done' && verdict.id !== null) run.known.claims.add(verdict.id);
  return verdict;
}

/** The same once every other write of the queue has its reply: until then, a sibling's resource looks like a stranger. Leaves the queue. */
export async function judgeAlone(run: Run, step: Step, pass: Pass): Promise<Decision> {
  const judging = run.use.lanes.exclusively(laneOf(run, step), run.use.signals.requests, async () =>
    judgeAfresh(run, step),
  );
  pass.leave();
  return judging;
}
