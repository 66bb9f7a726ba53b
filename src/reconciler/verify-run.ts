// The read-back of a run: what the account shows now, and whether that is what was asked for.
import { disagreements } from '../apply/attributes.ts';
import { verifyByPlan, verifyBySteps, type Verification } from '../apply/verify.ts';
import { ApiFailure } from '../client/failure.ts';
import { readerOf } from '../client/read-only.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/live.ts';
import type { Plan, Step } from '../model/plan.ts';
import type { ResourceResult, RunResult } from '../model/result.ts';
import type { ApplyParts, VerifiedRun } from './parts.ts';
import { planAccount } from './plan-flow.ts';
import type { ApplyRequest } from './types.ts';

/** Reads back and judges; null when the account could not be read. A plan without steps was its own read-back, unless something was `joined` since. */
export async function verifyRun(
  parts: ApplyParts,
  request: ApplyRequest,
  result: RunResult,
  joined: boolean,
): Promise<VerifiedRun | null> {
  try {
    if (request.desired === null) return await verifySaved(parts, request.plan, result);
    if (!joined && request.plan.steps.length === 0 && request.reading !== null) {
      const converged = request.plan.unread.length === 0;
      return {
        verification: { converged, remaining: [], diagnostics: [] },
        resources: resourcesOf(request.plan, request.reading.live.resources),
      };
    }
    const { plan, reading, diagnostics } = await planAccount(parts.line, parts.workspace, {
      ...request.request,
      desired: request.desired,
      histories: 'all',
    });
    if (plan === null || reading === null)
      return { verification: { converged: false, remaining: [], diagnostics }, resources: {} };
    return {
      verification: verifyByPlan(request.plan, result.steps, plan),
      resources: resourcesOf(plan, reading.live.resources),
    };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const verification: Verification = {
      converged: false,
      remaining: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'not_verified',
          message: `the account could not be read back: ${error.message}`,
          hint: 'Run it again.',
        },
      ],
    };
    return { verification, resources: {} };
  }
}

/** A saved plan without steps says that nothing was to do: whether that still holds is read, not assumed. */
export async function checkUnchanged(
  { line }: ApplyParts,
  plan: Plan,
): Promise<{ readonly stale: readonly Diagnostic[]; readonly resources: RunResult['resources'] }> {
  const managed = plan.changes.filter(({ action, resourceId }) => action === 'none' && resourceId !== null);
  const scopes = new Map(managed.map((change) => [scopeOf(change), change]));
  const lists = new Map<string, readonly LiveResource[]>();
  await Promise.all(
    [...scopes].map(async ([scope, change]) => lists.set(scope, (await listOf(line.client, change)) ?? [])),
  );
  const stale = managed.flatMap((change): Diagnostic[] => {
    const { rules } = kindOf(change.kind);
    const live = lists.get(scopeOf(change))?.find(({ id }) => id === change.resourceId);
    const changed =
      live === undefined
        ? null
        : disagreements(change.after ?? {}, live.spec, (path, value) => rules.canonical(path, value));
    if (changed?.length === 0) return [];
    const how =
      changed === null ? `${change.resourceId} is gone` : `${changed.map(({ path }) => path).join(', ')} changed`;
    return [
      {
        severity: 'error',
        code: 'stale',
        message: `${how} since the plan was made`,
        hint: 'Make a new plan.',
        address: change.address,
      },
    ];
  });
  return { stale, resources: resourcesOf(plan, [...lists.values()].flat()) };
}

async function verifySaved({ line }: ApplyParts, plan: Plan, result: RunResult): Promise<VerifiedRun> {
  const lists = new Map<string, readonly LiveResource[] | null>();
  const scopes = new Map(plan.steps.map((step) => [scopeOf(step), step]));
  await Promise.all([...scopes].map(async ([scope, step]) => lists.set(scope, await listOf(line.client, step))));
  const verification = verifyBySteps({
    steps: plan.steps,
    outcomes: result.steps,
    live: (step) => lists.get(scopeOf(step)) ?? null,
    canonical: (step) => (path, value) => kindOf(step.kind).rules.canonical(path, value),
  });
  // A replacement's removal stands at the same address.
  const makers = result.steps.filter(({ action }) => action !== 'delete' && action !== 'revoke');
  const made = new Map(
    makers.flatMap((step) => (step.resourceId === null ? [] : [[step.address, step.resourceId] as const])),
  );
  const changes = plan.changes.map((change) => ({
    ...change,
    resourceId: made.get(change.address) ?? change.resourceId,
  }));
  return {
    verification,
    resources: resourcesOf(
      { ...plan, changes },
      [...lists.values()].flatMap((list) => list ?? []),
    ),
  };
}

async function listOf(
  client: ApplyParts['line']['client'],
  step: Pick<Step, 'kind' | 'projectId'>,
): Promise<readonly LiveResource[] | null> {
  try {
    return await kindOf(step.kind).remote.list(readerOf(client), step.projectId, new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}

function scopeOf(step: Pick<Step, 'kind' | 'projectId'>): string {
  return `${step.kind} ${step.projectId ?? ''}`;
}

function kindOf(name: string): (typeof kinds)[number] {
  const kind = kinds.find(({ rules }) => rules.kind === name);
  if (kind === undefined) throw new Error(`bug in trueup: no kind ${name}`);
  return kind;
}

/** The live resource behind every managed address, as its kind describes it. */
export function resourcesOf(plan: Plan, live: readonly LiveResource[]): Readonly<Record<string, ResourceResult>> {
  const byId = new Map(live.map((resource) => [`${resource.kind} ${resource.id}`, resource]));
  const managed = new Set(plan.unmanaged.map(({ address }) => address));
  return Object.fromEntries(
    plan.changes.flatMap((change): [string, ResourceResult][] => {
      const resource = change.resourceId === null ? undefined : byId.get(`${change.kind} ${change.resourceId}`);
      if (resource === undefined || managed.has(change.address)) return [];
      return [[change.address, { id: resource.id, ...kindOf(change.kind).remote.describe(resource) }]];
    }),
  );
}
