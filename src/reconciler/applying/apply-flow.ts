// Applies a plan and then plans again: the run is done when that plan is empty, not when the requests returned.
import { isExpected } from '../../client/failure.ts';
import { RunningResult } from '../../apply/run/result.ts';
import { execute } from '../../apply/execute.ts';
import { knownOf } from '../../apply/read/read-input.ts';
import type { SecretStatus, ExecutionReport } from '../../apply/run/run.ts';
import { statusOf } from '../../apply/judge/verify.ts';
import { lastCall, type LastCall } from '../../apply/run/signals.ts';
import { kindOf } from '../../kinds/index.ts';
import { runMark } from '../../kinds/shared/made-by.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent, RunStatus } from '../../model/outcome/event.ts';
import type { LiveState } from '../../model/live.ts';
import { halfReplaced } from '../../model/outcome/plan.ts';
import type { RunResult, StepOutcome } from '../../model/outcome/result.ts';
import { planProblems } from '../../render/messages/problems.ts';
import type { ApplyParts, VerifiedRun } from '../parts.ts';
import type { ApplyRequest } from '../types.ts';
import { verifyRun } from './verify-run.ts';
import { leftSlots } from './vacated.ts';
import { readAccount } from '../reading/read.ts';
import { planAgain } from './plan-again.ts';
import type { Entry } from '../enter-folder.ts';
import { keepUp } from './keep-up.ts';
import { machineryOf, stopOf } from './machinery.ts';

export async function applyPlan(parts: ApplyParts, request: ApplyRequest): Promise<RunResult> {
  const run = startRun(parts, request);
  const last = lastCall(parts.session.clock, stopOf(request).hard, run.deadlineMs);
  try {
    return request.plan.steps.length === 0
      ? await runUnchanged(parts, request, run, last)
      : await runSteps(parts, request, run, last);
  } finally {
    last.close();
  }
}

/** A plan without steps is read back too, because a saved one may be out of date. */
async function runUnchanged(
  parts: ApplyParts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  endAfter(stopOf(request).soft);
  const verified = await verifyRun(parts, request, run.result(), { ...run, signal });
  const stale = request.isSaved === true ? verified.verification.remaining : [];
  for (const address of stale) run.say(staleAt(address));
  if (stale.length > 0) return run.end('stale');
  run.tellVerified(verified);
  await keepUp(parts, request, { run, verified, entry: null });
  return run.finish(null, verified);
}

/** Requests end with `signal`; the run reports its result all the same. */
async function runSteps(
  parts: ApplyParts,
  asked: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  const { soft } = stopOf(asked);
  const reach = parts.options.onPoint ?? ((): void => undefined);
  const request = asked.isSaved === true ? await readAnew(parts, asked, run, soft) : asked;
  if (request === null) return run.end('interrupted');
  reach('approved');
  const entry = await parts.workspace.enter(request.plan.steps, run.say, soft);
  if (entry === null) return run.end(soft.aborted ? 'interrupted' : 'error');
  reach('locked');
  try {
    const report = await executeSteps(parts, request, { entry, run });
    reach('executed');
    endAfter(soft);
    const isUnchanged = report.halted === 'stale' && !run.result().steps.some(({ outcome }) => CHANGED.has(outcome));
    const verified = isUnchanged ? null : await verifyRun(parts, request, run.result(), { ...run, signal });
    reach('verified');
    run.tellVerified(verified);
    if (report.halted === null) await keepUp(parts, request, { run, verified, entry, inHand: report.inHand });
    return run.finish(report, verified);
  } finally {
    reach('leaving');
    await entry.leave();
  }
}

/** The outcomes of steps that may have changed something. */
const CHANGED: ReadonlySet<StepOutcome> = new Set(['done', 'unknown', 'timed_out']);

/** Reads the projects of the steps and the upkeep again; null if the run was stopped meanwhile. */
async function readAnew(
  { session, workspace }: ApplyParts,
  request: ApplyRequest,
  run: RunFrame,
  signal: AbortSignal,
): Promise<ApplyRequest | null> {
  const { plan, desired, reading } = request;
  const kept = new Set(
    desired.resources.flatMap((one) => (kindOf(one.kind).upkeep?.mayNeed(one) === true ? [one.scope] : [])),
  );
  const projects = reading.live.projects.filter(({ label }) => kept.has(label)).map(({ id }) => id);
  const changed = new Set([null, ...plan.steps.map(({ projectId }) => projectId), ...projects]);
  try {
    const asked = { ...request.request, desired, known: knownOf(reading.live, changed), signal };
    const anew = await readAccount(session, workspace, asked);
    run.readings[0] = anew.live;
    return { ...request, reading: anew };
  } catch (error) {
    if (!signal.aborted || !isExpected(error, signal)) throw error;
    return null;
  }
}

