// The live state in memory: the tables that the resources declare, and the unit of work that a store commits.
import { assert } from '../../base/assert.ts';
import type { Batch, Change, LedgerEntry, LoadedState, Meta, Past, Store } from './store.ts';
import { Table, type LiveTable, type Stored, type TableSpec } from './table.ts';

export type RecordOf<S> = S extends TableSpec<infer T, infer _I, infer _C> ? T : never;

export type Live<S extends object> = {
  readonly [K in keyof S]: S[K] extends TableSpec<infer T, infer I, infer _C> ? LiveTable<T, I> : never;
};

type Work = {
  readonly undo: Change[];
  readonly dirty: Map<string, Change>;
  readonly ledger: LedgerEntry[];
  meta: Meta;
};

/** All live records. Reads go to `live`; writes go through `put` and `remove` inside `commit`. */
export class State<S extends object, P extends Past> {
  readonly live: Live<S>;
  readonly store: Store<P>;
  readonly #tables: ReadonlyMap<string, Table<Stored>>;
  #meta: Meta;
  #work: Work | undefined;
  #version = 0;

  constructor(specs: S, store: Store<P>, loaded: LoadedState, meta: Meta) {
    this.store = store;
    this.#meta = meta;
    const named = Object.entries<TableSpec>(specs as Record<string, TableSpec>);
    this.#tables = new Map(named.map(([name, spec]) => [name, new Table(spec)]));
    this.live = Object.fromEntries([...this.#tables].map(([name, { view }]) => [name, view])) as Live<S>;
    for (const { table, records } of loaded.tables) {
      const into = this.#table(table);
      for (const record of records) into.set(record.id, record);
    }
  }

  get meta(): Meta {
    return this.#work?.meta ?? this.#meta;
  }

  get version(): number {
    return this.#version;
  }

  /** Does `work` and commits its changes, or adds them to the commit in progress. After an error, the state is unchanged. */
  protected commit<T>(work: () => T): T {
    if (this.#work !== undefined) return work();
    const current: Work = { undo: [], dirty: new Map(), ledger: [], meta: this.#meta };
    this.#work = current;
    try {
      const result = work();
      if (current.dirty.size > 0 || current.ledger.length > 0)
        this.store.commit({ changes: [...current.dirty.values()], ledger: current.ledger, meta: current.meta });
      if (current.dirty.size > 0) this.#version += 1;
      this.#meta = current.meta;
      return result;
    } catch (error) {
      for (const change of current.undo.reverse()) this.#set(change.table, change.id, change.record);
      throw error;
    } finally {
      this.#work = undefined;
    }
  }

  protected find(table: string, id: string): Stored | undefined {
    return this.#table(table).view.get(id);
  }

  /** The live records of each table. */
  tables(): (readonly [string, ReadonlyMap<string, Stored>])[] {
    return [...this.#tables].map(([name, { view }]) => [name, view]);
  }

  /** Replaces all records, in the store and in memory. */
  protected replace(batch: Batch): void {
    const { changes, meta } = batch;
    this.store.replace(batch);
    for (const [table, records] of this.tables()) for (const id of records.keys()) this.#set(table, id, undefined);
    for (const { table, id, record } of changes) this.#set(table, id, record);
    this.#meta = meta;
    this.#version += 1;
  }

  put<K extends keyof S & string>(table: K, record: RecordOf<S[K]> & Stored): void {
    this.#change(table, record.id, record);
  }

  remove(table: keyof S & string, id: string): void {
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
    assert(this.#work !== undefined, 'a write outside a transaction');
    return this.#work;
  }

  #change(table: string, id: string, record: Stored | undefined): void {
    const work = this.#current();
    work.undo.push({ table, id, record: this.find(table, id) });
    work.dirty.set(`${table} ${id}`, { table, id, record });
    this.#set(table, id, record);
  }

  #set(table: string, id: string, record: Stored | undefined): void {
    this.#table(table).set(id, record);
  }

  #table(name: string): Table<Stored> {
    const table = this.#tables.get(name);
    assert(table !== undefined, `there is no table ${name}`);
    return table;
  }
}
