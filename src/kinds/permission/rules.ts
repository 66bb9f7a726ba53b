// The rules of permissions: granted and revoked, never changed.
import { assert } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Effect, KindRules } from '../../plan/kind-rules.ts';
import { nameSegment, projectPath } from '../shared/paths.ts';
import { folded, PLACE } from './live-permission.ts';

export function permissionsPath(projectId: string | null): string {
  return `${projectPath(projectId)}/permissions`;
}

function words({ email }: JsonObject): string {
  return `the permission of ${String(email ?? '?')}`;
}

function accessChange(who: string): Effect {
  return { impact: ['access_changes'], details: { access_changes: { paths: ['email'], words: who } }, notes: [] };
}

/** Sharing a project is nearly full access to it. */
const effects: KindRules['effects'] = {
  create: ({ after }) => accessChange(`${String(after?.['email'])} gets nearly full control of the project`),
  delete: ({ before }) => ({
    ...accessChange(`${String(before?.['email'])} loses access to the project`),
    consents: [{ word: 'access' }],
  }),
};

const requests: KindRules['requests'] = {
  create: ({ projectId, attributes }) => ({
    method: 'POST',
    path: permissionsPath(projectId),
    body: { email: attributes['email'] ?? null },
  }),
  delete({ projectId, id }) {
    assert(id !== null, 'a permission without an id reached a request');
    return { method: 'DELETE', path: `${permissionsPath(projectId)}/${nameSegment(id)}`, body: null };
  },
};

/** What planning asks of permissions. */
export const permissionRules: KindRules = {
  ...PLACE,
  attribute: () => ({ onChange: 'never', restarts: false }),
  canonical: (_path, value) => (typeof value === 'string' ? folded(value) : (value ?? null)),
  nameOf: ({ spec }) => String(spec['email']),
  isCalledByName: true,
  isCaseless: true,
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
  consentWords: ['access'],
  effects,
  removal: 'delete',
  requests,
  stepOptions: () => ({}),
};
