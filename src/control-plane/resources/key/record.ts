// An API key as it is stored (only its hash) and as the API shows it.
import { isoTime } from '../../../base/time/clock.ts';
import type { Fields } from '../../core/fields.ts';
import type { TableSpec } from '../../core/table.ts';
import type { Switches } from '../engine/switches.ts';

export interface KeyRecord {
  /** Decimal digits as text, because the number may exceed 2^53. */
  readonly id: string;
  readonly name: string;
  readonly orgId?: string;
  readonly projectId?: string;
  readonly hash: string;
  readonly createdMs: number;
  readonly lastUsedMs?: number;
  readonly lastUsedFrom?: string;
  readonly revokedMs?: number;
}

export const keySeed: Fields<KeyRecord> = {
  name: 'name',
  key_sha256: 'hash',
  org_id: 'orgId',
  project_id: 'projectId',
  created_at: 'createdMs',
  last_used_at: 'lastUsedMs',
  last_used_from_addr: 'lastUsedFrom',
  revoked_at: 'revokedMs',
};

export function presentKeyId(id: string): number | bigint {
  const exact = BigInt(id);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

export function presentKey(key: KeyRecord, switches: Switches): Record<string, unknown> {
  const project = key.projectId === undefined ? {} : { project_id: key.projectId };
  const own = { id: presentKeyId(key.id), name: key.name, created_at: isoTime(key.createdMs), ...project };
  return { ...own, ...presentUse(key, switches) };
}

function presentUse(key: KeyRecord, switches: Switches): Record<string, unknown> {
  if (key.lastUsedMs !== undefined)
    return { last_used_at: isoTime(key.lastUsedMs), last_used_from_addr: key.lastUsedFrom ?? '' };
  if (switches.neverUsedKey === 'absent') return {};
  if (switches.neverUsedKey === 'null') return { last_used_at: null, last_used_from_addr: null };
  return { last_used_at: switches.neverUsedKey === 'epoch' ? isoTime(0) : '', last_used_from_addr: '' };
}

export const keyTable: TableSpec<KeyRecord, 'withHash'> = { indexes: { withHash: (key) => key.hash } };
