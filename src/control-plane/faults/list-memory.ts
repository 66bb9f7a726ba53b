// Faults of lists: serves a remembered earlier list, or another project's list, or changes the current list.
import { objectOf } from '../../base/json.ts';
import type { RequestHead } from '../api/dispatch.ts';
import type { Reply } from '../resources/engine/call.ts';
import type { ExchangeFault, ListFault } from './plan.ts';

const KEPT_VERSIONS = 16;
const LAG_MS = 2500;

/** Faults that change the current list; all others show a remembered list. */
type Changing = Exclude<ListFault, 'stale' | 'lagging' | 'elsewhere'>;

interface Version {
  readonly text: string;
  readonly body: unknown;
  readonly sinceMs: number;
}

export class ListMemory {
  readonly #versions: Map<string, Version[]> = new Map();

  /** Remembers the true list, then applies the list faults of the exchange to the reply. */
  recall(request: RequestHead, reply: Reply, faults: readonly ExchangeFault[], nowMs: number): Reply {
    if (reply.status !== 200 || listOf(reply.body) === undefined) return reply;
    const query = request.search.toString();
    const versions = this.#remember(`${request.path}?${query}`, reply.body, nowMs);
    let body = reply.body;
    for (const fault of faults) {
      if (fault.kind !== 'list') continue;
      if (fault.how === 'stale') body = versions[Math.max(0, versions.length - 1 - (fault.back ?? 1))]?.body ?? body;
      else if (fault.how === 'lagging') {
        const asOfMs = nowMs - (fault.ms ?? LAG_MS);
        body = (versions.findLast(({ sinceMs }) => sinceMs <= asOfMs) ?? versions[0])?.body ?? body;
      } else if (fault.how === 'elsewhere') body = this.#ofAnother(request.path, query) ?? body;
      else body = changed(body, fault.how, request.search.get('cursor'));
    }
    return { ...reply, body };
  }

  #ofAnother(path: string, query: string): unknown {
    const [, own, rest] = /^\/projects\/([^/]+)(\/.*)$/.exec(path) ?? [];
    if (own === undefined || rest === undefined) return undefined;
    for (const [other, versions] of this.#versions)
      if (other !== `${path}?${query}` && other.startsWith('/projects/') && other.endsWith(`${rest}?${query}`))
        return versions.at(-1)?.body;
    return undefined;
  }

  #remember(path: string, body: unknown, nowMs: number): Version[] {
    const versions = this.#versions.get(path) ?? [];
    const text = JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    if (versions.at(-1)?.text !== text) versions.push({ text, body, sinceMs: nowMs });
    if (versions.length > KEPT_VERSIONS) versions.shift();
    this.#versions.set(path, versions);
    return versions;
  }
}

function listOf(body: unknown): string | undefined {
  if (Array.isArray(body)) return '';
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.entries(body).find(([, member]) => Array.isArray(member))?.[0];
}

function changed(body: unknown, how: Changing, cursor: string | null): unknown {
  const member = listOf(body) ?? '';
  const holder = body as Record<string, unknown>;
  if (how === 'no-pagination')
    return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== 'pagination'));
  const list = (member === '' ? body : holder[member]) as unknown[];
  if (how === 'repeated-cursor') {
    const shown = objectOf(holder['pagination']);
    const repeated = cursor === null ? {} : { ['sort_by' in shown ? 'next' : 'cursor']: cursor };
    return { ...holder, pagination: { ...shown, ...repeated } };
  }
  const result = CHANGED[how](list);
  return member === '' ? result : { ...holder, [member]: result };
}

const CHANGED: Readonly<
  Record<Exclude<Changing, 'repeated-cursor' | 'no-pagination'>, (list: unknown[]) => unknown[]>
> = {
  reversed: (list) => list.toReversed(),
  // A fixed shuffle: items at odd indexes first, then those at even indexes backwards.
  shuffled: (list) => [...list.filter((_, at) => at % 2 === 1), ...list.filter((_, at) => at % 2 === 0).reverse()],
  'first-half': (list) => list.slice(0, list.length >> 1),
  empty: () => [],
  doubled: (list) => [...list, ...list],
  contradicting: (list) => [...list, ...list.map(otherwise)],
  foreign: (list) => list.map((item, at) => (at === 0 ? ofAnother(item) : item)),
};

/** Gives the item the `project_id` of another project. Leaves an item without `project_id` as it is. */
function ofAnother(item: unknown): unknown {
  const isOwned = typeof item === 'object' && item !== null && 'project_id' in item;
  return isOwned ? { ...item, project_id: 'other-house-000009' } : item;
}

function otherwise(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  if ('type' in item) return { ...item, type: item.type === 'read_only' ? 'read_write' : 'read_only' };
  return 'name' in item ? { ...item, name: `${String(item.name)}-other` } : item;
}
