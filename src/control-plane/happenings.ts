// What happens when something falls due.
import { unreachable } from '../base/assert.ts';
import { suspendIdleCompute } from './autosuspend.ts';
import { checkAvailability } from './availability.ts';
import { detachIfIdle } from './detach.ts';
import type { DueItem, Engine } from './engine.ts';
import { advanceOperation } from './operation-life.ts';

/** Lets one due thing happen, as part of the transaction under way. */
export function happen(engine: Engine, due: DueItem, atMs: number): void {
  switch (due.kind) {
    case 'operation':
      return advanceOperation(engine, due.id, atMs);
    case 'autosuspend':
      return suspendIdleCompute(engine, due.id, atMs);
    case 'check':
      return checkAvailability(engine, due.id, atMs);
    case 'detach':
      return detachIfIdle(engine, due.id, atMs);
    default:
      return unreachable(due.kind);
  }
}
