// Reads the scope of a step and decides on the step: before it is sent, after a refusal, and after a lost reply.
import type { KindName, ResourceId } from '../../model/desired.ts';
import { PROJECT, type ScopeId } from '../../model/kind.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import { leavesOf, valueAt } from '../../model/values.ts';
import type { Step, StepAction, IdleLimit } from '../../model/outcome/plan.ts';
import { readNewest } from '../../client/operations.ts';
import { readerOf } from '../../client/api-client.ts';
import type { Pass } from '../run/lanes.ts';
import { kindOf, makesCredential, recognition, targetIdOf, type Decision, type Run } from '../run/run.ts';
import { decide, type Reading } from './decide.ts';
import { isoTime } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { idleLimitOf, windowsAgainst } from '../../plan/guard/limits.ts';

/** The live state right before a request, without any effect of the request. */
export interface Before extends Reading {
  /** The project's newest operations; null if the step is recognised without them. */
  readonly log: readonly OperationRecord[] | null;
}

export interface Look extends Before {
  readonly verdict: Decision;
}

/** Actions that remove something or disturb clients: before such a step, the scope is always read again. */
const ALWAYS_LOOKED_AT: ReadonlySet<StepAction> = new Set(['delete', 'revoke', 'move', 'restart']);

export function isAlwaysLookedAt(run: Run, step: Step): boolean {
  return ALWAYS_LOOKED_AT.has(step.action) || makesCredential(run, step);
}

/** Most steps accept a reading of the scope that is at most this old. */
const READING_FRESH_MS = 2000;
/** The steps of `isAlwaysLookedAt` need a reading no older than this: about a round trip, so that steps sent together share one reading. */
const LOOK_FRESH_MS = 50;
/** If reading the lists of a target's contents takes longer than this, they are read once more, because the first lists are old by then. */
const OLD_MS = 1000;

/** Returns the monotonic time after which the step's reading must begin; the scope may have changed at `changedAtMs`. */
export function readAfter(run: Run, step: Step, changedAtMs: number): number {
  const oldestMs = run.clock.monotonicMs() - (isAlwaysLookedAt(run, step) ? LOOK_FRESH_MS : READING_FRESH_MS);
  return Math.max(changedAtMs, oldestMs);
}

/** Reads the scope of the step and, if the plan shows contents of the target, these contents; then decides. Rejects with `ApiFailure`. */
export async function lookAt(run: Run, step: Step, afterMs: number, signal: AbortSignal): Promise<Look> {
  const [listed, log] = await Promise.all([run.world.list(step, afterMs, signal), logFor(run, step, signal)]);
  const live = await withTarget(run, step, listed, signal);
  let reading: Before = { live, log };
  let verdict = decide(run, step, reading);
  if (verdict.state === 'send' && step.expects.state === 'present' && step.expects.contains !== undefined) {
    reading = { live, log, around: await readAround(run, step, afterMs, signal) };
    verdict = decide(run, step, reading);
  }
  return { ...reading, verdict: await confirmed(run, step, live, verdict) };
}

/** Returns the list. If the list omits the target's annotation or an expected attribute, the target is read by its own route. */
async function withTarget(
  run: Run,
  step: Step,
  listed: readonly LiveResource[],
  signal: AbortSignal,
): Promise<readonly LiveResource[]> {
  const { expects } = step;
  const expected = expects.state === 'absent' ? [] : leavesOf(expects.attributes).filter(({ value }) => value !== null);
  const omits = ({ marks, spec }: LiveResource): boolean =>
    marks === null || expected.some(({ segments }) => valueAt(spec, segments) === undefined);
  const target = listed.find((one) => one.id === targetIdOf(step) && omits(one));
  const shown = target && (await kindOf(run, step).show?.(readerOf(run.client), target, signal));
  return shown ? listed.map((one) => (one === target ? shown : one)) : listed;
}

/** Returns the project's newest operations if only an operation can show that the step was carried out; else null. */
async function logFor(run: Run, step: Step, signal: AbortSignal): Promise<readonly OperationRecord[] | null> {
  if (recognition(run, step) !== 'operation' || step.projectId === null) return null;
  return (await readNewest(run.client, step.projectId, signal)).operations;
}

async function readAround(
  run: Run,
  step: Step,
  afterMs: number,
  signal: AbortSignal,
  mayRepeat: boolean = true,
): Promise<readonly LiveResource[]> {
  const { clock, world, kinds } = run;
  const { kind: own, projectId } = step;
  const parentId = targetIdOf(step) ?? '';
  const parentOf = (kind: KindName): KindName => kinds.get(kind)?.parent ?? PROJECT;
  const inside = kindOf(run, step).contents?.kinds ?? [];
  const direct = inside.filter((kind) => [PROJECT, own].includes(parentOf(kind)));
  const below = inside.filter((kind) => !direct.includes(kind));
  const read = async (scopes: readonly ScopeId[]): Promise<readonly LiveResource[]> =>
    (await Promise.all(scopes.map(async (scope) => world.list(scope, afterMs, signal)))).flat();
  const startedMs = clock.monotonicMs();
  const scopes = direct.map((kind) => ({ kind, projectId, ...(parentOf(kind) === PROJECT ? {} : { parentId }) }));
  const around = await read(scopes);
  const parents = (kind: KindName): readonly LiveResource[] => around.filter((one) => one.kind === parentOf(kind));
  const deeper = below.flatMap((kind) => parents(kind).map(({ id }) => ({ kind, projectId, parentId: id })));
  const found = [...around, ...(await read(deeper))];
  const isOld = clock.monotonicMs() - startedMs > OLD_MS;
  return isOld && mayRepeat ? readAround(run, step, clock.monotonicMs() - LOOK_FRESH_MS, signal, false) : found;
}

