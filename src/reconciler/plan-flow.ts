// Plan and drift: read the account, then compare.
import { hasErrors } from '../model/diagnostic.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ReadLiveResult } from '../apply/read/read-live.ts';
import { kinds } from '../kinds/index.ts';
import type { Session } from './connect.ts';
import { unexpected } from './reading/survey.ts';
import { readAccount } from './reading/read.ts';
import { waitForYoung } from './reading/wait-for-young.ts';
import type { PlanOutcome, PlanRequest } from './types.ts';
import type { Workspace } from './workspace.ts';

export async function planAccount(session: Session, workspace: Workspace, request: PlanRequest): Promise<PlanOutcome> {
  const refusals = unexpected(session, request.desired);
  if (refusals.length > 0) return { plan: null, reading: null, record: null, diagnostics: refusals };
  const reading = await readAccount(session, workspace, request);
  const planOf = (one: ReadLiveResult): PlanOutcome => planReading(session, request, one);
  // The read-back of a run has a wait of its own.
  return request.made === undefined ? waitForYoung(session, workspace, request, { planOf, reading }) : planOf(reading);
}

/** The plan of an account that has been read. */
function planReading(session: Session, request: PlanRequest, reading: ReadLiveResult): PlanOutcome {
  const input = {
    baseUrl: session.client.baseUrl,
    ...(session.store === undefined ? {} : { store: session.store }),
    desired: request.desired,
    live: reading.live,
    problems: reading.diagnostics,
    // Whole milliseconds: a saved plan keeps it as a time.
    nowMs: Math.floor(session.client.serverTime()),
    clockDoubt: session.client.clockDoubt(),
    consent: request.consent ?? 'reviewed',
    allow: request.allow ?? [],
    due: request.due ?? false,
    noHistory: request.noHistory ?? request.once ?? false,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
  };
  const plan = makePlan({
    ...input,
    kinds,
    ...(request.made === undefined ? {} : { made: request.made }),
  });
  const { diagnostics } = plan;
  if (hasErrors(diagnostics)) return { plan: null, reading, record: null, diagnostics };
  return { plan, reading, record: { input, before: [], after: [] }, diagnostics };
}
