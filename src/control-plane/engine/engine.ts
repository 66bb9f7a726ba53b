// The engine: the live state, the time it has been settled to, and every due event.
import type { Clock } from '../../base/time/clock.ts';
import type { Random } from '../../base/random.ts';
import type { FaultInjector } from '../faults/injector.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import type { OperationRecord } from '../resources/operation/record.ts';
import { tables, type Tables } from '../resources/tables.ts';
import type { Batch, Store } from '../store/store.ts';
import { DueQueue } from './due-queue.ts';
import type { Live, State } from './state.ts';
import type { Switches } from './switches.ts';
import type { TableSpec } from './table.ts';
import type { Works } from './works.ts';

/** Bounds of an operation's duration, milliseconds. */
export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

/** Something that falls due for a record by itself, under the name that its table gives it. */
interface DueItem {
  readonly name: string;
  readonly id: string;
}

type Due = DueItem | { readonly run: () => void };

type OperationHook = (engine: Engine, operation: OperationRecord, atMs: number) => void;

/** Due events of the resources; each is part of the transaction under way. */
export interface Behaviour {
  /** By the names of what falls due; `id` is that of the record. */
  readonly timers: Readonly<Record<string, (engine: Engine, id: string, atMs: number) => void>>;
  /** Effects of operations that end well, by name. */
  readonly effects: Readonly<Record<string, OperationHook>>;
  /** Called for operations that ended without their effect. */
  readonly undone: readonly OperationHook[];
  /** Called for every operation that has ended, after its effect. */
  readonly ended: readonly OperationHook[];
}

export interface EngineParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: State<Tables>;
  readonly store: Store;
  readonly switches: Switches;
  readonly faults: FaultInjector;
  readonly operationMs: DurationRange;
  readonly behaviour: Behaviour;
}

/** Identity and lifetime of one running control plane; the resources read and change its state. */
export class Engine {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: State<Tables>;
  /** The live records. */
  readonly live: Live<Tables>;
  readonly store: Store;
  readonly behaviour: Behaviour;
  readonly faults: FaultInjector;
  readonly keyUses: KeyUses = new KeyUses();
  switches: Switches;
  operationMs: DurationRange;
  /** Absent where operations are records alone. */
  works: Works | undefined;
  /** When this process took the store up. */
  readonly beganMs: number;
  readonly #due: DueQueue<Due> = new DueQueue();
  #atMs: number;
  /** While a late request is served, time stands still at the moment it was due. */
  #isLate = false;

  constructor(parts: EngineParts) {
    this.clock = parts.clock;
    this.random = parts.random;
    this.state = parts.state;
    this.live = parts.state.live;
    this.store = parts.store;
    this.switches = parts.switches;
    this.faults = parts.faults;
    this.operationMs = parts.operationMs;
    this.behaviour = parts.behaviour;
    this.#atMs = this.state.meta.settledMs;
    this.beganMs = Math.max(this.#atMs, this.clock.nowMs());
    this.#fillQueue();
  }

  /** The time up to which everything has happened; it never steps back. */
  get atMs(): number {
    return this.#atMs;
  }

  /** Lets everything happen that is due by the clock, in order, each at its own time; commits it; returns the time. */
  settle(): number {
    if (this.#isLate) return this.#atMs;
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    const next = this.#due.nextMs();
    if (next !== undefined && next <= nowMs) this.#settleTo(nowMs);
    this.#atMs = nowMs;
    return nowMs;
  }

  /** Settles, then does `work` as one transaction. */
  transact<T>(work: (atMs: number) => T): T {
    const atMs = this.settle();
    const done = this.state.transact(() => {
      this.state.setMeta({ settledMs: atMs });
      const result = work(atMs);
      this.keyUses.write(this.state);
      return result;
    });
    this.works?.committed();
    return done;
  }

  /** Lets what falls due for the record happen when its time has come: that of one name, or all. */
  watch(table: keyof Tables, id: string, name?: string): void {
    this.#watch({ table, id, nowMs: this.#atMs }, name);
  }

  #watch({ table, id, nowMs }: { table: keyof Tables; id: string; nowMs: number }, name?: string): void {
    const record = this.live[table].get(id);
    const { due = {} }: TableSpec = tables[table];
    if (record === undefined) return;
    const context = { nowMs, switches: this.switches };
    for (const each of name === undefined ? Object.keys(due) : [name]) {
      const dueMs = due[each]?.(record, context);
      if (dueMs !== undefined) this.#due.push(dueMs, { name: each, id });
    }
  }

  /** Runs `run` when the clock reaches `atMs` (a late commit). Not kept over a restart. */
  callAt(atMs: number, run: () => void): void {
    this.#due.push(atMs, { run });
  }

  /** Puts another state in the place of all there is. Time goes on from where it stands; what fell due meanwhile happens next. */
  replaceState(state: Batch): void {
    const batch = { ...state, meta: { ...state.meta, settledMs: this.#atMs } };
    this.store.replace(batch);
    this.state.replace(batch);
    this.keyUses.forget();
    this.#due.clear();
    this.#fillQueue();
  }

  #settleTo(nowMs: number): void {
    const beforeMs = this.#atMs;
    for (;;) {
      let call: (() => void) | undefined;
      try {
        call = this.state.transact(() => this.#happenUntil(nowMs));
        this.works?.committed();
      } catch (error) {
        // Nothing was committed: what was taken from the queue is still to come.
        this.#atMs = beforeMs;
        this.#due.clear();
        this.#fillQueue();
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

  /** Lets things happen up to `nowMs`, or up to a late request: that is a transaction of its own, and is returned. */
  #happenUntil(nowMs: number): (() => void) | undefined {
    let call: (() => void) | undefined;
    while (call === undefined) {
      const due = this.#due.pop(nowMs);
      if (due === undefined) break;
      this.#atMs = Math.max(this.#atMs, due.atMs);
      if ('run' in due.item) call = due.item.run;
      else this.behaviour.timers[due.item.name]?.(this, due.item.id, this.#atMs);
    }
    this.state.setMeta({ settledMs: this.#atMs });
    return call;
  }

  /** Puts all that is due some time into the queue: at the start, and after the state has been replaced. */
  #fillQueue(): void {
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    for (const table of Object.keys(tables) as (keyof Tables)[])
      for (const id of this.live[table].keys()) this.#watch({ table, id, nowMs });
  }
}

/** Uses that are not in the store yet. */
export class KeyUses {
  readonly #pending: Map<string, { readonly atMs: number; readonly address: string }> = new Map();

  note(keyId: string, atMs: number, address: string): void {
    this.#pending.set(keyId, { atMs, address });
  }

  forget(): void {
    this.#pending.clear();
  }

  /** When the key was last used, as far as that was noted. */
  lastMs({ id, lastUsedMs = -Infinity }: KeyRecord): number {
    return this.#pending.get(id)?.atMs ?? lastUsedMs;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Writes them, as part of the transaction under way. */
  write(state: State<Tables>): void {
    for (const [id, use] of this.#pending) {
      const key = state.live.keys.get(id);
      if (key !== undefined) state.put('keys', { ...key, lastUsedMs: use.atMs, lastUsedFrom: use.address });
    }
    this.#pending.clear();
  }
}
