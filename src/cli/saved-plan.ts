// A saved plan, read back: refused when it was edited, is of another service, has expired, or the files beside it say something else.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime } from '../base/clock.ts';
import { parseJson, type Json } from '../base/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { planFromJson } from '../plan/plan-json.ts';
import type { Invocation } from './command.ts';
import { baseUrlOf } from './base-url.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { readWish, say } from './session.ts';
import { UsageError } from './usage-error.ts';

const MAX_BYTES = 256 * 1024 * 1024;

/** The plan, or the code to end with (the reason is on stderr). */
export interface SavedPlan {
  readonly plan: Plan | null;
  readonly code: ExitCode | null;
}

/** Throws UsageError (exit 1) for a file that is no plan of ours for this service. */
export async function readSavedPlan(invocation: Invocation, shown: string): Promise<SavedPlan> {
  const { io, settings, flags } = invocation;
  const read = planFromJson(readJson(resolve(io.cwd, shown), shown));
  if ('problem' in read) throw new UsageError(`${shown}: ${read.problem}`, 'Plan again: trueup plan -o plan.json');
  const baseUrl = baseUrlOf(settings);
  if (read.plan.baseUrl !== baseUrl)
    throw new UsageError(`${shown} was made for ${read.plan.baseUrl}, and this run speaks to ${baseUrl}`);
  if (read.expiresAtMs !== null && read.expiresAtMs <= io.clock.nowMs()) {
    await say(io, settings, [stale(`${shown} expired at ${isoTime(read.expiresAtMs)}`)]);
    return { plan: null, code: exitCodes.stale };
  }
  const [first] = settings.files;
  // The machine that applies may lack the files, but not those that the user names.
  const isNamed = flags['file'] !== undefined;
  if (first !== undefined && (isNamed || first === '-' || existsSync(resolve(io.cwd, first)))) {
    const wish = await readWish(io, settings);
    if (wish === null) return { plan: null, code: exitCodes.error };
    if (wish.desired.digest !== read.plan.desiredDigest) {
      await say(io, settings, [stale(`${shown} was made from other files than ${settings.files.join(', ')} now say`)]);
      return { plan: null, code: exitCodes.stale };
    }
  }
  return { plan: read.plan, code: null };
}

function stale(message: string): Diagnostic {
  return { severity: 'error', code: 'stale', message, hint: 'Plan again.' };
}

function readJson(path: string, shown: string): Json {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new UsageError(`${shown} is too large to be a plan`);
    return parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof SyntaxError) throw new UsageError(`${shown} is not JSON (cut off?)`);
    throw new UsageError(`cannot read ${shown}: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
}
