// Reads scopes: one list for each, parents before children. Skips scopes that the selection does not need or an earlier reading has.
import { homeOf } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { compareText } from '../../base/json.ts';
import { failureOf, type ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { DesiredResource, ResourceId, DesiredState, DesiredProject } from '../../model/desired.ts';
import { inOrderOfKinds, PROJECT, type Below } from '../../model/kind.ts';
import type { LiveProject, LiveResource, OperationHistory, Unread, LivePlace, LiveState } from '../../model/live.ts';
import type { FactsInput, KindRemote } from '../kind-remote.ts';
import type { Clock } from '../../base/time/clock.ts';
import {
  type Address,
  setAddress,
  coversAddress,
  matchesGlob,
  retentionAddress,
  scopeOf,
} from '../../model/address.ts';
import type { Allowance, Selection } from '../../plan/input.ts';
import type { IsEnough } from '../../client/operations.ts';
import { referencesIn } from '../../model/values.ts';
import { selectionOf } from '../../plan/selection.ts';

type AskedOf<Answer> = (
  own: readonly DesiredResource[],
  project: LiveProject | null,
  resources: readonly LiveResource[],
) => Answer;

export interface ReadLiveInput
  extends Selection, Pick<FactsInput, 'kinds' | 'reader' | 'signal' | 'sinks' | 'orphans'> {
  readonly desired: DesiredState;
  readonly clock: Clock;
  /** Returns a test that is true once enough of the project's operation log was read; null if the log need not be read. */
  readonly needHistory: (project: LiveProject, live: readonly LiveResource[]) => IsEnough | null;
  /** Returns, by address, the live resource that each declaration means or will copy. `project`: null for declarations of the account. */
  readonly livePlaces: AskedOf<ReadonlyMap<Address, LivePlace>>;
  /** Returns the declarations that sets and retention rules make from their templates for the live resources of a project. */
  readonly ruled: AskedOf<readonly DesiredResource[]>;
  /** Returns the resources to read by their own routes: the list omits a fact that the plan needs or, with `isPartial`, a declared attribute. */
  readonly untold: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
    isPartial: boolean,
  ) => readonly LiveResource[];
  /** The allowances of the user; with them the plan may contain more removals. */
  readonly allow: readonly Allowance[];
  /** True to read each list only once, without the data that only guards of removals need. */
  readonly once: boolean;
  readonly isWhole?: boolean;
  /** Null for a first reading. */
  readonly known: KnownReading | null;
}

/** A complete earlier reading for the same desired state, and the parts of the reading that no longer hold. */
export interface KnownReading {
  readonly live: LiveState;
  /** Ids of the projects to read again; null stands for the account-wide resources. */
  readonly changed: ReadonlySet<string | null>;
  /** Set if projects may have been renamed since the reading, so each project is found again. */
  readonly isOld?: true;
}

/** Returns the reading with the ids of the projects to read again; null if a part of the reading failed, because that part is unknown. */
export function knownOf(live: LiveState, changed: KnownReading['changed']): KnownReading | null {
  return live.unread.length > 0 ? null : { live, changed };
}

export function isToRead(known: KnownReading | null, projectId: string | null): boolean {
  if (known === null || known.changed.has(projectId)) return true;
  // A project that was created after the earlier reading was not read yet.
  return projectId !== null && !known.live.projects.some(({ id }) => id === projectId);
}

export function knownPart(known: KnownReading | null): {
  readonly resources: readonly LiveResource[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
} {
  return {
    resources: (known?.live.resources ?? []).filter(({ projectId }) => !isToRead(known, projectId)),
    histories: [...(known?.live.histories ?? [])].filter(([id]) => !isToRead(known, id)),
  };
}

/**
 * Returns a test whether the selection may contain an address of a scope (a project label or a section). A target selects the scopes of the
 * declared addresses that it matches. A target that matches none selects every scope that may have a matching address. Without targets, all scopes
 * are selected. A scope that is excluded as a whole is never selected.
 */
export function touching(declared: readonly Address[], { target, exclude }: Selection): (scope: string) => boolean {
  const targets = target.map((glob) => ({ glob, named: scopesNamed(glob, declared) }));
  return (scope) => {
    const whole = [`${scope}/\u0001`, `${scope}/\u0001\u0001`];
    if (exclude.some((glob) => whole.every((address) => coversAddress(glob, address)))) return false;
    if (targets.length === 0) return true;
    return targets.some(({ glob, named }) => (named.size === 0 ? couldName(glob, scope) : named.has(scope)));
  };
}

function scopesNamed(glob: string, declared: readonly Address[]): ReadonlySet<string> {
  const named = declared.filter((address) => coversAddress(glob, address));
  return new Set(named.map(scopeOf));
}

/** True if `glob` may match an address in the scope. A star also matches slashes, so the text before the first star is compared, too. */
function couldName(glob: string, scope: string): boolean {
  const [head = ''] = glob.split('*');
  return matchesGlob(scopeOf(glob), scope) || (head !== glob && matchesGlob(`${head}*`, scope));
}

export function templatesFor(
  { target, exclude }: Selection,
  project: Pick<DesiredProject, 'label' | 'sets' | 'retention'> | undefined,
): readonly DesiredResource[] {
  const { label = '', sets = [], retention = [] } = project ?? {};
  const mayName = (rule: Address): boolean =>
    selectionOf({ target, exclude })([rule]) || target.some((glob) => glob.startsWith(`${rule}/`));
  return [
    ...sets.flatMap(({ name, template }) => (mayName(setAddress(label, name)) ? template : [])),
    ...retention.flatMap(({ name, template }) => (mayName(retentionAddress(label, name)) ? template : [])),
  ];
}

export function neededFor(selection: Selection, declared: readonly DesiredResource[]): readonly DesiredResource[] {
  const selects = selectionOf(selection);
  const needed = new Set(declared.filter(({ address }) => selects([address])));
  if (needed.size === declared.length) return declared;
  const byAddress = new Map(declared.map((one) => [one.address, one]));
  for (const { parent, spec } of needed)
    for (const address of [parent ?? '', ...referencesIn(spec)]) {
      const one = byAddress.get(address);
      if (one !== undefined) needed.add(one);
    }
  return [...needed];
}

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

/** A list to read. `what` names the scopes or addresses that count as unread if the list cannot be read. */
interface ToRead {
  readonly below: Below;
  readonly what: readonly string[];
}

/** Reads one list; a failure becomes an unread part. Rejects only if the credential is refused, and with errors that do not come from the API. */
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

/** Returns the live parents whose children are listed, given the resources read so far. */
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
  const below = { projectId: id };
  const own = kinds.filter(({ parent }) => parent === PROJECT);
  const first = own.map((kind) => ({ kind, below, what: [`${label}/${kind.section}`] }));
  return readTree(kinds, { below, what: [label], first }, parentsOf, reading);
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
