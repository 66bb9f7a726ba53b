// Simulated connections: they wake a compute, keep it from being suspended, and are dropped by restarts.
import type { Engine } from '../engine/engine.ts';
import { findBranch, findProject } from '../find.ts';
import { startOperations, subjectOf } from '../operation/life.ts';
import { touchProject, reachedLimit } from '../project/background.ts';
import { addressList } from '../project/settings.ts';
import { START } from './rules.ts';
import type { ComputeRecord } from './record.ts';
import { isIP } from 'node:net';
import type { ProjectSettings } from '../../../api/index.ts';

export interface ConnectionRequest {
  readonly from?: string;
  readonly database?: string;
  readonly isPrivate?: boolean;
}

export class DatabaseError extends Error {
  readonly sqlstate: string;

  constructor(sqlstate: string, message: string) {
    super(message);
    this.name = 'DatabaseError';
    this.sqlstate = sqlstate;
  }
}

export interface Connection {
  /** False once the connection was closed, or dropped by a restart, suspend, move or delete. */
  isOpen(): boolean;
  /** Simulates a query, which resets the autosuspend timer. Throws DatabaseError if the connection is gone. */
  query(): void;
  close(): void;
}

/** Opens a connection. Throws DatabaseError: unknown or disabled compute, unknown database, refused address, used-up quota. */
export function connect(engine: Engine, computeId: string, request: ConnectionRequest): Connection {
  engine.transact((atMs) => {
    const compute = engine.live.computes.get(computeId);
    if (compute === undefined) throw new DatabaseError('08001', 'the requested endpoint could not be found');
    if (compute.disabled) throw new DatabaseError('08004', 'the endpoint is disabled');
    requireAdmitted(engine, compute, request, atMs);
    access(engine, compute, atMs);
  });
  const compute = engine.live.computes.get(computeId) as ComputeRecord;
  // An open suspend operation will drop the present connections. The new connection belongs to the next generation.
  const isStopping = engine.live.operations.on.get(computeId).some(({ effect }) => effect === 'suspend');
  const stops = compute.currentState === 'active' && isStopping;
  return connectionOf(engine, computeId, compute.generation + (stops ? 1 : 0));
}

function requireAdmitted(engine: Engine, compute: ComputeRecord, request: ConnectionRequest, atMs: number): void {
  const project = findProject(engine, compute.projectId);
  const branch = findBranch(engine, compute.projectId, compute.branchId);
  const client = { address: request.from ?? '127.0.0.1', isPrivate: request.isPrivate === true };
  const why = whyNotAllowed(project.settings, branch, client);
  if (why !== undefined) throw new DatabaseError('28000', why);
  const { database } = request;
  if (database !== undefined && !branch.databases.some(({ name }) => name === database))
    throw new DatabaseError('3D000', `database ${JSON.stringify(database)} does not exist`);
  const limit = reachedLimit(engine, project, atMs);
  if (limit !== undefined) throw new DatabaseError('53400', `the quota ${limit} of the project is reached`);
}

/** Resets the autosuspend timer of the compute, and starts the compute if it is idle. */
function access(engine: Engine, compute: ComputeRecord, atMs: number): void {
  touchProject(engine, compute.projectId, atMs);
  const heading = compute.pendingState ?? compute.currentState;
  if (heading === 'active' || heading === 'init') {
    const lastActiveMs = compute.currentState === 'active' ? { lastActiveMs: atMs } : {};
    return engine.put('computes', { ...compute, activityMs: atMs, ...lastActiveMs });
  }
  engine.put('computes', { ...compute, activityMs: atMs, pendingState: 'active', updatedMs: atMs });
  startOperations(engine, atMs, subjectOf(compute), [START]);
}

/** The connection counts as dropped once the compute has a later generation. */
function connectionOf(engine: Engine, computeId: string, generation: number): Connection {
  let isClosed = false;
  const isOpen = (): boolean => {
    engine.settle();
    const compute = engine.live.computes.get(computeId);
    return !isClosed && compute !== undefined && compute.generation <= generation;
  };
  return {
    isOpen,
    query: () => {
      if (!isOpen()) throw new DatabaseError('57P01', 'terminating connection due to administrator command');
      engine.transact((atMs) => access(engine, engine.live.computes.get(computeId) as ComputeRecord, atMs));
    },
    close: () => {
      isClosed = true;
    },
  };
}

function whyNotAllowed(
  settings: ProjectSettings | undefined,
  { isProtected }: { readonly isProtected: boolean },
  { address, isPrivate }: { readonly address: string; readonly isPrivate: boolean },
): string | undefined {
  if (isPrivate) return settings?.block_vpc_connections === true ? 'VPC connections are blocked' : undefined;
  if (settings?.block_public_connections === true) return 'public connections are blocked';
  const { ips = [], protected_branches_only: onlyProtected = false } = settings?.allowed_ips ?? {};
  if (ips.length === 0 || (onlyProtected && !isProtected)) return undefined;
  if (addressList(ips).check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return undefined;
  return `this IP address ${address} is not allowed to connect to this endpoint`;
}
