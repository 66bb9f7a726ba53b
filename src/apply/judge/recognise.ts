// Decides after a lost reply whether the request was carried out, and how often it may be sent.
import { ApiFailure } from '../../client/failure.ts';
import { overdue, withinTime } from '../../client/http/exchange.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import { MOST_SKEW_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { shows, strangersIn } from './decide.ts';
import { foreignTo, lookAfresh, type Before } from './look.ts';
import { readNewest } from '../../client/operations.ts';
import { ownOperations } from '../step/await-operations.ts';
import type { WriteOutcome } from '../kind-remote.ts';
import { kindOf, poolOf, recognition, targetIdOf, type Decision, type Run, type StepEnd } from '../run/run.ts';

/** The most times that a request without a reply or a visible effect is sent: more than once only if a repetition is harmless. */
const SENDS: Readonly<Record<ReturnType<typeof recognition>, number>> = {
  slot: 3,
  name: 3,
  attributes: 2,
  mark: 1,
  nothing: 1,
  operation: 1,
};

export function sendsOf(run: Run, step: Step): number {
  return SENDS[recognition(run, step)];
}

/** True if the service allows only one resource in the slot or with the name. */
export function isUnique(run: Run, step: Step): boolean {
  return ['slot', 'name'].includes(recognition(run, step));
}

export const DOUBTFUL: StepEnd = {
  end: 'skipped',
  reason: 'an earlier creation in the same slot has an unknown outcome',
};

/** True if an earlier creation with an unknown outcome may have made the resource already, and the service would allow a second one. */
export function isDoubtful(run: Run, step: Step): boolean {
  const pool = poolOf(step);
  return pool !== null && run.uncertain.has(pool) && !isUnique(run, step);
}

/** `send`: no effect is visible · `done`: `id` is the created or changed resource · `unclear`: `newcomers`, if any, may be the effect. */
export type Evidence =
  Decision | { readonly state: 'unclear'; readonly reason: string; readonly newcomers: readonly ResourceId[] };

const NOT_NEW = 'ENOTNEW';

/** Returns a failure if the reply to a creation names a resource that existed before the request or belongs to another step; else null. */
export function notNewBy(
  run: Run,
  step: Step,
  { id, madeAtMs = null }: WriteOutcome,
  { live, sentAtMs }: Pick<Before, 'live'> & { readonly sentAtMs: number | null },
): ApiFailure | null {
  if (step.expects.state !== 'absent' || id === null) return null;
  // A created resource cannot be older than its request, except by the difference between two clocks.
  const isOld = madeAtMs !== null && sentAtMs !== null && madeAtMs < sentAtMs - MOST_SKEW_MS;
  if (!isOld && !live.some((one) => one.id === id) && !run.claims.has(id)) return null;
  const { method, path } = step;
  const message = `the reply names ${id}, which existed before the request; trueup does not change that resource`;
  return new ApiFailure(message, { failureClass: 'unusable', method, path, code: NOT_NEW });
}

export function isNotNew({ code }: ApiFailure): boolean {
  return code === NOT_NEW;
}

/** Reads the live state at once and after each pause, until evidence appears or `deadlineMs` (monotonic) is reached. Rejects with `ApiFailure`. */
export async function findEvidenceBy(
  deadlineMs: number,
  run: Run,
  step: Step,
  before: Before,
  pausesMs: readonly number[],
): Promise<Evidence> {
  const { clock, signals } = run;
  return withinTime({ clock, deadlineMs, signal: signals.requests }, async (requests) =>
    findEvidence({ ...run, signals: { ...signals, requests } }, step, before, pausesMs).catch(
      (error: unknown): Evidence => {
        if (overdue(requests) === null) throw error;
        return unclear('the live state could not be read again in time');
      },
    ),
  );
}

async function findEvidence(run: Run, step: Step, before: Before, pausesMs: readonly number[]): Promise<Evidence> {
  const { clock, signals } = run;
  let evidence = await look(run, step, before);
  for (const pauseMs of pausesMs) {
    if (evidence.state !== 'send') break;
    await clock.sleep(pauseMs, signals.requests);
    evidence = await look(run, step, before);
  }
  return evidence;
}

async function look(run: Run, step: Step, before: Before): Promise<Evidence> {
  switch (recognition(run, step)) {
    case 'operation':
      return lookInLog(run, step, before);
    case 'mark':
    case 'nothing':
      return lookForNewcomers(run, step, before);
    default: {
      const { verdict, live } = await lookAfresh(run, step);
      return isGone(step, live) ? { state: 'done', id: null } : verdict;
    }
  }
}

/** True if the target of a removal is gone, even if another resource has taken its slot since. */
function isGone(step: Step, live: readonly LiveResource[]): boolean {
  return step.achieves === null && !live.some(({ id }) => id === targetIdOf(step));
}

function unclear(reason: string, newcomers: readonly ResourceId[] = []): Evidence {
  return { state: 'unclear', reason, newcomers };
}

/** True if the log shows an operation of the step that the log in `before` lacks; false if either log was not read. */
export function isProvedBy(run: Run, step: Step, before: Before, log: readonly OperationRecord[] | null): boolean {
  if (before.log === null || log === null) return false;
  return log.some(ownOperations(run, { step, id: targetIdOf(step), before, sinceMs: null }));
}

async function lookInLog(run: Run, step: Step, before: Before): Promise<Evidence> {
  if (step.projectId === null || before.log === null) return unclear('no operation log shows the request');
  const history = await readNewest(run.client, step.projectId, run.signals.requests);
  return isProvedBy(run, step, before, history.operations)
    ? { state: 'done', id: targetIdOf(step) }
    : { state: 'send' };
}

/** Finds the created resource by its annotation (`isOurs`); in a kind without annotations, by the name and all attributes. */
async function lookForNewcomers(run: Run, step: Step, before: Before): Promise<Evidence> {
  const kind = kindOf(run, step);
  const pool = { where: step.expects.joins?.where ?? {}, known: before.live.map(({ id }) => id) };
  const found = strangersIn(run, step, pool, await run.world.reread(step, run.signals.requests));
  for (const one of recognition(run, step) === 'mark' ? found : []) {
    const isAlike = kind.isOurs !== undefined || shows(kind, one.spec, step.achieves ?? {});
    if (!isAlike || (await foreignTo(run, step, one)) !== null) continue;
    run.claims.add(one.id);
    return { state: 'done', id: one.id };
  }
  if (found.length === 0) return { state: 'send' };
  const ids = found.map(({ id }) => id);
  return unclear(`${ids.join(', ')} appeared after the request, and another run or person may have created them`, ids);
}
