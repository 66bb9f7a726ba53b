// Plan and drift: read the account, then compare; values all the way.
import { hasErrors, LAST_CHANGE_UNKNOWN, type Diagnostic } from '../model/diagnostic.ts';
import { withDiagnostics } from '../model/plan.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ReadLiveResult } from '../apply/read-live.ts';
import { kinds } from '../kinds/index.ts';
import type { Line } from './connect.ts';
import { unexpected } from './expected.ts';
import { readOn } from './read-on.ts';
import { readAccount } from './read.ts';
import { seekUnseen } from './seek-unseen.ts';
import type { PlanOutcome, PlanRequest } from './types.ts';
import type { Workspace } from './workspace.ts';

export async function planAccount(line: Line, workspace: Workspace, request: PlanRequest): Promise<PlanOutcome> {
  const refusals = unexpected(line, request.desired);
  if (refusals.length > 0) return { plan: null, reading: null, record: null, diagnostics: refusals };
  const first = await readAccount(line, workspace, request);
  const begun = planReading(line, request, first);
  // The read-back of a run waits for what that run made by itself.
  const isReadBack = request.made !== undefined;
  const { plan } = begun;
  const second =
    plan === null || isReadBack ? null : await seekUnseen(line, workspace, request, { plan, reading: first });
  const reading = second ?? first;
  const outcome = second === null ? begun : planReading(line, request, second);
  const further = outcome.plan === null ? null : await readOn(line, request, { plan: outcome.plan, reading });
  return further === null ? outcome : planReading(line, request, further);
}

/** The plan of an account that has been read. */
export function planReading(line: Line, request: PlanRequest, reading: ReadLiveResult): PlanOutcome {
  const unlogged = reading.live.unread.filter(({ part }) => request.comparesUnlogged === true && part !== undefined);
  const unread = reading.live.unread.filter((entry) => !unlogged.includes(entry));
  const { nowMs, doubt: clockDoubt } = line.client.serverTime();
  const input = {
    baseUrl: line.client.baseUrl,
    ...(line.store === undefined ? {} : { store: line.store }),
    desired: request.desired,
    live: { ...reading.live, unread },
    // Whole milliseconds: a saved plan keeps it as a time.
    nowMs: Math.floor(nowMs),
    clockDoubt,
    consent: request.consent ?? 'reviewed',
    allow: request.allow ?? [],
    due: request.due ?? false,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
  };
  const whole = makePlan({
    ...input,
    kinds: kinds.map(({ rules }) => rules),
    ...(request.made === undefined ? {} : { made: request.made }),
  });
  const untold = reading.diagnostics.filter(({ code }) => code === LAST_CHANGE_UNKNOWN);
  const logged = unlogged.length === 0 ? whole : { ...whole, unread: [...whole.unread, ...unlogged] };
  const plan = untold.length === 0 ? logged : withDiagnostics(logged, [...untold, ...whole.diagnostics]);
  // A project that the reading did not find has been named there, with what may have been meant.
  const isNews = ({ code }: Diagnostic): boolean => code !== 'project_not_found' || !hasErrors(reading.diagnostics);
  const diagnostics = [...reading.diagnostics, ...whole.diagnostics.filter(isNews)];
  if (hasErrors(diagnostics)) return { plan: null, reading, record: null, diagnostics };
  return { plan, reading, record: { input, before: reading.diagnostics, after: [] }, diagnostics };
}
