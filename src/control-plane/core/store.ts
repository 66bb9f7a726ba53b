// Interface of a store: load the live records, commit batches atomically, query past records.
import type { Stored } from './table.ts';

/** A record that the store keeps after it is no longer live; there may be millions. */
export interface Past extends Stored {
  /** Position in the order of creation across the whole store. */
  readonly seq: number;
  readonly projectId: string;
  readonly createdMs: number;
}

/** A committed change. The ledger has it even if the reply was lost. */
export interface LedgerEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly at: string;
  readonly actor?: string;
  readonly requestId: string;
  readonly verb: string;
  readonly path: string;
  readonly kind: string;
  readonly id: string;
  readonly projectId?: string;
  /** The resource as the API shows it: `before` is null for a new resource, `after` for a deleted one. */
  readonly before: unknown;
  readonly after: unknown;
  readonly operations: readonly string[];
  readonly restarted: boolean;
  readonly droppedConnections: boolean;
  /** Data that the change deletes, at once or later. Data with `recoverableUntil` can be recovered until that time. */
  readonly lost?: readonly Lost[];
}

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
  readonly settledMs: number;
}

export interface LoadedState {
  readonly meta: Meta | undefined;
  readonly tables: Iterable<{ readonly table: string; readonly records: Iterable<Stored> }>;
}

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

/** A position among the past records. A page that starts here has only records that are strictly older. */
export type PastPlace = Pick<Past, 'createdMs' | 'seq'>;

export interface PastQuery {
  readonly projectId?: string;
  readonly before?: PastPlace;
  readonly limit: number;
}

/** Stores the state. All calls are synchronous; a store on disk returns from `commit` once the batch is durable. */
export interface Store<P extends Past> {
  load(): LoadedState;
  commit(batch: Batch): void;
  /** Replaces the whole content by the batch. The store counts as incomplete until `complete` is called. */
  replace(batch: Batch): void;
  complete(): void;
  past(query: PastQuery): P[];
  pastOne(id: string): P | undefined;
  ledger(after: number, limit: number): LedgerEntry[];
  close(): void;
}

/** The store cannot be used as it is: corrupt or foreign, written by a newer version, or held by another process. */
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
