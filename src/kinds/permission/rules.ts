// The rules of permissions: granted and revoked, never changed.
import { assert, unreachable } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Effect, EffectInput, KindRules, RequestDraft } from '../../plan/kind-rules.ts';
import { nameSegment, projectPath } from '../shared/paths.ts';
import { folded, PLACE } from './live-permission.ts';

export function permissionsPath(projectId: string | null): string {
  return `${projectPath(projectId)}/permissions`;
}

function words({ email }: JsonObject): string {
  return `the permission of ${String(email ?? '?')}`;
}

/** Sharing a project is nearly full access to it. */
function effect({ action, before, after }: EffectInput): Effect {
  const access = (who: string): Effect['details'] => ({ access_changes: { paths: ['email'], words: who } });
  switch (action) {
    case 'create':
      return {
        impact: ['access_changes'],
        details: access(`${String(after?.['email'])} can do nearly everything in the project`),
        notes: [],
      };
    case 'delete':
      return {
        impact: ['access_changes'],
        details: access(`${String(before?.['email'])} can no longer get at the project`),
        notes: [],
        consents: [{ word: 'access' }],
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

const request: KindRules['request'] = ({ action, projectId, id, attributes }): RequestDraft => {
  switch (action) {
    case 'create':
      return { method: 'POST', path: permissionsPath(projectId), body: { email: attributes['email'] ?? null } };
    case 'delete':
      assert(id !== null, 'a permission without an id reached a request');
      return { method: 'DELETE', path: `${permissionsPath(projectId)}/${nameSegment(id)}`, body: null };
    case 'update':
    case 'move':
    case 'restart':
    case 'rotate':
    case 'revoke':
      throw new Error(`bug in trueup: a permission has no ${action}`);
    default:
      return unreachable(action);
  }
};

/** What planning asks of permissions. */
export const permissionRules: KindRules = {
  ...PLACE,
  attribute: () => ({ onChange: 'never', restarts: false }),
  canonical: (_path, value) => (typeof value === 'string' ? folded(value) : (value ?? null)),
  nameOf: ({ spec }) => String(spec['email']),
  isCalledByName: true,
  isPruned: false,
  identity: ['email'],
  place: (spec) => (typeof spec['email'] === 'string' ? words(spec) : null),
  known: () => true,
  fingerprint: ({ createdAtMs }) => ({
    lasting: createdAtMs === null ? {} : { granted_at: isoTime(createdAtMs) },
    passing: {},
  }),
  pool: ({ email }) => ({ email: email ?? null }),
  poolWords: words,
  verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
  explains: () => false,
  hasNoLog: true,
  consentWords: ['access'],
  effect,
  removal: 'delete',
  request,
  stepOptions: () => ({}),
};
