// The rules of roles: what making and removing one takes, and does to those who are connected.
import { unreachable } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Effect, EffectInput, KindRules, RequestDraft } from '../../plan/kind-rules.ts';
import { contentsPath, nameSegment } from '../branch-contents.ts';
import { PLACE } from './live-role.ts';

function words({ name }: JsonObject): string {
  return `the role ${JSON.stringify(name ?? '?')}`;
}

/** Roles are made by applying the configuration of the compute, which drops its connections ("Roles"). */
function effect({ action }: EffectInput): Effect {
  switch (action) {
    case 'create':
      return { impact: ['drops_connections'], details: {}, notes: [] };
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
    case 'rotate':
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
  verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
  explains: () => false,
  consentWords: ['drop'],
  effect,
  removal: 'delete',
  request,
  stepOptions: () => ({}),
};
