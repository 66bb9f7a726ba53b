// Members of preview sets as a table and as JSON.
import type { Json, JsonObject } from '../../base/json.ts';
import { bytesWords } from '../../base/text/words.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Unread } from '../../model/live.ts';
import { nameText, shown } from '../text/escape.ts';
import { unreadToJson } from './resources.ts';
import { tableText, type TableOptions } from './table.ts';
import { ago, expiryOf, type TreeRow } from './tree.ts';

export interface PreviewRow extends Omit<TreeRow, 'depth'> {
  /** Null if the API does not show the time. */
  readonly createdMs: number | null;
  /** True if the preview set in the files lists the key of this preview. */
  readonly isListed: boolean;
  readonly secrets: readonly string[];
}

/** `isWhole`: everything was read; otherwise an empty table has no text, because previews may exist that were not read. */
export function renderPreviews(
  rows: readonly PreviewRow[],
  nowMs: number,
  options: TableOptions & { readonly isWhole: boolean },
): string {
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
