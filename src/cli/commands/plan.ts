// `trueup plan`: reads the live account and shows the changes to make; `-o` saves the plan.
import { resolve } from 'node:path';
import { isoTime } from '../../base/time/clock.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import { planToJson } from '../../plan/json/plan-json.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { allowances } from '../plans/approval.ts';
import type { Invocation, Run } from '../command.ts';
import { planOf, readBase, plannedFiles } from '../plans/planned-files.ts';
import { Ended, exitCodes, strongest, type ExitCode, UsageError } from '../process/exit-code.ts';
import { writeWhole, programVersion } from '../process/files.ts';
import { online } from '../session/online.ts';
import { deliver, planTexts } from '../output/output.ts';
import { planKeyOf, signedPlan } from '../plans/signature.ts';
import { recordFailure } from '../output/record-failure.ts';
import { readDesired } from '../session/desired-files.ts';
import { filesOf, planContext, say, unplannedIn, typedAgain } from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';

export const run: Run = async (invocation) => {
  const expiresInMs = expiryOf(invocation.flags);
  return recordFailure(invocation, async () => planned(invocation, expiresInMs));
};

async function planned(invocation: Invocation, expiresInMs: number): Promise<ExitCode> {
  const { io, settings, flags, words } = invocation;
  const out = typeof flags['out'] === 'string' ? flags['out'] : null;
  const files = filesOf(settings, words);
  const allow = allowances(flags['allow'] as readonly string[] | undefined);
  const asked = { allow, due: flags['due'] === true, noHistory: flags['history'] === false };
  const base = await readBase(invocation, files);
  const key = planKeyOf(io);
  const { desired, sources, diagnostics } = await readDesired(invocation, files);
  return online(invocation, async ({ connection: { reconciler }, stop }) => {
    const request = { desired, ...asked, ...selectionOf(settings, desired), signal: stop.soft };
    const made = await planOf(reconciler, { request, base });
    const { comparison, record } = made;
    await say(
      invocation,
      [...diagnostics, ...made.diagnostics, ...unplannedIn(made.plan)],
      new Map([...sources, ...(base?.sources ?? [])]),
      made.plan !== null,
    );
    if (made.plan === null || record === null) throw new Ended();
    // A saved plan also has the warnings about the files and about reading the account.
    const whole = { ...made.plan, diagnostics: [...diagnostics, ...made.diagnostics] };
    const nowMs = io.clock.nowMs();
    const toJson = (): string => {
      const json = planToJson(whole, {
        timestamp: isoTime(nowMs),
        toolVersion: programVersion(),
        expiresInMs,
        comparison,
        files: plannedFiles(settings, files, sources),
        record: { ...record, before: [...diagnostics, ...record.before] },
      });
      return jsonPage(key === null ? json : signedPlan(json, key));
    };
    if (out !== null) writeWhole(resolve(io.cwd, out), toJson(), io);
    const context = planContext(settings, { files });
    await deliver(invocation, { ...planTexts(invocation, whole, { comparison, context, isSaid: true }), json: toJson });
    if (out !== null && settings.verbosity !== 'quiet') {
      const again = `trueup apply ${out}${typedAgain(invocation, ['local', 'baseUrl', 'orgId'])}`;
      await io.stderr.write(`Saved the plan. To apply exactly this: ${again}\n`);
      if (key === null && needsAllowance(whole)) await io.stderr.write(`${GIVEN_TWICE}\n`);
    }
    const code = detailedCode(whole);
    // A partial plan ends with code 3 even without --detailed-exitcode, so that nobody takes it for the whole plan.
    return flags['detailedExitcode'] === true || code === exitCodes.incomplete ? code : exitCodes.done;
  });
}

const GIVEN_TWICE =
  'Give each --allow flag to trueup plan, and again to trueup apply: a plan that is not signed does not carry the consent.';

function needsAllowance({ changes }: Plan): boolean {
  return changes.some(({ consents = [] }) => consents.some(({ given }) => given !== 'file'));
}

function expiryOf({ expiresIn }: Invocation['flags']): number {
  const ms = parseDurationMs(String(expiresIn));
  if (ms === undefined || ms <= 0) throw new UsageError('--expires-in takes a duration such as 24h');
  return ms;
}

/** The first that applies: 3 for parts not read or planned, 5 for blocked changes, 2 for differences, otherwise 0. */
function detailedCode(made: Plan): ExitCode {
  const isAsked = (due: boolean): boolean => !due || made.options.due;
  const differs = made.changes.some(({ action, due }) => action !== 'none' && isAsked(due));
  return strongest([
    ...(isWhole(made) ? [] : [exitCodes.incomplete]),
    ...(made.summary.blocked > 0 ? [exitCodes.blocked] : []),
    ...(differs ? [exitCodes.differences] : []),
  ]);
}
