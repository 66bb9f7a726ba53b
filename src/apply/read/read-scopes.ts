// Reads scopes, each with one list, top-down within a project. A list that fails is reported and does not stop the others.
import { homeOf } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { compareText } from '../../base/json.ts';
import { failureOf, type ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import { inOrderOfKinds, PROJECT, type Below } from '../../model/kind.ts';
import type { LiveProject, LiveResource, OperationHistory, Unread } from '../../model/live.ts';
import type { KindRemote } from '../kind-remote.ts';

export interface Part {
  readonly resources: readonly LiveResource[];
  readonly unread: readonly Unread[];
  readonly history?: readonly [string, OperationHistory];
  readonly failure: ApiFailure | null;
}

export function unreadPart(failure: ApiFailure, unread: readonly (Omit<Unread, 'reason'> & Partial<Unread>)[]): Part {
  return { resources: [], unread: unread.map((one) => ({ reason: failure.message, ...one })), failure };
}

interface Reading {
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

/** A list to read; `what` names the scopes or addresses that are unread if it fails. */
interface ToRead {
  readonly below: Below;
  readonly what: readonly string[];
}

/** Reads one list; a failure becomes an unread part. Rejects if the credential is refused, and with errors that do not come from the API. */
async function readScope(kind: KindRemote, { below, what }: ToRead, { reader, signal }: Reading): Promise<Part> {
  try {
    return { resources: await kind.list(reader, below, signal), unread: [], failure: null };
  } catch (error) {
    const { projectId, parentId } = below;
    const list = projectId === null ? {} : { kind: kind.kind, ...(typeof parentId === 'string' ? { parentId } : {}) };
    return unreadPart(
      failureOf(error),
      what.map((one) => ({ what: one, projectId, ...list })),
    );
  }
}

/** Returns the live parents whose lists are read, given the resources that were read so far. */
export type ParentsOf = (
  siblings: readonly KindRemote[],
  found: readonly LiveResource[],
) => readonly { readonly kind: KindRemote; readonly parentId: ResourceId }[];

export async function readProject(
  kinds: readonly KindRemote[],
  { id, label }: Pick<LiveProject, 'id' | 'label'>,
  parentsOf: ParentsOf,
  reading: Reading,
): Promise<readonly Part[]> {
  const own = kinds.filter(({ kind, parent }) => parent === PROJECT && kind !== PROJECT);
  const root = { below: { projectId: id }, what: [label] };
  const first = own.map((kind) => ({ ...root, what: [`${label}/${kind.section}`], kind }));
  return readTree(kinds, { ...root, first }, parentsOf, reading);
}

/** Returns the lists, or if none could be read, one unread part for the whole project, so that reports name the project once. */
export function namedOnce({ id, label }: Pick<LiveProject, 'id' | 'label'>, lists: readonly Part[]): readonly Part[] {
  const failure = lists[0]?.failure ?? null;
  const isRead = failure === null || lists.some((one) => one.failure === null);
  return isRead ? lists : [unreadPart(failure, [{ what: label, projectId: id }])];
}

export async function readSection(
  kinds: readonly KindRemote[],
  kind: KindRemote,
  { own, parentsOf }: { readonly own: readonly DesiredResource[]; readonly parentsOf: ParentsOf },
  reading: Reading,
): Promise<readonly Part[]> {
  const first = scopesIn(kind, own).map((scope) => ({ ...scope, kind }));
  return readTree(kinds, { below: { projectId: null }, what: [kind.section], first }, parentsOf, reading);
}

/** Returns the lists to read for an account-wide kind: one for each organization that the declarations name, or else the account's list. */
function scopesIn(place: KindRemote, own: readonly DesiredResource[]): readonly ToRead[] {
  const homes = groupBy(
    own.filter(({ spec }) => homeOf(place, spec) !== null),
    ({ spec }) => homeOf(place, spec) ?? '',
  );
  if (homes.size === 0) return [{ below: { projectId: null }, what: [place.section] }];
  return [...homes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([parentId, declared]) => ({
      below: { projectId: null, parentId },
      what: declared.map(({ address }) => address),
    }));
}

async function readTree(
  kinds: readonly KindRemote[],
  {
    below: { projectId },
    what,
    first,
  }: ToRead & { readonly first: readonly (ToRead & { readonly kind: KindRemote })[] },
  parentsOf: ParentsOf,
  reading: Reading,
): Promise<readonly Part[]> {
  const parts = await Promise.all(first.map(async ({ kind, ...scope }) => readScope(kind, scope, reading)));
  const deeper = kinds.filter(({ parent }) => parent !== null && parent !== PROJECT);
  for (const siblings of groupBy(
    inOrderOfKinds(deeper, () => []),
    ({ parent }) => parent,
  ).values()) {
    const found = parts.flatMap(({ resources }) => resources);
    const above = kinds.find((one) => one.kind === siblings[0].parent)?.section ?? '';
    const lists = await inParallel(parentsOf(siblings, found), async ({ kind, parentId }) => {
      const names = projectId === null ? what : what.map((one) => `${one}/${above}/${parentId}/${kind.section}`);
      return readScope(kind, { below: { projectId, parentId }, what: names }, reading);
    });
    parts.push(...lists);
  }
  return parts;
}

export const READS_AT_ONCE = 32;

/** Runs `work` for every item, at most `limit` at once. Rejects with the first failure, without waiting for work that has begun. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit: number = READS_AT_ONCE,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
