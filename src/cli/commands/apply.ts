// `trueup apply`: applies a saved plan exactly, or plans, asks and applies; then reports the result.
import { DROP, missingConsents } from '../../model/outcome/consent.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import type { Sources } from '../../model/source.ts';
import { contextLines, renderReport } from '../../render/human/report.ts';
import { planReport } from '../../render/report/plan-report.ts';
import type { PlanContext } from '../../render/view/plan-context.ts';
import type { PlanRecord } from '../../plan/record.ts';
import { approvalOf, requirePerson, type Approval } from '../plans/approval.ts';
import { applyReporter, type ApplyReporter } from '../output/apply-reporter.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { failureCode } from '../output/failure.ts';
import { checkOutputs, inputsOf } from '../output/output.ts';
import type { Io } from '../process/io.ts';
import { judgedNow, readSavedPlan, requireSameStore, type SavedPlan } from '../plans/saved-plan.ts';
import {
  interchangeable,
  notPinnedWarning,
  NOTHING_PINNED,
  pinTarget,
  startPinner,
  withIds,
  withPinned,
  type Pinner,
} from '../authoring/pin-made.ts';
import {
  filesOf,
  humanOptions,
  planContext,
  readDesired,
  say,
  unplannedIn,
  type DesiredFiles,
} from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';
import { stopWords, type Stop } from '../process/stop.ts';
import { online, type Online } from '../session/online.ts';
import { nameDrops, withNamed, withUnnamed } from '../plans/named-losses.ts';
import { unusedAllowances } from '../plans/allowances.ts';

/** A plan that runs once it is approved. */
interface Candidate {
  readonly plan: Plan;
  readonly sources: Sources;
  /** The inputs of a plan made in this run; null for a saved plan. */
  readonly record: PlanRecord | null;
  /** With which it can be planned again. */
  readonly input: PlanRecord['input'];
}

export const apply: Run = async (invocation) => {
  const { settings, words } = invocation;
  checkOutputs(settings, inputsOf(settings, [...settings.files, ...words]));
  const reporter = applyReporter(invocation);
  let code: ExitCode = exitCodes.error;
  try {
    code = await run(invocation, reporter);
    return code;
  } catch (error) {
    const failure = reporter.onFailure(error);
    code = failureCode(failure);
    throw failure;
  } finally {
    await reporter.close(code);
  }
};

async function run(invocation: Invocation, reporter: ApplyReporter): Promise<ExitCode> {
  const { io, settings, words } = invocation;
  const approval = approvalOf(invocation);
  const to = pinTarget(invocation.flags['pin']);
  const files = filesOf(settings, approval.savedPlan === null ? words : []);
  const pinner = to === undefined ? null : startPinner(io, settings, files, to);
  const saved = approval.savedPlan === null ? null : await readSavedPlan(invocation, approval.savedPlan);
  if (typeof saved === 'number') return saved;
  const named = withIds(io, files, to);
  const source = saved ?? (await readDesired(io, settings, named));
  if (source === null) return exitCodes.error;
  requirePerson(invocation, approval);
  return online(
    invocation,
    async (line) => {
      const { client } = line.connection.reconciler;
      reporter.onConnected(() => client.requests());
      const made = await candidateOf(invocation, line, source, approval);
      if (typeof made === 'number') return line.stop.code() ?? made;
      const context = planContext(settings, saved === null ? { files: named } : saved.files);
      const candidate = await approve(invocation, made, { approval, context }, line.stop);
      if (typeof candidate === 'number') return candidate;
      return execute(invocation, line, { candidate, approval, reporter, pinner });
    },
    {
      onRetry: reporter.onRetry,
      onSignal: (signal) => reporter.say(stopWords(signal, reporter.view)),
      onCutOff: reporter.cutOff,
    },
  );
}

interface Execution {
  readonly candidate: Candidate;
  readonly approval: Approval;
  readonly reporter: ApplyReporter;
  /** Null without --pin. */
  readonly pinner: Pinner | null;
}

async function execute(
  { io, settings }: Invocation,
  { connection, stop, interrupted, timeLeftMs }: Online,
  { candidate, approval, reporter, pinner }: Execution,
): Promise<ExitCode> {
  io.watch(null);
  const { plan, record, input } = candidate;
  const { desired, live, ...request } = record?.input ?? input;
  const result = await connection.reconciler.apply({
    plan,
    desired,
    reading: { live },
    isSaved: record === null,
    request,
    hasPaused: approval.asks,
    onEvent: reporter.onEvent,
    onResult: reporter.onResult,
    ...(pinner === null ? {} : { onMade: pinner.onMade }),
    stop: { soft: interrupted, hard: stop.hard },
    timeoutMs: timeLeftMs(),
  });
  const { pinned, refused } = (await pinner?.finish()) ?? NOTHING_PINNED;
  const isDelivered = await reporter.finish(withPinned(result, pinned), candidate);
  const loose = interchangeable(candidate.plan, result, pinned);
  await say(io, settings, [...refused.map(notPinnedWarning), ...(loose === null ? [] : [loose])], candidate.sources);
  const isWhole = isDelivered && refused.length === 0;
  return strongest([codeOf(result, stop), ...(isWhole ? [] : [exitCodes.incomplete])]);
}

