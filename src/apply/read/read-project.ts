// Reads one project: the project itself, its lists, and its operation log.
import { jsonEqual } from '../../base/json.ts';
import { affectedBy, canonicalAt, endsSooner, siblingsOf, type KindTraits } from '../../model/attributes.ts';
import { ApiFailure, failureOf, ifKnown } from '../../client/failure.ts';
import type { ProjectListing } from '../../client/pages.ts';
import { declaredProject, type DesiredResource, type KindName } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import type { KindRemote } from '../kind-remote.ts';
import { readHistoryUntil, type IsEnough } from '../../client/operations.ts';
import { usedOf } from '../../plan/diff/history.ts';
import {
  inParallel,
  namedOnce,
  readProject,
  unreadPart,
  type ParentsOf,
  type Part,
  type ReadLiveInput,
  neededFor,
  templatesFor,
} from './read-scopes.ts';

export async function projectPart(
  input: ReadLiveInput,
  project: LiveProject,
  { own, ...told }: Told & { readonly own: readonly DesiredResource[] },
): Promise<readonly Part[]> {
  const itself = own.find(({ kind }) => kind === PROJECT);
  const isShown = itself !== undefined || (input.isWhole === true && input.kinds.some(({ kind }) => kind === PROJECT));
  const shown = isShown ? await projectItself(input, project, itself, told) : null;
  const [live] = shown?.resources ?? [];
  // If the project could not be read or is gone, nothing in it can be read.
  if (shown !== null && live === undefined) return [shown];
  const around = itself === undefined || live === undefined ? [] : affected(input, itself, live);
  const apart = new Set(input.kinds.flatMap(({ kind, isApart }) => (isApart === true ? [kind] : [])));
  const needed = neededFor(input, own);
  const templates = templatesFor(input, declaredProject(input.desired, project.label));
  const sought = [...needed, ...templates];
  const isOnlyApart = input.isWhole !== true && sought.length > 0 && sought.every(({ kind }) => apart.has(kind));
  const kinds = input.kinds.filter(
    (kind) =>
      kind.kind !== PROJECT &&
      (around.includes(kind.kind) || ((!isOnlyApart || kind.isApart === true) && isAskedFor(input, kind, sought))),
  );
  const ruled = (listed: readonly LiveResource[]): readonly DesiredResource[] =>
    templates.length === 0 ? [] : input.ruled(own, project, listed);
  const parentsOf = declaredParents(input, (found) => [...needed, ...ruled(found)], project);
  const lists = await readProject(kinds, project, parentsOf, input);
  const parts = shown === null ? namedOnce(project, lists) : [shown, ...lists];
  const listed = lists.flatMap(({ resources }) => resources);
  const omitting = input.untold([...own, ...ruled(listed)], project, listed, false);
  const untold = await inParallel(omitting, async (one) => [one, await shownByItself(input, one)] as const);
  const shownFor = new Map(untold);
  const whole = parts.map((part) => ({ ...part, resources: part.resources.map((one) => shownFor.get(one) ?? one) }));
  const found = whole.flatMap(({ resources }) => resources);
  const isEnough = found.length > 0 ? input.needHistory(project, found) : null;
  return isEnough === null ? whole : [...whole, await historyPart(input, project, isEnough)];
}

interface Told {
  readonly listing: ProjectListing | null;
  readonly itself: ReadonlyMap<string, LiveResource | ApiFailure | null>;
}

/** Takes the project from `itself`, or from the list if the list shows all declared attributes; else reads it by its own route. */
async function projectItself(
  input: ReadLiveInput,
  project: LiveProject,
  desired: DesiredResource | undefined,
  { listing, itself }: Told,
): Promise<Part> {
  const { label: what, id: projectId } = project;
  const remote = input.kinds.find((one) => one.kind === PROJECT);
  const item = listing?.projects.find(({ id }) => id === projectId);
  const listed = item === undefined ? undefined : remote?.liveOf?.(item, { projectId });
  const told = itself.get(projectId);
  const own = desired === undefined ? [] : [desired];
  const isWhole = listed !== undefined && input.untold(own, project, [listed], true).length === 0;
  const asked = { id: projectId, projectId };
  const shown =
    told ?? (isWhole ? listed : await remote?.show?.(input.reader, asked, input.signal).catch(failureOf)) ?? null;
  if (shown instanceof ApiFailure) return unreadPart(shown, [{ what, projectId }]);
  if (shown !== null) return { resources: [shown], unread: [], failure: null };
  const reason = `there is no project ${projectId} in this account`;
  return { resources: [], unread: desired?.absent === true ? [] : [{ what, projectId, reason }], failure: null };
}

/** Reads the resource by its own route, if the kind has one, because the list omits attributes that the files declare. */
async function shownByItself({ kinds, reader, signal }: ReadLiveInput, one: LiveResource): Promise<LiveResource> {
  const remote = kinds.find(({ kind }) => kind === one.kind);
  const reading = remote?.show?.(reader, one, signal) ?? Promise.resolve(null);
  const shown = await ifKnown(reading, null).catch(failureOf);
  if (shown instanceof ApiFailure) return { ...one, unshown: shown.message };
  return shown === null ? one : { ...shown, observed: { ...one.observed, ...shown.observed } };
}

