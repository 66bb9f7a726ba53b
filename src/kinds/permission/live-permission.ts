// Permissions of a reply as live resources: who has one is told by the e-mail address, whatever its case.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { PermissionListItem } from '../../api/index.ts';
import { PROJECT, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { shownMembers } from '../shared/lists.ts';

export const PLACE: KindPlace = {
  kind: 'project_permission',
  parent: PROJECT,
  section: 'permissions',
  segment: 'permissions',
  isApart: true,
};

/** The form in which equal addresses are equal. */
export function folded(email: string): string {
  return email.toLowerCase();
}

export function livePermission(permission: PermissionListItem, projectId: string): LiveResource {
  const { id, granted_to_email: email } = permission;
  const observed = shownMembers(permission, ['granted_at']);
  return {
    kind: PLACE.kind,
    id,
    projectId,
    spec: { email: folded(email) },
    observed,
    createdAtMs: millisecondsOf(observed['granted_at']),
  };
}