/** The plan to approve, or the exit code. */
async function candidateOf(
  invocation: Invocation,
  { connection, stop }: Online,
  source: SavedPlan | DesiredFiles,
  { consent, allow, due }: Approval,
): Promise<Candidate | ExitCode> {
  const { io, settings } = invocation;
  if ('opened' in source) {
    requireSameStore(source, connection);
    const saved = await judgedNow(invocation, source, { ...connection, allow, signal: stop.soft });
    if (typeof saved === 'number') return saved;
    return { ...saved, sources: new Map(), record: null };
  }
  const { desired, sources } = source;
  const { plan, record, diagnostics } = await connection.reconciler.plan({
    desired,
    consent,
    allow,
    due,
    ...selectionOf(settings, desired),
    signal: stop.soft,
  });
  const unused = unusedAllowances(settings, plan, allow);
  await say(
    io,
    settings,
    [...source.diagnostics, ...diagnostics, ...unplannedIn(plan), ...unused],
    sources,
    plan !== null,
  );
  return plan === null || record === null ? exitCodes.error : { plan, sources, record, input: record.input };
}

/** The approved plan, or the exit code. */
async function approve(
  { io, settings }: Invocation,
  made: Candidate,
  { approval: { expectHash, asks }, context }: { readonly approval: Approval; readonly context: PlanContext },
  stop: Stop,
): Promise<Candidate | ExitCode> {
  const options = { ...humanOptions(io, settings, 'stderr'), context };
  const show = async ({ plan }: Candidate): Promise<void> =>
    io.stderr.write(`${renderReport(planReport(plan, context), { ...options, diagnostics: false })}\n`);
  const { record } = made;
  if (record !== null && expectHash !== null) {
    if (made.plan.planHash !== expectHash) {
      await show(made);
      await say(io, settings, [otherHash(made.plan, expectHash)]);
      return exitCodes.stale;
    }
    if (settings.verbosity !== 'quiet' && says(made.plan)) await show(made);
    return made;
  }
  const missing = missingConsents(made.plan.changes);
  let candidate = asks && record !== null ? { ...made, ...withNamed(made, record, missing) } : made;
  const isAsked = asks && candidate.plan.steps.length > 0;
  // The result reports an empty plan; every other plan is shown before the question.
  if (isAsked || (settings.verbosity !== 'quiet' && says(candidate.plan)))
    await show({ ...candidate, plan: withUnnamed(candidate.plan, missing) });
  if (!isAsked) return candidate;
  if (record !== null) {
    const named = await nameDrops(io, candidate.plan, missing, stop.soft);
    if (named === null) return unapproved(io, null, stop);
    if (named.length < missing.length) {
      candidate = { ...made, ...withNamed(made, record, named) };
      // `yes` covers every consent but a drop.
      const unnamed = named.filter(({ word }) => word !== DROP);
      await show({ ...candidate, plan: withUnnamed(candidate.plan, unnamed) });
      if (candidate.plan.steps.length === 0) return candidate;
    }
  }
  const asked = [
    ...contextLines(candidate.plan, options),
    "Do you want to apply this plan? Only 'yes' will be accepted: ",
  ];
  const answer = await io.question(asked.join('\n'), stop.soft);
  return answer === 'yes' ? candidate : unapproved(io, answer, stop);
}

function otherHash({ planHash }: Plan, expected: string): Diagnostic {
  return {
    severity: 'error',
    code: 'stale',
    message: `the plan above has the hash ${planHash}, but --expect-hash is ${expected}`,
    hint: 'The files, the account or the flags differ from the reviewed plan. Review the plan above, then apply by its hash, with the same --allow and --due flags.',
  };
}

/** The answer was not yes, the input ended, or the time of the run is over. */
async function unapproved(io: Io, answer: string | null, stop: Stop): Promise<ExitCode> {
  const isLate = answer === null && stop.soft.aborted && stop.code() === null;
  if (isLate) throw stop.soft.reason;
  // A signal reports itself. At the end of input the cursor still follows the question.
  if (stop.code() === null) await io.stderr.write(`${answer === null ? '\n' : ''}Nothing was changed.\n`);
  return stop.code() ?? exitCodes.error;
}

function says(plan: Plan): boolean {
  return !isWhole(plan) || plan.changes.some(({ action, held }) => action !== 'none' || held.length > 0);
}

function codeOf(result: RunResult, stop: Stop): ExitCode {
  const codes: ExitCode[] = [];
  if (result.secretsAtRisk.length > 0) codes.push(exitCodes.secretAtRisk);
  const signal = stop.code();
  if (signal !== null) codes.push(signal);
  if (result.status === 'stale') codes.push(exitCodes.stale);
  if (result.status === 'incomplete' || result.status === 'interrupted') codes.push(exitCodes.incomplete);
  // Exit code 5 promises that every unblocked change was done: a run that did not begin cannot.
  if (result.status === 'error') codes.push(exitCodes.error);
  else if (result.status === 'blocked' || result.counts.blocked > 0) codes.push(exitCodes.blocked);
  return strongest(codes);
}
