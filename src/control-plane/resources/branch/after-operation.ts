// What operations do to a branch when they end: a new one is ready.
import type { Behaviour } from '../../engine/engine.ts';

export const branchBehaviour: Behaviour = {
  happenings: {},
  effects: {
    branch_ready: (engine, operation, atMs) => {
      const branch = engine.live.branches.get(operation.branchId ?? '');
      if (branch === undefined) return;
      engine.state.put('branches', { ...branch, currentState: 'ready', stateChangedMs: atMs, updatedMs: atMs });
    },
  },
  undone: [],
  ended: [],
};