/** Returns the verdict, or `changed` if the resource that makes the step done does not come from this plan. */
export async function confirmed(
  run: Run,
  step: Step,
  live: readonly LiveResource[],
  verdict: Decision,
): Promise<Decision> {
  const isMade = ({ kind, id }: LiveResource): boolean =>
    verdict.state === 'done' && kind === step.kind && id === verdict.id;
  const made = live.find(isMade);
  const reason = made === undefined ? null : await foreignTo(run, step, made);
  return reason === null ? verdict : { state: 'changed', reason };
}

/** Returns why the resource that satisfies a creation does not come from this plan; null if the resource may come from this plan. */
export async function foreignTo(run: Run, step: Step, made: LiveResource): Promise<string | null> {
  const { client, runId, signals } = run;
  // A resource that the service creates together with another one carries no annotation.
  if (step.expects.state !== 'absent' || step.with !== undefined) return null;
  if (makesCredential(run, step)) return foreignSecret(run, step, made.id);
  const isOurs = await kindOf(run, step).isOurs?.(client, made, runId, signals.requests);
  return isOurs === false ? `${made.id} has the name, and this plan did not create it` : null;
}

/** Decides on the step from a new reading. If the step is done, claims the resource that was found, so that no other step takes that resource. */
export async function lookAfresh(run: Run, step: Step): Promise<Look> {
  const look = await lookAt(run, step, run.clock.monotonicMs(), run.signals.requests);
  if (look.verdict.state === 'done' && look.verdict.id !== null) run.claims.add(look.verdict.id);
  return look;
}

/** Calls `lookAfresh` once all other writes of the queue have replies: before the reply, the new resource of another step looks foreign. */
export async function lookAlone(run: Run, step: Step, pass: Pass): Promise<Look> {
  return pass.exclusively(run.signals.requests, async () => lookAfresh(run, step));
}

/** Returns why the secret of resource `id` does not come from this plan; null if every sink has a secret and none shows another id. */
async function foreignSecret(run: Run, step: Step, id: ResourceId): Promise<string | null> {
  const sinks = run.openSinks(step);
  const states = await Promise.all(sinks.map(async (sink) => sink.check(run.signals.admission)));
  run.signals.admission.throwIfAborted();
  const isHeld = ({ state, holds }: (typeof states)[number]): boolean =>
    state === 'stored' && (holds?.['id'] ?? id) === id;
  if (states.length > 0 && states.every(isHeld)) return null;
  const broken = states.findIndex(({ state }) => state === 'broken');
  const why =
    broken === -1 ? '' : `; ${sinks[broken]?.label} does not show which key it holds: ${states[broken]?.reason}`;
  return `the resource ${id}, which the plan does not know, has the same name${why}`;
}

export function heldBy(run: Run, step: Step, reading: Reading): string | null {
  const { plan, client } = run;
  const nowMs = client.clockDoubt() === null ? client.serverTime() : null;
  const hold = windowHold(run, step, nowMs);
  const { idleLimits = [], changes } = plan;
  if (hold !== null || step.achieves !== null || idleLimits.length === 0) return hold;
  const change = changes.find(({ address }) => address === step.address);
  const limit = change && idleLimitOf(idleLimits, change);
  return limit ? usedWithin(run, step, limit, reading) : null;
}

type Windowed = Pick<Run, 'plan' | 'carriedOut'>;

/** Returns why no window admits the step, or null. A step that needs a disruptive step of this run may run, so that no slot stays empty. */
export function windowHold(run: Windowed, step: Step, nowMs: number | null): string | null {
  const { plan } = run;
  if (plan.windows.length === 0) return null;
  const closed = windowsAgainst(plan, step, nowMs);
  if (closed.length === 0 || followsDisruption(run, step)) return null;
  if (nowMs === null)
    return `the step is disruptive, and trueup cannot check the safety windows (${closed.join('; ')}), because the time at the service is not known`;
  return `the step is disruptive, and no safety window is open (${closed.join('; ')}); run trueup apply again within a window`;
}

function followsDisruption({ plan, carriedOut }: Windowed, { needs }: Step): boolean {
  const before = new Set(needs);
  for (const id of before) {
    const step = carriedOut.has(id) ? plan.steps.find((one) => one.id === id) : undefined;
    if (step === undefined) continue;
    if (windowsAgainst(plan, step, null).length > 0) return true;
    for (const need of step.needs) before.add(need);
  }
  return false;
}

function usedWithin(run: Run, step: Step, { rule, ms }: IdleLimit, { live, around = [] }: Reading): string | null {
  const { client } = run;
  const { lastUse } = kindOf(run, step).contents ?? {};
  const target = live.find(({ id }) => id === targetIdOf(step));
  const lastMs = target === undefined ? null : (lastUse?.(target, around, rule !== undefined) ?? null);
  if (lastMs === null) return null;
  const guard = `${rule ?? 'safety.drop.unless_idle'} keeps resources that were used within ${humanDuration(ms)}`;
  const doubt = client.clockDoubt();
  if (doubt !== null) return `${guard}, and the time at the service is not known: ${doubt}`;
  if (client.serverTime() - lastMs >= ms) return null;
  return `${lastMs === Infinity ? 'the resource is in use now' : `the last use was at ${isoTime(lastMs)}`}: ${guard}`;
}
