// Lists that come in pages with a cursor, read within bounds, whatever the service does with cursor and limit.
import type { Pagination, ShapeName } from '../api/index.ts';
import { inert } from '../base/text/inert.ts';
import { ApiFailure } from './failure.ts';
import type { Reader } from './types.ts';

const PAGES_MAX = 1000;
/** The most characters that all pages of a list may have together. */
const LIST_MAX = 128 * 1024 * 1024;
/** The most empty pages in a row that are followed. */
const EMPTY_MAX = 10;

export type ShortEnds = boolean | 'unless_round';

/** A page that a limit of the service cut short has a round number of entries, and no fewer than the least limit. */
const ROUND = 10;
const LEAST_LIMIT = 30;

interface PageQuery<Page, Item> {
  /** Where a page names the next one. Default: its `pagination.cursor`. */
  readonly cursorOf?: (page: Page) => string | undefined;
  readonly path: string;
  readonly shape: ShapeName;
  /** Asked for on every page, beside `limit` and `cursor`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly itemsOf: (page: Page) => readonly Item[];
  readonly signal: AbortSignal;
  /** True once no further page is wanted. */
  readonly isEnough?: (items: readonly Item[]) => boolean;
  readonly maxPages?: number;
  /** No page is read beyond so many. */
  readonly maxItems?: number;
  /**
   * False where the service may give less than `limit` before the last page: then only a page without a cursor or an empty one ends
   * the list. `unless_round`: a page of a round number, 30 or more, is taken for one that was cut short. Default true.
   */
  readonly shortEnds?: ShortEnds;
  /** False where an empty page with a cursor that was not followed yet does not end the list either. Default true. */
  readonly emptyEnds?: boolean;
  /** True where two entries of one id cannot both be true: then the list is worth nothing. */
  readonly contradicts?: (one: Item, other: Item) => boolean;
  /** See `ReadOptions`. */
  readonly problemOf?: (page: Page) => string | null;
}

interface PagedList<Page, Item> {
  /** Each id once, in the order of the service. */
  readonly items: readonly Item[];
  readonly pages: readonly Page[];
  /**
   * True when the list was surely read to its end; where enough was read before, when the last page looks like the end. Pages that
   * come again, and a full one that names no next, may hide others.
   */
  readonly complete: boolean;
}

/** Reads pages until one ends the list, has no cursor, or brings nothing new. */
export async function readPages<
  Page extends { readonly pagination?: Pagination },
  Item extends { readonly id: string },
>(reader: Reader, query: PageQuery<Page, Item>): Promise<PagedList<Page, Item>> {
  const { path, shape, limit, signal, problemOf, maxPages = PAGES_MAX, maxItems = Infinity, shortEnds = true } = query;
  const items = new Map<string, Item>();
  const pages: Page[] = [];
  const followed = new Set<string>();
  const room = { characters: LIST_MAX };
  let empty = 0;
  let cursor: string | undefined;
  const listed = (complete: boolean): PagedList<Page, Item> => ({ items: [...items.values()], pages, complete });
  while (pages.length < maxPages && items.size < maxItems) {
    const page = await reader.get<Page>(path, shape, {
      query: { ...query.query, limit, ...(cursor === undefined ? {} : { cursor }) },
      signal,
      room,
      ...(problemOf === undefined ? {} : { problemOf }),
    });
    pages.push(page);
    const before = items.size;
    const found = query.itemsOf(page);
    for (const item of found) {
      const first = items.get(item.id);
      if (first === undefined) items.set(item.id, item);
      else if (query.contradicts?.(first, item) === true) throw contradictory(path, item.id);
    }
    // An empty cursor counts as none.
    cursor = (query.cursorOf === undefined ? page.pagination?.cursor : query.cursorOf(page)) || undefined;
    const isShort = found.length < limit;
    const looksLast = isShort && (found.length < LEAST_LIMIT || found.length % ROUND !== 0);
    const endsHere = shortEnds === 'unless_round' ? looksLast : shortEnds && isShort;
    if (endsHere) return listed(true);
    if (found.length === 0) {
      if (query.emptyEnds !== false || cursor === undefined || followed.has(cursor)) return listed(true);
      if (++empty > EMPTY_MAX) return listed(false);
      followed.add(cursor);
      continue;
    }
    empty = 0;
    // A list of one page that is exactly as long as was asked for may have been cut there.
    if (cursor === undefined) return listed(pages.length > 1 || found.length !== limit);
    if (items.size === before) return listed(false);
    followed.add(cursor);
    if (query.isEnough?.([...items.values()]) === true) return listed(looksLast);
  }
  return listed(false);
}

function contradictory(path: string, id: string): ApiFailure {
  const message = `GET ${path} lists "${inert(id, 80)}" twice with different values, so the list cannot be used`;
  return new ApiFailure(message, { failureClass: 'unusable', method: 'GET', path });
}
