// Judges a plan before its first write: reads what its steps are about. A single stale step keeps all from running.
import { groupBy } from '../../base/group-by.ts';
import { failureOf, readOrNull, type ApiFailure } from '../../client/failure.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT, scopeKey } from '../../model/kind.ts';
import type { LiveResource, OperationHistory } from '../../model/live.ts';
import type { Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { isIdToCome, isUnborn } from '../../model/reference.ts';
import type { Assessment } from './assess.ts';
import { inParallel } from '../in-parallel.ts';
import { ageFor, metBy } from './look.ts';
import { grownSince } from './contents.ts';
import { readHistory } from '../read/operation-log.ts';
import { READS_AT_ONCE } from '../read/read-scopes.ts';
import { cameAlong, idsAlong, inTheWay, notAlong } from '../step/inherited.ts';
import { confirmSecret } from '../secret/confirm-secret.ts';
import { resolveStep } from '../step/resolve-step.ts';
import { assessPlan, targetsOf } from './preflight.ts';
import { renamedOrGone } from './rested-on.ts';
import { kindOf, satisfiedBy, unreadBecause, type Run, type StepEnd } from '../run/run.ts';

export interface PlanVerdict {
  /** One for each step that no longer fits; empty when the plan may run. */
  readonly stale: readonly Diagnostic[];
  /** How steps end that are not to be sent. */
  readonly known: ReadonlyMap<StepId, StepEnd>;
  readonly histories: ReadonlyMap<string, OperationHistory>;
}

/**
 * Reads the lists of the plan's scopes, and the logs of its projects unless they were read a moment ago (`logs`), and judges every
 * step. A list that cannot be read fails the steps of its scope; rejects with `ApiFailure` when none can be. Nothing was sent then.
 */
export async function judgePlan(run: Run, plan: Plan, logs: PlanVerdict['histories'] | null): Promise<PlanVerdict> {
  // What was read a moment ago needs no second look.
  const lost = logs === null ? await renamedOrGone(run, plan) : [];
  if (lost.length > 0) return { stale: lost, known: new Map(), histories: new Map() };
  const { steps, verdicts, lists, failed } = await judgeSteps(run, plan.steps);
  // A removal may take more along than the plan knows: where that cannot be read it is asked again right before it.
  const ready = logs === null ? steps.filter(({ id }) => verdicts.get(id)?.state === 'ready') : [];
  const grown = await lookAgain(ready, async (step) => {
    const stake = step.expects.state === 'present' ? step.expects.stake : undefined;
    const age = ageFor(run, step, -Infinity);
    return readOrNull(grownSince(run, step, { age, signal: run.use.signals.admission, stake }));
  });
  // What makes a secret and seems to be there: whether it is ours is told by the places of the secret.
  const makings = steps.filter((step) => kindOf(run, step).remote.repeat(step) === 'secret');
  const secrets = await lookAgain(makings, async (step) => {
    const verdict = verdicts.get(step.id);
    return verdict?.state === 'satisfied' ? confirmSecret(run, step, verdict) : null;
  });
  const histories = logs ?? (await readHistories(run, steps));
  const stale: Diagnostic[] = [];
  const known = new Map<StepId, StepEnd>();
  for (const step of steps) {
    const failure = failed.get(scopeKey(step));
    const first = grown.get(step.id) ?? secrets.get(step.id);
    const judged = failure === undefined ? (first ?? verdictOn(run, step, verdicts, histories)) : null;
    const verdict = orNamesake(run, step, judged, logs === null ? lists : null);
    if (failure !== undefined) known.set(step.id, unreadBecause(step, failure));
    if (verdict?.state === 'stale') stale.push(staleBecause(step, verdict.reason));
    if (verdict?.state === 'satisfied') known.set(step.id, satisfiedBy(verdict));
  }
  return { stale, known, histories };
}

interface Judged {
  /** With the ids of what is there already. */
  readonly steps: readonly Step[];
  readonly verdicts: ReadonlyMap<StepId, Assessment>;
  readonly lists: ReadScopes['lists'];
  readonly failed: ReadScopes['failed'];
}

/** What turns out to be there is what other steps wait for: then their scopes are read, and they are judged again. */
async function judgeSteps(run: Run, planned: readonly Step[]): Promise<Judged> {
  const read: ReadScopes = { lists: new Map(), failed: new Map() };
  const made = new Map<Address, ResourceId>();
  // Once found it is what later steps act on, and no stranger any more.
  const found = new Map<StepId, Assessment>();
  for (;;) {
    const steps = planned.map((step) => resolveStep(step, made));
    await readScopes(run, steps, read);
    const { lists, failed } = read;
    const along = [...groupBy(steps, scopeKey)].flatMap(([scope, own]) =>
      idsAlong(run, own, cameAlong(parentOf(own[0], lists), lists.get(scope) ?? [])),
    );
    for (const [address, id] of along) made.set(address, id);
    // What a step acts on is no stranger, whatever its name is.
    if (along.length > 0) continue;
    // What acts on something that an earlier step makes is judged when that is there.
    const readable = steps.filter((step) => !failed.has(scopeKey(step)) && !actsOnUnborn(step));
    const verdicts = assessPlan({
      steps: readable,
      // Below what does not exist there is nothing.
      live: (step) => lists.get(scopeKey(step)) ?? [],
      kind: (step) => kindOf(run, step),
    });
    const learned = steps.flatMap(({ id, address, expects }) => {
      const verdict = verdicts.get(id);
      const isFound = expects.state === 'absent' && verdict?.state === 'satisfied' && verdict.id !== null;
      if (!isFound || made.has(address)) return [];
      found.set(id, verdict);
      return [[address, verdict.id] as const];
    });
    if (learned.length === 0) {
      const targets = targetsOf(steps);
      const gone = planned.flatMap((step, at) => {
        const resolved = steps[at] ?? step;
        const live = lists.get(scopeKey(resolved));
        if (live === undefined) return [];
        const isReady = actsOnUnborn(resolved) || verdicts.get(step.id)?.state === 'ready';
        const blocked = isReady ? inTheWay(run, step, { resolved, live, targets }) : null;
        const verdict = blocked ?? notAlong(run, resolved, live);
        return verdict === null ? [] : [[step.id, verdict] as const];
      });
      return { steps, verdicts: new Map([...verdicts, ...found, ...gone]), lists, failed };
    }
    for (const [address, id] of learned) made.set(address, id);
  }
}

/** What a second look tells of these steps; of some it tells nothing. */
async function lookAgain(
  steps: readonly Step[],
  look: (step: Step) => Promise<Assessment | null>,
): Promise<ReadonlyMap<StepId, Assessment>> {
  const told = new Map<StepId, Assessment>();
  await inParallel(steps, READS_AT_ONCE, async (step) => {
    const verdict = await look(step);
    if (verdict !== null) told.set(step.id, verdict);
  });
  return told;
}

/** What the resources of the step's scope lie below, as its list shows it; undefined where none does. */
function parentOf({ projectId, parentId }: Step, lists: ReadScopes['lists']): LiveResource | undefined {
  const all = parentId === undefined ? [] : [...lists.values()].flat();
  return all.find((one) => one.id === parentId && one.projectId === projectId);
}

function actsOnUnborn({ address, expects }: Step): boolean {
  return expects.state === 'present' && isIdToCome(expects.id, address);
}

/** What no attribute can prove is judged by the log. */
function verdictOn(
  run: Run,
  step: Step,
  verdicts: ReadonlyMap<StepId, Assessment>,
  histories: PlanVerdict['histories'],
): Assessment | null {
  const verdict = verdicts.get(step.id) ?? null;
  if (verdict?.state !== 'ready') return verdict;
  const log = histories.get(step.projectId ?? '');
  return metBy(run, step, log?.operations ?? []) ?? verdict;
}

/**
 * What came into being since the plan was made, where one of the kind can carry the mark of its run: of a plan made a moment ago it is nobody's
 * run, of a saved one (`lists`) an earlier run may have made it.
 */
function orNamesake(
  run: Run,
  step: Step,
  verdict: Assessment | null,
  lists: ReadScopes['lists'] | null,
): Assessment | null {
  const isTaken = verdict?.state === 'satisfied' && step.expects.state === 'absent' && step.with === undefined;
  const { remote } = kindOf(run, step);
  if (!isTaken || (remote.isMarked === undefined && remote.isOfPlan === undefined)) return verdict;
  const taken = lists?.get(scopeKey(step))?.find(({ id }) => id === verdict.id);
  const mayBeOurs = lists !== null && (taken === undefined || remote.isOfPlan?.(taken, run.use.runId) !== false);
  return mayBeOurs
    ? verdict
    : { state: 'stale', reason: `${verdict.id ?? 'another resource'} took the name a moment ago` };
}

function staleBecause({ address }: Step, message: string): Diagnostic {
  return { severity: 'error', code: 'stale', message, hint: 'Nothing was sent. Run trueup plan again.', address };
}

interface ReadScopes {
  readonly lists: Map<string, readonly LiveResource[]>;
  readonly failed: Map<string, ApiFailure>;
}

/** Reads what `read` lacks, and adds it there. Rejects with `ApiFailure` where nothing at all can be read. */
async function readScopes(run: Run, steps: readonly Step[], { lists, failed }: ReadScopes): Promise<void> {
  const scopes = [...new Map(steps.map((step) => [scopeKey(step), step])).values()];
  await inParallel(
    scopes.filter(
      (scope) =>
        (scope.kind === PROJECT || !isUnborn(scope)) && !lists.has(scopeKey(scope)) && !failed.has(scopeKey(scope)),
    ),
    READS_AT_ONCE,
    async (scope) => {
      try {
        lists.set(scopeKey(scope), await run.use.world.reread(scope, run.use.signals.admission));
      } catch (error) {
        failed.set(scopeKey(scope), failureOf(error));
      }
    },
  );
  const [first] = failed.values();
  if (first !== undefined && lists.size === 0) throw first;
}

/** Logs that cannot be read are done without: they only tell what is under way. */
async function readHistories(run: Run, steps: readonly Step[]): Promise<ReadonlyMap<string, OperationHistory>> {
  const born = steps.filter(({ projectId }) => projectId !== null && !isUnborn({ projectId }));
  const projects = [...new Set(born.flatMap(({ projectId }) => projectId ?? []))];
  const histories = new Map<string, OperationHistory>();
  await inParallel(projects, READS_AT_ONCE, async (projectId) => {
    const { client, signals } = run.use;
    const history = await readOrNull(readHistory(client, projectId, { sinceMs: null }, signals.admission));
    if (history !== null) histories.set(projectId, history);
  });
  return histories;
}
