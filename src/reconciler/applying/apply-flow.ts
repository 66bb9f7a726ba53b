// Applies a plan and then plans again: the run has converged when that second plan is empty, not when the requests have returned.
import { execute } from '../../apply/execute.ts';
import { repeatedBy } from '../../apply/journal/entries.ts';
import type { PlannedAgain } from '../../apply/judge/decide-plan.ts';
import type { ExecutionReport } from '../../apply/run/run.ts';
import { lastCall, type LastCall } from '../../apply/run/signals.ts';
import { runMark } from '../../kinds/shared/notes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult, StepOutcome } from '../../model/outcome/result.ts';
import type { Entry } from '../enter-folder.ts';
import type { Parts } from '../workspace.ts';
import type { ApplyRequest, Reading } from '../types.ts';
import { keepUp } from './keep-up.ts';
import { planAgain } from './plan-again.ts';
import { startRun, toolsOf, type RunFrame } from './run-frame.ts';
import { verifyRun } from './verify-run.ts';

export async function applyPlan(parts: Parts, request: ApplyRequest): Promise<RunResult> {
  const run = startRun(parts, request);
  const last = lastCall(parts.clock, run.stop.hard, run.deadlineMs);
  try {
    return await (request.plan.steps.length === 0 ? runUnchanged : runSteps)(parts, request, run, last);
  } finally {
    last.close();
  }
}

/** A plan without steps is verified, too, because a saved plan may be out of date. */
async function runUnchanged(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  endAfter(run.stop.soft);
  const verified = await verifyRun(parts, request, run, signal);
  const stale = request.isSaved === true ? verified.verification.remaining : [];
  for (const address of stale) run.say(staleAt(address));
  if (stale.length > 0) return run.end('stale');
  run.tellVerified(verified);
  await keepUp(parts, request, run, { verified, entry: null });
  return run.finish(null, verified);
}

/** After `signal`, no request is sent any more, but the run still reports its result. */
async function runSteps(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  const reach = parts.options.onPoint ?? ((): void => undefined);
  reach('approved');
  const entry = await parts.enter(run.say);
  if (entry === null) return run.end('error');
  reach('locked');
  try {
    const { report, reading } = await executeSteps(parts, request, run, entry);
    reach('executed');
    endAfter(run.stop.soft);
    const isUnchanged = report.halted === 'stale' && !run.result().steps.some(({ outcome }) => CHANGED.has(outcome));
    const verified = isUnchanged ? null : await verifyRun(parts, { ...request, reading }, run, signal);
    reach('verified');
    run.tellVerified(verified);
    if (report.halted === null) await keepUp(parts, request, run, { verified, entry, inHand: report.inHand });
    return run.finish(report, verified);
  } finally {
    reach('leaving');
    await entry.leave();
  }
}

/** The outcomes of steps that may have changed something. */
const CHANGED: ReadonlySet<StepOutcome> = new Set(['done', 'unknown', 'timed_out']);

function staleAt(address: string): Diagnostic {
  return {
    severity: 'error',
    code: 'stale',
    message: 'the live state changed since the plan was made',
    hint: 'Run trueup plan again.',
    address,
  };
}

async function executeSteps(
  parts: Parts,
  request: ApplyRequest,
  run: RunFrame,
  entry: Entry,
): Promise<{ readonly report: ExecutionReport; readonly reading: Reading }> {
  const { plan, isSaved = false, hasPaused = false } = request;
  let { reading } = request;
  const newer = async (signal: AbortSignal): Promise<PlannedAgain> => {
    const again = await planAgain(parts, request, signal);
    if (again.plan !== null) reading = again;
    return again;
  };
  // Since the reading, another run of this folder may have sent the same requests, so the plan is checked again.
  const isRepeated = repeatedBy(plan.steps, await parts.young()).steps.length > 0;
  const report = await execute({
    ...toolsOf(parts, request, run, entry),
    plan,
    runId: runMark(plan, parts.runId()),
    histories: reading.live.histories,
    planAgain: isSaved || hasPaused || isRepeated ? newer : null,
    earlier: await parts.orphans(),
  });
  return { report, reading };
}
