// API keys of the account: create (the value is shown once), list, revoke, and the check that a request's key is valid.
import { timingSafeEqual } from 'node:crypto';
import { isoTime } from '../../base/clock.ts';
import { noteChange } from '../engine/call.ts';
import type { Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { hashOfKey, newKeyValue } from '../engine/naming.ts';
import { presentKey, presentKeyId } from '../present.ts';
import type { KeyRecord } from '../records.ts';
import { Refusal } from '../engine/refusal.ts';

/** The valid keys, oldest first, as records. */
function validKeys(engine: Engine): KeyRecord[] {
  return [...engine.state.keys.values()].filter((key) => key.revokedMs === undefined).sort(byCreation);
}

function byCreation(a: KeyRecord, b: KeyRecord): number {
  if (a.createdMs !== b.createdMs) return a.createdMs - b.createdMs;
  return a.id.length === b.id.length ? (a.id < b.id ? -1 : 1) : a.id.length - b.id.length;
}

/** GET /api_keys. What it shows as last use is stored with the transaction: a later restart cannot take it back. */
export function listKeys(call: Call): unknown {
  call.engine.keyUses.write(call.engine.state);
  return validKeys(call.engine).map((key) => presentKey(key, call.engine.switches));
}

/** Makes a key; the only time that its value exists in clear. */
export function issueKey(call: Call, name: string): { readonly key: KeyRecord; readonly value: string } {
  const { engine } = call;
  const value = newKeyValue(engine.random, engine.switches.keyFormat === 'napi' ? 'napi_' : '');
  const key = { id: takeKeyId(engine), name, hash: hashOfKey(value), createdMs: call.atMs };
  engine.state.put('keys', key);
  noteChange(call, { kind: 'key', id: key.id, before: null, after: presentKey(key, engine.switches) });
  return { key, value };
}

function takeKeyId(engine: Engine): string {
  let id = engine.state.meta.nextKeyId;
  while (engine.state.keys.has(id)) id = String(BigInt(id) + 1n);
  engine.state.setMeta({ nextKeyId: String(BigInt(id) + 1n) });
  return id;
}

/** POST /api_keys. */
export function createKey(call: Call, name: string): unknown {
  const { key, value } = issueKey(call, name);
  const reply = { id: presentKeyId(key.id), key: value };
  if (call.engine.switches.keyCreateReply === 'id_and_key') return reply;
  return { ...reply, name: key.name, created_at: isoTime(key.createdMs) };
}

/** DELETE /api_keys/{key_id}. From this moment every request using the key fails. */
export function revokeKey(call: Call, id: string): unknown {
  const { engine } = call;
  engine.keyUses.write(engine.state);
  const key = engine.state.keys.get(id);
  if (key === undefined || key.revokedMs !== undefined)
    throw new Refusal(engine.switches.missingKey, `api key not found; key_id:${id.slice(0, 24)}`);
  const before = presentKey(key, engine.switches);
  engine.state.put('keys', { ...key, revokedMs: call.atMs });
  const reply = { ...before, revoked: true };
  noteChange(call, { kind: 'key', id, before, after: reply });
  return reply;
}

/** The valid key with this value. Looked up by its hash, and compared in constant time. */
export function authenticate(engine: Engine, value: string): KeyRecord | undefined {
  const hash = hashOfKey(value);
  for (const key of engine.state.keysByHash.get(hash))
    if (key.revokedMs === undefined && timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) return key;
  return undefined;
}
