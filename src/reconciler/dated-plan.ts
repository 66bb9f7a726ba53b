// A plan that tells since when things differ: where the newest part of a busy log does not, it is read further back.
import { inParallel } from '../apply/in-parallel.ts';
import { readHistory } from '../apply/operation-log.ts';
import { ApiFailure } from '../client/failure.ts';
import { readerOf } from '../client/read-only.ts';
import type { LiveState, OperationHistory } from '../model/live.ts';
import type { Plan } from '../model/plan.ts';
import type { Line } from './connect.ts';
import { planAccount, planReading } from './plan-flow.ts';
import type { PlanOutcome, PlanRequest } from './types.ts';
import type { Workspace } from './workspace.ts';

/** What happened before this may stay undated. */
const FURTHEST_BACK_MS = 7 * 86_400_000;
const READS_AT_ONCE = 32;

/** The plan with every project's operation log behind it, as far as these could be read. */
export async function planDated(line: Line, workspace: Workspace, asked: PlanRequest): Promise<PlanOutcome> {
  const request: PlanRequest = { ...asked, histories: 'all', comparesUnlogged: true };
  const outcome = await planAccount(line, workspace, request);
  const { plan, reading, diagnostics } = outcome;
  if (plan === null || reading === null) return outcome;
  const projectIds = undatedProjects(plan, reading.live);
  if (projectIds.length === 0) return outcome;
  const signal = request.signal ?? new AbortController().signal;
  const further = await inParallel(
    projectIds,
    READS_AT_ONCE,
    async (id) => [id, await logOf(line, id, signal)] as const,
  );
  const histories = new Map(reading.live.histories);
  for (const [id, history] of further) if (history !== null) histories.set(id, history);
  const again = planReading(line, request, { ...reading, diagnostics, live: { ...reading.live, histories } });
  // What was said of the reading and of the plan holds for this one too.
  return { ...again, diagnostics };
}

function undatedProjects({ changes }: Plan, { histories }: LiveState): readonly string[] {
  const ids = changes.flatMap(({ attributes, projectId, resourceId, lastOperation, changedAt }) =>
    attributes.length > 0 &&
    projectId !== null &&
    resourceId !== null &&
    lastOperation === null &&
    changedAt === undefined &&
    histories.get(projectId)?.complete === false
      ? [projectId]
      : [],
  );
  return [...new Set(ids)].sort();
}

/** Null when it cannot be read: then the difference stays undated, and nothing else is lost. */
async function logOf(line: Line, projectId: string, signal: AbortSignal): Promise<OperationHistory | null> {
  try {
    return await readHistory(
      readerOf(line.client),
      projectId,
      { sinceMs: line.serverClock.nowMs() - FURTHEST_BACK_MS },
      signal,
    );
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}
