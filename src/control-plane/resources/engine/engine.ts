// The engine: tables, timeline, effects of operations, and the optional `Works`, which do operations on Postgres.
import type { Random } from '../../../base/random.ts';
import type { Batch, Store as CoreStore } from '../../core/store.ts';
import { Timeline, type TimelineParts } from '../../core/timeline.ts';
import { type KeyRecord, keyTable } from '../key/record.ts';
import { type Faults, type OperationRecord, operationTable } from '../operation/record.ts';
import type { DueContext, Switches } from './switches.ts';
import { branchTable, timelineTable } from '../branch/record.ts';
import { computeTable } from '../compute/record.ts';
import { permissionTable } from '../permission/record.ts';
import { projectTable } from '../project/record.ts';
import { shelfTable } from '../shelf/record.ts';

export type Store = CoreStore<OperationRecord>;

export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

export type OperationHook = (engine: Engine, operation: OperationRecord, atMs: number) => void;

/** The behaviour that resources add to the engine. Each function runs in the current transaction. */
export interface Behaviour {
  /** Handlers of due events, by event name; `id` is the id of the record. */
  readonly timers: Readonly<Record<string, (engine: Engine, id: string, atMs: number) => void>>;
  /** Effects by name. An operation has its effect when it ends, if its outcome is `applied`. */
  readonly effects: Readonly<Record<string, OperationHook>>;
  /** Called for each operation that ends without its effect. */
  readonly undone: OperationHook;
  /** Called for each operation that has ended, after its effect. */
  readonly ended: OperationHook;
}

export type EngineParts = Omit<TimelineParts<Tables, OperationRecord>, 'specs'> &
  Pick<Engine, 'random' | 'switches' | 'faults' | 'operationMs' | 'behaviour'>;

export class Engine extends Timeline<Tables, OperationRecord> {
  readonly random: Random;
  readonly behaviour: Behaviour;
  readonly faults: Faults;
  readonly keyUses: KeyUses = new KeyUses();
  switches: Switches;
  operationMs: DurationRange;
  /** Absent if there are no Postgres servers, so that operations only change records. */
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
    this.keyUses.write(this);
  }

  protected override committed(): void {
    this.works?.committed();
  }
}

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

  write(engine: Engine): void {
    for (const [id, use] of this.#pending) {
      const key = engine.live.keys.get(id);
      if (key !== undefined) engine.put('keys', { ...key, lastUsedMs: use.atMs, lastUsedFrom: use.address });
    }
    this.#pending.clear();
  }
}

export interface Tables {
  readonly projects: typeof projectTable;
  readonly branches: typeof branchTable;
  readonly computes: typeof computeTable;
  readonly keys: typeof keyTable;
  readonly operations: typeof operationTable;
  readonly shelf: typeof shelfTable;
  readonly permissions: typeof permissionTable;
  readonly timelines: typeof timelineTable;
}

export const tables: Tables = {
  projects: projectTable,
  branches: branchTable,
  computes: computeTable,
  keys: keyTable,
  operations: operationTable,
  shelf: shelfTable,
  permissions: permissionTable,
  timelines: timelineTable,
};

export interface Works {
  readonly address: string;
  committed(): void;
  /** True while an operation's work on Postgres is in progress; the operation ends afterwards. */
  isPending(operation: OperationRecord): boolean;
  failureOf(operation: OperationRecord): string | undefined;
  /** The last use of a compute. While a compute is in use, the present time; undefined if it was never used. */
  lastUseMs(computeId: string): number | undefined;
}

/** Postgres is missing on this machine, or cannot be used as requested. */
export class WorksError extends Error {
  override readonly name = 'WorksError' as const;
}
