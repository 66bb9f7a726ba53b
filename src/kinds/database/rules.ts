// The rules of databases: name and owner change in place, and what each change does to clients and to owners.
import { isoTime } from '../../base/time/clock.ts';
import { textOf, type Json, type JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Effect, EffectInput, KindRules, RequestInput } from '../../plan/kind-rules.ts';
import { lastUseOf, lastUseTold, stakeOf } from '../shared/last-use.ts';
import { COPY_DROPPED } from '../shared/branch-contents.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { PLACE } from './live-database.ts';

function words({ name }: JsonObject): string {
  return `the database ${JSON.stringify(name ?? '?')}`;
}

/** The computes of its branch: whoever uses it comes through one of them. */
function servedBy({ parentId }: LiveResource, around: readonly LiveResource[]): readonly LiveResource[] {
  return around.filter(({ kind, spec }) => kind === 'compute' && spec['branch_id'] === parentId);
}

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

/** A rename cuts sessions off; another owner leaves them, and takes the rights of the former one. */
function changed({ attributes, isBelowUnborn = false }: EffectInput): Effect {
  if (isBelowUnborn) return NOTHING;
  const said = attributes.flatMap(({ path, before }): readonly (readonly [string, string])[] => {
    if (path === 'owner') return [['access_changes', handedOver(before)]];
    return path === 'name' ? [['drops_connections', renamed(before)]] : [];
  });
  const details = Object.fromEntries(said.map(([word, words]) => [word, { words }]));
  return said.length === 0 ? NOTHING : { impact: Object.keys(details), details, notes: [] };
}

function handedOver(owner: Json): string {
  return `${textOf(owner) ?? 'its owner'} can no longer create in schema public, nor alter objects that it does not own; open connections stay`;
}

function renamed(name: Json): string {
  return `drops open connections; clients that use the name ${JSON.stringify(name)} can no longer connect`;
}

function dropped({ live, around, isBelowUnborn = false }: EffectInput): Effect {
  if (isBelowUnborn) return COPY_DROPPED;
  const used = lastUseTold(live === null ? [] : servedBy(live, around));
  const words = `its data is deleted, and only a restore of the whole branch brings it back; its branch: ${used.words}`;
  return { impact: ['data_lost', 'drops_connections'], details: { data_lost: { words, ...used.facts } }, notes: [] };
}

function pathOf({ projectId, parentId, live }: RequestInput): string {
  return `${contentsPath(projectId, parentId, 'databases')}/${nameSegment(String(live?.spec['name'] ?? ''))}`;
}

function bodyOf({ name, owner }: JsonObject): JsonObject {
  return {
    database: { ...(name === undefined ? {} : { name }), ...(owner === undefined ? {} : { owner_name: owner }) },
  };
}

const requests: KindRules['requests'] = {
  create: ({ projectId, parentId, attributes }) => ({
    method: 'POST',
    path: contentsPath(projectId, parentId, 'databases'),
    body: bodyOf(attributes),
  }),
  update: (input) => ({ method: 'PATCH', path: pathOf(input), body: bodyOf(input.attributes) }),
  delete: (input) => ({ method: 'DELETE', path: pathOf(input), body: null }),
};

/** What planning asks of databases. */
export const databaseRules: KindRules = {
  ...PLACE,
  attribute: () => ({ onChange: 'update', restarts: false }),
  canonical: (_path, value) => value ?? null,
  references: { owner: { kind: 'role', field: 'name', among: 'siblings', onRemoval: 'holds' } },
  placedBy: { attribute: 'name', key: 'renamed_from', isName: true },
  nameOf: ({ spec }) => String(spec['name']),
  identity: ['name', 'owner'],
  place: (spec) => (typeof spec['name'] === 'string' ? words(spec) : null),
  known: () => true,
  fingerprint: ({ createdAtMs }) => ({
    lasting: createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) },
    passing: {},
  }),
  pool: ({ name }) => ({ name: name ?? null }),
  poolWords: words,
  verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
  consentWords: ['drop'],
  isRenamed: true,
  lastUse: { through: 'compute', ms: (live, around) => lastUseOf(servedBy(live, around)) },
  contents: { kinds: ['compute'], of: () => [], stake: (live, around) => stakeOf(servedBy(live, around), []) },
  effects: { update: changed, delete: dropped },
  removal: 'delete',
  requests,
  stepOptions: () => ({}),
};
