// Renders the ids that were written into files, as a table and as JSON.
import type { JsonObject } from '../../base/json.ts';
import { tableText, type TableOptions } from './table.ts';
import { nameText, sentence, shown } from '../text/escape.ts';

export interface PinRow {
  readonly address: string;
  /** The new id; null if the old id was removed. */
  readonly id: string | null;
  readonly before: string | null;
  readonly because: string;
  readonly file: string;
  readonly line: number | null;
}

export function renderPins(rows: readonly PinRow[], options: TableOptions): string {
  const cells = rows.map(({ address, id, before, because, file, line }) => [
    nameText(address),
    id === null ? `(removed ${shown(before ?? '')})` : shown(id),
    line === null ? shown(file) : `${shown(file)}:${line}`,
    sentence(becauseOf({ id, before, because })),
  ]);
  return tableText(['ADDRESS', 'ID', 'WRITTEN TO', 'MATCHED BY'], cells, options, '');
}

function becauseOf({ id, before, because }: Pick<PinRow, 'id' | 'before' | 'because'>): string {
  if (id === null) return `${because}: the next plan shows whether the resource is re-created`;
  return before === null ? because : `${because}; was ${before}`;
}

/** `{written: [{address, id, before, matched_by, file, line}], refused: [{address, reason}], stale: [address]}`. */
export function pinsToJson(
  rows: readonly PinRow[],
  refused: readonly { readonly address: string; readonly because: string }[],
  stale: readonly string[],
): JsonObject {
  return {
    written: rows.map(({ because, file, line, ...row }) => ({ ...row, matched_by: because, file, line })),
    refused: refused.map(({ address, because }) => ({ address, reason: because })),
    stale,
  };
}
