// Permissions: the service grants and revokes them, and never changes them (api-rules 11).
import type { PermissionListItem } from '../api/index.ts';
import { PROJECT } from '../model/kind.ts';
import { defineKind, type Kind, plain } from './define.ts';
import { effectOf } from './shared/effects.ts';
import { isSegment, projectPath } from './shared/paths.ts';
import { badName } from './shared/problems.ts';

export const permission: Kind = defineKind<PermissionListItem>({
  kind: 'project_permission',
  parent: PROJECT,
  section: 'permissions',
  segment: 'permissions',
  isApart: true,
  collection: ({ projectId }) => `${projectPath(projectId)}/permissions`,
  wire: {
    list: 'PermissionListing',
    items: 'project_permissions',
    reply: 'PermissionListItem',
    item: null,
    problemOf: (items) => (items.every(({ id }) => isSegment(id)) ? null : 'lists a permission without an id'),
    isThere: ({ revoked_at: revokedAt }) => revokedAt === undefined,
  },
  // The service may keep two permissions of one e-mail, so trueup never repeats a grant whose reply was lost.
  recognise: () => 'mark',
  key: 'email',
  attributes: {
    email: {
      ...plain({ change: 'never', tells: true, isIdentity: true }),
      read: ({ granted_to_email: email }) => folded(email),
      canonical: (value) => (typeof value === 'string' ? folded(value) : value),
    },
  },
  observed: ['granted_at'],
  madeAt: 'granted_at',
  poolWords: ({ email }) => `the permission of ${String(email ?? '?')}`,
  consentWords: ['access'],
  effects: {
    create: ({ after }) =>
      effectOf('access_changes', {
        paths: ['email'],
        words: `${String(after?.['email'])} gets nearly full control of the project`,
      }),
    delete: ({ before }) => {
      const words = `${String(before?.['email'])} loses access to the project`;
      return effectOf('access_changes', { paths: ['email'], words }, 'access');
    },
  },
  problems: ({ name }) => [badName(name, [], { atKey: true })],
});

function folded(email: string): string {
  return email.toLowerCase();
}
