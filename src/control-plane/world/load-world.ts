// Makes the records of seed data: fills a new store from a seed.
import type { World, WorldKey } from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { hashOfKey, newKeyValue } from '../resources/engine/naming.ts';
import { generateProjects } from './generate-world.ts';
import { loadProject } from './load-project.ts';
import { WorldError, worldTimeMs } from './world-rules.ts';

/** Puts all seed data into the engine's new, empty state. Throws WorldError. */
export function loadWorld(engine: Engine, world: World): void {
  engine.transact((nowMs) => {
    const { account } = engine.state.meta;
    const { id, name, email } = world.account ?? {};
    engine.state.setMeta({
      account: { id: id ?? account.id, name: name ?? account.name, email: email ?? account.email },
    });
    for (const key of world.api_keys ?? []) loadKey(engine, key, nowMs);
  });
  for (const project of world.projects ?? []) engine.transact((nowMs) => loadProject(engine, project, nowMs));
  if (world.generate !== undefined) generateProjects(engine, world.generate);
}

function loadKey(engine: Engine, key: WorldKey, nowMs: number): void {
  const next = engine.state.meta.nextKeyId;
  const id = key.id === undefined ? next : String(BigInt(key.id));
  if (engine.live.keys.has(id)) throw new WorldError(`two API keys have the id ${id}`);
  if (key.id === undefined) engine.state.setMeta({ nextKeyId: String(BigInt(next) + 1n) });
  const lastUsedMs = worldTimeMs(key.last_used_at, nowMs);
  const revokedMs = worldTimeMs(key.revoked_at, nowMs);
  engine.state.put('keys', {
    id,
    name: key.name,
    hash: key.key_sha256 ?? hashOfKey(key.key ?? newKeyValue(engine.random, '')),
    createdMs: worldTimeMs(key.created_at, nowMs) ?? nowMs,
    ...(lastUsedMs === undefined ? {} : { lastUsedMs, lastUsedFrom: key.last_used_from_addr ?? '127.0.0.1' }),
    ...(revokedMs === undefined ? {} : { revokedMs }),
  });
}
