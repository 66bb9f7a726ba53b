// Connections for the executor: nothing of them is listed or written; what is kept of them is read when a place lacks it.
import type { KindRemote } from '../../apply/kind-remote.ts';
import { textOf } from '../../base/json.ts';
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
  facts: async (input) =>
    placesToJson({ ...(await gatherPlaces(input, { kind: PLACE.kind, shape: RECORD })), unkept: [] }),
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
