// Reads the live account for planning: GET only, with few requests, and reports what could not be read.
import { groupBy } from '../../base/group-by.ts';
import { compareText, type JsonObject } from '../../base/json.ts';
import type { LiveResource, LiveState, Unread } from '../../model/live.ts';
import { addressesIn, type DesiredResource, type KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { selectionOf } from '../../plan/selection.ts';
import {
  inParallel,
  readSection,
  type Part,
  isToRead,
  knownPart,
  type ReadLiveInput,
  touching,
  neededFor,
  templatesFor,
} from './read-scopes.ts';
import type { KindRemote, FactsInput } from '../kind-remote.ts';
import { findProjects, isUnbornProject, nameUntold, type FoundProjects } from './find-projects.ts';
import { missingProject, othersAmong, othersPart, projectsIn, seeksOthers } from './projects.ts';
import { declaredParents, projectPart } from './read-project.ts';
import { failureOf } from '../../client/failure.ts';
import { makePlan } from '../../plan/make-plan.ts';

export interface ReadLiveResult {
  readonly live: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the live state that the selection needs: one list per kind and parent, and one per account-wide kind that is declared or pruned.
 * The list of projects is read only to find projects by name, or undeclared projects. A list that fails leaves an `unread` entry. Rejects with
 * `ApiFailure` if the credential is refused, no request gets an answer, or the list of projects fails and nothing else is to be read.
 */
export async function readLive(input: ReadLiveInput): Promise<ReadLiveResult> {
  const declared = addressesIn(input.desired);
  const isTouched = touching(declared, input);
  const wanted = input.desired.projects.filter(({ label }) => isTouched(label));
  return readFound(input, await findProjects(input, wanted));
}

export async function readFound(
  input: ReadLiveInput,
  found: FoundProjects,
): Promise<ReadLiveResult & { readonly parts: readonly Part[] }> {
  const { known } = input;
  const declared = addressesIn(input.desired);
  const { projects, unresolved, diagnostics, untold, listing } = found;
  const jobs = jobsOf(input, found, declared);
  if (found.refused !== null && jobs.length === 0) throw found.refused;
  const parts = (await inParallel(jobs, (job) => job())).flat();
  if (known === null && listing === null) refuseSilence(parts);
  const before = knownPart(known);
  const resources = [...before.resources, ...parts.flatMap((part) => part.resources)];
  const unlisted = [...unresolved, ...parts.flatMap((part) => part.unread)];
  const { facts, unread: unknown } = await readFacts(input, {
    projects,
    resources,
    unread: unlisted,
    listed: listing?.projects ?? [],
  });
  const unread = [...unlisted, ...unknown];
  const isThere = (expected: string): boolean =>
    (projects.some(({ id }) => id === expected) && !unread.some(({ projectId }) => projectId === expected)) ||
    (found.itself.get(expected) ?? null) !== null ||
    listing?.projects.some(({ id }) => id === expected) === true;
  const histories = new Map([...before.histories, ...parts.flatMap(({ history }) => (history ? [history] : []))]);
  return {
    parts,
    live: {
      projects: [...projects, ...othersAmong(projectsIn(resources), input.desired.projects, projects)].sort((a, b) =>
        compareText(a.label, b.label),
      ),
      resources: resources.toSorted(byScopeAndId),
      histories,
      unread: onePerScope(unread),
      facts,
    },
    diagnostics: [
      ...diagnostics,
      // A project with an unread list has a warning already. A project that lacks only its operation log is planned, so its name matters.
      ...untold
        .filter(({ project }) => !unread.some(({ projectId, part }) => projectId === project.id && part === undefined))
        .map(nameUntold),
      // Only for a first reading: an earlier reading has already checked which project the files expect.
      ...(known === null ? missingProject(input.desired, isThere) : []),
    ],
  };
}

function jobsOf(
  input: ReadLiveInput,
  { projects, listing, refused, itself }: FoundProjects,
  declared: readonly string[],
): readonly (() => Promise<readonly Part[]>)[] {
  const { kinds } = input;
  const own = groupBy(input.desired.resources, ({ scope }) => scope);
  const toRead = projects.filter((project) => !isUnbornProject(project) && isToRead(input.known, project.id));
  const accountLists = kinds
    .filter((kind) => kind.parent === null && isToRead(input.known, null))
    .flatMap((kind) => {
      const section = input.isWhole === true ? kind.section : accountSection(kind.kind, input, declared);
      return section === null ? [] : [async () => sectionPart(input, kind, own.get(section) ?? [])];
    });
  const others = seeksOthers(input) ? [async () => othersPart(input, projects, listing ?? refused)] : [];
  return [
    ...accountLists,
    ...others,
    ...toRead.map(
      (project) => async () => projectPart(input, project, { own: own.get(project.label) ?? [], listing, itself }),
    ),
  ];
}

async function sectionPart(
  input: ReadLiveInput,
  kind: KindRemote,
  own: readonly DesiredResource[],
): Promise<readonly Part[]> {
  const selects = selectionOf(input);
  const selected = own.filter(({ address }) => input.isWhole !== true && selects([address]));
  const parentsOf = declaredParents(input, () => own, null);
  return readSection(input.kinds, kind, { own: selected, parentsOf }, input);
}

/** Throws if no request got an answer: then the service cannot be reached, not just some projects. */
function refuseSilence(parts: readonly Part[]): void {
  const failure = parts[0]?.failure ?? null;
  if (failure !== null && parts.every((part) => part.failure?.status === null)) throw failure;
}

function onePerScope(unread: readonly Unread[]): readonly Unread[] {
  const byScope = new Map(unread.toReversed().map((entry) => [entry.what, entry]));
  return [...byScope.values()].sort((a, b) => compareText(a.what, b.what));
}

function byScopeAndId(a: LiveResource, b: LiveResource): number {
  const sameProject = a.kind === b.kind && a.projectId === b.projectId;
  if (sameProject) return compareText(a.id, b.id);
  return compareText(a.kind, b.kind) || compareText(a.projectId ?? '', b.projectId ?? '') || compareText(a.id, b.id);
}

/** Returns the section to read for an account-wide kind; null if the command does not need that kind. */
function accountSection(kind: KindName, input: ReadLiveInput, declared: readonly string[]): string | null {
  const section = input.desired.resources.find((resource) => resource.kind === kind)?.scope;
  if (section !== undefined) return touching(declared, input)(section) ? section : null;
  return input.desired.accountPrune.includes(kind) && input.target.length === 0 ? kind : null;
}

/** Reads the further facts that kinds need for planning. If a request for one project fails, the other projects still get their facts. */
async function readFacts(
  input: ReadLiveInput,
  {
    projects,
    resources,
    unread,
    listed,
  }: Pick<LiveState, 'projects' | 'resources' | 'unread'> & Required<Pick<FactsInput, 'listed'>>,
): Promise<Pick<LiveState, 'facts' | 'unread'>> {
  const { desired: files, kinds, reader, signal, sinks, orphans, clock, target, exclude, allow, known, once } = input;
  const declared = addressesIn(files);
  const ruling = files.projects.filter((project) => templatesFor(input, project).length > 0);
  const ruled = ruling.flatMap(({ label }) => {
    const own = files.resources.filter(({ scope }) => scope === label);
    const project = projects.find((one) => one.label === label);
    return project === undefined ? [] : input.ruled(own, project, resources);
  });
  const needed = [...neededFor(input, files.resources), ...ruled];
  const pause = async (ms: number): Promise<number> => {
    await clock.sleep(ms, signal);
    return clock.nowMs();
  };
  const shared = {
    kinds,
    reader,
    signal,
    sinks,
    orphans,
    listed,
    around: resources,
    projects: projects.filter((project) => !isUnbornProject(project)),
    prunedIn: files.projects.flatMap(({ label, prune }) => (prune === false ? [] : [label])),
    ...(once ? {} : { looks: { nowMs: clock.nowMs(), allow, target, exclude, plan: makePlan, pause } }),
  };
  const facts = new Map<KindName, JsonObject>();
  const unknown: Unread[] = [];
  for (const kind of kinds) {
    if (kind.facts === undefined) continue;
    const isOfAccount = kind.parent === null;
    const before = isOfAccount && !isToRead(known, null) ? known?.live.facts.get(kind.kind) : undefined;
    if (before !== undefined) {
      facts.set(kind.kind, before);
      continue;
    }
    const desired = needed.filter(
      (one) =>
        one.kind === kind.kind && !unread.some((gap) => gap.kind === kind.kind && gap.what.startsWith(`${one.scope}/`)),
    );
    const isAsked = isOfAccount ? accountSection(kind.kind, input, declared) !== null : desired.length > 0;
    if (!isAsked || (isOfAccount && unread.some(({ what }) => what === (desired[0]?.scope ?? kind.kind)))) continue;
    const live = resources.filter((one) => one.kind === kind.kind);
    const pruned = files.accountPrune.includes(kind.kind);
    const asked = await factsOfMost(kind, { ...shared, desired, live, pruned });
    if (asked.facts !== null) facts.set(kind.kind, asked.facts);
    unknown.push(...asked.unread);
  }
  return { facts, unread: unknown };
}

/**
 * Reads the facts of a kind. If a request fails, the live project in its path counts as unread. If its path names none, the account and the projects
 * that do not exist count as unread. The facts of all other scopes are then read again. Rejects if the unread scopes have no declaration.
 */
async function factsOfMost(
  kind: KindRemote,
  input: FactsInput,
): Promise<{ readonly facts: JsonObject | null; readonly unread: readonly Unread[] }> {
  try {
    return { facts: (await kind.facts?.(input)) ?? null, unread: [] };
  } catch (error) {
    const { path, message: reason } = failureOf(error);
    const silent = input.projects.find(({ id }) => `${path}/`.startsWith(`/projects/${id}/`));
    const labels = new Set(input.projects.map(({ label }) => label));
    const isSilent = (scope: string): boolean => (silent === undefined ? !labels.has(scope) : scope === silent.label);
    const scopes = new Set(input.desired.flatMap(({ scope }) => (isSilent(scope) ? [scope] : [])));
    if (scopes.size === 0) throw error;
    const unread = [...scopes].map((what): Unread => ({ what, projectId: silent?.id ?? null, reason }));
    const rest = await factsOfMost(kind, {
      ...input,
      projects: input.projects.filter((project) => project !== silent),
      desired: input.desired.filter(({ scope }) => !scopes.has(scope)),
    });
    return { ...rest, unread: [...rest.unread, ...unread] };
  }
}
