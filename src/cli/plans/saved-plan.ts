// A saved plan, read again: refused if it was edited, belongs to another service, has expired, or no longer agrees with its files.
import { desiredDigestOf, type SafetyLimits } from '../../model/desired.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listOf } from '../../base/text/words.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { kinds } from '../../kinds/index.ts';
import type { Allowance } from '../../plan/input.ts';
import { judgedAgain, type JudgedPlan } from '../../plan/guard/judge-again.ts';
import { openPlan, type OpenedPlan } from '../../plan/json/saved-plan.ts';
import type { Invocation } from '../command.ts';
import { baseUrlOf, type Connection } from '../session/connection.ts';
import { exitCodes, type ExitCode } from '../process/exit-code.ts';
import { readNamedJson } from '../process/files.ts';
import { otherFiles } from './planned-files.ts';
import { planKeyOf, requireSignature } from './plan-signature.ts';
import { readLimits, readDesired, say } from '../session/session.ts';
import { UsageError } from '../program/usage-error.ts';
import { programVersion } from '../process/version.ts';

export interface SavedPlan {
  /** Its file as the user named it. */
  readonly shown: string;
  readonly opened: OpenedPlan;
  /** The operator's limits of today. */
  readonly limits: readonly SafetyLimits[];
  readonly isSigned: boolean;
  /** The files that the plan names as its source. */
  readonly files: { readonly files: readonly string[]; readonly overlays: readonly string[] };
}

/** The plan, or the code to end with (the reason is on stderr). Throws UsageError (exit 1) for a file that is no plan of ours for this service. */
export async function readSavedPlan(invocation: Invocation, shown: string): Promise<SavedPlan | ExitCode> {
  const { io, settings } = invocation;
  const key = planKeyOf(io);
  const json = readNamedJson(io.cwd, shown);
  if (key !== null) requireSignature(json, shown, key);
  const read = openPlan(json, { kinds, toolVersion: programVersion() });
  if ('problem' in read)
    throw new UsageError(`${shown}: ${read.problem}`, 'Plan again: trueup plan -o plan.json', read.code);
  const baseUrl = baseUrlOf(settings);
  if (read.plan.baseUrl !== baseUrl)
    throw new UsageError(`${shown} was made for ${read.plan.baseUrl}, and this run uses ${baseUrl}`);
  if (read.expiresAtMs !== null && read.expiresAtMs <= io.clock.nowMs()) {
    await say(io, settings, [stale(`${shown} expired at ${isoTime(read.expiresAtMs)}`)]);
    return exitCodes.stale;
  }
  const code = await heldAgainstFiles(invocation, shown, read);
  if (code !== null) return code;
  const limits = await readLimits(io, settings);
  if (limits === null) return exitCodes.error;
  if (read.plan.steps.length === 0 && read.plan.limitsExceeded.length > 0)
    await say(io, settings, [heldWhenMade(shown)]);
  const { paths = [], overlays = [] } = read.files ?? {};
  return { shown, opened: read, limits, isSigned: key !== null, files: { files: paths, overlays } };
}

/** The plan as it may be carried out now, or the code to end with (the reason is on stderr). Rejects with `ApiFailure` where the service does not answer. */
export async function judgedNow(
  { io, settings }: Invocation,
  { shown, opened, limits, isSigned }: SavedPlan,
  {
    allow,
    reconciler,
    signal,
  }: Pick<Connection, 'reconciler'> & {
    readonly allow: readonly Allowance[];
    readonly signal: AbortSignal;
  },
): Promise<JudgedPlan | ExitCode> {
  const { record } = opened;
  const { input } = record;
  const { projects, diagnostics } = await reconciler.named({ projects: input.live.projects, safety: limits, signal });
  await say(io, settings, diagnostics);
  const named = { ...opened, record: { ...record, input: { ...input, live: { ...input.live, projects } } } };
  const judged = judgedAgain(named, { limits, allow, isSigned }, kinds);
  if (judged !== null) return judged;
  await say(io, settings, [stale(`with these --allow flags, ${shown} would do more than it shows`)]);
  return exitCodes.stale;
}

/** Throws UsageError (exit 1) for a plan of another store of the embedded control plane: all of them have one base URL. */
export function requireSameStore({ opened: { plan }, shown }: SavedPlan, { store }: { readonly store?: string }): void {
  if (plan.store === store) return;
  throw new UsageError(
    otherStoreWords(plan, shown, store),
    'Apply it to the account that it was made for, or plan again: trueup plan -o plan.json',
  );
}

function otherStoreWords(plan: Plan, shown: string, store: string | undefined): string {
  if (store === undefined)
    return `${shown} was made for a local store (--local), and this run uses ${plan.baseUrl} over the network`;
  if (plan.store === undefined) return `${shown} does not record the local store that it was made for`;
  return `${shown} was made for another local store: a store in another folder, or a store that was deleted`;
}

/** The code to end with when the files say something else by now, which is said. */
async function heldAgainstFiles(
  invocation: Invocation,
  shown: string,
  { record, files }: OpenedPlan,
): Promise<ExitCode | null> {
  const { io, settings, flags } = invocation;
  const desiredDigest = desiredDigestOf(record.input.desired);
  const isChosen = flags['file'] !== undefined || (io.env['TRUEUP_FILE'] ?? '') !== '';
  if (isChosen || files === null || files.paths.includes('-'))
    return heldAgainst(invocation, shown, { desiredDigest, isNamed: flags['file'] !== undefined });
  const because = await otherFiles(invocation, { shown, files, desiredDigest });
  if (because === null) return null;
  await say(io, settings, [stale(because)]);
  return exitCodes.stale;
}

/** The same for the files that the settings name: the machine that applies may lack them, but not those that the user names. */
async function heldAgainst(
  { io, settings }: Invocation,
  shown: string,
  { desiredDigest, isNamed }: { readonly desiredDigest: string; readonly isNamed: boolean },
): Promise<ExitCode | null> {
  const [first] = settings.files;
  if (first === undefined || !(isNamed || first === '-' || existsSync(resolve(io.cwd, first)))) return null;
  const read = await readDesired(io, settings);
  if (read === null) return exitCodes.error;
  if (desiredDigestOf(read.desired) === desiredDigest) return null;
  await say(io, settings, [
    stale(`${shown} is stale: the plan was made from files that declare something else than ${listOf(settings.files)}`),
  ]);
  return exitCodes.stale;
}

function heldWhenMade(shown: string): Diagnostic {
  const message = `${shown} has no steps, because a safety limit blocked the plan when it was made`;
  return {
    severity: 'warning',
    code: 'held_when_made',
    message,
    hint: 'Raise the limit or pass --allow, then plan again: trueup plan -o plan.json',
  };
}

function stale(message: string): Diagnostic {
  return { severity: 'error', code: 'stale', message, hint: 'Run trueup plan again.' };
}
