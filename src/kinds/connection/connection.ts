// Connections: the API has none, so trueup derives them from other resources, fills their sinks, and clears the sinks of absent connections.
import type { FactsInput } from '../../apply/kind-remote.ts';
import { textOf, type JsonObject, numberOf, objectOf } from '../../base/json.ts';
import { picked, listed, present } from '../../base/picked.ts';
import { type DesiredResource, sinksOf } from '../../model/desired.ts';
import { defineDerived, type Kind, type Judge } from '../define.ts';
import { checkNames } from '../shared/branch-contents.ts';
import { uriThrough, rolePath } from '../shared/paths.ts';
import { missingKey } from '../shared/problems.ts';
import { targetsOf } from '../shared/secret-entry.ts';
import {
  sinkFacts,
  elsewhere,
  forgetOf,
  isUnkept,
  lackingSinks,
  refillOf,
  sinkDiagnostics,
  type Wanted,
} from '../shared/secret-sinks.ts';
import { columns } from '../shared/wire.ts';
import { KIND, RECORD, attributes, contentsOf, liveConnection, pooledHost, factsOf, partsOf } from './record.ts';
import { listOf } from '../../base/text/words.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';

const words = ({ role = '?', database = '?' }: JsonObject): string =>
  `the connection of the role ${JSON.stringify(role)} to the database ${JSON.stringify(database)}`;

const NEEDED = {
  role: 'Write the name of a role.',
  database: 'Write the name of a database.',
  secret: 'Write the sink of the connection, for example `secret: { file: shop-app.json }`.',
} as const;

async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  const roles = input.around.filter(({ kind }) => kind === 'role');
  const recordsOf = ({ spec: { role } }: DesiredResource): readonly JsonObject[] =>
    roles.flatMap(({ spec, observed }) => (spec['name'] === role ? [picked(observed, ['updated_at'])] : []));
  const facts = await sinkFacts(input, KIND, RECORD, recordsOf);
  return facts && { ...facts, ...momentsIn(await input.orphans()) };
}

/** Returns times in the journal. `reset`: each role's newest password, by role id (by path after a lost reply) · `refilled`: refills, by address. */
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

/** `isRemade`: this run gives the role a new password, so every sink holds an older password. */
function wantedOf(desired: DesiredResource, live: LiveResource | null, context: KindContext, isRemade = false): Wanted {
  const record = live === null || isRemade ? ELSEWHERE : factsOf(live.spec, live.observed['updated_at']);
  const isResetSince = isRemade || live === null || isNew(desired, live, context) || isReset(desired, live, context);
  return { desired, facts: context.facts, shape: RECORD, record, isResetSince };
}

/** True if this run created the branch, compute or role: a sink that does not show its content may then hold an outdated connection. */
function isNew(desired: DesiredResource, { parentId, observed }: LiveResource, { made, around }: KindContext): boolean {
  const ids = new Set<unknown>(made.values());
  return [parentId, observed['compute'], partsOf(desired, parentId ?? '', around).role?.id].some((id) => ids.has(id));
}

/** True if the journal shows that the password was reset after the sinks were filled. */
function isReset(desired: DesiredResource, live: LiveResource, { around, facts }: KindContext): boolean {
  const { role } = partsOf(desired, live.parentId ?? '', around);
  const path = `${rolePath(live, String(live.spec['role']))}/reset_password`;
  const resets = objectOf(facts['reset']);
  const resetMs = [role?.id ?? '', path].flatMap((key) => numberOf(resets[key]) ?? []);
  return Math.max(...resetMs, -Infinity) > (numberOf(objectOf(facts['refilled'])[desired.address]) ?? -Infinity);
}

/** A record that no sink matches: while a resource is missing, any host in a sink may lead to the data of another branch. */
const ELSEWHERE: JsonObject = { host: null };

const connectionUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => sinksOf(desired).length > 0,
  needs({ desired, live, runs, context }) {
    const role = roleOf(desired, context);
    const isRemade = role !== undefined && runs(role.address);
    const wanted = wantedOf(desired, live, context, isRemade);
    if (desired.absent) return forgetOf(wanted);
    const isKeptNowhere = isUnkept(context);
    const isPending = live === null || isKeptNowhere || isRemade;
    const content = live === null ? {} : { ...live.spec, compute: live.observed['compute'] ?? null };
    const refill = refillOf(wanted, content, isPending);
    const isAway = live !== null && isKeptNowhere && !isRemade && isAllElsewhere(wanted, context);
    if (refill === null || isAway) return null;
    const missing =
      live === null
        ? partsOf(desired, context.parentId, context.around).missing
        : [`a new password of the role ${JSON.stringify(desired.spec['role'] ?? '?')}`];
    const pending = isPending ? [`waits for ${listOf(missing)}`] : [];
    return { ...refill, ...present({ restsOn: role?.address }), reasons: [...refill.reasons, ...pending] };
  },
};

function roleOf({ spec }: DesiredResource, { beside }: KindContext): DesiredResource | undefined {
  return beside('role').declared.find((role) => !role.absent && role.spec['name'] === spec['role']);
}

/** True if every sink that lacks the password may be on another machine; false if this run set the password, and so can store it. */
function isAllElsewhere(wanted: Wanted, context: KindContext): boolean {
  const isMade = context.made.has(roleOf(wanted.desired, context)?.address ?? '');
  return !isMade && lackingSinks(wanted).every(({ sink }) => sink.isElsewhere === true);
}

const connectionVerdict: Judge = ({ desired, live, context }) => {
  const wanted = wantedOf(desired, live, context);
  const lacking = lackingSinks(wanted);
  const isUnfilled = !desired.absent && live !== null && isUnkept(context) && lacking.length > 0;
  const isAway = isUnfilled && isAllElsewhere(wanted, context);
  const labels = lacking.map(({ sink }) => sink.label);
  const diagnostics = listed(
    ...sinkDiagnostics(wanted, 'secret', lacking.length > 0),
    isAway && elsewhere(desired, labels, 'secret'),
  );
  // If a file declares the role, the password reset is a change of the role, so the connection is not blocked.
  if (!isUnfilled || isAway || roleOf(desired, context) !== undefined) return { diagnostics };
  const role = JSON.stringify(desired.spec['role'] ?? '?');
  const why = `no file declares the role ${role}, whose password reset would fill the sink`;
  return { diagnostics, notes: [...lacking.map((one) => one.why), why], blockedBy: ['sink_unfillable'] };
};

export const connection: Kind = defineDerived({
  kind: KIND,
  parent: 'branch',
  section: 'connections',
  segment: 'connections',
  attributes,
  poolWords: words,
  means: ({ value, parent }, spec, problems) => {
    const secret = targetsOf(value, 'secret', problems);
    const needed = value['state'] === 'absent' ? picked(NEEDED, ['secret']) : NEEDED;
    problems.push(...listed(...Object.entries(needed).map(([key, hint]) => missingKey(value, [key], hint))));
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
