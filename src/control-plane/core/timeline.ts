// The timeline: the live state, the time up to which its due events have run, and the queue of due events.
import type { Clock } from '../../base/time/clock.ts';
import type { Live, State } from './state.ts';
import type { Batch, Past, Store } from './store.ts';
import type { DueContext, TableSpec } from './table.ts';

type Due = { readonly name: string; readonly id: string } | { readonly run: () => void };

export interface TimelineParts<S extends object, P extends Past> {
  readonly clock: Clock;
  readonly specs: S;
  readonly state: State<S>;
  readonly store: Store<P>;
}

/** A running store with a clock. A subclass defines the effect of due events, and what each commit also writes. */
export abstract class Timeline<S extends object, P extends Past> {
  readonly clock: Clock;
  readonly state: State<S>;
  readonly live: Live<S>;
  readonly store: Store<P>;
  readonly beganMs: number;
  readonly #specs: Readonly<Record<string, TableSpec>>;
  readonly #due: DueQueue<Due> = new DueQueue();
  #atMs: number;
  #isLate = false;

  constructor({ clock, specs, state, store }: TimelineParts<S, P>) {
    this.clock = clock;
    this.state = state;
    this.live = state.live;
    this.store = store;
    this.#specs = specs as Readonly<Record<string, TableSpec>>;
    this.#atMs = state.meta.settledMs;
    this.beganMs = Math.max(this.#atMs, clock.nowMs());
  }

  protected abstract happen(name: string, id: string, atMs: number): void;
  protected abstract dueContext(nowMs: number): DueContext;
  protected abstract writePending(): void;
  protected abstract committed(): void;

  /** The time up to which all due events have run; it never goes backwards. */
  get atMs(): number {
    return this.#atMs;
  }

  /** Runs all due events in order, each at its own time, and commits them. Returns the time. */
  settle(): number {
    if (this.#isLate) return this.#atMs;
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    const next = this.#due.nextMs();
    if (next !== undefined && next <= nowMs) this.#settleTo(nowMs);
    this.#atMs = nowMs;
    return nowMs;
  }

  /** Runs the due events (`settle`), then does `work` as one transaction. */
  transact<T>(work: (atMs: number) => T): T {
    const atMs = this.settle();
    const done = this.state.transact(() => {
      this.state.setMeta({ settledMs: atMs });
      const result = work(atMs);
      this.writePending();
      return result;
    });
    this.committed();
    return done;
  }

  watch(table: keyof S & string, id: string, name?: string): void {
    this.#watch(table, id, this.#atMs, name);
  }

  #watch(table: string, id: string, nowMs: number, name?: string): void {
    const record = this.state.find(table, id);
    const { due = {} } = this.#specs[table] ?? {};
    if (record === undefined) return;
    const context = this.dueContext(nowMs);
    for (const each of name === undefined ? Object.keys(due) : [name]) {
      const dueMs = due[each]?.(record, context);
      if (dueMs !== undefined) this.#due.push(dueMs, { name: each, id });
    }
  }

  /** Calls `run` when the clock reaches `atMs` (for a late commit). A restart forgets the call. */
  callAt(atMs: number, run: () => void): void {
    this.#due.push(atMs, { run });
  }

  /** Replaces all records. Time continues from its present value, and overdue events run next. */
  replaceState(state: Batch): void {
    const batch = { ...state, meta: { ...state.meta, settledMs: this.#atMs } };
    this.store.replace(batch);
    this.state.replace(batch);
    this.fillQueue();
  }

  #settleTo(nowMs: number): void {
    const beforeMs = this.#atMs;
    for (;;) {
      let call: (() => void) | undefined;
      try {
        call = this.state.transact(() => this.#happenUntil(nowMs));
        this.committed();
      } catch (error) {
        // Nothing was committed, so the events that left the queue are still due.
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

  /** Runs events up to `nowMs`, or up to a late request, which needs a transaction of its own and is returned. */
  #happenUntil(nowMs: number): (() => void) | undefined {
    let call: (() => void) | undefined;
    while (call === undefined) {
      const due = this.#due.pop(nowMs);
      if (due === undefined) break;
      this.#atMs = Math.max(this.#atMs, due.atMs);
      if ('run' in due.item) call = due.item.run;
      else this.happen(due.item.name, due.item.id, this.#atMs);
    }
    this.state.setMeta({ settledMs: this.#atMs });
    return call;
  }

  protected fillQueue(): void {
    this.#due.clear();
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    for (const { table, id } of this.state.records()) this.#watch(table, id, nowMs);
  }
}

/** Items with a due time: the earliest comes out first, equal times in the order of insertion. */
class DueQueue<T> {
  /** Latest first, so that the next item is at the end. */
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
