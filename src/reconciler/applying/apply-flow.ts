// Apply: execute the plan, read back, plan again; the run is done when that plan is empty, not when calls returned.
import { isExpected } from '../../client/failure.ts';
import { RunningResult } from '../../apply/run/result.ts';
import { execute } from '../../apply/execute.ts';
import type { SecretStatus, ExecutionReport } from '../../apply/run/run.ts';
import { Vacancies } from '../../apply/run/vacancies.ts';
import { statusOf } from '../../apply/judge/verify.ts';
import { lastCall, type LastCall } from '../../apply/run/signals.ts';
import { numberOf } from '../../base/json.ts';
import { isWhatReplyTold, runMark } from '../../kinds/shared/made-by.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent, RunStatus } from '../../model/outcome/event.ts';
import type { LiveResource } from '../../model/live.ts';
import { halfReplaced, isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { planProblems } from '../../render/messages/problems.ts';
import type { ApplyParts, VerifiedRun } from '../parts.ts';
import type { ApplyRequest } from '../types.ts';
import { joinRunning, NOTHING_JOINED } from './join-running.ts';
import { checkUnchanged, notVerified, verifyRun } from './verify-run.ts';
import { lookAgain, passagesOf, placesOf } from './left-empty.ts';
import { unseenNow } from '../reading/seek-unseen.ts';
import type { Entry } from '../enter-folder.ts';
import { keepUp } from './keep-up.ts';
import { machineryOf, stopOf } from './machinery.ts';

export async function applyPlan(parts: ApplyParts, request: ApplyRequest): Promise<RunResult> {
  const run = startRun(parts, request);
  const last = lastCall(parts.session.clock, stopOf(request).hard, run.deadlineMs);
  try {
    return await runPlan(parts, request, run, last);
  } finally {
    last.close();
  }
}

/** Whatever is under way ends with `signal`; how far the run came is told all the same. */
async function runPlan(
  parts: ApplyParts,
  request: ApplyRequest,
  run: RunFrame,
  { signal, endAfter }: LastCall,
): Promise<RunResult> {
  const { soft } = stopOf(request);
  const deadlineMs = run.deadlineMs ?? Infinity;
  if (request.reading !== null) await tellMadeBefore(parts, request, request.reading.live.resources);
  if (request.plan.steps.length === 0) {
    endAfter(soft);
    if (request.desired === null) return runUnchanged(parts, request, run, signal);
    const joined = await joinRunning(parts, request, run);
    const verified = await verifyRun(parts, request, run.result(), { joined, signal, deadlineMs });
    run.tellReadBack(null, verified);
    await keepUp(parts, request, { run, verified, entry: null, signal });
    return run.finish(null, verified);
  }
  const reach = parts.options.onPoint ?? ((): void => undefined);
  reach('approved');
  const { clock } = parts.session;
  const entry = await parts.workspace.enter(
    (diagnostic) => run.emit({ type: 'diagnostic', atMs: clock.nowMs(), diagnostic }),
    soft,
  );
  if (entry === null) return run.end(soft.aborted ? 'interrupted' : 'error');
  reach('locked');
  try {
    const report = await executeSteps(parts, request, { entry, run });
    reach('executed');
    endAfter(soft);
    const joined = report.halted === null ? await joinRunning(parts, request, run) : NOTHING_JOINED;
    const verified =
      report.halted === 'stale' ? null : await verifyRun(parts, request, run.result(), { joined, signal, deadlineMs });
    if (request.reading === null) await tellMadeBefore(parts, request, verified?.found?.live ?? []);
    await noteSeen(entry, request.plan, run.result(), verified?.found?.live ?? []);
    const isUnsure = verified === null && run.result().vacated.length > 0;
    const again = isUnsure ? await lookAgain(parts, request.plan.steps, signal) : null;
    reach('verified');
    run.tellReadBack(report, verified, again);
    if (report.halted === null) await keepUp(parts, request, { run, verified, entry, inHand: report.inHand, signal });
    return run.finish(report, verified);
  } finally {
    reach('leaving');
    await entry.leave();
  }
}

/** What was made and is listed now need not be looked for by a later run that does not find it. */
async function noteSeen(
  { journal }: Entry,
  { steps }: Plan,
  result: RunResult,
  live: readonly LiveResource[],
): Promise<void> {
  const listed = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const made = new Map(result.steps.map(({ id, resourceId }) => [id, resourceId]));
  const seen = steps.filter(
    ({ id, kind, action }) => action === 'create' && listed.has(`${kind} ${made.get(id) ?? ''}`),
  );
  // All at once, so that they are written together.
  await Promise.all(seen.map(async (step) => journal.note(step, 'seen', made.get(step.id) ?? null)));
}

/**
 * What a killed run made and could not report any more is reported now, so that its id can still be written down: what the plan takes for
 * the very address for which it was made, where id and time of making are what the reply told then. The journal decides nothing by this.
 */
async function tellMadeBefore(
  { workspace }: ApplyParts,
  { plan, onMade }: ApplyRequest,
  live: readonly LiveResource[],
): Promise<void> {
  if (onMade === undefined) return;
  const found = new Map(live.map((one) => [`${one.kind} ${one.id}`, one]));
  for (const { kind, address, id, killed, at_ms: atMs, made_at_ms: madeAtMs } of await workspace.orphans()) {
    if (killed !== true || typeof id !== 'string') continue;
    const change = plan.changes.find((one) => one.kind === kind && one.address === address && one.resourceId === id);
    const resource = found.get(`${String(kind)} ${id}`);
    const stays = change !== undefined && change.action !== 'replace' && change.after !== null;
    if (!stays || resource === undefined) continue;
    const told = { atMs: numberOf(atMs), madeAtMs: numberOf(madeAtMs) };
    if (isWhatReplyTold(told, resource.createdAtMs) === 'yes') onMade(change.address, id);
  }
}

/** A saved plan without steps: nothing is done but to check that it still fits the account. */
async function runUnchanged(
  parts: ApplyParts,
  request: ApplyRequest,
  run: RunFrame,
  signal: AbortSignal,
): Promise<RunResult> {
  const { plan } = request;
  try {
    const { stale, resources } = await checkUnchanged(parts, plan, signal);
    for (const diagnostic of stale) run.emit({ type: 'diagnostic', atMs: parts.session.clock.nowMs(), diagnostic });
    if (stale.length > 0) return run.end('stale');
    const converged = isWhole(plan);
    const verified = { verification: { converged, remaining: [], diagnostics: [] }, resources };
    run.tellReadBack(null, verified);
    await keepUp(parts, request, { run, verified, entry: null, signal });
    return run.finish(null, verified);
  } catch (error) {
    if (!signal.aborted || !isExpected(error, signal)) throw error;
    const verified = notVerified(error);
    run.tellReadBack(null, verified);
    return run.finish(null, verified);
  }
}

/** Steps that did not end as asked. */
function troubled(counts: RunResult['counts']): number {
  return counts.failed + counts.unknown + counts.timedOut + counts.skipped + counts.notStarted;
}

/** How one apply tells what happens, and how it ends. */
interface RunFrame {
  /** Monotonic, for the whole run; null = none. */
  readonly deadlineMs: number | null;
  readonly emit: (event: ApplyEvent) => void;
  readonly onSecret: (secret: SecretStatus) => void;
  result(): RunResult;
  /** `again`: what another look showed where the account was not read back as a whole. */
  tellReadBack(report: ExecutionReport | null, verified: VerifiedRun | null, again?: VerifiedRun['found'] | null): void;
  finish(report: ExecutionReport | null, verified: VerifiedRun | null): RunResult;
  end(status: RunStatus): RunResult;
}

const TIME_OVER: Diagnostic = {
  severity: 'error',
  code: 'timeout',
  message: 'the time of the run is over (--timeout): no further step was started',
  hint: 'Run it again with a larger --timeout.',
};

function startRun({ session }: ApplyParts, request: ApplyRequest): RunFrame {
  const { plan, onEvent, onResult, timeoutMs = null } = request;
  const { clock, client } = session;
  const startedAtMs = clock.monotonicMs();
  const before = request.reading?.live.resources ?? [];
  const vacancies = new Vacancies(placesOf(request), plan.steps, before, passagesOf(plan));
  const result = new RunningResult(plan, vacancies);
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
    onSecret: (secret) => result.noteSecret(secret),
    result: () => result.now(),
    end,
    tellReadBack(report, verified, again = null) {
      if (verified !== null) {
        const { converged, matches = converged, remaining, diagnostics } = verified.verification;
        const isWell = converged && troubled(result.counts) === 0 && (report?.secretsAtRisk.length ?? 0) === 0;
        emit({
          type: 'verify',
          atMs: clock.nowMs(),
          converged: isWell,
          remaining,
          blocked: result.counts.blocked,
          ...(matches && !isWell ? { matches } : {}),
        });
        if (isWell && result.counts.blocked === 0) vacancies.done();
        for (const diagnostic of diagnostics) say(diagnostic);
        result.readBack(verified.resources);
      }
      const found = verified?.found ?? again;
      if (found) vacancies.readBack(found.live, found.wasRead);
      for (const { diagnostic } of vacancies.now()) say(diagnostic);
    },
    finish(report, verified) {
      const executed = report ?? { halted: null, secretsAtRisk: [] };
      if (executed.halted === 'timeout') say(TIME_OVER);
      const verification = verified?.verification ?? null;
      const isStopped = stopOf(request).soft.aborted;
      return end(statusOf({ report: executed, result: result.now(), verification, isStopped }));
    },
  };
}

async function executeSteps(
  { session, workspace, options }: ApplyParts,
  request: ApplyRequest,
  { entry, run }: { readonly entry: Entry; readonly run: RunFrame },
): Promise<ExecutionReport> {
  return execute({
    ...machineryOf({ session, workspace, options }, request, { entry, deadlineMs: run.deadlineMs, emit: run.emit }),
    plan: request.plan,
    runId: runMark(request.plan, workspace.runId()),
    logs: entry.hasWaited || request.hasPaused === true ? null : (request.reading?.live.histories ?? null),
    isSaved: request.reading === null,
    earlier: await workspace.orphans(),
    onSecret: run.onSecret,
    onMade: ({ address }, id) => request.onMade?.(address, id),
    unlistedCreations: async (creations, live, signal) =>
      // What this run itself has planned it has looked for.
      unseenNow(session, workspace, request, creations, { live, isLast: request.desired !== null, signal }),
  });
}
