// The live state over time: runs due events in order, up to the present time.
import type { Clock } from '../../base/time/clock.ts';
import { State, type RecordOf } from './state.ts';
import type { Batch, LoadedState, Meta, Past, Store } from './store.ts';
import type { DueContext, Stored, TableSpec } from './table.ts';

type Due = { readonly name: string; readonly id: string } | { readonly run: () => void };

export interface TimelineParts<S extends object, P extends Past> {
  readonly clock: Clock;
  readonly specs: S;
  readonly store: Store<P>;
  readonly loaded: LoadedState;
  readonly meta: Meta;
}

/** State with a clock. A subclass defines the effects of due events, and further records that each commit writes. */
export abstract class Timeline<S extends object, P extends Past> extends State<S, P> {
  readonly clock: Clock;
  readonly #specs: Readonly<Record<string, TableSpec>>;
  readonly #due: DueQueue<Due> = new DueQueue();
  #atMs: number;
  #isLate = false;

  constructor({ clock, specs, store, loaded, meta }: TimelineParts<S, P>) {
    super(specs, store, loaded, meta);
    this.clock = clock;
    this.#specs = specs as Readonly<Record<string, TableSpec>>;
    this.#atMs = meta.settledMs;
  }

  protected abstract happen(name: string, id: string, atMs: number): void;
  protected abstract dueContext(nowMs: number): DueContext;
  protected abstract writePending(): void;
  protected abstract committed(): void;

  /** The time up to which all due events have run. */
  get atMs(): number {
    return this.#atMs;
  }

  /** Runs and commits all due events in order, each at its own time, unless a call of `callAt` runs. Returns the time. */
  settle(): number {
    if (this.#isLate) return this.#atMs;
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    const next = this.#due.nextMs();
    if (next !== undefined && next <= nowMs) this.#settleTo(nowMs);
    this.#atMs = nowMs;
    return nowMs;
  }

  /** Runs all due events, then does `work` as one transaction. */
  transact<T>(work: (atMs: number) => T): T {
    const atMs = this.settle();
    const done = this.commit(() => {
      this.setMeta({ settledMs: atMs });
      const result = work(atMs);
      this.writePending();
      return result;
    });
    this.committed();
    return done;
  }

  /** Writes the record, and queues its due events whose times have changed. */
  override put<K extends keyof S & string>(table: K, record: RecordOf<S[K]> & Stored): void {
    const before = this.find(table, record.id);
    super.put(table, record);
    const context = this.dueContext(this.#atMs);
    for (const [name, dueOf] of Object.entries(this.#specs[table]?.due ?? {})) {
      const dueMs = dueOf(record, context);
      const isQueued = before !== undefined && dueOf(before, context) === dueMs;
      if (dueMs !== undefined && !isQueued) this.#due.push(dueMs, { name, id: record.id });
    }
  }

  /** Calls `run` when the clock reaches `atMs`. A restart, a replaced state or a failed commit of events drops the call. */
  callAt(atMs: number, run: () => void): void {
    this.#due.push(atMs, { run });
  }

  /** Replaces all records. Time continues from its present value, and overdue events run next. */
  replaceState(state: Batch): void {
    this.replace({ ...state, meta: { ...state.meta, settledMs: this.#atMs } });
    this.fillQueue();
  }

  #settleTo(nowMs: number): void {
    const beforeMs = this.#atMs;
    for (;;) {
      let call: (() => void) | undefined;
      try {
        call = this.commit(() => this.#happenUntil(nowMs));
        this.committed();
      } catch (error) {
        // The failed commit changed nothing, so its events are still due, although they have left the queue.
        this.#atMs = beforeMs;
        this.fillQueue();
        throw error;
      }
      if (call === undefined) return;
      this.#isLate = true;
      try {
        call();
      } finally {
        this.#isLate = false;
      }
    }
  }

  /** Runs events up to `nowMs`. Stops at a call from `callAt` and returns it, because the call needs its own transaction. */
  #happenUntil(nowMs: number): (() => void) | undefined {
    let call: (() => void) | undefined;
    while (call === undefined) {
      const due = this.#due.pop(nowMs);
      if (due === undefined) break;
      this.#atMs = Math.max(this.#atMs, due.atMs);
      if ('run' in due.item) call = due.item.run;
      else this.happen(due.item.name, due.item.id, this.#atMs);
    }
    this.setMeta({ settledMs: this.#atMs });
    return call;
  }

  protected fillQueue(): void {
    this.#due.clear();
    const context = this.dueContext(Math.max(this.#atMs, this.clock.nowMs()));
    for (const [table, records] of this.tables())
      for (const [name, dueOf] of Object.entries(this.#specs[table]?.due ?? {}))
        for (const record of records.values()) {
          const dueMs = dueOf(record, context);
          if (dueMs !== undefined) this.#due.push(dueMs, { name, id: record.id });
        }
  }
}

/** Items with a due time: the earliest comes out first, equal times in the order of insertion. */
class DueQueue<T> {
  /** Sorted with the latest first, so that the next item is at the end. */
  readonly #entries: { readonly atMs: number; readonly item: T }[] = [];

  nextMs(): number | undefined {
    return this.#entries.at(-1)?.atMs;
  }

  push(atMs: number, item: T): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { atMs, item });
  }

  clear(): void {
    this.#entries.length = 0;
  }

  pop(nowMs: number): { readonly atMs: number; readonly item: T } | undefined {
    return (this.nextMs() ?? Infinity) <= nowMs ? this.#entries.pop() : undefined;
  }
}
