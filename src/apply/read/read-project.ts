// A project's part of a reading: the project itself, its lists, and its log.
import { affectedBy, endsSooner, referencesOf, type KindTraits } from '../../model/attributes.ts';
import { ApiFailure, failureOf, readOrNull } from '../../client/failure.ts';
import type { ProjectListing } from '../../client/list-projects.ts';
import type { DesiredResource, KindName } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject, LiveResource, OperationHistory, Unread } from '../../model/live.ts';
import type { KindRemote } from '../kind-remote.ts';
import { readHistoryUntil, type IsEnough } from './operation-log.ts';
import type { ReadLiveInput } from './read-input.ts';
import { inParallel } from '../in-parallel.ts';
import { neededFor } from './touched.ts';
import { readProject, READS_AT_ONCE, namedOnce, type ParentsOf, type ScopePart } from './read-scopes.ts';

export interface Part {
  readonly resources: readonly LiveResource[];
  readonly unread: readonly Unread[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
  /** Whether it was read; where it was not, why. Left out where it was not asked for. */
  readonly asked?: 'read' | ApiFailure;
}

export const NOTHING: Part = { resources: [], unread: [], histories: [] };

/** Read where any list was. */
export function joined(lists: readonly ScopePart[]): Pick<Part, 'resources' | 'unread' | 'asked'> {
  const asked = lists.find((list) => list.asked === 'read')?.asked ?? lists.find((list) => list.asked)?.asked;
  return {
    resources: lists.flatMap((list) => list.resources),
    unread: lists.flatMap(({ unread }) => unread),
    ...(asked === undefined ? {} : { asked }),
  };
}

/** Reads the project itself, then its lists and then, where these show anything, its log. */
export async function projectPart(
  input: ReadLiveInput,
  project: LiveProject,
  { own, ...told }: Told & { readonly own: readonly DesiredResource[] },
): Promise<Part> {
  const itself = own.find(({ kind }) => kind === PROJECT);
  const shown = itself === undefined ? null : await projectItself(input, project, itself, told);
  const [live] = shown?.resources ?? [];
  // If the project could not be read or is gone, nothing in it can be read.
  if (shown !== null && live === undefined) return shown;
  const around = itself === undefined || live === undefined ? [] : affected(input, itself, live);
  const apart = new Set(input.kinds.flatMap(({ kind, isApart }) => (isApart === true ? [kind] : [])));
  const needed = neededFor(input, own);
  const isOnlyApart = needed.length > 0 && needed.every(({ kind }) => apart.has(kind));
  const kinds = input.kinds.filter(
    (kind) =>
      kind.kind !== PROJECT &&
      (around.includes(kind.kind) || ((!isOnlyApart || kind.isApart === true) && isAskedFor(input, kind, needed))),
  );
  const parts = await readProject(kinds, project, declaredParents(input, needed, project), input);
  const lists = shown === null ? namedOnce(project, parts) : parts;
  const { resources: listed, unread, ...rest } = joined(lists);
  const resources = await withUntold(input, project, own, listed);
  const all = [...(shown?.resources ?? []), ...resources];
  const isEnough = all.length > 0 ? input.needHistory(project, all) : null;
  const log = isEnough === null ? NOTHING : await historyPart(input, project, isEnough);
  return { asked: 'read', ...rest, resources: all, unread: [...unread, ...log.unread], histories: log.histories };
}

/** The projects themselves, as far as they were read before their lists. */
interface Told {
  readonly listing: ProjectListing | null;
  /** The answers of their own routes: null for a deleted project. */
  readonly itself: ReadonlyMap<string, LiveResource | ApiFailure | null>;
}

/** The project as a resource, where it is declared as one: as the list of projects shows all that is declared, else asked for by itself. */
async function projectItself(
  input: ReadLiveInput,
  project: LiveProject,
  desired: DesiredResource,
  { listing, itself }: Told,
): Promise<Part> {
  const { label: what, id: projectId } = project;
  const remote = input.kinds.find((one) => one.kind === PROJECT);
  const item = listing?.projects.find(({ id }) => id === projectId);
  const listed = item === undefined ? undefined : remote?.liveOf?.(item, { projectId });
  const told = itself.get(projectId);
  const isWhole = listed !== undefined && (input.untold?.([desired], project, [listed], true) ?? []).length === 0;
  const asked = { id: projectId, projectId };
  const shown =
    told ?? (isWhole ? listed : await remote?.show?.(input.reader, asked, input.signal).catch(failureOf)) ?? null;
  const unreadable = (reason: string): readonly Unread[] => [{ what, projectId, reason }];
  if (shown instanceof ApiFailure) return { ...NOTHING, unread: unreadable(shown.message), asked: shown };
  if (shown !== null) return { ...NOTHING, resources: [shown], asked: 'read' };
  const unread = desired.absent ? [] : unreadable(`there is no project ${projectId} in this account`);
  return { ...NOTHING, unread, asked: 'read' };
}

/** The same resources; those of which the list leaves out what is declared as their own routes show them, where these can be read. */
async function withUntold(
  input: ReadLiveInput,
  project: LiveProject,
  own: readonly DesiredResource[],
  listed: readonly LiveResource[],
): Promise<readonly LiveResource[]> {
  const untold = new Set(input.untold?.(own, project, listed, false));
  if (untold.size === 0) return listed;
  return inParallel(listed, READS_AT_ONCE, async (one) => {
    const remote = input.kinds.find(({ kind }) => kind === one.kind);
    if (!untold.has(one) || remote?.show === undefined) return one;
    const shown = await readOrNull(remote.show(input.reader, one, input.signal));
    return shown === null ? one : { ...shown, observed: { ...one.observed, ...shown.observed } };
  });
}

/** The kinds that are read so that the plan can tell the effects of a change of the project itself. */
function affected(
  { kinds }: ReadLiveInput,
  { absent, spec }: DesiredResource,
  live: LiveResource,
): readonly KindName[] {
  return kinds
    .filter(({ kind }) => kind === PROJECT)
    .flatMap((kind) => (absent ? (kind.contents?.kinds ?? []) : affectedBy(kind, spec, live.spec)));
}

/** Whether a project needs the lists of this kind. Some kinds are read only where they, or the end of their parent, are declared. */
function isAskedFor(input: ReadLiveInput, remote: KindRemote, own: readonly DesiredResource[]): boolean {
  const goes = (one: DesiredResource): boolean => one.absent || mayExpire(input, one, null);
  const { parent, isOnlyDeclared = false } = remote;
  if (!isOnlyDeclared) return true;
  const askedBy = readsFor(input, remote);
  return own.some((one) => askedBy.has(one.kind) || (one.kind === parent && goes(one)));
}

function mayExpire({ kinds }: ReadLiveInput, one: DesiredResource, live: LiveResource | null): boolean {
  const own = kinds.find(({ kind }) => kind === one.kind);
  return own !== undefined && endsSooner(own, one.spec, live?.spec ?? {});
}

/** The kinds of which a declaration asks for this list: its own, and those that refer to each other with it below one parent. */
function readsFor({ kinds }: Pick<ReadLiveInput, 'kinds'>, list: KindTraits): ReadonlySet<KindName> {
  const siblings = (kind: KindTraits): readonly KindName[] =>
    Object.values(referencesOf(kind)).flatMap(({ kind: name, among }) => (among === 'siblings' ? [name] : []));
  const users = kinds.flatMap((one) => (siblings(one).includes(list.kind) ? [one.kind] : []));
  return new Set([list.kind, ...siblings(list), ...users]);
}

/** The live parents whose lists are needed: those with something declared below them, and those that are to go, now or sooner than they did, with all that is below. */
export function declaredParents(
  input: ReadLiveInput,
  own: readonly DesiredResource[],
  project: LiveProject | null,
): ParentsOf {
  return (below, found) => {
    // All that is in a project goes with it.
    if (own.some(({ kind, absent }) => absent && kind === PROJECT))
      return found.flatMap(({ kind, id }) => (kind === below.parent ? [id] : []));
    const askedBy = readsFor(input, below);
    const ofParent = own.filter(({ kind }) => kind === below.parent);
    const declared = own.flatMap(({ kind, parent = null }) => (askedBy.has(kind) ? (parent ?? []) : []));
    const going = ofParent.filter(({ absent }) => absent).map(({ address }) => address);
    const expiring = ofParent.filter((one) => mayExpire(input, one, null));
    if (declared.length + going.length + expiring.length === 0) return [];
    const places = input.livePlaces(own, project, found);
    const byId = new Map(found.flatMap((live) => (live.kind === below.parent ? [[live.id, live] as const] : [])));
    const isSooner = (one: DesiredResource): boolean => {
      const place = places.get(one.address);
      const live = place === undefined || place.isCopied ? undefined : byId.get(place.id);
      return live !== undefined && mayExpire(input, one, live);
    };
    const parents = new Set([...declared, ...going, ...expiring.filter(isSooner).map(({ address }) => address)]);
    // A copy and its source may both be declared: the source is read once.
    return [...new Set([...parents].flatMap((parent) => places.get(parent)?.id ?? []))];
  };
}

async function historyPart(input: ReadLiveInput, { label, id }: LiveProject, isEnough: IsEnough): Promise<Part> {
  try {
    const history = await readHistoryUntil(input.reader, id, isEnough, input.signal);
    return { ...NOTHING, histories: [[id, history]], asked: 'read' };
  } catch (error) {
    const failure = failureOf(error);
    const reason = `its operation log: ${failure.message}`;
    // All but the log of the project may have been read.
    return { ...NOTHING, unread: [{ what: label, projectId: id, reason, part: 'operation_log' }], asked: failure };
  }
}
