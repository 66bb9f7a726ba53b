// A saved plan before its first write: every expectation against the world of now; a single stale step keeps all from running.
import { ApiFailure } from '../client/failure.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource, OperationHistory, OperationRecord } from '../model/live.ts';
import type { LastOperation, Plan, Step, StepId } from '../model/plan.ts';
import { inParallel } from './in-parallel.ts';
import { readHistory } from './operation-log.ts';
import { assessPlan } from './preflight.ts';
import { kindOf } from './run.ts';
import type { Run, StepEnd } from './run.ts';

export interface SavedPlanVerdict {
  /** One for each step that no longer fits; empty when the plan may run. */
  readonly stale: readonly Diagnostic[];
  readonly satisfied: ReadonlyMap<StepId, StepEnd>;
  readonly histories: ReadonlyMap<string, OperationHistory>;
}

const READS_AT_ONCE = 32;

/** Reads the lists and logs of the plan's scopes and judges every step. Rejects with `ApiFailure` when a list cannot be read: nothing was sent then. */
export async function checkSavedPlan(run: Run, plan: Plan): Promise<SavedPlanVerdict> {
  const { steps } = plan;
  const scopes = [...new Map(steps.map((step) => [scopeKey(step), step])).values()];
  const lists = new Map<string, readonly LiveResource[]>();
  await inParallel(scopes, READS_AT_ONCE, async (scope) => {
    lists.set(scopeKey(scope), await run.world.reread(scope, run.signals.admission));
  });
  const histories = await readHistories(run, steps);
  const verdicts = assessPlan({
    steps,
    live: (step) => lists.get(scopeKey(step)) ?? [],
    kind: (step) => kindOf(run, step),
  });
  const lastOperations = new Map(plan.changes.map((change) => [keyOf(change), change.lastOperation]));
  const stale: Diagnostic[] = [];
  const satisfied = new Map<StepId, StepEnd>();
  for (const step of steps) {
    const verdict = verdicts.get(step.id);
    if (verdict?.state === 'stale')
      stale.push({
        severity: 'error',
        code: 'stale',
        message: verdict.reason,
        hint: 'Nothing was sent. Make a new plan.',
        address: step.address,
      });
    const isMaker = kindOf(run, step).remote.repeat(step) === 'secret';
    if (verdict?.state === 'satisfied' && !isMaker) satisfied.set(step.id, { end: 'satisfied', id: verdict.id });
    if (wasDoneSince(run, step, histories, lastOperations.get(keyOf(step)) ?? null))
      satisfied.set(step.id, { end: 'satisfied', id: step.expects.state === 'present' ? step.expects.id : null });
  }
  return { stale, satisfied, histories };
}

/** One address may have several changes: a restart beside an update. */
function keyOf({ action, address }: Pick<Step, 'address'> & { readonly action: string }): string {
  return `${action}:${address}`;
}

function scopeKey(step: Step): string {
  return `${step.kind} ${step.projectId ?? ''}`;
}

/** Logs that cannot be read are done without: they only tell what is under way. */
async function readHistories(run: Run, steps: readonly Step[]): Promise<ReadonlyMap<string, OperationHistory>> {
  const projects = [...new Set(steps.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])))];
  const histories = new Map<string, OperationHistory>();
  await inParallel(projects, READS_AT_ONCE, async (projectId) => {
    try {
      histories.set(projectId, await readHistory(run.client, projectId, { sinceMs: null }, run.signals.admission));
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status === 401) throw error;
    }
  });
  return histories;
}

/**
 * For a step that no attribute can prove: an operation newer than the newest that the plan knew shows that it was carried out. Where
 * the plan knew none, any does: it read the log at least as far back as this does.
 */
function wasDoneSince(
  run: Run,
  step: Step,
  histories: ReadonlyMap<string, OperationHistory>,
  last: LastOperation | null,
): boolean {
  const { remote } = kindOf(run, step);
  if (remote.repeat(step) !== 'never' || step.projectId === null) return false;
  const operations = histories.get(step.projectId)?.operations ?? [];
  return newerThan(operations, last).some((operation) => remote.proves(step, operation));
}

/** `operations` newest first. */
function newerThan(operations: readonly OperationRecord[], last: LastOperation | null): readonly OperationRecord[] {
  if (last === null) return operations;
  const at = operations.findIndex(({ id }) => id === last.id);
  if (at >= 0) return operations.slice(0, at);
  const lastAtMs = last.at === null ? Infinity : Date.parse(last.at);
  return operations.filter(({ createdAtMs }) => (createdAtMs ?? 0) > lastAtMs);
}
