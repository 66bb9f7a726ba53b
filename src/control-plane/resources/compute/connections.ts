// Simulated connections: they wake a compute, keep it from being suspended, are limited by its size, and are dropped by restarts.
import { sizeOf } from '../../../api/size-table.ts';
import type { Engine } from '../engine/engine.ts';
import { findBranch, findProject } from '../find.ts';
import { startOperations, subjectOf } from '../operation/life.ts';
import { touchProject, countTraffic, reachedLimit, type Traffic } from '../project/background.ts';
import type { ProjectRecord } from '../project/record.ts';
import { START } from './rules.ts';
import type { ComputeRecord } from './record.ts';
import { BlockList, isIP } from 'node:net';
import type { ProjectSettings } from '../../../api/index.ts';

export interface ConnectionRequest {
  readonly pooled?: boolean;
  readonly from?: string;
  readonly database?: string;
  readonly isPrivate?: boolean;
}

/** An error of Postgres, with its SQLSTATE and message. */
export class DatabaseError extends Error {
  readonly sqlstate: string;

  constructor(sqlstate: string, message: string) {
    super(message);
    this.name = 'DatabaseError';
    this.sqlstate = sqlstate;
  }
}

export interface Connection {
  readonly computeId: string;
  /** When the compute can serve the connection: at once if active, a few seconds later if it had to start. */
  readyAtMs(): number | undefined;
  /** False once the connection was closed, or dropped by a restart, suspend, move or delete. */
  isOpen(): boolean;
  /** A query: resets the autosuspend timer. Throws DatabaseError when the connection is gone. */
  query(): void;
  /** Writes this many bytes. Throws DatabaseError 53100 at the size limit of the branch, 25006 on a replica. */
  write(bytes: number): void;
  read(bytes: number): void;
  /** Fills the temporary disk by this many GiB. Throws DatabaseError 53100 when the disk is full. */
  spill(gib: number): void;
  close(): void;
}

interface OpenConnection {
  /** The compute's generation at the time of opening. A later generation means that this connection was dropped. */
  readonly generation: number;
  readonly pooled: boolean;
  diskGib: number;
}

const OPEN = new WeakMap<Engine, Map<string, Set<OpenConnection>>>();

/** Opens a connection. Throws DatabaseError for an unknown, disabled or full compute, a refused client and a used-up quota. */
export function connect(engine: Engine, computeId: string, request: ConnectionRequest): Connection {
  engine.transact((atMs) => {
    const compute = engine.live.computes.get(computeId);
    if (compute === undefined) throw new DatabaseError('08001', 'the requested endpoint could not be found');
    if (compute.disabled) throw new DatabaseError('08004', 'the endpoint is disabled');
    requireAdmitted(engine, compute, request, atMs);
    requireRoom(engine, compute, request.pooled === true);
    access(engine, compute, atMs);
  });
  const compute = engine.live.computes.get(computeId) as ComputeRecord;
  // A compute with an open suspend drops its present connections. This one is served after that, so it belongs to the next generation.
  const stops = compute.currentState === 'active' && isStopping(engine, computeId);
  const opened: OpenConnection = {
    generation: compute.generation + (stops ? 1 : 0),
    pooled: request.pooled === true,
    diskGib: 0,
  };
  openOn(engine, computeId).add(opened);
  return connectionOf(engine, computeId, opened);
}

/** Refuses a client that the project's settings exclude, and every client once the quota is reached. */
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

/** Every connection request resets the autosuspend timer; for an idle compute it also starts the compute. */
function access(engine: Engine, compute: ComputeRecord, atMs: number): void {
  touchProject(engine, compute.projectId, atMs);
  const heading = compute.pendingState ?? compute.currentState;
  if (heading === 'active' || heading === 'init') {
    const lastActiveMs = compute.currentState === 'active' ? { lastActiveMs: atMs } : {};
    return engine.state.put('computes', { ...compute, activityMs: atMs, ...lastActiveMs });
  }
  engine.state.put('computes', { ...compute, activityMs: atMs, pendingState: 'active', updatedMs: atMs });
  startOperations(engine, atMs, subjectOf(compute), [START]);
}

function isStopping(engine: Engine, computeId: string): boolean {
  for (const operation of engine.live.operations.on.get(computeId)) if (operation.effect === 'suspend') return true;
  return false;
}

function requireRoom(engine: Engine, compute: ComputeRecord, pooled: boolean): void {
  const limits = limitsOf(compute);
  const most = pooled ? limits.maxPooledConnections : limits.maxConnections;
  if (countConnections(engine, compute, pooled) >= most)
    throw new DatabaseError('53300', 'sorry, too many clients already');
}

function countConnections(engine: Engine, { id, generation }: ComputeRecord, pooled?: boolean): number {
  let count = 0;
  for (const opened of openOn(engine, id))
    if ((pooled === undefined || opened.pooled === pooled) && opened.generation >= generation) count++;
  return count;
}

function openOn(engine: Engine, computeId: string): Set<OpenConnection> {
  const byCompute = OPEN.get(engine) ?? new Map<string, Set<OpenConnection>>();
  OPEN.set(engine, byCompute);
  const opened = byCompute.get(computeId) ?? new Set<OpenConnection>();
  byCompute.set(computeId, opened);
  return opened;
}

