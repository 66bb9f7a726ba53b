// The live resources as an indented table, each below its parent.
import { isoTime } from '../../base/time/clock.ts';
import { formatDuration, humanDuration } from '../../base/time/duration.ts';
import { bytesWords } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { nameText, shown } from '../text/escape.ts';
import { tableText, type TableOptions } from './table.ts';

export interface TreeRow {
  readonly depth: number;
  readonly address: Address;
  readonly name: string | null;
  readonly id: ResourceId;
  readonly state: string | null;
  readonly sizeBytes: number | null;
  /** Infinity while the resource is in use; null if it never was, or if the API does not show it. */
  readonly lastActiveMs: number | null;
  readonly expiresMs: number | null;
  readonly ttlSeconds: number | null;
}

/** One row per resource, in the given order; ages are at `nowMs`. Without `isWhole`, an empty tree proves nothing and has no text. */
export function renderTree(
  rows: readonly TreeRow[],
  nowMs: number,
  options: TableOptions & { readonly isWhole: boolean },
): string {
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

export function expiryOf({ expiresMs, ttlSeconds }: Pick<TreeRow, 'expiresMs' | 'ttlSeconds'>): string {
  if (expiresMs === null) return '-';
  // The service counts the TTL from its own clock, after the request, so it may lack a second: this rounds to minutes.
  const ttlMs = ttlSeconds === null ? null : Math.round(ttlSeconds / 60) * 60_000;
  return `${isoTime(expiresMs)}${ttlMs === null ? '' : ` (ttl ${formatDuration(ttlMs)})`}`;
}

/** Shows a time of less than a minute ago as `now`, because it is not known more exactly. */
export function ago(ms: number): string {
  return ms < 60_000 ? 'now' : `${humanDuration(ms).split(' ')[0] ?? ''} ago`;
}
