// Builds a control plane from a store, an engine and the routes; tests and the console reach its state directly.
import { defined } from '../base/picked.ts';
import type { World } from '../api/index.ts';
import { systemClock, type Clock } from '../base/time/clock.ts';
import { OwnClock } from '../base/time/own-clock.ts';
import { systemRandom, type Random } from '../base/random.ts';
import { Secret } from '../base/secret.ts';
import { createAccess, type Access } from './resources/inspect.ts';
import { Engine, type Behaviour, type DurationRange, type Store } from './resources/engine/engine.ts';
import { newUuid } from './resources/engine/naming.ts';
import { type Plan, resolveSwitches, type Switches } from './resources/engine/switches.ts';
import { requireFaultPlan } from './faults/check-plan.ts';
import { FaultInjector } from './faults/injector.ts';
import { ListMemory } from './faults/list-memory.ts';
import type { FaultPlan } from './faults/plan.ts';
import { Dispatcher } from './api/dispatch.ts';
import { exchange, withClock, type Origin } from './faults/exchange.ts';
import { branchReady } from './resources/branch/create.ts';
import { expireBranch } from './resources/branch/remove.ts';
import {
  activate,
  reconnect,
  settleCompute,
  suspend,
  suspendIdleCompute,
  takeBack,
} from './resources/compute/power.ts';
import { issueKey } from './resources/key/handlers.ts';
import { advanceOperation } from './resources/operation/life.ts';
import { checkAvailability, detachIfIdle, enforceQuota } from './resources/project/background.ts';
import { purge } from './resources/shelf/rules.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { openSqliteStore } from './store/sqlite-store.ts';
import type { LedgerEntry, Meta } from './core/store.ts';
import { defaultWorld } from './world/default-world.ts';
import { loadWorld } from './world/load-project.ts';
import { createStates, type States } from './world/states.ts';

const behaviour: Behaviour = {
  timers: {
    advance: advanceOperation,
    autosuspend: suspendIdleCompute,
    check: checkAvailability,
    detach: detachIfIdle,
    expire: expireBranch,
    purge,
    quota: enforceQuota,
  },
  effects: { activate, branch_ready: branchReady, reconnect, suspend },
  undone: takeBack,
  ended: settleCompute,
};

export interface ControlPlaneOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** A store, ':memory:' (the default), or the folder of a store, which is locked until `close`. */
  readonly store?: Store | string;
  /** Seed data of a new store. Default: a small account. */
  readonly seed?: World;
  readonly faults?: FaultPlan;
  readonly switches?: Partial<Switches>;
  /** Pricing plan, which sets the limits of the account; short for the switch `plan`. Default: scale. */
  readonly plan?: Plan;
  /** Start time of the clock, no earlier than now, and whether the clock is frozen there. */
  readonly time?: { readonly toMs?: number; readonly isFrozen?: boolean };
  readonly operationMs?: DurationRange;
  /** Called with each error that the server answered with 500: a bug of the control plane. */
  readonly onBug?: (error: unknown) => void;
}

export interface ControlPlane {
  /** Serves a request below `/api/v2`. Rejects with ConnectionFault if a fault ends the connection without a reply. */
  handle(request: Request, from?: Origin): Promise<Response>;
  readonly rootKey: Secret | undefined;
  /** All committed changes, oldest first, including those whose reply was lost. */
  ledger(after?: number, limit?: number): LedgerEntry[];
  readonly truth: Access;
  /** The resources and their state, for a console in the same process. */
  readonly engine: Engine;
  /** Answers API requests without HTTP, for a console in the same process. */
  readonly dispatcher: Dispatcher;
  readonly clock: OwnClock;
  readonly states: States;
  readonly faults: FaultInjector;
  setFaults(plan: FaultPlan): void;
  setSwitches(changes: Partial<Switches>): void;
  issueKey(name: string): Secret;
  settle(): void;
  close(): void;
}

const DEFAULT_OPERATION_MS: DurationRange = { min: 200, max: 3000 };
const FIRST_KEY_ID = '165001';

/** Makes a control plane that runs in this process. Throws StoreError, WorldError, FaultPlanError, RangeError. */
export function createControlPlane(options: ControlPlaneOptions = {}): ControlPlane {
  const store = storeOf(options.store ?? ':memory:');
  try {
    return assemble(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

function storeOf(store: Store | string): Store {
  if (typeof store !== 'string') return store;
  return store === ':memory:' ? createMemoryStore() : openSqliteStore(store);
}

function assemble(store: Store, options: ControlPlaneOptions): ControlPlane {
  const random = options.random ?? systemRandom;
  const loaded = store.load();
  // A clock that was set forward continues from the time that the store has reached.
  const clock = new OwnClock(options.clock ?? systemClock, loaded.meta?.settledMs);
  if (options.time?.toMs !== undefined) clock.setForward(options.time.toMs);
  if (options.time?.isFrozen === true) clock.freeze();
  const faults = new FaultInjector();
  const engine = new Engine({
    clock,
    random,
    store,
    loaded,
    meta: loaded.meta ?? newMeta(clock, random),
    switches: resolveSwitches({ ...options.switches, ...defined({ plan: options.plan }) }),
    faults,
    operationMs: options.operationMs ?? DEFAULT_OPERATION_MS,
    behaviour,
  });
  const makeKey = (name: string): Secret =>
    engine.transact((atMs) => {
      const call = { engine, atMs, requestId: newUuid(random), verb: 'POST', path: '/api_keys' };
      return new Secret(issueKey(call, name).value);
    });
  let rootKey: Secret | undefined;
  const seed = options.seed ?? defaultWorld;
  if (loaded.meta === undefined) {
    loadWorld(engine, seed);
    rootKey = makeKey('root');
    store.complete();
  }
  faults.set(requireFaultPlan(options.faults ?? {}));
  const dispatcher = new Dispatcher(engine, options.onBug ?? (() => undefined));
  const parts = { engine, dispatcher, faults, lists: new ListMemory() };
  return {
    handle: async (request, from) => withClock(clock, await exchange(parts, request, from ?? {})),
    rootKey,
    ledger: (after = 0, limit = Infinity) => {
      engine.settle();
      return store.ledger(after, limit);
    },
    truth: createAccess(engine),
    engine,
    dispatcher,
    clock,
    states: createStates(engine, seed, () => newMeta(clock, random)),
    faults,
    setFaults: (plan) => faults.set(requireFaultPlan(plan)),
    setSwitches: (changes) => {
      engine.switches = resolveSwitches({ ...engine.switches, ...changes });
    },
    issueKey: makeKey,
    settle: () => void engine.settle(),
    close: () => {
      if (engine.keyUses.hasPending) engine.transact(() => undefined);
      store.close();
    },
  };
}

function newMeta(clock: Clock, random: Random): Meta {
  return {
    account: { id: newUuid(random), name: 'local', email: 'local@db.localhost' },
    nextOperationSeq: 1,
    nextLedgerSeq: 1,
    nextKeyId: FIRST_KEY_ID,
    settledMs: clock.nowMs(),
  };
}
