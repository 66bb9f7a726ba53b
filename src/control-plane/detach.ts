// Detaching: a project that has been idle for 30 days leaves storage, and comes back when it receives a request.
import { detachDueMs } from './engine/due-times.ts';
import type { Engine } from './engine/engine.ts';
import { startOperations } from './operation-start.ts';

/** Detaches the project if it really has been idle so long and no compute of it runs. */
export function detachIfIdle(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.state.projects.get(projectId);
  if (project === undefined || project.detached || detachDueMs(project) > atMs) return;
  for (const compute of engine.state.computesOf.get(projectId)) if (compute.currentState !== 'idle') return;
  engine.state.put('projects', { ...project, detached: true });
  startOperations(engine, atMs, { projectId }, [{ action: 'tenant_detach', effect: 'none' }]);
}

/** Notes that the project received a request; a detached one is reattached first. */
export function touchProject(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.state.projects.get(projectId);
  if (project === undefined) return;
  engine.state.put('projects', { ...project, activityMs: atMs, detached: false });
  engine.watchDetach(projectId);
  if (project.detached) startOperations(engine, atMs, { projectId }, [{ action: 'tenant_reattach', effect: 'none' }]);
}
