// Connections: the API has no such resource, so trueup derives them and fills their sinks with what the service shows.
import type { FactsInput } from '../../apply/kind-remote.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { defineDerived, type Kind } from '../define.ts';
import { checkNames } from '../shared/branch-contents.ts';
import { uriThrough } from '../shared/paths.ts';
import { error } from '../shared/problems.ts';
import { targetsOf } from '../shared/secret-entry.ts';
import { sinkFacts } from '../shared/secret-sinks.ts';
import { columns } from '../shared/wire.ts';
import { KIND, RECORD, attributes, contentsOf, liveConnection, pooledHost } from './record.ts';
import { connectionUpkeep, connectionVerdict } from './upkeep.ts';

const words = ({ role = '?', database = '?' }: JsonObject): string =>
  `the connection of the role ${JSON.stringify(role)} to the database ${JSON.stringify(database)}`;

export const connection: Kind = defineDerived({
  kind: KIND,
  parent: 'branch',
  section: 'connections',
  segment: 'connections',
  attributes,
  words,
  means: ({ value, parent }, spec, problems) => {
    const secret = targetsOf(value, 'secret', problems);
    const isAbsent = value['state'] === 'absent';
    const needed = isAbsent ? ['secret'] : ['role', 'database', 'secret'];
    for (const key of needed) if (value[key] === undefined) problems.push(missing(key, isAbsent));
    spec['pooled'] ??= false;
    if (parent !== null) spec['host'] = { ref: parent, field: 'host' };
    return secret.length === 0 ? {} : { options: { secret } };
  },
  check: (resources, context) => checkNames(resources, context, { role: 'role', database: 'database' }),
  place: () => null,
  written: () => [],
  choose(desired, _candidates, { liveProject, parentId, around }) {
    const below = { projectId: liveProject?.id ?? null, parentId };
    const live = desired.absent ? null : liveConnection(desired, below, around);
    const because = live === null ? 'resources that the connection depends on do not exist yet' : words(desired.spec);
    return { live, because, companions: [], guess: false, diagnostics: [] };
  },
  record: RECORD,
  reveal: contentsOf,
  facts: gatherFacts,
  verdict: connectionVerdict,
  upkeep: connectionUpkeep,
  describe: ({ parentId = null, spec: { host, role, database, pooled } }) => ({
    columns: columns({ branch_id: parentId, host: textOf(host) }),
    more: { role: String(role), database: String(database), pooled: pooled === true },
  }),
  uriAt: async (address, { spec: { role, database, pooled, host } }) => {
    if (typeof host !== 'string') return Promise.resolve(null);
    // The first part of the host names the compute.
    const [compute = ''] = (pooled === true ? pooledHost(host) : host).split('.');
    return Promise.resolve(uriThrough(address, { compute, role: String(role), database: String(database) }));
  },
});

function missing(key: string, isAbsent: boolean): EntryProblem {
  const what = key === 'secret' ? 'a sink (`secret`)' : `its ${key}`;
  const message = isAbsent ? '`secret` is missing: it names the sink to clear' : `a connection needs ${what}`;
  return error(
    [],
    'incomplete_connection',
    message,
    key === 'secret' ? 'Write for example `secret: { file: shop-app.json }`.' : `Write \`${key}:\`.`,
    { atKey: true, missing: true },
  );
}

async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  const roles = input.around.filter(({ kind }) => kind === 'role');
  const recordsOf = ({ spec: { role } }: DesiredResource): readonly JsonObject[] =>
    roles.flatMap(({ spec, observed }) => (spec['name'] === role ? [picked(observed, ['updated_at'])] : []));
  const facts = await sinkFacts(input, KIND, RECORD, recordsOf);
  return facts && { ...facts, ...momentsIn(await input.orphans()) };
}

/** Reads times from the journal. `reset`: of the last reset, by role id, or by path after a lost reply · `refilled`: of the last store, by address. */
function momentsIn(orphans: readonly JsonObject[]): JsonObject {
  const reset = new Map<string, number>();
  const refilled = new Map<string, number>();
  for (const { kind, verb, state, id, address, path, at_ms: askedAtMs } of orphans) {
    if (typeof askedAtMs !== 'number') continue;
    if (kind === KIND && state === 'stored') refilled.set(String(address), askedAtMs);
    if (kind !== 'role' || verb === 'GET') continue;
    const key = String(id ?? path);
    reset.set(key, Math.max(askedAtMs, reset.get(key) ?? 0));
  }
  return { reset: Object.fromEntries(reset), refilled: Object.fromEntries(refilled) };
}