/** Returns the kinds whose resources a change of the project affects: these resources are read, so that the plan can report the effects. */
function affected(
  { kinds }: ReadLiveInput,
  { absent, spec }: DesiredResource,
  live: LiveResource,
): readonly KindName[] {
  return kinds
    .filter(({ kind }) => kind === PROJECT)
    .flatMap((kind) => (absent ? (kind.contents?.kinds ?? []) : affectedBy(kind, spec, live.spec)));
}

/** True if the kind must be listed. An `isOnlyDeclared` kind is listed only if a declaration needs the list or if a declared parent may lose data. */
function isAskedFor(input: ReadLiveInput, remote: KindRemote, own: readonly DesiredResource[]): boolean {
  const goes = (one: DesiredResource): boolean => one.absent || mayLose(input, one, null);
  const { parent, isOnlyDeclared = false } = remote;
  if (!isOnlyDeclared || input.isWhole === true) return true;
  const askedBy = readsFor(input, remote);
  return own.some((one) => askedBy.has(one.kind) || (one.kind === parent && goes(one)));
}

/** True if the declaration may delete data: by an earlier expiry (any expiry, if `live` is null), or by an act such as a reset. */
function mayLose({ kinds }: ReadLiveInput, { kind, spec }: DesiredResource, live: LiveResource | null): boolean {
  const own = kinds.find((one) => one.kind === kind);
  if (own === undefined) return false;
  const acts = Object.entries(own.attributes).some(([path, { isOpen }]) => {
    const [wanted, have] = [spec[path], live?.spec[path]];
    if (isOpen === undefined || wanted === undefined) return false;
    return !jsonEqual(canonicalAt(own, path, wanted, have), canonicalAt(own, path, have, wanted));
  });
  return acts || endsSooner(own, spec, live?.spec ?? {});
}

/** Returns the kinds whose declarations need the list of the kind `list`: this kind, the siblings that it refers to, and those that refer to it. */
function readsFor({ kinds }: Pick<ReadLiveInput, 'kinds'>, list: KindTraits): ReadonlySet<KindName> {
  const users = kinds.filter((one) => siblingsOf(one).includes(list.kind)).map(({ kind }) => kind);
  return new Set([list.kind, ...siblingsOf(list), ...users]);
}

/** Returns a function that chooses the live parents whose children are listed: parents of declarations, and parents to be deleted or to lose data. */
export function declaredParents(
  input: ReadLiveInput,
  ownOf: (found: readonly LiveResource[]) => readonly DesiredResource[],
  project: LiveProject | null,
): ParentsOf {
  return (siblings, found) => {
    const own = ownOf(found);
    const isParent = ({ kind }: { readonly kind: KindName }): boolean => kind === siblings[0]?.parent;
    // A project is deleted with everything in it, so the plan must show all its contents.
    if (input.isWhole === true || own.some(({ kind, absent }) => absent && kind === PROJECT))
      return siblings.flatMap((kind) => found.filter(isParent).map(({ id }) => ({ kind, parentId: id })));
    const ofParent = own.filter(isParent);
    const going = ofParent.filter(({ absent, byRule }) => absent || byRule?.isYoung).map(({ address }) => address);
    const losing = ofParent.filter((one) => mayLose(input, one, null));
    const asked = siblings.map((kind) => {
      const askedBy = readsFor(input, kind);
      return { kind, parents: own.flatMap((one) => (askedBy.has(one.kind) ? (one.parent ?? []) : [])) };
    });
    if (going.length + losing.length === 0 && asked.every(({ parents }) => parents.length === 0)) return [];
    const places = input.livePlaces(own, project, found);
    const byId = new Map(found.filter(isParent).map((live) => [live.id, live]));
    const isSooner = (one: DesiredResource): boolean => {
      const place = places.get(one.address);
      const live = place === undefined || place.isCopied ? undefined : byId.get(place.id);
      return live !== undefined && mayLose(input, one, live);
    };
    const sooner = losing.filter(isSooner).map(({ address }) => address);
    return asked.flatMap(({ kind, parents }) => {
      // A copy that does not exist yet has the id of its source as its place. A file may declare the source, too, so the set drops repeated ids.
      const ids = [...parents, ...going, ...sooner].flatMap((parent) => places.get(parent)?.id ?? []);
      return [...new Set(ids)].map((parentId) => ({ kind, parentId }));
    });
  };
}

/** Reads the operation log. After a failure, only the log is unread, not the lists of the project. */
async function historyPart(input: ReadLiveInput, { label, id }: LiveProject, isEnough: IsEnough): Promise<Part> {
  try {
    const history = await readHistoryUntil(input.reader, id, isEnough, input.signal);
    return { resources: [], unread: [], history: [id, usedOf(history)], failure: null };
  } catch (error) {
    const failure = failureOf(error);
    const reason = `its operation log: ${failure.message}`;
    return unreadPart(failure, [{ what: label, projectId: id, reason, part: 'operation_log' }]);
  }
}
