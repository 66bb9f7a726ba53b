// The rules of databases: name and owner change in place, and every write disturbs those who are connected.
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Effect, EffectInput, KindRules, RequestInput } from '../../plan/kind-rules.ts';
import { lastUseOf, lastUseTold } from '../shared/last-use.ts';
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

function written({ isBelowUnborn = false }: EffectInput): Effect {
  return { impact: [isBelowUnborn ? 'none' : 'drops_connections'], details: {}, notes: [] };
}

function dropped({ live, around, isBelowUnborn = false }: EffectInput): Effect {
  if (isBelowUnborn) return COPY_DROPPED;
  const used = lastUseTold(live === null ? [] : servedBy(live, around));
  const words = `its data is lost for good: only a restore of the whole branch would bring it back; its branch: ${used.words}`;
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
  explains: () => false,
  consentWords: ['drop'],
  isRenamed: true,
  lastUse: { through: 'compute', ms: (live, around) => lastUseOf(servedBy(live, around)) },
  effects: { create: written, update: written, delete: dropped },
  removal: 'delete',
  requests,
  stepOptions: () => ({}),
};
