// The rules of roles: what making and removing one takes, and does to those who are connected.
import { unreachable } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Effect, EffectInput, KindRules, RequestDraft } from '../../plan/kind-rules.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { placesOf, sinkLabel } from '../shared/secret-places.ts';
import { PLACE } from './live-role.ts';
import { passwordUpkeep, roleVerdict } from './verdict.ts';

function words({ name }: JsonObject): string {
  return `the role ${JSON.stringify(name ?? '?')}`;
}

const OLD_ENDS = 'the old password works until the reset has ended, and the new one from then on';

const RESET: Effect = { impact: ['drops_connections', 'secret_created'], details: {}, notes: [OLD_ENDS] };

const LOCKED_OUT: Effect = {
  impact: ['drops_connections', 'access_changes'],
  details: {
    access_changes: {
      paths: ['password'],
      words: 'whoever has the present password is locked out, and no place is named for the new one',
    },
  },
  notes: [OLD_ENDS],
  consents: [{ word: 'access' }],
};

function made({ drops, keepsSecret }: { readonly drops: boolean; readonly keepsSecret: boolean }): Effect {
  const impact = [...(drops ? ['drops_connections'] : []), ...(keepsSecret ? ['secret_created'] : [])];
  return { impact: impact.length === 0 ? ['none'] : impact, details: {}, notes: [] };
}

/** Roles are made by applying the configuration of the compute, which drops its connections ("Roles"). */
function effect({ action, sinks = [], isBelowUnborn = false }: EffectInput): Effect {
  switch (action) {
    case 'create':
      return made({ drops: !isBelowUnborn, keepsSecret: sinks.length > 0 });
    case 'rotate':
      return sinks.length === 0 ? LOCKED_OUT : RESET;
    case 'delete':
      return {
        impact: ['data_lost', 'drops_connections'],
        details: { data_lost: { words: 'the role and what it was granted are gone for good' } },
        notes: [],
      };
    case 'none':
    case 'update':
    case 'move':
    case 'replace':
    case 'restart':
    case 'revoke':
      return { impact: ['none'], details: {}, notes: [] };
    default:
      return unreachable(action);
  }
}

const request: KindRules['request'] = ({ action, projectId, parentId, attributes, live }): RequestDraft => {
  const collection = contentsPath(projectId, parentId, 'roles');
  const { name, no_login: noLogin } = attributes;
  switch (action) {
    case 'create':
      return {
        method: 'POST',
        path: collection,
        body: { role: { name: name ?? null, ...(noLogin === true ? { no_login: true } : {}) } },
      };
    case 'delete':
      return { method: 'DELETE', path: `${collection}/${nameSegment(String(live?.spec['name'] ?? ''))}`, body: null };
    case 'update':
      // Nothing else of it can be changed.
      return {
        method: 'POST',
        path: `${collection}/${nameSegment(String(live?.spec['name'] ?? ''))}/reset_password`,
        body: null,
      };
    case 'move':
    case 'restart':
    case 'rotate':
    case 'revoke':
      throw new Error(`bug in trueup: a role has no ${action}`);
    default:
      return unreachable(action);
  }
};

/** What planning asks of roles. */
export const roleRules: KindRules = {
  ...PLACE,
  attribute: (path) => ({ onChange: path === 'no_login' ? 'immutable' : 'update', restarts: false }),
  canonical: (path, value) => (path === 'no_login' ? (value ?? false) : (value ?? null)),
  nameOf: ({ spec }) => String(spec['name']),
  isPruned: false,
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
  explains: () => false,
  consentWords: ['drop', 'access'],
  effect,
  removal: 'delete',
  request,
  stepOptions: (action, desired) =>
    desired === null || (action !== 'create' && action !== 'update') || placesOf(desired).length === 0
      ? {}
      : { secret: placesOf(desired) },
};
