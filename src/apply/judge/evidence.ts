// Evidence of a request whose reply was lost: the live list, the operation log, and what was there before.
import { unreachable } from '../../base/assert.ts';
import { ApiFailure } from '../../client/failure.ts';
import { overdue, withinTime } from '../../client/http/within-time.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import { mayHaveStarted } from '../../model/operations/table.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { assessStep, strangersIn, type Assessment } from './assess.ts';
import { readHistory } from '../read/operation-log.ts';
import type { Pass } from '../run/lanes.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import { kindOf, laneOf, type Run } from '../run/run.ts';

/** What was known right before a request was sent. */
export interface Before {
  /** Ids in the pool that a creation joins. */
  readonly known: readonly ResourceId[];
  /** Ids of all that was listed of the kind: none of them is what a creation makes. */
  readonly listed: ReadonlySet<ResourceId>;
  /** Ids of the project's newest operations; only where the log is what proves the step. */
  readonly operations: ReadonlySet<string> | null;
}

/** `found`: it was done, `id` is what it made or acted on · `absent`: it was not, by two looks · `unclear`: nothing proves either. */
export type Evidence =
  | { readonly state: 'found'; readonly id: ResourceId | null }
  | { readonly state: 'absent' }
  | { readonly state: 'stale'; readonly reason: string }
  | { readonly state: 'unclear'; readonly reason: string; readonly newcomers: readonly ResourceId[] };

const NOT_NEW = 'ENOTNEW';

/** A request makes nothing that is older than it by more than clocks may differ. */
const MOST_SKEW_MS = 86_400_000;

/** The failure for a reply to a creation that names what was there before, or what another step made; null where it names something new. */
export function notNewBy(
  run: Run,
  step: Step,
  { id, madeAtMs = null }: Pick<WriteOutcome, 'id' | 'madeAtMs'>,
  { listed, sentAtMs }: { readonly listed: ReadonlySet<ResourceId>; readonly sentAtMs: number | null },
): ApiFailure | null {
  if (step.expects.state !== 'absent' || id === null) return null;
  const isOld = madeAtMs !== null && sentAtMs !== null && madeAtMs < sentAtMs - MOST_SKEW_MS;
  if (!isOld && !listed.has(id) && !run.known.claims.has(id)) return null;
  const { method, path } = step;
  const message = `the reply names ${id}, which existed before the request; trueup does not change that resource`;
  return new ApiFailure(message, { failureClass: 'unusable', method, path, code: NOT_NEW });
}

export function isNotNew({ code }: ApiFailure): boolean {
  return code === NOT_NEW;
}

/** Looks until there is evidence, after each of these pauses again, at most until `deadlineMs` (monotonic): a list that hangs proves nothing. Rejects with `ApiFailure`. */
export async function findEvidenceBy(
  deadlineMs: number,
  run: Run,
  step: Step,
  before: Before,
  pausesMs: readonly number[],
): Promise<Evidence> {
  const { clock, signals } = run.use;
  return withinTime({ clock, deadlineMs, signal: signals.requests, longestMs: Infinity }, async (requests) =>
    findEvidence({ ...run, use: { ...run.use, signals: { ...signals, requests } } }, step, before, pausesMs).catch(
      (error: unknown): Evidence => {
        if (overdue(requests) === null) throw error;
        return unclear('the live state could not be read again in time');
      },
    ),
  );
}

async function findEvidence(run: Run, step: Step, before: Before, pausesMs: readonly number[]): Promise<Evidence> {
  const { clock, signals } = run.use;
  const look = lookFor(run, step, before);
  let evidence = await look();
  for (const pauseMs of pausesMs) {
    if (evidence.state !== 'absent') break;
    await clock.sleep(pauseMs, signals.requests);
    evidence = await look();
  }
  return evidence;
}

function lookFor(run: Run, step: Step, before: Before): () => Promise<Evidence> {
  const { remote } = kindOf(run, step);
  if (step.expects.state === 'absent' && remote.isMarked !== undefined)
    return async () => lookForMark(run, step, before);
  switch (remote.repeat(step)) {
    case 'never':
      return async () => lookInLog(run, step, before);
    case 'secret':
    case 'once':
      return async () => lookForNewcomers(run, step, before);
    default:
      return async () => {
        const verdict = await judgeAfresh(run, step);
        return isGone(run, step) ? { state: 'found', id: null } : fromAssessment(verdict);
      };
  }
}

/** True when the target of a removal is gone, whoever has made another one since. */
function isGone({ use }: Run, step: Step): boolean {
  const { expects, achieves } = step;
  if (achieves !== null || expects.state !== 'present') return false;
  return use.world.lastSeen(step)?.some(({ id }) => id === expects.id) === false;
}

