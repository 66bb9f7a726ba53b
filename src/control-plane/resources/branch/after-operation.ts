// What happens to a branch by itself and by its operations: a new or restored one is ready, one that expires goes.
import type { Behaviour } from '../../engine/engine.ts';
import { expireBranch } from './remove.ts';

export const branchBehaviour: Behaviour = {
  happenings: { expire: expireBranch },
  effects: {
    branch_ready: (engine, operation, atMs) => {
      const branch = engine.live.branches.get(operation.branchId ?? '');
      if (branch === undefined) return;
      const { bornArchived, ...rest } = branch;
      const currentState = bornArchived === true ? 'archived' : 'ready';
      engine.state.put('branches', { ...rest, currentState, stateChangedMs: atMs, updatedMs: atMs });
    },
  },
  undone: [],
  ended: [],
};
