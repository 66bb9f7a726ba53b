// A table of live records, as a resource declares it: its indexes, and the events that time alone triggers.
export interface Stored {
  readonly id: string;
}

/** The input for computing due times. Resources extend it with the settings that their tables need. */
export interface DueContext {
  readonly nowMs: number;
}

// Declared as methods, whose parameters are bivariant, so that one registry can hold the tables of all record types.
type KeyOf<T> = { of(record: T): string | undefined }['of'];
type DueOf<T, C> = { of(record: T, context: C): number | undefined }['of'];

/** How a resource declares its table of `T`; `Names` are the names of its indexes. */
export interface TableSpec<
  T extends Stored = Stored,
  Names extends string = string,
  C extends DueContext = DueContext,
> {
  readonly indexes: Readonly<Record<Names, KeyOf<T>>>;
  /** False for a record that only the store keeps. Default: all records are live. */
  isLive?(record: T): boolean;
  /** The next time of each due event of a record, by event name; undefined when there is none. */
  readonly due?: Readonly<Record<string, DueOf<T, C>>>;
}

export type LiveTable<T extends Stored, Names extends string> = ReadonlyMap<string, T> & {
  readonly [K in Names]: Index<T>;
};

export class Table<T extends Stored> {
  readonly view: LiveTable<T, never>;
  readonly #records: Map<string, T> = new Map();
  readonly #indexes: readonly Index<T>[];
  readonly #isLive: (record: T) => boolean;

  constructor(spec: TableSpec<T>) {
    const named = Object.entries(spec.indexes).map(([name, keyOf]) => [name, new Index<T>(keyOf)] as const);
    this.#indexes = named.map(([, index]) => index);
    this.#isLive = (record) => spec.isLive?.(record) ?? true;
    this.view = Object.assign(this.#records, Object.fromEntries(named));
  }

  set(id: string, record: T | undefined): void {
    const before = this.#records.get(id);
    const after = record !== undefined && this.#isLive(record) ? record : undefined;
    if (after !== undefined) this.#records.set(id, after);
    else this.#records.delete(id);
    for (const index of this.#indexes) index.change(before, after);
  }
}

export class Index<T extends Stored> {
  readonly #keyOf: KeyOf<T>;
  readonly #groups: Map<string, T[]> = new Map();

  constructor(keyOf: KeyOf<T>) {
    this.#keyOf = keyOf;
  }

  get(key: string): T[] {
    return this.#groups.get(key)?.slice() ?? [];
  }

  count(key: string): number {
    return this.#groups.get(key)?.length ?? 0;
  }

  change(before: T | undefined, after: T | undefined): void {
    const from = before === undefined ? undefined : this.#keyOf(before);
    const to = after === undefined ? undefined : this.#keyOf(after);
    if (before !== undefined && from !== undefined) {
      const group = this.#groups.get(from) ?? [];
      group.splice(group.indexOf(before), 1, ...(after !== undefined && from === to ? [after] : []));
      if (group.length === 0) this.#groups.delete(from);
    }
    if (after === undefined || to === undefined || from === to) return;
    const group = this.#groups.get(to);
    if (group === undefined) this.#groups.set(to, [after]);
    else group.push(after);
  }
}
