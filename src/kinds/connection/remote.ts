// Connections for the executor: nothing of them is listed or written; what is kept of them is read when a place lacks it.
import type { FactsInput, KindRemote } from '../../apply/kind-remote.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import type { KindName } from '../../model/desired.ts';
import { gatherPlaces, placesToJson, untoldPlaces } from '../shared/secret-facts.ts';
import { hasPlaces } from '../shared/secret-places.ts';
import { columns } from '../shared/lists.ts';
import { uriThrough } from '../shared/paths.ts';
import { PLACE, pooledHost } from './live-connection.ts';
import { contentsOf, RECORD } from './record.ts';

export const connectionRemote: KindRemote = {
  ...PLACE,
  list: async () => Promise.resolve([]),
  outcome: () => null,
  repeat: () => 'never',
  proves: () => false,
  record: RECORD,
  contents: contentsOf,
  needsFacts: ({ desired }) => hasPlaces(desired),
  facts: async (input) => ({
    ...placesToJson({ ...(await gatherPlaces(input, { kind: PLACE.kind, shape: RECORD })), unkept: [] }),
    ...momentsIn(input),
  }),
  untold: untoldPlaces,
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

/** By the journal: `reset`, when passwords were last made, by the id of the role; `refilled`, when places last got what they hold, by address. */
function momentsIn({ orphans }: Pick<FactsInput, 'orphans'>): JsonObject {
  const times = (of: KindName, [key, time]: readonly [string, string]): JsonObject =>
    Object.fromEntries(
      orphans.flatMap(({ kind, [key]: name, [time]: atMs }) =>
        kind === of && typeof name === 'string' && typeof atMs === 'number' ? [[name, atMs]] : [],
      ),
    );
  return {
    reset: times('role', ['id', 'answered_at_ms']),
    refilled: times(PLACE.kind, ['address', 'refilled_at_ms']),
  };
}
