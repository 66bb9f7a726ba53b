// The entry of the library: creates a reconciler, which gets every dependency through its options.
import { nameUntold, withNames } from '../apply/read/find-projects.ts';
import { readerOf } from '../client/api-client.ts';
import { readOperationLog } from '../client/operations.ts';
import { kinds } from '../kinds/index.ts';
import { sinksIn } from '../kinds/shared/secret-sinks.ts';
import { sinksOf, type DesiredState } from '../model/desired.ts';
import type { Unread } from '../model/live.ts';
import type { NotCompared } from '../model/outcome/drift.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/outcome/plan.ts';
import type { ResourceResult } from '../model/outcome/result.ts';
import { driftOf } from '../plan/drift.ts';
import { applyPlan } from './applying/apply-flow.ts';
import { planAndCompare } from './compare.ts';
import { loadFiles } from './load.ts';
import { planAccount, requireTargets, resourcesWithUris } from './plan-flow.ts';
import { surveyAccount } from './reading/survey.ts';
import type { PlanOutcome, PlanRequest, Reconciler, ReconcilerOptions } from './types.ts';
import { openWorkspace, type Parts, openSession } from './workspace.ts';

export type {
  ApplyRequest,
  ComparisonOutcome,
  ComparisonRequest,
  PlanOutcome,
  PlanRequest,
  Reconciler,
  ReconcilerOptions,
} from './types.ts';
export type { StopRequests as StopSignals } from '../apply/run/signals.ts';
export { Secret } from '../base/secret.ts';
export { ApiFailure, type FailureClass } from '../client/failure.ts';
export type { Allowance, Consent } from '../plan/input.ts';
export type { Address } from '../model/address.ts';
export type { Comparison } from '../model/outcome/guard.ts';
export type { DesiredState } from '../model/desired.ts';
export type { Diagnostic } from '../model/diagnostic.ts';
export type { DriftReport } from '../model/outcome/drift.ts';
export type { ApplyEvent, RunStatus } from '../model/outcome/event.ts';
export type { LiveState } from '../model/live.ts';
export type { Impact } from '../model/outcome/impact.ts';
export type { Action, AttributeChange, Change, Plan, PlanSummary, Step } from '../model/outcome/plan.ts';
export type { RunResult, StepResult } from '../model/outcome/result.ts';

/** Creates a reconciler; sends no request. Throws Error for an unusable base URL. The methods reject with `ApiFailure` if nothing can be read. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const session = openSession(options);
  const { client, close } = session;
  const parts: Parts = { ...session, ...openWorkspace(options, session), options };
  const plan = async (request: PlanRequest): ReturnType<Reconciler['plan']> =>
    requireTargets(request, await planAccount(parts, request));
  return {
    client,
    close,
    load: loadFiles,
    plan,
    compare: async (request) => planAndCompare(parts, request),
    async named({ projects, safety, signal }) {
      const input = { safety, kinds, reader: readerOf(client), signal };
      const { projects: named, untold } = await withNames(projects, new Map(), input);
      const silent = untold.find(({ failure }) => failure?.status === null)?.failure;
      if (silent) throw silent;
      return { projects: named, diagnostics: untold.map(nameUntold) };
    },
    apply: async (request) => applyPlan(parts, request),
    async drift(request) {
      const { plan: made, reading, diagnostics } = await plan({ ...request, held: [] });
      const unread = new Set(made?.unread.flatMap(({ what, part, projectId }) => (part ? [what, projectId] : [what])));
      const isUnread = ({ address, projectId }: Change): boolean =>
        unread.has(address) || (projectId !== null && unread.has(projectId));
      const matching = (made?.changes ?? []).filter(
        (change) => change.action === 'none' && change.held.length === 0 && !isUnread(change),
      );
      return {
        report: made === null ? null : driftOf(made, request.desired, untoldIn(request.desired, reading)),
        matching: matching.map(({ address }) => address),
        diagnostics,
      };
    },
    async list(request) {
      const { plan: made, reading, diagnostics } = await plan({ ...request, once: true });
      const signal = request.signal ?? new AbortController().signal;
      const resources =
        made === null || reading === null ? null : await resourcesWithUris(parts, made, reading.live.resources, signal);
      return {
        resources: resources && withSecretFiles(resources, request.desired, parts),
        unread: [...(reading?.live.unread ?? []), ...unplannedIn(made)],
        diagnostics,
      };
    },
    survey: async (request) => surveyAccount(parts, request),
    operations: async (projectId, { limit, signal }) =>
      readOperationLog(client, {
        projectId,
        limit,
        maxPages: 1,
        signal: signal ?? new AbortController().signal,
      }),
  };
}

/** Returns unplanned projects in the form of unread projects, because `list` reports both together. */
function unplannedIn(plan: PlanOutcome['plan']): readonly Unread[] {
  return (plan?.unplanned ?? []).map(({ project, projectId, diagnostics }) => ({
    what: project,
    projectId,
    reason: diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'the project cannot be planned',
  }));
}

function withSecretFiles(
  resources: Readonly<Record<Address, ResourceResult>>,
  { resources: declared }: DesiredState,
  { openSinks }: Parts,
): Readonly<Record<Address, ResourceResult>> {
  const files = declared.flatMap((one): [Address, ResourceResult][] => {
    const own = resources[one.address];
    // Opens each sink separately, so that a sink that cannot be opened does not hide the others.
    const paths = sinksOf(one).flatMap((target) =>
      openSinks({ kind: one.kind, options: { secret: [target] } }).flatMap(({ path }) => path ?? []),
    );
    return own === undefined || paths.length === 0
      ? []
      : [[one.address, { ...own, more: { ...own.more, secret_files: paths } }]];
  });
  return { ...resources, ...Object.fromEntries(files) };
}

/** Returns an item for each sink that does not show its content, so that drift cannot compare the secret in it. */
function untoldIn({ resources }: DesiredState, reading: PlanOutcome['reading']): readonly NotCompared[] {
  const facts = [...(reading?.live.facts.values() ?? [])];
  return resources.flatMap((one) => {
    const sinks = one.absent ? [] : facts.flatMap((known) => sinksIn(one, known));
    return sinks
      .filter(({ state, holds }) => state === 'stored' && holds === null)
      .map(({ label }) => ({
        address: one.address,
        paths: [],
        reason: `${label} does not show its content, so trueup does not know whether it has the newest secret`,
      }));
  });
}
