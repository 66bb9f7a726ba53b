// The handlers of API keys, the check of a key's value, and the check of its scope.
import { isoTime } from '../../../base/time/clock.ts';
import type { Route } from '../../../api/index.ts';
import { noteChange, type Call, type Handler, type ReplyBody } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { hashOfKey, newKeyValue } from '../engine/naming.ts';
import { Refusal, badRequest, notFound } from '../../core/refusal.ts';
import { presentKey, presentKeyId, type KeyRecord } from './record.ts';
import { findProject } from '../find.ts';

/** Lists valid keys of the account or an organization. Stores their last uses, because a restart forgets unstored ones. */
function listKeys({ engine }: Call, orgId?: string): ReplyBody[] {
  engine.keyUses.write(engine);
  const { id, name } = engine.meta.account;
  const valid = [...engine.live.keys.values()].filter((key) => key.revokedMs === undefined && key.orgId === orgId);
  valid.sort((a, b) => a.createdMs - b.createdMs || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return valid.map((key) => ({ ...presentKey(key, engine.switches), created_by: { id, name, image: '' } }));
}

/** Creates a key. Only the returned `value` is the key in plaintext; the store has its hash. */
export function issueKey(
  call: Call,
  name: string,
  scope: Pick<KeyRecord, 'orgId' | 'projectId'> = {},
): { readonly key: KeyRecord; readonly value: string } {
  const { engine } = call;
  const value = newKeyValue(engine.random, 'napi_');
  const key = { id: takeKeyId(engine), name, hash: hashOfKey(value), createdMs: call.atMs, ...scope };
  engine.put('keys', key);
  noteChange(call, { kind: 'key', id: key.id, before: null, after: presentKey(key, engine.switches) });
  return { key, value };
}

function takeKeyId(engine: Engine): string {
  let id = engine.meta.nextKeyId;
  while (engine.live.keys.has(id)) id = String(BigInt(id) + 1n);
  engine.setMeta({ nextKeyId: String(BigInt(id) + 1n) });
  return id;
}

/** The reply to the creation of a key: the only reply that contains the key's value. */
function madeKey({ engine }: Call, { key, value }: ReturnType<typeof issueKey>): ReplyBody {
  const { id: created_by } = engine.meta.account;
  return { id: presentKeyId(key.id), key: value, name: key.name, created_at: isoTime(key.createdMs), created_by };
}

function revokeKey(call: Call, keyId: string, orgId?: string): ReplyBody {
  const { engine } = call;
  if (!/^\d{1,20}$/.test(keyId)) throw badRequest('decode params: path: "key_id": expected an integer');
  const id = String(BigInt(keyId));
  engine.keyUses.write(engine);
  const key = engine.live.keys.get(id);
  if (key === undefined || key.revokedMs !== undefined || key.orgId !== orgId)
    throw new Refusal(engine.switches.missingKey, `api key not found; key_id:${id.slice(0, 24)}`);
  const before = presentKey(key, engine.switches);
  engine.put('keys', { ...key, revokedMs: call.atMs });
  const reply = { ...before, created_by: engine.meta.account.id, revoked: true };
  noteChange(call, { kind: 'key', id, before, after: reply });
  return reply;
}

export function authenticate(engine: Engine, value: string): KeyRecord | undefined {
  return validKey(engine, hashOfKey(value));
}

export function validKey(engine: Engine, hash: string): KeyRecord | undefined {
  return engine.live.keys.withHash.get(hash).find(({ revokedMs }) => revokedMs === undefined);
}

/** Refuses requests outside the scope of the key. Refuses all keys for a route that declares no scope. */
export function requireInScope(key: KeyRecord, { scope }: Pick<Route, 'scope'>, projectId: string | undefined): void {
  const { orgId, projectId: own } = key;
  if (own !== undefined && projectId !== undefined && projectId !== own) throw notFound('project', projectId);
  switch (scope) {
    case 'key':
      return;
    case 'project':
      if (own === undefined || own === projectId) return;
      break;
    case 'organization':
      if (own === undefined) return;
      break;
    case 'account':
      if (orgId === undefined) return;
      throw new Refusal(404, 'not allowed for organization API keys');
    default:
      scope satisfies never;
  }
  throw new Refusal(403, own === undefined ? 'not allowed for API keys' : 'not allowed for project-scoped API keys');
}

export const listApiKeys: Handler<'listApiKeys'> = (call) => listKeys(call);

export const createApiKey: Handler<'createApiKey'> = (call, { body }) => {
  const { id, key, ...rest } = madeKey(call, issueKey(call, body.key_name));
  return call.engine.switches.keyCreateReply === 'id_and_key' ? { id, key } : { id, key, ...rest };
};

export const revokeApiKey: Handler<'revokeApiKey'> = (call, input) => revokeKey(call, input.key_id);

export const listOrgApiKeys: Handler<'listOrgApiKeys'> = (call, input) => listKeys(call, input.org_id);

export const createOrgApiKey: Handler<'createOrgApiKey'> = (call, input) => {
  const { org_id: orgId, body } = input;
  const { key_name: name, project_id: projectId } = body;
  if (projectId === undefined) return madeKey(call, issueKey(call, name, { orgId }));
  findProject(call.engine, projectId);
  return { ...madeKey(call, issueKey(call, name, { orgId, projectId })), project_id: projectId };
};

export const revokeOrgApiKey: Handler<'revokeOrgApiKey'> = (call, input) => revokeKey(call, input.key_id, input.org_id);
