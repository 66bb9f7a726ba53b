// Availability checks: the periodic look of the control plane whether a branch's data is there and a compute can start.
import { nextCheckMs } from './engine/due-times.ts';
import type { Engine } from './engine/engine.ts';
import { startOperations } from './operation-start.ts';

/** Checks every branch of the project that has a compute, and plans the next check. */
export function checkAvailability(engine: Engine, projectId: string, atMs: number): void {
  const project = engine.state.projects.get(projectId);
  if (project?.nextCheckMs === undefined) return;
  const nextMs = nextCheckMs(engine.switches, atMs);
  const { nextCheckMs: _done, ...rest } = project;
  engine.state.put('projects', nextMs === undefined ? rest : { ...rest, nextCheckMs: nextMs });
  engine.watchCheck(projectId);
  if (project.detached || nextMs === undefined) return;
  for (const branch of engine.state.branchesOf.get(projectId)) {
    const [compute] = engine.state.computesOn.get(branch.id);
    if (compute === undefined) continue;
    const subject = { projectId, branchId: branch.id, endpointId: compute.id };
    startOperations(engine, atMs, subject, [{ action: 'check_availability', effect: 'none' }], { alongside: true });
  }
}
