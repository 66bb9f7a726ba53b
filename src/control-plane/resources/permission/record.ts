// A permission, which shares a project with a person by e-mail: its record and its form in replies.
import { present, without, type Fields } from '../../core/fields.ts';
import type { TableSpec } from '../../core/table.ts';

export interface PermissionRecord {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
  readonly createdMs: number;
  readonly revokedMs?: number;
}

const fields: Fields<PermissionRecord> = {
  id: 'id',
  granted_to_email: 'email',
  granted_at: 'createdMs',
  revoked_at: 'revokedMs',
};

export const permissionSeed: Fields<PermissionRecord> = { ...without(fields, 'granted_to_email'), email: 'email' };

export function presentPermission(permission: PermissionRecord): Record<string, unknown> {
  return present(fields, permission);
}

export const permissionTable: TableSpec<PermissionRecord, 'of'> = {
  indexes: { of: (permission) => permission.projectId },
};
