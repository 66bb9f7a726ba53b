// Reads a saved plan. Refuses a plan that was edited, lacks a required signature, has expired, or belongs elsewhere.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listOf } from '../../base/text/words.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import { desiredDigestOf } from '../../plan/json/plan-json.ts';
import { kinds } from '../../kinds/index.ts';
import type { Allowance } from '../../plan/input.ts';
import { judgedAgain, type JudgedPlan } from '../../plan/guard/judge-again.ts';
import { openPlan, type OpenedPlan } from '../../plan/json/saved-plan.ts';
import type { Connection, Invocation, Session } from '../command.ts';
import { baseUrlOf } from '../session/connection.ts';
import { Ended, exitCodes, UsageError } from '../process/exit-code.ts';
import { readNamedJson, programVersion } from '../process/files.ts';
import { otherFiles } from './planned-files.ts';
import { planKeyOf, requireSignature } from './signature.ts';
import { readDesired } from '../session/desired-files.ts';
import { say } from '../session/session.ts';

export interface SavedPlan {
  readonly shown: string;
  readonly opened: OpenedPlan;
  readonly limits: readonly SafetyLimits[];
  readonly isSigned: boolean;
  readonly files: { readonly files: readonly string[]; readonly overlays: readonly string[] };
}

/** Throws UsageError (exit 1) for a file that is no usable plan, and Ended for a stale plan or invalid limits. */
export async function readSavedPlan(invocation: Invocation, shown: string): Promise<SavedPlan> {
  const { io, settings } = invocation;
  const key = planKeyOf(io);
  const json = readNamedJson(invocation, shown);
  if (key !== null) requireSignature(json, shown, key);
  const opened = openPlan(json, { kinds, toolVersion: programVersion() });
  if ('problem' in opened)
    throw new UsageError(`${shown}: ${opened.problem}`, 'Plan again: trueup plan -o plan.json', opened.code);
  const { plan, expiresAtMs } = opened;
  const baseUrl = baseUrlOf(settings);
  if (plan.baseUrl !== baseUrl)
    throw new UsageError(`${shown} was made for ${plan.baseUrl}, and this run uses ${baseUrl}`);
  if (expiresAtMs !== null && expiresAtMs <= io.clock.nowMs())
    await endStale(invocation, `${shown} expired at ${isoTime(expiresAtMs)}`);
  await requireSameFiles(invocation, shown, opened);
  // Limits come from the applying operator only: `--safety` and TRUEUP_SAFETY_FILE.
  const limits = settings.safetyFiles.length === 0 ? [] : (await readDesired(invocation, [])).desired.safety;
  const { paths = [], overlays = [] } = opened.files ?? {};
  return { shown, opened, limits, isSigned: key !== null, files: { files: paths, overlays } };
}

/** Judges the plan with the present consents and limits. Throws UsageError for a plan of another store, and Ended for a plan that would then do more than its file shows. */
export async function judgedNow(
  session: Session,
  saved: SavedPlan,
  { reconciler, store }: Pick<Connection, 'reconciler' | 'store'>,
  allow: readonly Allowance[],
  signal: AbortSignal,
): Promise<JudgedPlan> {
  const { shown, opened, limits, isSigned } = saved;
  // The base URL is no proof: all local stores have the same URL.
  if (opened.plan.store !== store)
    throw new UsageError(
      `${shown} was made for another local store: a store in another folder, or a store that was deleted`,
      'Apply it to the account that it was made for, or plan again: trueup plan -o plan.json',
    );
  const { record } = opened;
  const { input } = record;
  const { projects, diagnostics } = await reconciler.named({ projects: input.live.projects, safety: limits, signal });
  await say(session, diagnostics);
  const named = { ...opened, record: { ...record, input: { ...input, live: { ...input.live, projects } } } };
  const judged = judgedAgain(named, { limits, allow, isSigned }, kinds);
  return judged ?? endStale(session, `with these --allow flags, ${shown} would do more than it shows`);
}

/** Throws Ended if the files now declare another state. Files that -f does not name may be missing on this machine. */
async function requireSameFiles(invocation: Invocation, shown: string, { record, files }: OpenedPlan): Promise<void> {
  const { io, settings, flags } = invocation;
  const desiredDigest = desiredDigestOf(record.input.desired);
  const isNamed = flags['file'] !== undefined;
  const isChosen = isNamed || (io.env['TRUEUP_FILE'] ?? '') !== '';
  if (!isChosen && files !== null && !files.paths.includes('-')) {
    const because = await otherFiles(invocation, { shown, files, desiredDigest });
    return because === null ? undefined : endStale(invocation, because);
  }
  const [first] = settings.files;
  if (first === undefined || !(isNamed || first === '-' || existsSync(resolve(io.cwd, first)))) return;
  const { desired } = await readDesired(invocation);
  if (desiredDigestOf(desired) !== desiredDigest)
    await endStale(
      invocation,
      `${shown} is stale: the plan was made from files that declare something else than ${listOf(settings.files)}`,
    );
}

async function endStale(session: Session, message: string): Promise<never> {
  await say(session, [{ severity: 'error', code: 'stale', message, hint: 'Run trueup plan again.' }]);
  throw new Ended(exitCodes.stale);
}
