// One step from its turn to its end: looked at again, sent, waited for.
import { ApiFailure } from '../client/failure.ts';
import type { LiveResource } from '../model/live.ts';
import type { Step } from '../model/plan.ts';
import type { Assessment } from './assess.ts';
import type { Fate } from './attempts.ts';
import { awaitOperations, openOperations } from './await-operations.ts';
import type { Timing } from './await-operations.ts';
import { judgeAlone, judgeBy } from './evidence.ts';
import { joinForeign } from './joining.ts';
import type { Pass } from './lanes.ts';
import { DOUBTFUL, failedBecause, isDoubtful, kindOf, laneOf, refOf, satisfiedBy, unknownBecause } from './run.ts';
import type { Run, StepEnd } from './run.ts';
import { ownCredential } from './own-credential.ts';
import { proveRemoval } from './prove-removal.ts';
import { runSecretStep } from './secret-step.ts';
import { reportSurplus } from './surplus.ts';
import { sendStep } from './send-step.ts';
import type { Sending, Sent } from './send-step.ts';

export interface RanStep {
  readonly end: StepEnd;
  /** Since it was begun; waiting for its turn does not count. */
  readonly elapsedMs: number;
}

/** Runs `step`; rejects only for a bug of ours. */
export async function runStep(run: Run, step: Step): Promise<RanStep> {
  let pass: Pass;
  try {
    pass = await run.lanes.enter(laneOf(step), run.signals.admission);
  } catch (error) {
    if (run.signals.admission.aborted) return { end: { end: 'not_started' }, elapsedMs: 0 };
    throw error;
  }
  const startedAtMs = run.clock.monotonicMs();
  const timing = { startedAtMs, deadlineMs: Math.min(startedAtMs + run.stepTimeoutMs, run.runDeadlineMs) };
  const fate: Fate = { isOpen: false, repeats: 0 };
  const turn: Turn = { run, step, pass, fate, timing, begin: beginning(run, step, timing) };
  const end = await runInLane(turn)
    .catch((error: unknown) => endOfError(run, step, error, fate))
    .finally(() => pass.leave());
  return { end, elapsedMs: run.clock.monotonicMs() - timing.startedAtMs };
}

/** Tells, once, that the step begins: then its own time starts to run. */
function beginning(run: Run, step: Step, timing: Timing): () => void {
  let isBegun = false;
  return () => {
    if (isBegun) return;
    isBegun = true;
    timing.startedAtMs = run.clock.monotonicMs();
    timing.deadlineMs = Math.min(timing.startedAtMs + run.stepTimeoutMs, run.runDeadlineMs);
    const resourceId = step.expects.state === 'present' ? step.expects.id : null;
    run.emit({ type: 'apply_start', ...refOf(step), resourceId });
  };
}

type Turn = Omit<Sending, 'undo'>;

async function runInLane(turn: Turn): Promise<StepEnd> {
  const { run, step } = turn;
  if (run.signals.admission.aborted) return { end: 'not_started' };
  if (isDoubtful(run, step)) return DOUBTFUL;
  if (!(await joinForeign(run, step, turn.timing)))
    return failedBecause(step, 'busy', 'an operation of somebody else was still running at the deadline');
  const { live, verdict } = await judgeTurn(turn);
  if (isDoubtful(run, step)) return DOUBTFUL;
  if (verdict.state === 'satisfied') return satisfiedBy(verdict);
  if (verdict.state === 'stale') return { end: 'stale', reason: verdict.reason };
  if (run.signals.admission.aborted) return { end: 'not_started' };
  const held = run.heldBy(step);
  if (held !== null) return { end: 'held', reason: held };
  const own = await ownCredential(run, step, live);
  if (own !== null) return { end: 'held', reason: own };
  if (kindOf(run, step).remote.repeat(step) === 'secret') return runSecretStep(turn);
  const sent = await sendStep({ ...turn, undo: async () => Promise.resolve(false) }, live);
  return reportSurplus(turn, live, await follow(turn, sent));
}

