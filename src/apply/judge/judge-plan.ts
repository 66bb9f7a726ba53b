// A plan before its first write: every expectation against the world of now; a single stale step keeps all from running.
import { ApiFailure } from '../../client/failure.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey } from '../../model/kind.ts';
import type { LiveResource, OperationHistory } from '../../model/live.ts';
import type { Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { placeholdersIn } from '../../model/reference.ts';
import type { Assessment } from './assess.ts';
import { inParallel } from '../in-parallel.ts';
import { metBy } from './look.ts';
import { readHistory } from '../read/operation-log.ts';
import { assessPlan } from './preflight.ts';
import { kindOf, satisfiedBy, unreadBecause } from '../run/run.ts';
import type { Run, StepEnd } from '../run/run.ts';

export interface PlanVerdict {
  /** One for each step that no longer fits; empty when the plan may run. */
  readonly stale: readonly Diagnostic[];
  /** How steps end that are not to be sent. */
  readonly known: ReadonlyMap<StepId, StepEnd>;
  readonly histories: ReadonlyMap<string, OperationHistory>;
}

const READS_AT_ONCE = 32;

/**
 * Reads the lists of the plan's scopes, and the logs of its projects unless they were read a moment ago (`logs`), and judges every
 * step. A list that cannot be read fails the steps of its scope; rejects with `ApiFailure` when none can be. Nothing was sent then.
 */
export async function judgePlan(run: Run, plan: Plan, logs: PlanVerdict['histories'] | null): Promise<PlanVerdict> {
  const { steps } = plan;
  const { lists, failed } = await readScopes(run, steps);
  const histories = logs ?? (await readHistories(run, steps));
  // What acts on something that an earlier step makes is judged when that is there.
  const readable = steps.filter((step) => lists.has(scopeKey(step)) && !actsOnUnborn(step));
  const verdicts = assessPlan({
    steps: readable,
    live: (step) => lists.get(scopeKey(step)) ?? [],
    kind: (step) => kindOf(run, step),
  });
  const stale: Diagnostic[] = [];
  const known = new Map<StepId, StepEnd>();
  for (const step of steps) {
    const failure = failed.get(scopeKey(step));
    const verdict = failure === undefined ? verdictOn(run, step, verdicts, histories) : null;
    if (failure !== undefined) known.set(step.id, unreadBecause(step, failure));
    if (verdict?.state === 'stale') stale.push(staleBecause(step, verdict.reason));
    if (verdict?.state === 'satisfied') known.set(step.id, satisfiedBy(verdict));
  }
  return { stale, known, histories };
}

function actsOnUnborn({ expects }: Step): boolean {
  return expects.state === 'present' && placeholdersIn(expects.id).length > 0;
}

/** What no attribute can prove is judged by the log; what makes a secret is judged again when its places are known. */
function verdictOn(
  run: Run,
  step: Step,
  verdicts: ReadonlyMap<StepId, Assessment>,
  histories: PlanVerdict['histories'],
): Assessment | null {
  const verdict = verdicts.get(step.id) ?? null;
  if (verdict?.state === 'satisfied' && kindOf(run, step).remote.repeat(step) === 'secret') return null;
  if (verdict?.state !== 'ready') return verdict;
  const log = histories.get(step.projectId ?? '');
  return log === undefined ? verdict : (metBy(run, step, log.operations) ?? verdict);
}

function staleBecause({ address }: Step, message: string): Diagnostic {
  return { severity: 'error', code: 'stale', message, hint: 'Nothing was sent. Make a new plan.', address };
}

interface ReadScopes {
  readonly lists: ReadonlyMap<string, readonly LiveResource[]>;
  readonly failed: ReadonlyMap<string, ApiFailure>;
}

async function readScopes(run: Run, steps: readonly Step[]): Promise<ReadScopes> {
  const scopes = [...new Map(steps.map((step) => [scopeKey(step), step])).values()];
  // Below what does not exist there is nothing.
  const unborn = scopes.filter(({ parentId = '' }) => placeholdersIn(parentId).length > 0);
  const lists = new Map<string, readonly LiveResource[]>(unborn.map((scope) => [scopeKey(scope), []]));
  const failed = new Map<string, ApiFailure>();
  await inParallel(
    scopes.filter((scope) => !lists.has(scopeKey(scope))),
    READS_AT_ONCE,
    async (scope) => {
      try {
        lists.set(scopeKey(scope), await run.use.world.reread(scope, run.use.signals.admission));
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status === 401) throw error;
        failed.set(scopeKey(scope), error);
      }
    },
  );
  const [first] = failed.values();
  if (first !== undefined && lists.size === 0) throw first;
  return { lists, failed };
}

/** Logs that cannot be read are done without: they only tell what is under way. */
async function readHistories(run: Run, steps: readonly Step[]): Promise<ReadonlyMap<string, OperationHistory>> {
  const projects = [...new Set(steps.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])))];
  const histories = new Map<string, OperationHistory>();
  await inParallel(projects, READS_AT_ONCE, async (projectId) => {
    try {
      histories.set(
        projectId,
        await readHistory(run.use.client, projectId, { sinceMs: null }, run.use.signals.admission),
      );
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status === 401) throw error;
    }
  });
  return histories;
}