function connectionOf(engine: Engine, computeId: string, opened: OpenConnection): Connection {
  const isOpen = (): boolean => {
    engine.settle();
    const compute = engine.live.computes.get(computeId);
    return openOn(engine, computeId).has(opened) && compute !== undefined && compute.generation <= opened.generation;
  };
  const requireOpen = (): void => {
    if (!isOpen()) throw new DatabaseError('57P01', 'terminating connection due to administrator command');
  };
  const pass = (traffic: Traffic): void => {
    requireOpen();
    engine.transact((atMs) => passData(engine, computeId, traffic, atMs));
  };
  return {
    computeId,
    isOpen,
    readyAtMs: () => readyAtMs(engine, computeId),
    query: () => {
      requireOpen();
      engine.transact((atMs) => access(engine, engine.live.computes.get(computeId) as ComputeRecord, atMs));
    },
    write: (bytes) => pass({ written: bytes, transferred: 0 }),
    read: (bytes) => pass({ written: 0, transferred: bytes }),
    spill: (gib) => {
      requireOpen();
      opened.diskGib += gib;
      let usedGib = 0;
      for (const other of openOn(engine, computeId)) usedGib += other.diskGib;
      if (usedGib <= limitsOf(engine.live.computes.get(computeId) as ComputeRecord).temporaryDiskGib) return;
      opened.diskGib = 0;
      throw new DatabaseError('53100', 'could not write to file "base/pgsql_tmp/pgsql_tmp": No space left on device');
    },
    close: () => {
      openOn(engine, computeId).delete(opened);
    },
  };
}

/** Counts bytes that a client writes or receives, for its branch and its project. */
function passData(engine: Engine, computeId: string, { written, transferred }: Traffic, atMs: number): void {
  const compute = engine.live.computes.get(computeId) as ComputeRecord;
  access(engine, compute, atMs);
  const branch = findBranch(engine, compute.projectId, compute.branchId);
  const before = branch.data ?? { logicalBytes: 0, writtenBytes: 0, transferredBytes: 0 };
  if (written > 0 && compute.type !== 'read_write')
    throw new DatabaseError('25006', 'cannot execute INSERT in a read-only transaction');
  const logicalBytes = before.logicalBytes + written;
  const limit = sizeLimit(findProject(engine, compute.projectId));
  if (written > 0 && logicalBytes > limit)
    throw new DatabaseError(
      '53100',
      `could not extend file because project size limit (${limit} bytes) has been exceeded`,
    );
  const data = {
    logicalBytes,
    writtenBytes: before.writtenBytes + written,
    transferredBytes: before.transferredBytes + transferred,
  };
  engine.state.put('branches', { ...branch, data });
  countTraffic(engine, compute.projectId, { written, transferred }, atMs);
}

const MIB = 1_048_576;

/** The maximum size of a branch in bytes: the limit of the project's pricing plan, or the quota if that is smaller. */
function sizeLimit({ branchLogicalSizeLimit, settings }: ProjectRecord): number {
  const { logical_size_bytes: quota = 0 } = settings?.quota ?? {};
  const limit = branchLogicalSizeLimit * MIB;
  return quota > 0 ? Math.min(quota, limit) : limit;
}

function readyAtMs(engine: Engine, computeId: string): number | undefined {
  const nowMs = engine.settle();
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined) return undefined;
  if (compute.currentState === 'active' && compute.pendingState === undefined) return nowMs;
  for (const operation of engine.live.operations.on.get(computeId))
    if (operation.effect === 'activate') return operation.endsMs;
  return undefined;
}

export interface ComputeLimits {
  readonly vcpu: number;
  readonly ramGb: number;
  readonly cacheGb: number;
  /** Depends on the minimum size: it does not grow when the compute scales up. */
  readonly maxConnections: number;
  readonly maxPooledConnections: number;
  readonly sharedBuffersMb: number;
  readonly temporaryDiskGib: number;
}

const CONNECTIONS_PER_CU = 450.5;
const MOST_CONNECTIONS = 4000;

export function limitsOf(compute: Pick<ComputeRecord, 'minCu' | 'maxCu'>): ComputeLimits {
  const { minCu, maxCu } = compute;
  return {
    vcpu: maxCu,
    ramGb: maxCu * 4,
    cacheGb: Math.round(maxCu * 32) / 10,
    // A size that is not in the table gets the rule that the table follows.
    maxConnections: sizeOf(minCu)?.maxConnections ?? Math.min(MOST_CONNECTIONS, Math.floor(minCu * CONNECTIONS_PER_CU)),
    maxPooledConnections: 10_000,
    sharedBuffersMb: 128,
    temporaryDiskGib: 20,
  };
}

export interface ClientOrigin {
  readonly address: string;
  readonly isPrivate: boolean;
}

/** The reason that a client may not connect to a branch; undefined for a client that may. */
function whyNotAllowed(
  settings: ProjectSettings | undefined,
  { isProtected }: { readonly isProtected: boolean },
  { address, isPrivate }: ClientOrigin,
): string | undefined {
  if (isPrivate) return settings?.block_vpc_connections === true ? 'VPC connections are blocked' : undefined;
  if (settings?.block_public_connections === true) return 'public connections are blocked';
  const { ips = [], protected_branches_only: onlyProtected = false } = settings?.allowed_ips ?? {};
  if (ips.length === 0 || (onlyProtected && !isProtected) || isListed(ips, address)) return undefined;
  return `this IP address ${address} is not allowed to connect to this endpoint`;
}

/** True when the rules contain the address: as a single address, in a CIDR range, or in a from-to range. */
export function isListed(rules: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const rule of rules) addRule(list, rule);
  return list.check(address, familyOf(address));
}

function addRule(list: BlockList, rule: string): void {
  const [from = '', to] = rule.split('-').map((part) => part.trim());
  const [base = '', bits] = from.split('/');
  if (to !== undefined) list.addRange(base, to, familyOf(base));
  else if (bits !== undefined) list.addSubnet(base, Number(bits), familyOf(base));
  else list.addAddress(base, familyOf(base));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
