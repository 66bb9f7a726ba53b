// `trueup apply`: applies a saved plan exactly, or makes a plan, asks for approval, and applies it.
import { DROP, missingConsents } from '../../model/outcome/impact.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import type { Sources } from '../../model/source.ts';
import { renderReport, rowLines } from '../../render/human/report.ts';
import type { Report } from '../../render/report/report.ts';
import { planReport } from '../../render/report/plan-report.ts';
import { contextRows, type PlanContext } from '../../render/view/plan-rows.ts';
import type { PlanRecord } from '../../plan/make-plan.ts';
import { approvalOf, requirePerson, type Approval, nameDrops, withNamed, withUnnamed } from '../plans/approval.ts';
import { applyReporter, type ApplyReporter } from '../output/apply-reporter.ts';
import type { Invocation, Run } from '../command.ts';
import { codeOf, Ended, exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { failureCode } from '../output/failure.ts';
import { judgedNow, readSavedPlan, type SavedPlan } from '../plans/saved-plan.ts';
import { notPinned, startPinner, withIds, withPinned, type Pinner } from '../authoring/pin-made.ts';
import { readDesired, type DesiredFiles } from '../session/desired-files.ts';
import { filesOf, humanOptions, planContext, say, unplannedIn } from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';
import { stopWords, type Stop } from '../process/stop.ts';
import { online, type Online } from '../session/online.ts';

interface Candidate {
  readonly plan: Plan;
  readonly sources: Sources;
  /** The inputs of a plan that this run made; null for a saved plan. */
  readonly record: PlanRecord | null;
  readonly input: PlanRecord['input'];
  readonly preview?: readonly string[];
}

export const run: Run = async (invocation) => {
  const reporter = applyReporter(invocation);
  let code: ExitCode = exitCodes.error;
  try {
    code = await codeOf(async () => applied(invocation, reporter));
    return code;
  } catch (error) {
    const failure = reporter.onFailure(error);
    code = failureCode(failure);
    throw failure;
  } finally {
    await reporter.close(code);
  }
};

async function applied(invocation: Invocation, reporter: ApplyReporter): Promise<ExitCode> {
  const { io, settings, words } = invocation;
  const approval = approvalOf(invocation);
  const { pin } = invocation.flags;
  // `--pin` alone is empty: the ids go into the declaring files.
  const to = typeof pin === 'string' ? pin || null : undefined;
  const files = filesOf(settings, approval.savedPlan === null ? words : []);
  const pinner = to === undefined ? null : startPinner(invocation, files, to);
  const saved = approval.savedPlan === null ? null : await readSavedPlan(invocation, approval.savedPlan);
  const named = withIds(io, files, to);
  const source = saved ?? (await readDesired(invocation, named));
  requirePerson(invocation, approval);
  const context = planContext(settings, saved === null ? { files: named } : saved.files);
  const work = { invocation, approval, reporter, pinner, context };
  return online(
    invocation,
    async (line) => {
      const { client } = line.connection.reconciler;
      reporter.onConnected(() => client.requests());
      const made = await candidateOf(work, line, source);
      return execute(work, line, await approve(work, line, made));
    },
    {
      onRetry: reporter.onRetry,
      onSignal: (signal) => reporter.say(stopWords(signal, reporter.view)),
      onCutOff: reporter.cutOff,
    },
  );
}

interface Work {
  readonly invocation: Invocation;
  readonly approval: Approval;
  readonly reporter: ApplyReporter;
  readonly pinner: Pinner | null;
  readonly context: PlanContext;
}

async function execute(
  { invocation, approval, reporter, pinner }: Work,
  { connection, stop, interrupted, timeLeftMs }: Online,
  candidate: Candidate,
): Promise<ExitCode> {
  invocation.io.watch(null);
  const { plan, record, input, sources } = candidate;
  const preview = [...(candidate.preview ?? [])];
  const { desired, live, ...request } = record?.input ?? input;
  const result = await connection.reconciler.apply({
    plan,
    desired,
    reading: { live },
    isSaved: record === null,
    request,
    hasPaused: approval.asks,
    onEvent: (event) => {
      // Prints the preview only at the first step, because a stale plan ends the run before any step.
      if (event.type === 'apply_start' || event.type === 'step_skipped') preview.splice(0).forEach(reporter.say);
      reporter.onEvent(event);
    },
    onResult: reporter.onResult,
    ...(pinner === null ? {} : { onMade: pinner.onMade }),
    stop: { soft: interrupted, hard: stop.hard },
    timeoutMs: timeLeftMs(),
  });
  const { pinned, refused } = (await pinner?.finish()) ?? { pinned: [], refused: [] };
  const isDelivered = await reporter.finish(withPinned(result, pinned), candidate);
  const unwritten = refused.map((one) => notPinned(one, 'warning', 'or run trueup pin'));
  await say(invocation, unwritten, sources);
  const isComplete = isDelivered && refused.length === 0;
  return strongest([...resultCodes(result, stop), ...(isComplete ? [] : [exitCodes.incomplete])]);
}

async function candidateOf(
  { invocation, approval: { consent, allow, due } }: Work,
  { connection, stop }: Online,
  source: SavedPlan | DesiredFiles,
): Promise<Candidate> {
  if ('opened' in source) {
    const saved = await judgedNow(invocation, source, connection, allow, stop.soft);
    return { ...saved, sources: new Map(), record: null };
  }
  const { desired, sources } = source;
  const { settings } = invocation;
  const asked = { desired, consent, allow, due, ...selectionOf(settings, desired), signal: stop.soft };
  const { plan, record, diagnostics } = await connection.reconciler.plan(asked);
  const problems = [...source.diagnostics, ...diagnostics, ...unplannedIn(plan)];
  await say(invocation, problems, sources, plan !== null);
  if (plan === null || record === null) throw new Ended();
  return { plan, sources, record, input: record.input };
}

/** Asks for approval if needed. Returns the plan with the answered consents; throws without approval, or if `--expect-hash` differs. */
async function approve(
  { invocation, approval: { expectHash, asks }, context }: Work,
  { stop }: Online,
  made: Candidate,
): Promise<Candidate> {
  const { io, settings } = invocation;
  const options = humanOptions(invocation, 'stderr');
  const reportOf = (plan: Plan): Report => ({ ...planReport(plan, context), diagnostics: [] });
  const textOf = (plan: Plan): string => `${renderReport(reportOf(plan), options)}\n`;
  const { record } = made;
  const { planHash } = made.plan;
  const isOther = record !== null && expectHash !== null && planHash !== expectHash;
  const missing = missingConsents(made.plan.changes.filter((change) => !change.due || made.plan.options.due));
  const candidate = asks && record !== null ? { ...made, ...withNamed(made, record, missing) } : made;
  const isAsked = asks && candidate.plan.steps.length > 0;
  // A plan without changes is not shown, because the result reports that.
  const isShown = isOther || isAsked || (settings.verbosity !== 'quiet' && says(candidate.plan));
  const text = isShown ? textOf(expectHash === null ? withUnnamed(candidate.plan, missing) : candidate.plan) : '';
  if (record === null && candidate.plan.steps.length > 0) return { ...candidate, preview: [text] };
  await io.stderr.write(text);
  if (isOther) {
    const message = `the plan above has the hash ${planHash}, but --expect-hash is ${expectHash}`;
    await say(invocation, [{ severity: 'error', code: 'stale', message, hint: OTHER_HASH }]);
    throw new Ended(exitCodes.stale);
  }
  if (!isAsked || record === null) return candidate;
  const given = await nameDrops(io, candidate.plan, missing, stop.soft);
  if (given === null) return unapproved(invocation, null, stop);
  const isLess = given.length < missing.length;
  const named = isLess ? { ...made, ...withNamed(made, record, given) } : candidate;
  if (isLess) {
    // Shows only the changes that the answers block; the rest was shown before. The answer `yes` gives the other consents.
    const unnamed = given.filter(({ word }) => word !== DROP);
    const report = reportOf(withUnnamed(named.plan, unnamed));
    const sections = report.sections.filter(({ title }) => title === 'Blocked');
    await io.stderr.write(`${renderReport({ ...report, context: [], sections }, options)}\n`);
    if (named.plan.steps.length === 0) return named;
  }
  const question = "Do you want to apply this plan? Only 'yes' will be accepted: ";
  const rows = rowLines(contextRows(named.plan, context), options);
  const answer = await io.question([...rows, question].join('\n'), stop.soft);
  return answer === 'yes' ? named : unapproved(invocation, answer, stop);
}

const OTHER_HASH =
  'The files, the account or the flags differ from the reviewed plan. Review the plan above, then apply by its hash, with the same --allow and --due flags.';

/** Ends a run without approval. Throws the timeout's error after a timeout, otherwise (answer, end of input, signal) Ended. */
async function unapproved({ io }: Invocation, answer: string | null, stop: Stop): Promise<never> {
  const isLate = answer === null && stop.soft.aborted && stop.code() === null;
  if (isLate) throw stop.soft.reason;
  // After a signal, another message is printed. At the end of input, the cursor is still on the line of the question.
  if (stop.code() === null) await io.stderr.write(`${answer === null ? '\n' : ''}Nothing was changed.\n`);
  throw new Ended(stop.code() ?? exitCodes.error);
}

function says(plan: Plan): boolean {
  return !isWhole(plan) || plan.changes.some(({ action, held }) => action !== 'none' || held.length > 0);
}

function resultCodes({ secretsAtRisk, status, counts }: RunResult, stop: Stop): readonly ExitCode[] {
  const signal = stop.code();
  const isIncomplete = status === 'incomplete' || status === 'interrupted';
  // A run with the status `error` did not begin, but exit code 5 would promise that every unblocked change was done.
  const isBlocked = status === 'blocked' || (status !== 'error' && counts.blocked > 0);
  return [
    ...(secretsAtRisk.length > 0 ? [exitCodes.secretAtRisk] : []),
    ...(signal === null ? [] : [signal]),
    ...(status === 'stale' ? [exitCodes.stale] : []),
    ...(isIncomplete ? [exitCodes.incomplete] : []),
    ...(status === 'error' ? [exitCodes.error] : []),
    ...(isBlocked ? [exitCodes.blocked] : []),
  ];
}
