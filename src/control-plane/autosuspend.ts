// Autosuspend: an active compute that nobody has used for its delay is suspended by the control plane.
import { autosuspendDueMs } from './engine/due-times.ts';
import type { Engine } from './engine/engine.ts';
import { startOperations } from './operation-start.ts';

/** Suspends the compute if its delay has really passed; a use in between has moved the time. */
export function suspendIdleCompute(engine: Engine, computeId: string, atMs: number): void {
  const compute = engine.state.computes.get(computeId);
  const dueMs = compute === undefined ? undefined : autosuspendDueMs(compute);
  if (compute === undefined || dueMs === undefined) return;
  if (dueMs > atMs) return engine.watchAutosuspend(computeId);
  engine.state.put('computes', { ...compute, pendingState: 'idle', updatedMs: atMs });
  startOperations(engine, atMs, { ...compute, endpointId: compute.id }, [
    { action: 'suspend_compute', effect: 'suspend' },
  ]);
}
