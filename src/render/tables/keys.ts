// Renders the keys of an account and its organizations as a table and as JSON: age, last use, sink of the secret, and rotation.
import { isoTimeOrNull } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { tableText, type TableOptions } from './table.ts';
import { nameText, shown } from '../text/escape.ts';

export interface KeyRow {
  readonly address: Address | null;
  readonly id: ResourceId;
  readonly name: string;
  /** The key's organization; null for a key of the account. */
  readonly orgId: string | null;
  readonly createdAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
  /** The sinks of the secret, such as `file:ci.json`. Null without sinks, and for a key that is not current. */
  readonly sink: string | null;
  /** The newer key that replaced this one in the sinks; null for none. */
  readonly replacedBy: ResourceId | null;
  /** The rotation or revocation of the key, such as `rotates in 12d` or `to be revoked`; null for neither. */
  readonly rotation: string | null;
}

export function renderKeys(keys: readonly KeyRow[], nowMs: number, options: TableOptions): string {
  return tableText(
    ['NAME', 'ID', 'AGE', 'LAST USED', 'FROM', 'SECRET', 'ROTATION'],
    keys.map((key) => [
      nameText(key.name) + remark(key),
      shown(key.id),
      ago(key.createdAtMs, nowMs, '-'),
      ago(key.lastUsedAtMs, nowMs, 'never'),
      shown(key.lastUsedFrom ?? '-'),
      shown(key.sink ?? (key.replacedBy === null ? '-' : `replaced by key ${key.replacedBy}`)),
      shown(key.rotation ?? '-'),
    ]),
    options,
    'No keys.\n',
  );
}

function remark({ address, orgId }: KeyRow): string {
  const words = [...(address === null ? ['unmanaged'] : []), ...(orgId === null ? [] : [`of ${shown(orgId)}`])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function ago(ms: number | null, nowMs: number, otherwise: string): string {
  if (ms === null) return otherwise;
  if (ms === Infinity) return '?';
  return humanDuration(nowMs - ms).split(' ')[0] ?? otherwise;
}

export function keysToJson(keys: readonly KeyRow[]): JsonObject {
  return {
    keys: keys.map((key): Json => ({
      address: key.address,
      id: key.id,
      name: key.name,
      org_id: key.orgId,
      created_at: isoTimeOrNull(key.createdAtMs),
      last_used_at: isoTimeOrNull(key.lastUsedAtMs),
      last_used_from_addr: key.lastUsedFrom,
      sink: key.sink,
      replaced_by: key.replacedBy,
      rotation: key.rotation,
    })),
  };
}
