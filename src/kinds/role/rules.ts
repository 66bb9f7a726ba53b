// The rules of roles: what making and removing one takes, and does to those who are connected.
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Effect, KindRules, RequestInput } from '../../plan/kind-rules.ts';
import { COPY_DROPPED } from '../shared/branch-contents.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { placesOf, sinkLabel } from '../shared/secret-places.ts';
import { PLACE } from './live-role.ts';
import { passwordUpkeep, roleVerdict } from './verdict.ts';

function words({ name }: JsonObject): string {
  return `the role ${JSON.stringify(name ?? '?')}`;
}

const OLD_ENDS = 'the old password works until the reset ends; the new one works from then on';

const RESET: Effect = { impact: ['drops_connections', 'secret_created'], details: {}, notes: [OLD_ENDS] };

const LOCKED_OUT: Effect = {
  impact: ['drops_connections', 'access_changes'],
  details: {
    access_changes: {
      paths: ['password'],
      words:
        'clients with the present password are locked out: the new one is stored only in the sinks of its connections, if any',
    },
  },
  notes: [OLD_ENDS],
  consents: [{ word: 'access' }],
};

const DROPPED: Effect = {
  impact: ['data_lost', 'drops_connections'],
  details: { data_lost: { words: 'the role and its grants are deleted for good' } },
  notes: [],
};

function made({ drops, keepsSecret }: { readonly drops: boolean; readonly keepsSecret: boolean }): Effect {
  const impact = [...(drops ? ['drops_connections'] : []), ...(keepsSecret ? ['secret_created'] : [])];
  return { impact: impact.length === 0 ? ['none'] : impact, details: {}, notes: [] };
}

/** Roles are made by applying the configuration of the compute, which drops its connections ("Roles"). */
const effects: KindRules['effects'] = {
  create: ({ sinks = [], isBelowUnborn = false }) => made({ drops: !isBelowUnborn, keepsSecret: sinks.length > 0 }),
  rotate: ({ sinks = [] }) => (sinks.length === 0 ? LOCKED_OUT : RESET),
  delete: ({ isBelowUnborn = false }) => (isBelowUnborn ? COPY_DROPPED : DROPPED),
};

function pathOf({ projectId, parentId, live }: RequestInput): string {
  return `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(String(live?.spec['name'] ?? ''))}`;
}

const requests: KindRules['requests'] = {
  create: ({ projectId, parentId, attributes: { name, no_login: noLogin } }) => ({
    method: 'POST',
    path: contentsPath(projectId, parentId, 'roles'),
    body: { role: { name: name ?? null, ...(noLogin === true ? { no_login: true } : {}) } },
  }),
  // Nothing else of it can be changed.
  update: (input) => ({ method: 'POST', path: `${pathOf(input)}/reset_password`, body: null }),
  delete: (input) => ({ method: 'DELETE', path: pathOf(input), body: null }),
};

/** What planning asks of roles. */
export const roleRules: KindRules = {
  ...PLACE,
  attribute: (path) => ({ onChange: path === 'no_login' ? 'immutable' : 'update', restarts: false }),
  canonical: (path, value) => (path === 'no_login' ? (value ?? false) : (value ?? null)),
  nameOf: ({ spec }) => String(spec['name']),
  identity: ['name'],
  place: (spec) => (typeof spec['name'] === 'string' ? words(spec) : null),
  known: () => true,
  fingerprint: ({ createdAtMs, observed }) => ({
    lasting: createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) },
    passing: { updated_at: observed['updated_at'] ?? null },
  }),
  pool: ({ name }) => ({ name: name ?? null }),
  poolWords: words,
  verdict: roleVerdict,
  upkeep: passwordUpkeep,
  sinks: (desired) => placesOf(desired).map(sinkLabel),
  consentWords: ['drop', 'access'],
  effects,
  removal: 'delete',
  requests,
  stepOptions: (action, desired) =>
    desired === null || (action !== 'create' && action !== 'update') || placesOf(desired).length === 0
      ? {}
      : { secret: placesOf(desired) },
};
