// A permission as it is stored, and as the API shows it: a project shared with somebody by e-mail.
import { isoTime } from '../../../base/time/clock.ts';
import type { TableSpec } from '../../core/table.ts';

export interface PermissionRecord {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
  readonly createdMs: number;
  readonly revokedMs?: number;
}

export function presentPermission(permission: PermissionRecord): Record<string, unknown> {
  return {
    id: permission.id,
    granted_to_email: permission.email,
    granted_at: isoTime(permission.createdMs),
    ...(permission.revokedMs === undefined ? {} : { revoked_at: isoTime(permission.revokedMs) }),
  };
}

export const permissionTable: TableSpec<PermissionRecord, 'of'> = {
  indexes: { of: (permission) => permission.projectId },
};
