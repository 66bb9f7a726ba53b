// Collects the events and the result of one apply, and makes the tools for executing plans.
import type { ExecuteInput } from '../../apply/execute.ts';
import { statusOf, type Verification } from '../../apply/judge/verify.ts';
import { RunningResult } from '../../apply/run/result.ts';
import type { StopRequests } from '../../apply/run/signals.ts';
import type { ExecutionReport, Happening, SecretStatus } from '../../apply/run/run.ts';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { STEP_TIMEOUT_MS } from '../../model/operations/timing.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import { halfReplaced, type PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { planProblems } from '../../render/messages/problems.ts';
import { type Entry, type Parts, writesAtOnce } from '../workspace.ts';
import type { ApplyRequest } from '../types.ts';

export interface VerifiedRun extends Pick<RunResult, 'resources' | 'vacated'> {
  readonly verification: Verification;
  /** The sinks to fill and resources to renew now; missing if the account could not be read. */
  readonly upkeep?: readonly PlannedUpkeep[];
}

export interface RunFrame {
  /** Monotonic deadline of the whole run; Infinity without one. */
  readonly deadlineMs: number;
  readonly stop: StopRequests;
  readonly emit: (event: Happening) => void;
  readonly say: (diagnostic: Diagnostic) => void;
  readonly onSecret: (secret: SecretStatus) => void;
  result(): RunResult;
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

export function toolsOf(
  { client, waiter, clock, options, openSinks, runId }: Parts,
  { onMade }: ApplyRequest,
  { stop, deadlineMs, emit, onSecret }: RunFrame,
  { journal }: Entry,
): Omit<ExecuteInput, 'plan' | 'planAgain'> {
  return {
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    client,
    waiter,
    clock,
    journal,
    runId: runId(),
    openSinks,
    stop,
    parallelism: writesAtOnce(options),
    stepTimeoutMs: options.stepTimeoutMs ?? STEP_TIMEOUT_MS,
    runDeadlineMs: deadlineMs,
    emit,
    onSecret,
    onMade: ({ address }, id) => onMade?.(address, id),
    reach: (point) => options.onPoint?.(point),
  };
}

export function startRun(parts: Parts, request: ApplyRequest): RunFrame {
  const { clock, client } = parts;
  const { plan, onEvent, onResult, timeoutMs = null } = request;
  const never = new AbortController().signal;
  const { soft = never, hard = never } = request.stop ?? {};
  const stop = { soft: AbortSignal.any([soft, hard]), hard };
  const startedAtMs = clock.monotonicMs();
  const deadlineMs = startedAtMs + (timeoutMs ?? Infinity);
  const result = new RunningResult(plan);
  const spent = (): Pick<RunResult, 'requests' | 'seconds'> => ({
    requests: client.requests(),
    seconds: Math.round(clock.monotonicMs() - startedAtMs) / 1000,
  });
  const emit = (what: Happening): void => {
    const event = { atMs: clock.nowMs(), ...what };
    result.add(event);
    onEvent?.(event);
    if (event.type !== 'apply_progress') onResult?.(() => ({ ...result.now(), ...spent() }));
  };
  const say = (diagnostic: Diagnostic): void => emit({ type: 'diagnostic', diagnostic });
  const end = (status: RunStatus): RunResult => {
    emit({ type: 'run_finished', status, counts: result.counts, ...spent() });
    return result.now();
  };
  for (const change of plan.changes) if (change.action !== 'none') emit({ type: 'planned_change', change });
  emit({ type: 'change_summary', summary: plan.summary, halfReplaced: halfReplaced(plan).size });
  for (const diagnostic of planProblems(plan)) say(diagnostic);
  return {
    deadlineMs,
    stop,
    emit,
    say,
    onSecret: (secret) => result.noteSecret(secret),
    result: () => result.now(),
    end,
    tellVerified(verified) {
      if (verified === null) return;
      const { counts, secretsAtRisk } = result.now();
      const { converged, matches = converged, remaining, diagnostics } = verified.verification;
      const { failed, unknown, timedOut, notStarted, blocked } = counts;
      const troubled = failed + unknown + timedOut + notStarted + secretsAtRisk.length;
      const isWell = converged && troubled === 0;
      emit({ type: 'verify', converged: isWell, remaining, blocked, ...(matches && !isWell ? { matches } : {}) });
      for (const diagnostic of diagnostics) say(diagnostic);
      const { resources, vacated } = verified;
      result.readBack({ resources, vacated });
      for (const { diagnostic } of vacated) say(diagnostic);
    },
    finish(report, verified) {
      const halted = report?.halted ?? null;
      if (halted === 'timeout') say(TIME_OVER);
      const verification = verified?.verification ?? null;
      return end(statusOf({ halted, result: result.now(), verification, isStopped: stop.soft.aborted }));
    },
  };
}