/** Judges the step by resources that were read already. */
export function judgeBy(run: Run, step: Step, live: readonly LiveResource[]): Assessment {
  const { canonical, marks, remote } = kindOf(run, step);
  const id = step.expects.state === 'present' ? step.expects.id : null;
  const earlier = id === null ? [] : (run.known.made.get(id) ?? []);
  const verdict = assessStep(step, live, { claimed: run.known.claims, canonical, marks, earlier });
  const target = live.find((resource) => resource.id === id);
  // What was made along with something of this run is what the step would make.
  const isAlong = verdict.state === 'satisfied' && step.with !== undefined;
  const isTold = remote.repeat(step) === 'named' || remote.isMarked !== undefined;
  if (verdict.state === 'satisfied' && isTold && !isAlong) return namesake(run, step, live, verdict);
  if (verdict.state !== 'ready' || target === undefined) return verdict;
  const reason = remote.needless?.(step, target) ?? null;
  return reason === null ? verdict : { state: 'satisfied', id, reason };
}

/** One of the name that is there is what the step makes, unless it shows that somebody else made it. */
function namesake(
  run: Run,
  step: Step,
  live: readonly LiveResource[],
  verdict: Extract<Assessment, { readonly state: 'satisfied' }>,
): Assessment {
  const made = step.expects.state === 'absent' ? live.find(({ id }) => id === verdict.id) : undefined;
  const { remote } = kindOf(run, step);
  const other = made === undefined ? null : (remote.otherThanAsked?.(made, run.use.runId) ?? null);
  return other === null
    ? verdict
    : { state: 'stale', reason: `${verdict.id ?? 'another resource'} has the same name: ${other}` };
}

/** Judges the step by a reading that begins now, and claims what it finds. What makes something is judged so only while no other write of the lane is under way. */
export async function judgeAfresh(run: Run, step: Step): Promise<Assessment> {
  const verdict = judgeBy(run, step, await run.use.world.reread(step, run.use.signals.requests));
  if (verdict.state === 'satisfied' && verdict.id !== null) run.known.claims.add(verdict.id);
  return verdict;
}

/**
 * The same once every other write of the lane has been answered: until then, what a sibling has just made looks like a stranger, or
 * like what this step was to make. The place in the lane is given back.
 */
export async function judgeAlone(run: Run, step: Step, pass: Pass): Promise<Assessment> {
  const judging = run.use.lanes.exclusively(laneOf(run, step), run.use.signals.requests, async () =>
    judgeAfresh(run, step),
  );
  pass.leave();
  return judging;
}

function unclear(reason: string, newcomers: readonly ResourceId[] = []): Evidence {
  return { state: 'unclear', reason, newcomers };
}

function fromAssessment(verdict: Assessment): Evidence {
  switch (verdict.state) {
    case 'satisfied':
      return { state: 'found', id: verdict.id };
    case 'ready':
      return { state: 'absent' };
    case 'stale':
      return verdict;
    default:
      return unreachable(verdict);
  }
}

/** True when the log shows an operation that came after `before` and carries out the step; false where no log can prove it. */
export function isProvedBy(
  run: Run,
  step: Step,
  { operations: known }: Before,
  log: readonly OperationRecord[] | null,
): boolean {
  if (known === null || log === null) return false;
  const { operations: table } = kindOf(run, step).remote;
  if (table === undefined || step.expects.state !== 'present') return false;
  const of = { id: step.expects.id, parentId: step.parentId };
  return log.some((one) => !known.has(one.id) && mayHaveStarted(table, step.action, of, one));
}

async function lookInLog(run: Run, step: Step, before: Before): Promise<Evidence> {
  if (step.projectId === null || before.operations === null) return unclear('no operation log shows the request');
  const history = await readHistory(run.use.client, step.projectId, { sinceMs: null }, run.use.signals.requests);
  return isProvedBy(run, step, before, history.operations)
    ? { state: 'found', id: step.expects.state === 'present' ? step.expects.id : null }
    : { state: 'absent' };
}

/** A newcomer of the pool is ours where it carries the mark of this run. */
async function lookForMark(run: Run, step: Step, { known }: Before): Promise<Evidence> {
  const pool = step.expects.joins;
  if (pool === null) return unclear('the new resource cannot be recognised');
  const { canonical, remote } = kindOf(run, step);
  const { client, runId, signals, world } = run.use;
  const live = await world.reread(step, signals.requests);
  for (const one of strangersIn({ ...pool, known }, live, { claimed: run.known.claims, canonical }))
    if ((await remote.isMarked?.(client, one, runId, signals.requests)) === true) {
      run.known.claims.add(one.id);
      return { state: 'found', id: one.id };
    }
  return { state: 'absent' };
}

/** Nothing shows whose a newcomer of the pool is where it has no name, or its secret is lost. */
async function lookForNewcomers(run: Run, step: Step, before: Before): Promise<Evidence> {
  const pool = step.expects.joins;
  if (pool === null) return unclear('the new resource cannot be recognised');
  const { canonical } = kindOf(run, step);
  const live = await run.use.world.reread(step, run.use.signals.requests);
  const newcomers = strangersIn({ ...pool, known: before.known }, live, { claimed: run.known.claims, canonical });
  if (newcomers.length === 0) return { state: 'absent' };
  const ids = newcomers.map(({ id }) => id);
  return unclear(`${ids.join(', ')} appeared after the request, and another run or person may have created them`, ids);
}