/** What makes something may be kept from that by what is in its place; that is not believed while siblings may have put it there. */
async function judgeTurn({ run, step, pass }: Turn): Promise<Judged> {
  const live = await readFor(run, step);
  const verdict = judgeBy(run, step, live);
  if (kindOf(run, step).remote.repeat(step) === 'secret')
    return { live, verdict: await confirmSecret(run, step, verdict) };
  if (verdict.state === 'ready' || step.expects.state === 'present') return { live, verdict };
  const sure = await judgeAlone(run, step, pass);
  if (sure.state === 'ready') await pass.turnAgain(run.signals.admission);
  return { live: run.world.lastSeen(step) ?? live, verdict: sure };
}

interface Judged {
  readonly live: readonly LiveResource[];
  readonly verdict: Assessment;
}

/** A step sees the world as it is after the steps that it needs; what makes a secret sees it as it is now. */
async function readFor(run: Run, step: Step): Promise<readonly LiveResource[]> {
  const { admission } = run.signals;
  if (kindOf(run, step).remote.repeat(step) === 'secret') return run.world.reread(step, admission);
  const ends = step.needs.flatMap((id) => run.endedAtMs.get(id) ?? []);
  return run.world.list(step, ends.length === 0 ? null : Math.max(...ends), admission);
}

/** What stands where a secret was to be made counts as ours only if every place holds its secret. */
async function confirmSecret(run: Run, step: Step, verdict: Assessment): Promise<Assessment> {
  if (verdict.state !== 'satisfied') return verdict;
  const states = await Promise.all(run.openSinks(step).map(async (sink) => sink.check(run.signals.admission)));
  run.signals.admission.throwIfAborted();
  const isOurs = states.length > 0 && states.every(({ state, id }) => state === 'stored' && id === verdict.id);
  if (isOurs) return verdict;
  return { state: 'stale', reason: `${verdict.id}, which the plan does not know, has its name` };
}

/** In a lane that takes one at a time the place is kept until the operations have ended. */
async function follow(turn: Turn, sent: Sent): Promise<StepEnd> {
  const { run, step, pass, fate } = turn;
  if (sent.state === 'ended') return sent.end;
  run.tail.written(step);
  fate.isOpen = true;
  const answeredAtMs = run.clock.monotonicMs();
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const id = (sent.state === 'adopted' ? sent.id : sent.outcome.id) ?? target;
  const named = sent.state === 'adopted' ? null : sent.outcome.operations;
  const madeAtMs = sent.state === 'adopted' ? null : sent.outcome.madeAtMs;
  if (id !== null) run.claims.add(id);
  if (!pass.alone()) pass.leave();
  const repeat = kindOf(run, step).remote.repeat(step);
  if (repeat !== 'converging') await run.journal.note(step, 'acked', id, madeAtMs);
  run.reach('acked');
  const operations = named ?? (await openOperations(run, step, id, sent.before));
  const end = await awaitOperations(run, { step, id, operations, timing: turn.timing });
  // Nothing but a log tells of it later, and whose clock that goes by nobody knows.
  if (repeat === 'never' && end.end === 'done') await run.journal.note(step, 'done', id);
  return sent.state === 'adopted' ? end : proveRemoval(run, step, answeredAtMs, end);
}

function endOfError(run: Run, step: Step, error: unknown, fate: Fate): StepEnd {
  if (error instanceof ApiFailure) {
    if (error.status === 401) run.halt('unauthorized');
    if (fate.isOpen) return unknownBecause(`the live state could not be read back: ${error.message}`);
    return failedBecause(step, 'unread', `the live state could not be read: ${error.message}`, 'Nothing was sent.');
  }
  const { admission, waits, requests } = run.signals;
  if (!admission.aborted && !waits.aborted && !requests.aborted) throw error;
  if (fate.isOpen) return unknownBecause('the run ended before its outcome was known', true);
  return { end: 'not_started' };
}
