// A view in process, which the HTTP API does not offer: the true records, and simulated connections to computes.
import { connect, type Connection, type ConnectionRequest } from './compute/connections.ts';
import type { BranchRecord } from './branch/record.ts';
import type { ComputeRecord } from './compute/record.ts';
import type { KeyRecord } from './key/record.ts';
import type { OperationRecord } from './operation/record.ts';
import type { ProjectRecord } from './project/record.ts';
import { defined } from '../../base/picked.ts';
import { oldestFirst } from './find.ts';
import type { Engine } from './engine/engine.ts';

/** The true records at the present time, oldest first. No fault hides, reorders or delays them. */
export interface Access {
  projects(): ProjectRecord[];
  branches(projectId?: string): BranchRecord[];
  computes(projectId?: string): ComputeRecord[];
  compute(computeId: string): ComputeRecord | undefined;
  /** Newest first, including operations of deleted projects. With `open`, only the open ones. */
  operations(query?: {
    readonly projectId?: string;
    readonly limit?: number;
    readonly open?: boolean;
  }): OperationRecord[];
  keys(): KeyRecord[];
  /** Simulates a connection request: starts an idle compute and resets the autosuspend timer. */
  connect(computeId: string, request?: ConnectionRequest): Connection;
}

export function createAccess(engine: Engine): Access {
  const live = (): Engine['live'] => {
    engine.settle();
    return engine.live;
  };
  return {
    projects: () => oldestFirst(live().projects.values()),
    branches: (id) => oldestFirst(id === undefined ? live().branches.values() : live().branches.of.get(id)),
    computes: (id) => oldestFirst(id === undefined ? live().computes.values() : live().computes.of.get(id)),
    compute: (computeId) => live().computes.get(computeId),
    operations: ({ projectId, limit = Number.MAX_SAFE_INTEGER, open = false } = {}) => {
      const { operations } = live();
      if (!open) return engine.store.past({ ...defined({ projectId }), limit });
      const all = projectId === undefined ? [...operations.values()] : operations.of.get(projectId);
      return all.sort((a, b) => b.seq - a.seq);
    },
    keys: () => oldestFirst(live().keys.values()),
    connect: (computeId, request = {}) => connect(engine, computeId, request),
  };
}
