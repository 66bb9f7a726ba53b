// Saves the state of a control plane under a name, restores it, or resets it. Faults, switches and the clock stay unchanged.
import type { World } from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { Refusal, notModelled, quoted } from '../core/refusal.ts';
import type { Batch, Meta } from '../core/store.ts';
import { loadWorld } from './load-project.ts';

export interface States {
  /** Restores the state of the seed data. The key named `root` stays valid, and the ledger starts again. */
  reset(): void;
  /** Saves a copy of the whole state, in memory only. */
  keep(name: string): void;
  /** Restores the saved records and ledger. Time continues from now. Throws Refusal 404 for an unknown name. */
  putBack(name: string): void;
  forget(name: string): void;
  names(): string[];
}

export function createStates(engine: Engine, seed: World, newMeta: () => Meta): States {
  const kept = new Map<string, Batch>();
  const find = (name: string): Batch => {
    const state = kept.get(name);
    if (state === undefined) throw new Refusal(404, `no state is kept under ${quoted(name)}`);
    return state;
  };
  const requireSimulated = (): void => {
    // The control plane cannot restore the data of a real Postgres.
    if (engine.works !== undefined) throw notModelled('a state that is kept, put back or reset with Postgres');
  };
  return {
    reset: () => {
      requireSimulated();
      engine.settle();
      const root = [...engine.live.keys.values()].find((key) => key.name === 'root' && key.revokedMs === undefined);
      const { account } = engine.meta;
      engine.replaceState({ changes: [], ledger: [], meta: { ...newMeta(), account } });
      loadWorld(engine, seed);
      if (root !== undefined) engine.transact(() => engine.put('keys', root));
      engine.store.complete();
    },
    keep: (name) => {
      requireSimulated();
      kept.set(name, copyOf(engine));
    },
    putBack: (name) => {
      engine.settle();
      engine.replaceState(find(name));
      engine.store.complete();
    },
    forget: (name) => {
      find(name);
      kept.delete(name);
    },
    names: () => [...kept.keys()].sort(),
  };
}

function copyOf(engine: Engine): Batch {
  engine.transact(() => undefined);
  const past = engine.store.past({ limit: Number.MAX_SAFE_INTEGER }).filter(({ open }) => !open);
  const live = engine
    .tables()
    .flatMap(([table, records]) => [...records].map(([id, record]) => ({ table, id, record })));
  return {
    changes: [...past.map((record) => ({ table: 'operations', id: record.id, record })), ...live],
    ledger: engine.store.ledger(0, Infinity),
    meta: engine.meta,
  };
}
