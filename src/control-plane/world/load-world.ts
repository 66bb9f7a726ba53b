// Fills a new store with the records of seed data.
import type { World, WorldKey } from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { hashOfKey, newKeyValue } from '../resources/engine/naming.ts';
import { keySeed, type KeyRecord } from '../resources/key/record.ts';
import { WorldError, loadProject, seeded } from './load-project.ts';

export function loadWorld(engine: Engine, world: World): void {
  engine.transact((nowMs) => {
    engine.state.setMeta({ account: { ...engine.state.meta.account, ...world.account } });
    for (const key of world.api_keys ?? []) loadKey(engine, key, nowMs);
  });
  for (const project of world.projects ?? []) engine.transact((nowMs) => loadProject(engine, project, nowMs));
}

function loadKey(engine: Engine, key: WorldKey, nowMs: number): void {
  const next = engine.state.meta.nextKeyId;
  const id = key.id === undefined ? next : String(BigInt(key.id));
  if (engine.live.keys.has(id)) throw new WorldError(`two API keys have the id ${id}`);
  if (key.id === undefined) engine.state.setMeta({ nextKeyId: String(BigInt(next) + 1n) });
  engine.state.put('keys', {
    hash: hashOfKey(key.key ?? newKeyValue(engine.random, '')),
    createdMs: nowMs,
    ...(key.last_used_at === undefined ? {} : { lastUsedFrom: '127.0.0.1' }),
    ...seeded<KeyRecord>(keySeed, key, nowMs),
    id,
    name: key.name,
  });
}
