// `trueup plan`: reads the live account and shows what would change; `-o` saves it.
import { resolve } from 'node:path';
import { isoTime } from '../../base/time/clock.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import { kinds } from '../../kinds/index.ts';
import { planToJson } from '../../plan/json/plan-json.ts';
import { shortRecord } from '../../plan/record.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import type { PlanRequest } from '../../reconciler/types.ts';
import { allowances, unusedAllowances } from '../plans/allowances.ts';
import type { Invocation, Run } from '../command.ts';
import { baseFilesOf, planOf, readBase } from '../plans/compare.ts';
import { exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { checkWritable, writeWhole } from '../process/files.ts';
import { online } from '../session/online.ts';
import { checkOutputs, deliver, inputsOf, isInput } from '../output/output.ts';
import { planRenderings } from '../output/reports.ts';
import { plannedFiles } from '../plans/planned-files.ts';
import { planKeyOf, signedPlan } from '../plans/plan-signature.ts';
import { recordFailure } from '../output/record-failure.ts';
import { filesOf, planContext, readDesired, say, unplannedIn } from '../session/session.ts';
import { selectionOf } from '../session/selection.ts';
import { UsageError } from '../program/usage-error.ts';
import { programVersion } from '../process/version.ts';

export const plan: Run = async (invocation) => {
  const files = filesOf(invocation.settings, invocation.words);
  const saving = savingOf(invocation, files);
  return recordFailure(invocation, async () => planned(invocation, files, saving));
};

async function planned(invocation: Invocation, files: readonly string[], saving: Saving): Promise<ExitCode> {
  const { io, settings } = invocation;
  const asked = askedOf(invocation);
  const other = await baseFilesOf(invocation, files);
  const key = planKeyOf(io);
  const loaded = await readDesired(io, settings, files);
  if (loaded === null) return exitCodes.error;
  const base = other === null ? null : await readBase(invocation, other);
  return online(invocation, async ({ connection, stop }) => {
    const request = { desired: loaded.desired, ...asked, ...selectionOf(settings, loaded.desired), signal: stop.soft };
    const { plan: made, diagnostics, comparison, record } = await planOf(connection.reconciler, { request, base });
    const unplanned = unplannedIn(made);
    await say(
      io,
      settings,
      [...loaded.diagnostics, ...diagnostics, ...unplanned, ...unusedAllowances(settings, made, asked.allow)],
      new Map([...loaded.sources, ...(base?.sources ?? [])]),
      made !== null,
    );
    if (made === null || record === null) return exitCodes.error;
    // The plan carries the warnings of the files and of the reading too.
    const told = { ...made, diagnostics: [...loaded.diagnostics, ...diagnostics] };
    const nowMs = io.clock.nowMs();
    const stamp = {
      timestamp: isoTime(nowMs),
      toolVersion: programVersion(),
      expiresInMs: saving.expiresMs,
      comparison,
    };
    const toJson = (): string => {
      const whole = planToJson(told, {
        ...stamp,
        files: plannedFiles(settings, files, loaded.sources),
        record: shortRecord({ ...record, before: [...loaded.diagnostics, ...record.before] }, kinds),
      });
      return `${jsonText(key === null ? whole : signedPlan(whole, key), 2)}\n`;
    };
    if (saving.path !== null) writeWhole(saving.path, toJson(), { io });
    await deliver(
      io,
      settings,
      planRenderings(told, { io, settings, comparison, context: planContext(settings, { files }), toJson }),
    );
    if (saving.path !== null && settings.verbosity !== 'quiet')
      await io.stderr.write(`${savedWords(saving.shown, key === null && needsAllowance(made))}\n`);
    const code = detailedCode(made);
    const isDetailed = invocation.flags['detailedExitcode'] === true;
    // Exit code 3 stands also without --detailed-exitcode: a part must not pass for the whole.
    return isDetailed || code === exitCodes.incomplete ? code : exitCodes.done;
  });
}

function savedWords(shown: string, isToRepeat: boolean): string {
  const words = `Saved the plan. To apply exactly this: trueup apply ${shown}`;
  return isToRepeat
    ? `${words}\nGive each --allow flag to trueup plan, and again to trueup apply: a plan that is not signed does not carry the consent.`
    : words;
}

/** True if a change needs an --allow, given or not. */
function needsAllowance({ changes }: Plan): boolean {
  return changes.some(({ consents = [] }) => consents.some(({ given }) => given !== 'file'));
}

/** The flags that apply has too. */
function askedOf({ flags }: Invocation): Pick<PlanRequest, 'allow' | 'due' | 'noHistory'> {
  return {
    allow: allowances(flags['allow'] as readonly string[] | undefined),
    due: flags['due'] === true,
    noHistory: flags['history'] === false,
  };
}

interface Saving {
  readonly path: string | null;
  readonly shown: string;
  readonly expiresMs: number;
}

/** The file and the lifetime of the saved plan. Throws UsageError, before anything is read, for a file that cannot be written. */
function savingOf({ io, settings, flags }: Invocation, files: readonly string[]): Saving {
  const inputs = inputsOf(settings, files);
  checkOutputs(settings, inputs);
  const expiresMs = parseDurationMs(String(flags['expiresIn'] ?? '72h'));
  if (expiresMs === undefined || expiresMs <= 0) throw new UsageError('--expires-in takes a duration such as 24h');
  if (typeof flags['out'] !== 'string') return { path: null, shown: '', expiresMs };
  const path = resolve(io.cwd, flags['out']);
  if (isInput(inputs, path)) throw new UsageError('--out names an input file');
  if ([settings.logFile, ...settings.writes.map((write) => write.path)].includes(path))
    throw new UsageError(`${flags['out']} is named by --out and by another flag`);
  checkWritable(path, flags['out'], io.cwd);
  return { path, shown: flags['out'], expiresMs };
}

/** 2 for differences, 3 for projects not read or planned, 5 for blocked changes, by precedence. */
function detailedCode(made: Plan): ExitCode {
  const codes: ExitCode[] = [];
  if (!isWhole(made)) codes.push(exitCodes.incomplete);
  if (made.summary.blocked > 0) codes.push(exitCodes.blocked);
  const isAsked = (due: boolean): boolean => !due || made.options.due;
  if (made.changes.some(({ action, due }) => action !== 'none' && isAsked(due))) codes.push(exitCodes.differences);
  return strongest(codes);
}
