// A request of a recent run may show in a list only later: before a plan repeats it, the account is read again for a bounded time.
import type { ReadLiveResult } from '../../apply/read/read-live.ts';
import { repeatedBy } from '../../apply/journal/entries.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { YOUNG_PAUSE_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Session } from '../connect.ts';
import type { PlanOutcome, PlanRequest } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { readAccount } from './read.ts';

const NAMED = 3;

/** The first plan that repeats no young request; at the end of the wait, the plan of what is listed. */
export async function waitForYoung(
  session: Session,
  workspace: Workspace,
  request: PlanRequest,
  { planOf, reading }: { readonly planOf: (reading: ReadLiveResult) => PlanOutcome; readonly reading: ReadLiveResult },
): Promise<PlanOutcome> {
  let [current, outcome] = [reading, planOf(reading)];
  for (let isFirst = true; ; isFirst = false) {
    const steps = outcome.plan?.steps ?? [];
    if (steps.length === 0) return outcome;
    const repeated = repeatedBy(steps, await workspace.young());
    const leftMs = repeated.untilMs - session.serverClock.nowMs();
    if (leftMs <= 0) return outcome;
    if (isFirst) session.onPause?.(waitWords(repeated.steps, leftMs));
    await session.clock.sleep(Math.min(leftMs, YOUNG_PAUSE_MS), request.signal);
    const { live, diagnostics } = current;
    const changed = new Set(repeated.steps.map(({ projectId }) => projectId));
    const isKnown = [...changed].every((id) => live.projects.some((project) => project.id === id));
    const again = await readAccount(session, workspace, { ...request, known: isKnown ? { live, changed } : null });
    current = isKnown ? { ...again, diagnostics } : again;
    outcome = planOf(current);
  }
}

function waitWords(steps: readonly Step[], leftMs: number): string {
  const addresses = [...new Set(steps.map(({ address }) => address))].sort();
  return `waiting up to ${Math.ceil(leftMs / 1000)}s: a recent run asked for ${listOfFirst(addresses, NAMED)}, and the service does not list the result yet`;
}
