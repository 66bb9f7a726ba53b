// Renders live resources as an indented tree, and members of preview sets as a table.
import { isoTime } from '../../base/time/clock.ts';
import { formatDuration, humanDuration } from '../../base/time/duration.ts';
import { bytesWords } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { nameText, shown } from '../text/escape.ts';
import { tableText, type ListOptions } from './table.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Unread } from '../../model/live.ts';
import { unreadToJson } from './resources.ts';

export interface TreeRow {
  readonly depth: number;
  readonly address: Address;
  readonly name: string | null;
  readonly id: ResourceId;
  readonly state: string | null;
  readonly sizeBytes: number | null;
  /** Infinity while the resource is in use; null if it was never used, or the API does not show its last use. */
  readonly lastActiveMs: number | null;
  readonly expiresMs: number | null;
  readonly ttlSeconds: number | null;
}

/** A row for each resource, in the given order; ages are at `nowMs`. */
export function renderTree(rows: readonly TreeRow[], nowMs: number, options: ListOptions): string {
  return tableText(
    ['ADDRESS', 'NAME', 'ID', 'STATE', 'SIZE', 'LAST ACTIVE', 'EXPIRES'],
    rows.map(({ depth, address, name, id, state, sizeBytes, lastActiveMs, ...end }) => [
      `${'  '.repeat(depth)}${nameText(address)}`,
      name === null ? '-' : nameText(name),
      shown(id),
      shown(state ?? '-'),
      sizeBytes === null ? '-' : bytesWords(sizeBytes),
      lastActiveMs === null ? '-' : ago(nowMs - lastActiveMs),
      expiryOf(end),
    ]),
    options,
    options.isWhole ? 'No projects.\n' : '',
  );
}

function expiryOf({ expiresMs, ttlSeconds }: Pick<TreeRow, 'expiresMs' | 'ttlSeconds'>): string {
  if (expiresMs === null) return '-';
  // The service starts the TTL after the request, so the reported TTL may be a second short. Rounding to minutes hides that.
  const ttlMs = ttlSeconds === null ? null : Math.round(ttlSeconds / 60) * 60_000;
  return `${isoTime(expiresMs)}${ttlMs === null ? '' : ` (ttl ${formatDuration(ttlMs)})`}`;
}

/** Shows a time of less than a minute ago as `now`, because last uses are not known more exactly. */
function ago(ms: number): string {
  return ms < 60_000 ? 'now' : `${humanDuration(ms).split(' ')[0] ?? ''} ago`;
}

export interface PreviewRow extends Omit<TreeRow, 'depth'> {
  /** Null if the API does not show the time. */
  readonly createdMs: number | null;
  /** True if the preview set in the files lists this preview's key. */
  readonly isListed: boolean;
  readonly secrets: readonly string[];
}

export function renderPreviews(rows: readonly PreviewRow[], nowMs: number, options: ListOptions): string {
  return tableText(
    ['ADDRESS', 'ID', 'AGE', 'EXPIRES', 'LAST ACTIVE', 'SIZE', 'SECRETS'],
    rows.map((row) => [
      nameText(row.address) + (row.isListed ? '' : ' (key not listed)'),
      shown(row.id),
      row.createdMs === null ? '-' : ago(nowMs - row.createdMs),
      expiryOf(row),
      row.lastActiveMs === null ? '-' : ago(nowMs - row.lastActiveMs),
      row.sizeBytes === null ? '-' : bytesWords(row.sizeBytes),
      shown(row.secrets.join(', ') || '-'),
    ]),
    options,
    options.isWhole ? 'No previews.\n' : '',
  );
}

export function previewsToJson(rows: readonly PreviewRow[], unread: readonly Unread[]): JsonObject {
  const time = (ms: number | null): string | null => (ms === null || !Number.isFinite(ms) ? null : isoTime(ms));
  return {
    previews: rows.map(
      ({ address, id, name, createdMs, expiresMs, lastActiveMs, sizeBytes, isListed, secrets }): Json => ({
        address,
        id,
        name,
        is_listed: isListed,
        created_at: time(createdMs),
        expires_at: time(expiresMs),
        in_use: lastActiveMs === Infinity,
        last_active: time(lastActiveMs),
        logical_size: sizeBytes,
        secrets,
      }),
    ),
    unread: unreadToJson(unread),
  };
}
