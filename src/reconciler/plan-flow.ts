// Makes plans and drift reports: reads the account, then compares.
import { repeatedBy } from '../apply/journal/entries.ts';
import { knownOf } from '../apply/read/read-input.ts';
import type { ReadLiveResult } from '../apply/read/read-live.ts';
import { picked } from '../base/picked.ts';
import { listOfFirst } from '../base/text/words.ts';
import { kinds } from '../kinds/index.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { YOUNG_PAUSE_MS } from '../model/operations/timing.ts';
import type { Step } from '../model/outcome/plan.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Parts } from './workspace.ts';
import { readAccount } from './reading/read.ts';
import { unexpected } from './reading/survey.ts';
import type { PlanOutcome, PlanRequest } from './types.ts';

/** A list may lag behind a recent run. Before a plan repeats a request of that run, the account is read again for a bounded time. */
export async function planAccount(parts: Parts, request: PlanRequest): Promise<PlanOutcome> {
  const refusals = unexpected(parts, request.desired);
  if (refusals.length > 0) return { plan: null, reading: null, record: null, diagnostics: refusals };
  let reading = await readAccount(parts, request);
  for (let isFirst = true; ; isFirst = false) {
    const outcome = planReading(parts, request, reading);
    const steps = outcome.plan?.steps ?? [];
    // Verification after a run has its own pauses.
    if (steps.length === 0 || request.made !== undefined) return outcome;
    const repeated = repeatedBy(steps, await parts.young());
    const leftMs = repeated.untilMs - parts.serverClock.nowMs();
    if (leftMs <= 0) return outcome;
    if (isFirst) parts.options.onPause?.(waitWords(repeated.steps, leftMs));
    await parts.clock.sleep(Math.min(leftMs, YOUNG_PAUSE_MS), request.signal);
    const known = knownOf(reading.live, new Set(repeated.steps.map(({ projectId }) => projectId)));
    const again = await readAccount(parts, { ...request, known });
    reading = known === null ? again : { ...again, diagnostics: reading.diagnostics };
  }
}

const NAMED = 3;

function waitWords(steps: readonly Step[], leftMs: number): string {
  const addresses = [...new Set(steps.map(({ address }) => address))].sort();
  return `waiting up to ${Math.ceil(leftMs / 1000)}s: a recent run asked for ${listOfFirst(addresses, NAMED)}, and the service does not list the result yet`;
}

function planReading({ client, options }: Parts, request: PlanRequest, reading: ReadLiveResult): PlanOutcome {
  const { store } = options;
  const input = {
    baseUrl: client.baseUrl,
    ...(store === undefined ? {} : { store }),
    desired: request.desired,
    live: reading.live,
    problems: reading.diagnostics,
    // Rounded down, because a saved plan stores whole milliseconds.
    nowMs: Math.floor(client.serverTime()),
    clockDoubt: client.clockDoubt(),
    consent: request.consent ?? 'reviewed',
    allow: request.allow ?? [],
    due: request.due ?? false,
    noHistory: request.noHistory ?? request.once ?? false,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
  };
  const plan = makePlan({ ...input, kinds, ...picked(request, ['made', 'removals', 'held']) });
  const { diagnostics } = plan;
  if (hasErrors(diagnostics)) return { plan: null, reading, record: null, diagnostics };
  return { plan, reading, record: { input, before: [], after: [] }, diagnostics };
}
