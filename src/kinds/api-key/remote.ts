// Keys for the executor: the list, what replies mean, and the first use of a new key (API page, "API keys").
import { checkReply } from '../../api/index.ts';
import type { ApiKeyCreated, ApiKeyList, ApiKeyListItem, ApiKeyRevoked, ProjectList } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { ApiClient } from '../../client/types.ts';
import type { KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { contradictionIn } from '../contradiction.ts';
import { factsToJson } from './facts/facts.ts';
import { gatherFacts } from './facts/gather-facts.ts';
import { PLACE, liveKey, timeOf } from './live-key.ts';
import { keyPath } from './rules/rules.ts';
import { findOwnKey } from './facts/self.ts';

export const remote: KindRemote = {
  ...PLACE,
  async list(reader, _below, signal) {
    const keys = await reader.get<ApiKeyList>('/api_keys', 'ApiKeyList', { signal, problemOf: problemIn });
    return keys.map(fromWire);
  },
  outcome: (step, reply) => (step.method === 'POST' ? createdOutcome(step, reply) : revokedOutcome(step, reply)),
  repeat: (step) => (step.method === 'POST' ? 'secret' : 'converging'),
  proves: () => false,
  // The API page shows id and value alone in the reply to a creation.
  recordOf: ({ observed }) => ({ created_at: observed['created_at'] ?? null }),
  untouched: (live) => liveKey(live).lastUsedAtMs === null,
  prove,
  undo: (id) => ({ method: 'DELETE', path: keyPath(id) }),
  own: findOwnKey,
  // The credential comes from the environment, and is an argument of no program: a shell's printf is none.
  undoByHand: (id, baseUrl) =>
    `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- '${baseUrl}${keyPath(id)}'`,
  describe: () => ({ host: null, branchId: null, state: null }),
  facts: async (input) =>
    factsToJson(await gatherFacts(input, async () => remote.list(input.reader, { projectId: null }, input.signal))),
};

/** Two keys of one id: which of them a revocation would take nobody knows. */
function problemIn(keys: ApiKeyList): string | null {
  const twice = contradictionIn(keys.map(fromWire));
  return twice === null ? null : `lists the key ${twice} twice, and differently`;
}

/** `spec`: the name · `observed`: times and address as the service writes them, null where it shows none. */
function fromWire(item: ApiKeyListItem): LiveResource {
  return {
    kind: PLACE.kind,
    id: String(item.id),
    projectId: null,
    spec: { name: item.name },
    observed: {
      created_at: item.created_at ?? null,
      last_used_at: timeOf(item.last_used_at) === null ? null : (item.last_used_at ?? null),
      last_used_from_addr: item.last_used_from_addr ?? null,
    },
    createdAtMs: timeOf(item.created_at),
  };
}

function createdOutcome(step: Step, reply: Json): WriteOutcome | null {
  const checked = checkReply<ApiKeyCreated>('ApiKeyCreated', reply);
  if (!checked.ok) return null;
  const { id, key, name, created_at: createdAt } = checked.value;
  const wanted = step.body?.['key_name'];
  if (typeof wanted !== 'string' || (name !== undefined && name !== wanted)) return null;
  return {
    id: String(id),
    operations: [],
    secret: new Secret(key),
    madeAtMs: timeOf(createdAt),
    record: { name: wanted, id: String(id), created_at: createdAt ?? null },
  };
}

function revokedOutcome(step: Step, reply: Json): WriteOutcome | null {
  const checked = checkReply<ApiKeyRevoked>('ApiKeyRevoked', reply);
  if (!checked.ok || checked.value.revoked === false) return null;
  const id = String(checked.value.id);
  if (keyPath(id) !== step.path) return null;
  return { id, operations: [], secret: null, record: {} };
}

/** Lists one project with the new key: only the service's own well-formed answer says that it knows the key, and 401 that it does not. */
async function prove(client: ApiClient, secret: Secret, signal: AbortSignal): Promise<boolean> {
  try {
    await client.withCredential(secret).get<ProjectList>('/projects', 'ProjectList', { query: { limit: 1 }, signal });
    return true;
  } catch (error) {
    // A gate in between refuses what it does not know as well.
    if (error instanceof ApiFailure && error.status === 401 && error.isServices) return false;
    throw error;
  }
}
