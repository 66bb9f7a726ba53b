// Background events of a project: it is detached from storage after 30 idle days, its branches are checked, its quota is enforced.
import type { Behaviour, Engine } from '../engine/engine.ts';
import { startOperations } from '../operation/start.ts';
import { detachDueMs, nextCheckMs } from './record.ts';
import { enforceQuota } from './usage.ts';

export const projectBehaviour: Partial<Behaviour> = {
  timers: { detach: detachIfIdle, check: checkAvailability, quota: enforceQuota },
};

/** Detaches the project if it really has been idle so long and no compute of it runs. */
function detachIfIdle(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project === undefined || project.detached || detachDueMs(project) > atMs) return;
  for (const compute of engine.live.computes.of.get(projectId)) if (compute.currentState !== 'idle') return;
  engine.state.put('projects', { ...project, detached: true });
  startOperations(engine, atMs, { projectId }, [{ action: 'tenant_detach', effect: 'none' }]);
}

/** Notes that the project received a request; a detached one is reattached first. */
export function touchProject(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project === undefined) return;
  engine.state.put('projects', { ...project, activityMs: atMs, detached: false });
  engine.watch('projects', projectId, 'detach');
  if (project.detached) startOperations(engine, atMs, { projectId }, [{ action: 'tenant_reattach', effect: 'none' }]);
}

/** Checks every branch of the project that has a compute, and plans the next check. */
function checkAvailability(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.live.projects.get(projectId);
  if (project?.nextCheckMs === undefined || project.nextCheckMs > atMs) return;
  const nextMs = nextCheckMs(engine.switches, atMs);
  const { nextCheckMs: _done, ...rest } = project;
  engine.state.put('projects', nextMs === undefined ? rest : { ...rest, nextCheckMs: nextMs });
  engine.watch('projects', projectId, 'check');
  if (project.detached || nextMs === undefined) return;
  for (const branch of engine.live.branches.of.get(projectId)) {
    const [compute] = engine.live.computes.on.get(branch.id);
    if (compute === undefined) continue;
    const subject = { projectId, branchId: branch.id, endpointId: compute.id };
    startOperations(engine, atMs, subject, [{ action: 'check_availability', effect: 'none' }], { alongside: true });
  }
}