function staleAt(address: string): Diagnostic {
  return {
    severity: 'error',
    code: 'stale',
    message: 'the live state changed since the plan was made',
    hint: 'Run trueup plan again.',
    address,
  };
}

/** The number of steps that did not end well. */
function troubled(counts: RunResult['counts']): number {
  return counts.failed + counts.unknown + counts.timedOut + counts.skipped + counts.notStarted;
}

/** The events and the end of one apply. */
interface RunFrame {
  /** Monotonic, for the whole run; null = none. */
  readonly deadlineMs: number | null;
  readonly emit: (event: ApplyEvent) => void;
  readonly say: (diagnostic: Diagnostic) => void;
  readonly onSecret: (secret: SecretStatus) => void;
  result(): RunResult;
  /** The reading when the run began, and those after its steps. */
  readonly readings: [LiveState, ...LiveState[]];
  tellVerified(verified: VerifiedRun | null): void;
  finish(report: ExecutionReport | null, verified: VerifiedRun | null): RunResult;
  end(status: RunStatus): RunResult;
}

const TIME_OVER: Diagnostic = {
  severity: 'error',
  code: 'timeout',
  message: 'the time of the run is over (--timeout): no further step was started',
  hint: 'Run trueup apply again with a larger --timeout.',
};

function startRun({ session }: ApplyParts, request: ApplyRequest): RunFrame {
  const { plan, desired, onEvent, onResult, timeoutMs = null } = request;
  const { clock, client } = session;
  const startedAtMs = clock.monotonicMs();
  const readings: RunFrame['readings'] = [request.reading.live];
  const result = new RunningResult(plan);
  const spent = (): Pick<RunResult, 'requests' | 'seconds'> => ({
    requests: client.requests(),
    seconds: Math.round(clock.monotonicMs() - startedAtMs) / 1000,
  });
  const emit = (event: ApplyEvent): void => {
    result.add(event);
    onEvent?.(event);
    if (event.type !== 'apply_progress') onResult?.(() => ({ ...result.now(), ...spent() }));
  };
  const say = (diagnostic: Diagnostic): void => emit({ type: 'diagnostic', atMs: clock.nowMs(), diagnostic });
  const end = (status: RunStatus): RunResult => {
    emit({ type: 'run_finished', atMs: clock.nowMs(), status, counts: result.counts, ...spent() });
    return result.now();
  };
  for (const change of plan.changes)
    if (change.action !== 'none') emit({ type: 'planned_change', atMs: clock.nowMs(), change });
  emit({ type: 'change_summary', atMs: clock.nowMs(), summary: plan.summary, halfReplaced: halfReplaced(plan).size });
  for (const diagnostic of planProblems(plan)) say(diagnostic);
  return {
    deadlineMs: timeoutMs === null ? null : startedAtMs + timeoutMs,
    emit,
    say,
    onSecret: (secret) => result.noteSecret(secret),
    result: () => result.now(),
    end,
    readings,
    tellVerified(verified) {
      if (verified !== null) {
        const { converged, matches = converged, remaining, diagnostics } = verified.verification;
        const isWell = converged && troubled(result.counts) === 0 && result.now().secretsAtRisk.length === 0;
        emit({
          type: 'verify',
          atMs: clock.nowMs(),
          converged: isWell,
          remaining,
          blocked: result.counts.blocked,
          ...(matches && !isWell ? { matches } : {}),
        });
        for (const diagnostic of diagnostics) say(diagnostic);
        const ran = { steps: plan.steps, outcomes: result.now().steps };
        const vacated = leftSlots(desired, ran, readings);
        result.readBack({ resources: verified.resources, vacated });
        for (const { diagnostic } of vacated) say(diagnostic);
      }
    },
    finish(report, verified) {
      const halted = report?.halted ?? null;
      if (halted === 'timeout') say(TIME_OVER);
      const verification = verified?.verification ?? null;
      return end(statusOf({ halted, result: result.now(), verification, isStopped: stopOf(request).soft.aborted }));
    },
  };
}

async function executeSteps(
  { session, workspace, options }: ApplyParts,
  request: ApplyRequest,
  { entry, run }: { readonly entry: Entry; readonly run: RunFrame },
): Promise<ExecutionReport> {
  const { isSaved = false } = request;
  return execute({
    ...machineryOf({ session, workspace, options }, request, { entry, deadlineMs: run.deadlineMs, emit: run.emit }),
    plan: request.plan,
    runId: runMark(request.plan, workspace.runId()),
    histories: request.reading.live.histories,
    planAgain:
      isSaved || entry.hasWaited || request.hasPaused === true
        ? async (signal) => planAgain(session, workspace, request, signal)
        : null,
    earlier: await workspace.orphans(),
    onSecret: run.onSecret,
    onMade: ({ address }, id) => request.onMade?.(address, id),
  });
}
