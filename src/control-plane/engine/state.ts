// The live world in memory, with the indexes that the resources read, and the unit of work that a store commits.
import type { BranchRecord } from '../resources/branch/record.ts';
import type { ComputeRecord } from '../resources/compute/record.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import type { OperationRecord } from '../resources/operation/record.ts';
import type { ProjectRecord } from '../resources/project/record.ts';
import type { Batch, Change, LedgerEntry, LoadedState, Meta, Store, TableName, Tables } from '../store/store.ts';

type Work = {
  readonly undo: Change[];
  readonly dirty: Map<string, Change>;
  readonly ledger: LedgerEntry[];
  meta: Meta;
};

/** All live records. Reads go to the maps; writes go through `put` and `remove` inside `transact`. */
export class State {
  readonly projects: Map<string, ProjectRecord> = new Map();
  readonly branches: Map<string, BranchRecord> = new Map();
  readonly computes: Map<string, ComputeRecord> = new Map();
  readonly keys: Map<string, KeyRecord> = new Map();
  /** Open operations only; the others are in the store. */
  readonly operations: Map<string, OperationRecord> = new Map();
  readonly branchesOf: Index<BranchRecord> = new Index((branch) => branch.projectId);
  readonly computesOf: Index<ComputeRecord> = new Index((compute) => compute.projectId);
  readonly computesOn: Index<ComputeRecord> = new Index((compute) => compute.branchId);
  readonly operationsOf: Index<OperationRecord> = new Index((operation) => operation.projectId);
  readonly operationsOn: Index<OperationRecord> = new Index((operation) => operation.endpointId);
  readonly keysByHash: Index<KeyRecord> = new Index((key) => key.hash);
  readonly #store: Store;
  #meta: Meta;
  #work: Work | undefined;

  constructor(store: Store, loaded: LoadedState, meta: Meta) {
    this.#store = store;
    this.#meta = meta;
    for (const record of loaded.projects) this.#set('projects', record.id, record);
    for (const record of loaded.branches) this.#set('branches', record.id, record);
    for (const record of loaded.computes) this.#set('computes', record.id, record);
    for (const record of loaded.keys) this.#set('keys', record.id, record);
    for (const record of loaded.openOperations) this.#set('operations', record.id, record);
  }

  get meta(): Meta {
    return this.#work?.meta ?? this.#meta;
  }

  /** Does `work` and commits its changes; when it or the commit throws, nothing has happened. */
  transact<T>(work: () => T): T {
    if (this.#work !== undefined) return work();
    const current: Work = { undo: [], dirty: new Map(), ledger: [], meta: this.#meta };
    this.#work = current;
    try {
      const result = work();
      if (current.dirty.size > 0 || current.ledger.length > 0) this.#store.commit(batchOf(current));
      this.#meta = current.meta;
      return result;
    } catch (error) {
      for (const change of current.undo.reverse()) this.#set(change.table, change.id, change.record);
      throw error;
    } finally {
      this.#work = undefined;
    }
  }

  put<T extends TableName>(table: T, record: Tables[T]): void {
    this.#change(table, record.id, record);
  }

  remove(table: TableName, id: string): void {
    this.#change(table, id, undefined);
  }

  note(entry: LedgerEntry): void {
    this.#current().ledger.push(entry);
  }

  setMeta(change: Partial<Meta>): void {
    const work = this.#current();
    work.meta = { ...work.meta, ...change };
  }

  #current(): Work {
    if (this.#work === undefined) throw new Error('bug in trueup: a write outside a transaction');
    return this.#work;
  }

  #change(table: TableName, id: string, record: Tables[TableName] | undefined): void {
    const work = this.#current();
    work.undo.push({ table, id, record: this[table].get(id) });
    work.dirty.set(`${table} ${id}`, { table, id, record });
    this.#set(table, id, record);
  }

  #set(table: TableName, id: string, record: Tables[TableName] | undefined): void {
    const map = this[table] as Map<string, Tables[TableName]>;
    const previous = map.get(id);
    const live = record !== undefined && (table !== 'operations' || (record as OperationRecord).open);
    if (live) map.set(id, record);
    else map.delete(id);
    for (const index of this.#indexesOf(table)) index.change(previous, live ? record : undefined);
  }

  #indexesOf(table: TableName): readonly { change(before: unknown, after: unknown): void }[] {
    if (table === 'computes') return [this.computesOf, this.computesOn];
    if (table === 'operations') return [this.operationsOf, this.operationsOn];
    if (table === 'branches') return [this.branchesOf];
    return table === 'keys' ? [this.keysByHash] : [];
  }
}

function batchOf(work: Work): Batch {
  return { changes: [...work.dirty.values()], ledger: work.ledger, meta: work.meta };
}

/** Records by a key of theirs; a record whose key is undefined is left out. */
export class Index<T extends { readonly id: string }> {
  readonly #keyOf: (record: T) => string | undefined;
  readonly #groups: Map<string, Map<string, T>> = new Map();

  constructor(keyOf: (record: T) => string | undefined) {
    this.#keyOf = keyOf;
  }

  /** The records under `key`, in the order in which they came. */
  get(key: string): Iterable<T> {
    return this.#groups.get(key)?.values() ?? [];
  }

  count(key: string): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  /** Follows a change of the table: `before` was there, `after` is there now. */
  change(before: unknown, after: unknown): void {
    const beforeKey = before === undefined ? undefined : this.#keyOf(before as T);
    const afterKey = after === undefined ? undefined : this.#keyOf(after as T);
    if (beforeKey !== undefined && beforeKey !== afterKey) this.#drop(beforeKey, (before as T).id);
    if (afterKey !== undefined) this.#add(afterKey, after as T);
  }

  #add(key: string, record: T): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Map([[record.id, record]]));
    else group.set(record.id, record);
  }

  #drop(key: string, id: string): void {
    const group = this.#groups.get(key);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(key);
  }
}
