// Reads lists in pages with a cursor, within limits, however the service treats cursor and limit.
import type { Pagination, ShapeName } from '../api/index.ts';
import { inert } from '../base/text/inert.ts';
import { ApiFailure } from './failure.ts';
import type { Reader } from './types.ts';

const PAGES_MAX = 1000;
/** The most characters in all pages of a list. */
const LIST_MAX = 128 * 1024 * 1024;
const EMPTY_MAX = 10;

/** If a limit of the service shortened a page, its length is a multiple of 10 and at least 30. */
const ROUND = 10;
const LEAST_LIMIT = 30;

interface PageQuery<Page, Item> {
  readonly path: string;
  readonly shape: ShapeName;
  readonly query?: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly itemsOf: (page: Page) => readonly Item[];
  readonly cursorOf?: (page: Page) => string | undefined;
  readonly signal: AbortSignal;
  readonly isEnough?: (items: readonly Item[]) => boolean;
  readonly maxPages?: number;
  readonly maxItems?: number;
  /** True if a page shorter than `limit` ends the list, unless its length looks shortened. Else only a page without a new cursor ends it. */
  readonly shortEnds: boolean;
  readonly contradicts?: (one: Item, other: Item) => boolean;
  readonly problemOf?: (page: Page) => string | null;
}

interface PagedList<Page, Item> {
  /** Each id only once, in the order of the service. */
  readonly items: readonly Item[];
  readonly pages: readonly Page[];
  /** True if no entry can be missing. A repeated page, or a single full page without a cursor, may hide entries. */
  readonly complete: boolean;
}

export async function readPages<
  Page extends { readonly pagination?: Pagination },
  Item extends { readonly id: string },
>(reader: Reader, query: PageQuery<Page, Item>): Promise<PagedList<Page, Item>> {
  const { path, shape, limit, signal, problemOf, maxPages = PAGES_MAX, maxItems = Infinity, shortEnds } = query;
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
      problemOf,
    });
    pages.push(page);
    const before = items.size;
    const found = query.itemsOf(page);
    for (const item of found) {
      const first = items.get(item.id);
      if (first === undefined) items.set(item.id, item);
      else if (query.contradicts?.(first, item) === true) throw contradictory(path, item.id);
    }
    // An empty cursor means no further page.
    cursor = (query.cursorOf === undefined ? page.pagination?.cursor : query.cursorOf(page)) || undefined;
    const looksLast = found.length < limit && (found.length < LEAST_LIMIT || found.length % ROUND !== 0);
    if (shortEnds && looksLast) return listed(true);
    const isEmpty = found.length === 0;
    if (isEmpty && (cursor === undefined || followed.has(cursor))) return listed(true);
    // A single page of exactly `limit` entries may have been cut off there.
    if (cursor === undefined) return listed(pages.length > 1 || found.length !== limit);
    empty = isEmpty ? empty + 1 : 0;
    if (isEmpty ? empty > EMPTY_MAX : items.size === before) return listed(false);
    followed.add(cursor);
    if (!isEmpty && query.isEnough?.([...items.values()]) === true) return listed(looksLast);
  }
  return listed(false);
}

function contradictory(path: string, id: string): ApiFailure {
  const message = `GET ${path} lists "${inert(id, 80)}" twice with different values, so the list cannot be used`;
  return new ApiFailure(message, { failureClass: 'unusable', method: 'GET', path });
}
