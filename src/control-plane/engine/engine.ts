// The engine: the live world, the time it has been settled to, and everything that falls due in it.
import type { Clock } from '../../base/time/clock.ts';
import type { Random } from '../../base/random.ts';
import type { FaultInjector } from '../faults/injector.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import type { OperationRecord } from '../resources/operation/record.ts';
import type { Store } from '../store/store.ts';
import { DueQueue } from './due-queue.ts';
import { autosuspendDueMs, detachDueMs, nextCheckMs } from './due-times.ts';
import type { State } from './state.ts';
import type { Switches } from './switches.ts';

/** Bounds of an operation's duration, milliseconds. */
export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

/** Something that falls due by itself. */
export interface DueItem {
  readonly kind: 'operation' | 'autosuspend' | 'check' | 'detach';
  readonly id: string;
}

type Due = DueItem | { readonly kind: 'call'; readonly run: () => void };

export interface EngineParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: State;
  readonly store: Store;
  readonly switches: Switches;
  readonly faults: FaultInjector;
  readonly operationMs: DurationRange;
  /** Lets a due thing happen. */
  readonly happen: (engine: Engine, due: DueItem, atMs: number) => void;
}

/** Identity and lifetime of one running control plane; the resources read and change its state. */
export class Engine {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: State;
  readonly store: Store;
  readonly faults: FaultInjector;
  readonly keyUses: KeyUses = new KeyUses();
  switches: Switches;
  operationMs: DurationRange;
  readonly #due: DueQueue<Due> = new DueQueue();
  readonly #happen: EngineParts['happen'];
  #atMs: number;
  /** While a late request is served, time stands still at the moment it was due. */
  #isLate = false;

  constructor(parts: EngineParts) {
    this.clock = parts.clock;
    this.random = parts.random;
    this.state = parts.state;
    this.store = parts.store;
    this.switches = parts.switches;
    this.faults = parts.faults;
    this.operationMs = parts.operationMs;
    this.#happen = parts.happen;
    this.#atMs = this.state.meta.settledMs;
    this.#plan();
  }

  /** The time up to which everything has happened; it never steps back. */
  get atMs(): number {
    return this.#atMs;
  }

  /** When the next thing falls due, or undefined. */
  get nextDueMs(): number | undefined {
    return this.#due.nextMs();
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
    return this.state.transact(() => {
      this.state.setMeta({ settledMs: atMs });
      const result = work(atMs);
      this.keyUses.write(this.state);
      return result;
    });
  }

  watchOperation(operation: OperationRecord): void {
    const dueMs = operation.status === 'running' ? operation.endsMs : operation.retryMs;
    if (operation.open && dueMs !== undefined) this.#due.push(dueMs, { kind: 'operation', id: operation.id });
  }

  watchAutosuspend(computeId: string): void {
    const compute = this.state.computes.get(computeId);
    const dueMs = compute === undefined ? undefined : autosuspendDueMs(compute);
    if (dueMs !== undefined) this.#due.push(dueMs, { kind: 'autosuspend', id: computeId });
  }

  watchDetach(projectId: string): void {
    const project = this.state.projects.get(projectId);
    if (project !== undefined) this.#due.push(detachDueMs(project), { kind: 'detach', id: projectId });
  }

  watchCheck(projectId: string): void {
    const dueMs = this.state.projects.get(projectId)?.nextCheckMs;
    if (dueMs !== undefined) this.#due.push(dueMs, { kind: 'check', id: projectId });
  }

  /** Runs `run` when the clock reaches `atMs` (a late commit). Not kept over a restart. */
  callAt(atMs: number, run: () => void): void {
    this.#due.push(atMs, { kind: 'call', run });
  }

  #settleTo(nowMs: number): void {
    const beforeMs = this.#atMs;
    for (;;) {
      let call: (() => void) | undefined;
      try {
        call = this.state.transact(() => this.#happenUntil(nowMs));
      } catch (error) {
        // Nothing was committed: what was taken from the queue is still to come.
        this.#atMs = beforeMs;
        this.#due.clear();
        this.#plan();
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
      if (due.item.kind === 'call') call = due.item.run;
      else this.#happen(this, due.item, this.#atMs);
    }
    this.state.setMeta({ settledMs: this.#atMs });
    return call;
  }

  /** Fills the queue from the state: at the start, and after a world has been loaded. */
  #plan(): void {
    for (const operation of this.state.operations.values()) this.watchOperation(operation);
    for (const compute of this.state.computes.values()) this.watchAutosuspend(compute.id);
    const nowMs = Math.max(this.#atMs, this.clock.nowMs());
    for (const project of this.state.projects.values()) {
      this.#due.push(detachDueMs(project), { kind: 'detach', id: project.id });
      // Checks missed while the control plane was down are not made up for.
      const missed = (project.nextCheckMs ?? nowMs) < nowMs;
      const dueMs = missed ? nextCheckMs(this.switches, nowMs) : project.nextCheckMs;
      if (dueMs !== undefined) this.#due.push(dueMs, { kind: 'check', id: project.id });
    }
  }
}

/** Uses that are not in the store yet. */
export class KeyUses {
  readonly #pending: Map<string, { readonly atMs: number; readonly address: string }> = new Map();

  note(keyId: string, atMs: number, address: string): void {
    this.#pending.set(keyId, { atMs, address });
  }

  /** When the key was last used, as far as that was noted. */
  lastMs({ id, lastUsedMs = -Infinity }: KeyRecord): number {
    return this.#pending.get(id)?.atMs ?? lastUsedMs;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Writes them, as part of the transaction under way. */
  write(state: State): void {
    for (const [id, use] of this.#pending) {
      const key = state.keys.get(id);
      if (key !== undefined) state.put('keys', { ...key, lastUsedMs: use.atMs, lastUsedFrom: use.address });
    }
    this.#pending.clear();
  }
}
