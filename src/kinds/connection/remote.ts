// Connections for the executor: nothing of them is listed or written; what is kept of them is read when a place lacks it.
import type { FactsInput, KindRemote } from '../../apply/kind-remote.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import { isStale } from '../../apply/sinks/record.ts';
import { gatherPlaces, placesToJson, unkeptAround, type PlaceFact } from '../shared/secret-facts.ts';
import { hasPlaces } from '../shared/secret-places.ts';
import { columns } from '../shared/lists.ts';
import { uriThrough } from '../shared/paths.ts';
import { attributes, PLACE, pooledHost } from './live-connection.ts';
import { contentsOf, RECORD } from './record.ts';

export const connectionRemote: KindRemote = {
  ...PLACE,
  attributes,
  list: async () => Promise.resolve([]),
  outcome: () => null,
  recognise: () => 'nothing',
  record: RECORD,
  reveal: contentsOf,
  facts: gatherFacts,
  describe: ({ parentId = null, spec: { host, role, database, pooled } }) => ({
    columns: columns({ branch_id: parentId, host: textOf(host) }),
    more: { role: String(role), database: String(database), pooled: pooled === true },
  }),
  uriAt: async (address, { spec: { role, database, pooled, host } }) => {
    if (typeof host !== 'string') return Promise.resolve(null);
    // A compute is chosen by the first part of its host.
    const [compute = ''] = (pooled === true ? pooledHost(host) : host).split('.');
    return Promise.resolve(uriThrough(address, { compute, role: String(role), database: String(database) }));
  },
};

/** Whether a project keeps passwords is asked only where a place lacks the newest one of its role. */
async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  if (!hasPlaces(input.desired)) return null;
  const gathered = await gatherPlaces(input, { kind: PLACE.kind, shape: RECORD });
  const lacking = input.desired.filter(({ address, absent, spec }) => {
    const roles = input.around.filter(({ kind, spec: { name } }) => kind === 'role' && name === spec['role']);
    const isCurrent = ({ state, holds }: PlaceFact): boolean =>
      state !== 'absent' && roles.some(({ observed }) => !isStale(holds, picked(observed, ['updated_at'])));
    return !absent && !(gathered.places[address] ?? []).every(isCurrent);
  });
  return {
    ...placesToJson({ ...gathered, unkept: await unkeptAround(input, lacking) }),
    ...momentsIn(await input.orphans()),
  };
}

/**
 * By the journal: `reset`, when passwords were last asked for, by the id of the role, or by the path of the request if no reply came;
 * `refilled`, when sinks last got what they hold, by address.
 */
function momentsIn(orphans: readonly JsonObject[]): JsonObject {
  const reset = new Map<string, number>();
  const refilled = new Map<string, number>();
  for (const { kind, verb, state, id, address, path, answered_at_ms: answeredAtMs, at_ms: atMs } of orphans) {
    const askedAtMs = answeredAtMs ?? atMs;
    if (typeof askedAtMs !== 'number') continue;
    if (kind === PLACE.kind && state === 'stored') refilled.set(String(address), askedAtMs);
    if (kind !== 'role' || verb === 'GET') continue;
    const key = String(id ?? path);
    reset.set(key, Math.max(askedAtMs, reset.get(key) ?? 0));
  }
  return { reset: Object.fromEntries(reset), refilled: Object.fromEntries(refilled) };
}
