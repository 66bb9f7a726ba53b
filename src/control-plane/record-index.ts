// A secondary index: the records that share a key, kept in step with their table.

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
