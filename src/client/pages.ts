// Lists that come in pages with a cursor, read within bounds, whatever the service does with cursor and limit.
import type { Pagination, ShapeName } from '../api/index.ts';
import type { Reader } from './types.ts';

const PAGES_MAX = 1000;

export type ShortEnds = boolean | 'unless_round';

/** Limits that services set are round numbers, and none gives fewer than so many. */
const ROUND = 10;
const LEAST_LIMIT = 30;

interface PageQuery<Page, Item> {
  readonly path: string;
  readonly shape: ShapeName;
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
  let cursor: string | undefined;
  const listed = (complete: boolean): PagedList<Page, Item> => ({ items: [...items.values()], pages, complete });
  while (pages.length < maxPages && items.size < maxItems) {
    const page = await reader.get<Page>(path, shape, {
      query: { limit, ...(cursor === undefined ? {} : { cursor }) },
      signal,
      ...(problemOf === undefined ? {} : { problemOf }),
    });
    pages.push(page);
    const before = items.size;
    const found = query.itemsOf(page);
    for (const item of found) if (!items.has(item.id)) items.set(item.id, item);
    cursor = page.pagination?.cursor;
    const isShort = found.length < limit;
    const looksLast = isShort && (found.length < LEAST_LIMIT || found.length % ROUND !== 0);
    const endsHere = shortEnds === 'unless_round' ? looksLast : shortEnds && isShort;
    if (endsHere || found.length === 0) return listed(true);
    // A list of one page that is exactly as long as was asked for may have been cut there.
    if (cursor === undefined) return listed(pages.length > 1 || found.length !== limit);
    if (items.size === before) return listed(false);
    if (query.isEnough?.([...items.values()]) === true) return listed(looksLast);
  }
  return listed(false);
}
