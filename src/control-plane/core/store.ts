// Interface of a store: load all but the past, commit batches atomically, look into the past.
import type { Stored } from './table.ts';

/** A record that stays in the store when it is not live any more; there may be millions of them. */
export interface Past extends Stored {
  /** Order of creation in the whole store. */
  readonly seq: number;
  readonly projectId: string;
  readonly createdMs: number;
}

/** One committed mutation, also when its reply was lost. */
export interface LedgerEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly at: string;
  readonly actor?: string;
  readonly requestId: string;
  readonly verb: string;
  readonly path: string;
  /** Kind of the changed record: project, branch, compute, key, role, database, ... */
  readonly kind: string;
  readonly id: string;
  readonly projectId?: string;
  /** The resource as the API shows it; null before it existed or after it is gone. */
  readonly before: unknown;
  readonly after: unknown;
  readonly operations: readonly string[];
  readonly restarted: boolean;
  readonly droppedConnections: boolean;
  /** Data that is gone with the change, or will be: until `recoverableUntil` it can be brought back. */
  readonly lost?: readonly Lost[];
}

/** Data of a resource: of a project, branch or database, or the history that a project had. */
export interface Lost {
  readonly kind: 'project' | 'branch' | 'database' | 'history';
  readonly id: string;
  readonly recoverableUntil?: string;
}

export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface Meta {
  readonly account: AccountRecord;
  readonly nextOperationSeq: number;
  readonly nextLedgerSeq: number;
  readonly nextKeyId: string;
  /** All that was due up to here has happened. */
  readonly settledMs: number;
}

/** Everything that is live, in the order in which it came: what is past stays in the store. */
export interface LoadedState {
  readonly meta: Meta | undefined;
  readonly records: Iterable<{ readonly table: string; readonly record: Stored }>;
}

/** A change of one record; a missing record means that it is removed. */
export interface Change {
  readonly table: string;
  readonly id: string;
  readonly record: Stored | undefined;
}

export interface Batch {
  readonly changes: readonly Change[];
  readonly ledger: readonly LedgerEntry[];
  readonly meta: Meta;
}

/** Begin of a page of the past: strictly older than this position. */
export interface PastPlace {
  readonly createdMs: number;
  readonly seq: number;
}

export interface PastQuery {
  readonly projectId?: string;
  readonly before?: PastPlace;
  readonly limit: number;
}

/** Stores the state. All calls are synchronous; `commit` returns only when the batch cannot be lost any more. */
export interface Store<P extends Past> {
  load(): LoadedState;
  commit(batch: Batch): void;
  /** Puts the batch in the place of all there is; from now on it is no complete store, until that is said again. */
  replace(batch: Batch): void;
  /** The first state of a new store is complete: from now on it counts as a store. */
  complete(): void;
  past(query: PastQuery): P[];
  pastOne(id: string): P | undefined;
  /** Ledger entries with a sequence number above `after`, oldest first. */
  ledger(after: number, limit: number): LedgerEntry[];
  close(): void;
}

/** The store cannot be used as it is: corrupt, written by a newer version, or held by another process. */
export class StoreError extends Error {
  readonly reason: 'corrupt' | 'newer' | 'held';
  readonly pid: number | undefined;

  constructor(reason: 'corrupt' | 'newer' | 'held', message: string, options: { pid?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'StoreError';
    this.reason = reason;
    this.pid = options.pid;
  }
}
