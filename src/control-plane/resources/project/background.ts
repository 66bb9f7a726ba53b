// Events that happen to a project without a request: detachment, availability checks, counts of usage, and the quota.
import type { Engine } from '../engine/engine.ts';
import { startOperations, subjectOf } from '../operation/life.ts';
import { detachDueMs, nextCheckMs, type ProjectRecord, type ProjectUsage } from './record.ts';
import type { ProjectQuota } from '../../../api/index.ts';
import { Refusal } from '../../core/refusal.ts';
import { isRunning, SUSPEND } from '../compute/rules.ts';

/** Detaches the project if it has been idle for 30 days and none of its computes runs. */
export function detachIfIdle(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project === undefined || project.detached || detachDueMs(project) > atMs) return;
  if (engine.live.computes.of.get(projectId).some(({ currentState }) => currentState !== 'idle')) return;
  engine.put('projects', { ...project, detached: true });
  startOperations(engine, atMs, { projectId }, [{ action: 'tenant_detach', effect: 'none' }]);
}

/** Records that the project was used. Reattaches the project if it is detached. */
export function touchProject(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project === undefined) return;
  engine.put('projects', { ...project, activityMs: atMs, detached: false });
  if (project.detached) startOperations(engine, atMs, { projectId }, [{ action: 'tenant_reattach', effect: 'none' }]);
}

export function checkAvailability(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project?.nextCheckMs === undefined || project.nextCheckMs > atMs) return;
  const nextMs = nextCheckMs(engine.switches, atMs);
  const { nextCheckMs: _done, ...rest } = project;
  engine.put('projects', nextMs === undefined ? rest : { ...rest, nextCheckMs: nextMs });
  if (project.detached || nextMs === undefined) return;
  for (const branch of engine.live.branches.of.get(projectId)) {
    const [compute] = engine.live.computes.on.get(branch.id);
    if (compute === undefined) continue;
    const subject = { projectId, branchId: branch.id, endpointId: compute.id };
    startOperations(engine, atMs, subject, [{ action: 'check_availability', effect: 'none' }], { alongside: true });
  }
}

const PERIOD_MS = 30 * 86_400_000;

/** Usage per millisecond: the number of active computes, and the sum of their minimum sizes. */
function rateOf(engine: Engine, projectId: string): { readonly active: number; readonly computeUnits: number } {
  const active = engine.live.computes.of.get(projectId).filter(({ currentState }) => currentState === 'active');
  return { active: active.length, computeUnits: active.reduce((sum, { minCu }) => sum + minCu, 0) };
}

function usageAt(engine: Engine, project: ProjectRecord, atMs: number): ProjectUsage {
  const { active, computeUnits } = rateOf(engine, project.id);
  const before = project.usage ?? { periodMs: project.createdMs, sinceMs: atMs, activeMs: 0, computeMs: 0 };
  const periods = Math.max(0, Math.floor((atMs - before.periodMs) / PERIOD_MS));
  const periodMs = before.periodMs + periods * PERIOD_MS;
  const base = periods === 0 ? before : { activeMs: 0, computeMs: 0, sinceMs: Math.max(before.sinceMs, periodMs) };
  const goneMs = Math.max(0, atMs - base.sinceMs);
  return {
    periodMs,
    sinceMs: atMs,
    activeMs: base.activeMs + goneMs * active,
    computeMs: base.computeMs + goneMs * computeUnits,
  };
}

export function presentUsage(engine: Engine, project: ProjectRecord): Record<string, unknown> {
  const usage = usageAt(engine, project, engine.atMs);
  return {
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    active_time_seconds: Math.floor(usage.activeMs / 1000),
    compute_time_seconds: Math.floor(usage.computeMs / 1000),
    consumption_period_start: new Date(usage.periodMs).toISOString(),
    consumption_period_end: new Date(usage.periodMs + PERIOD_MS).toISOString(),
  };
}

export function accrueUsage(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project !== undefined) engine.put('projects', { ...project, usage: usageAt(engine, project, atMs) });
}

/** Updates the time at which the quota will be used up; called when active computes or the quota change. */
export function watchQuota(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project === undefined) return;
  const { quotaDueMs: before, ...rest } = project;
  const dueMs = quotaDueMs(engine, project, atMs);
  if (dueMs !== before) engine.put('projects', dueMs === undefined ? rest : { ...rest, quotaDueMs: dueMs });
}

function quotaDueMs(engine: Engine, project: ProjectRecord, atMs: number): number | undefined {
  const { active, computeUnits } = rateOf(engine, project.id);
  const { activeMs, computeMs } = usageAt(engine, project, atMs);
  const { active_time_seconds: time = 0, compute_time_seconds: compute = 0 } = project.settings?.quota ?? {};
  if (active > 0 && reachedLimit(engine, project, atMs) !== undefined) return atMs;
  const left = [
    ...(time > 0 && active > 0 ? [(time * 1000 - activeMs) / active] : []),
    ...(compute > 0 && computeUnits > 0 ? [(compute * 1000 - computeMs) / computeUnits] : []),
  ];
  return left.length === 0 ? undefined : atMs + Math.max(0, Math.ceil(Math.min(...left)));
}

/** The first used-up limit of the quota; undefined if no limit is used up. */
export function reachedLimit(engine: Engine, project: ProjectRecord, atMs: number): keyof ProjectQuota | undefined {
  const { activeMs, computeMs } = usageAt(engine, project, atMs);
  const quota = project.settings?.quota ?? {};
  const isReached = (limit: number | undefined, used: number): boolean =>
    limit !== undefined && limit > 0 && used >= limit;
  if (isReached(quota.active_time_seconds, activeMs / 1000)) return 'active_time_seconds';
  return isReached(quota.compute_time_seconds, computeMs / 1000) ? 'compute_time_seconds' : undefined;
}

export function requireQuota(engine: Engine, project: ProjectRecord, atMs: number): void {
  const limit = reachedLimit(engine, project, atMs);
  if (limit === undefined) return;
  const asked = JSON.stringify(project.id);
  throw new Refusal(412, `the quota ${limit} of the project is reached; project_id:${asked}`);
}

/** Suspends active computes if the quota is used up. Otherwise updates the time of the next check. */
export function enforceQuota(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project?.quotaDueMs === undefined || project.quotaDueMs > atMs) return;
  if (reachedLimit(engine, project, atMs) === undefined) return watchQuota(engine, projectId, atMs);
  for (const compute of engine.live.computes.of.get(projectId).filter(isRunning)) {
    engine.put('computes', { ...compute, pendingState: 'idle', updatedMs: atMs });
    startOperations(engine, atMs, subjectOf(compute), [SUSPEND]);
  }
}
