// The engine: the timeline of the resources, with the effects of their operations.
import type { Clock } from '../../../base/time/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { State } from '../../core/state.ts';
import type { Batch, Store as CoreStore } from '../../core/store.ts';
import { Timeline } from '../../core/timeline.ts';
import type { KeyRecord } from '../key/record.ts';
import type { Faults } from '../operation/fate.ts';
import type { OperationRecord } from '../operation/record.ts';
import type { DueContext, Switches } from './switches.ts';
import { tables, type Tables } from './tables.ts';
import type { Works } from './works.ts';

export type Store = CoreStore<OperationRecord>;

/** Bounds of an operation's duration, milliseconds. */
export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

type OperationHook = (engine: Engine, operation: OperationRecord, atMs: number) => void;

/** Due events of the resources; each is part of the transaction under way. */
export interface Behaviour {
  /** By the name of the due event; `id` is the record's. */
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
  readonly faults: Faults;
  readonly operationMs: DurationRange;
  readonly behaviour: Behaviour;
}

/** Identity and lifetime of one running control plane; the resources read and change its state. */
export class Engine extends Timeline<Tables, OperationRecord> {
  readonly random: Random;
  readonly behaviour: Behaviour;
  readonly faults: Faults;
  readonly keyUses: KeyUses = new KeyUses();
  switches: Switches;
  operationMs: DurationRange;
  /** Absent where operations are records alone. */
  works: Works | undefined;

  constructor(parts: EngineParts) {
    super({ ...parts, specs: tables });
    this.random = parts.random;
    this.switches = parts.switches;
    this.faults = parts.faults;
    this.operationMs = parts.operationMs;
    this.behaviour = parts.behaviour;
    this.fillQueue();
  }

  override replaceState(state: Batch): void {
    this.keyUses.forget();
    super.replaceState(state);
  }

  protected override happen(name: string, id: string, atMs: number): void {
    this.behaviour.timers[name]?.(this, id, atMs);
  }

  protected override dueContext(nowMs: number): DueContext {
    return { nowMs, switches: this.switches };
  }

  protected override writePending(): void {
    this.keyUses.write(this.state);
  }

  protected override committed(): void {
    this.works?.committed();
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
