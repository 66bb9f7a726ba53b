// Reads the live account for planning: with the fewest requests, GET only, and telling what could not be read.
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import { compareText } from '../../base/json.ts';
import type { Clock } from '../../base/time/clock.ts';
import { listProjects } from '../../client/list-projects.ts';
import type { ProjectListing } from '../../client/list-projects.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredProject, DesiredResource, DesiredState, KindName, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveProject, LiveResource, LiveState, OperationHistory, Unread } from '../../model/live.ts';
import type { Allowance } from '../../plan/input.ts';
import { makePlan } from '../../plan/make-plan.ts';
import { givenUpTogether, inParallel } from '../in-parallel.ts';
import type { FactsInput, KindRemote, MoreLooks, SinkLookup } from '../kind-remote.ts';
import { isToRead, knownPart } from './known-reading.ts';
import type { KnownReading } from './known-reading.ts';
import { inOrder } from './live-order.ts';
import { readHistoryUntil } from './operation-log.ts';
import type { IsEnough } from './operation-log.ts';
import { resolveProjects } from './projects.ts';
import { failureOf, readProject, readSection, READS_AT_ONCE } from './read-scopes.ts';
import type { ParentsOf, ScopePart } from './read-scopes.ts';
import { touching } from './touched.ts';
import type { Selection } from './touched.ts';

export interface ReadLiveInput extends Selection {
  readonly desired: DesiredState;
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Until what of a project's operation log is known, for what its lists show; null = the log is not read. */
  readonly needHistory: (project: LiveProject, live: readonly LiveResource[]) => IsEnough | null;
  /** Which live resources of a project (null: of the account) the declarations are, by what was read of it so far. */
  readonly liveIds: (
    project: LiveProject | null,
    resources: readonly LiveResource[],
  ) => ReadonlyMap<Address, ResourceId>;
  readonly sinks: SinkLookup;
  /** What the journal knows of what earlier runs made; asked where a kind wants facts. */
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** What the user allows in so many words; it may bring removals into the plan. */
  readonly allow?: readonly Allowance[];
  /** Each list is read once: what only guards removals is not looked for. */
  readonly once?: boolean;
  /** What an earlier reading still answers; null = nothing. */
  readonly known?: KnownReading | null;
}

export interface ReadLiveResult {
  /** When the reading began, on the clock's monotonic scale. */
  readonly startedAtMs: number;
  readonly live: LiveState;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads what the selection touches: one list per project and kind, one per account-wide kind that is declared or pruned, and the
 * project list only where a name must be found. A list that fails leaves an `unread` entry. Rejects with `ApiFailure` when
 * the credential is refused, the project list cannot be read or nothing is answered at all; whatever is under way then is given up.
 */
export async function readLive(input: ReadLiveInput): Promise<ReadLiveResult> {
  return givenUpTogether(input.signal, async (signal) => readAll({ ...input, signal }));
}

async function readAll(input: ReadLiveInput): Promise<ReadLiveResult> {
  const startedAtMs = input.clock.monotonicMs();
  const declared = input.desired.resources.map(({ address }) => address);
  const isTouched = touching(declared, input);
  const wanted = input.desired.projects.filter(({ label }) => isTouched(label));
  const known = input.known ?? null;
  const { projects, unresolved, diagnostics, listing } = await findProjects(input, wanted);
  const jobs = jobsOf(input, projects, declared);
  const parts = [{ ...knownPart(known), unread: [] }, ...(await inParallel(jobs, READS_AT_ONCE, (job) => job()))];
  if (known === null && listing === null) refuseSilence(parts);
  const resources = parts.flatMap((part) => part.resources);
  const unread = [...unresolved, ...parts.flatMap((part) => part.unread)];
  const histories = new Map(parts.flatMap((part) => part.histories));
  return {
    startedAtMs,
    live: {
      projects: [...projects].sort((a, b) => compareText(a.label, b.label)),
      resources: inOrder(resources),
      histories,
      unread: onePerScope(unread),
      facts: await readFacts(input, declared, { projects, resources, unread }),
    },
    // What the files expect of the account was checked by the reading that is known.
    diagnostics:
      known === null ? [...diagnostics, ...missingExpectation(input.desired, listing, projects, unread)] : diagnostics,
  };
}

interface FoundProjects {
  readonly projects: readonly LiveProject[];
  readonly unresolved: readonly Unread[];
  readonly diagnostics: readonly Diagnostic[];
  readonly listing: ProjectListing | null;
}

async function findProjects(
  { known, desired, reader, signal }: ReadLiveInput,
  wanted: readonly DesiredProject[],
): Promise<FoundProjects> {
  if (known !== undefined && known !== null)
    return { projects: known.live.projects, unresolved: [], diagnostics: [], listing: null };
  const needsListing = wanted.some(({ id }) => id === null) || expectsUnlisted(desired, wanted);
  const listing = needsListing ? await listProjects(reader, signal) : null;
  const found = resolveProjects(wanted, listing);
  return { projects: found.projects, unresolved: found.unread, diagnostics: found.diagnostics, listing };
}

interface Part {
  readonly resources: readonly LiveResource[];
  readonly unread: readonly Unread[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
  /** Whether it was read; where it was not, why. Left out where it was not asked for. */
  readonly asked?: 'read' | ApiFailure;
}

const NOTHING: Part = { resources: [], unread: [], histories: [] };

function jobsOf(
  input: ReadLiveInput,
  projects: readonly LiveProject[],
  declared: readonly string[],
): readonly (() => Promise<Part>)[] {
  const { kinds } = input;
  const toRead = projects.filter(({ id }) => isToRead(input.known ?? null, id));
  const accountLists = kinds
    .filter((kind) => kind.parent === null && isToRead(input.known ?? null, null))
    .flatMap((kind) => {
      const section = accountSection(kind.kind, input, declared);
      return section === null ? [] : [async () => sectionPart(input, kind, section)];
    });
  return [...accountLists, ...toRead.map((project) => async () => projectPart(input, project))];
}

async function sectionPart(input: ReadLiveInput, kind: KindRemote, section: string): Promise<Part> {
  const lists = await readSection(input.kinds, kind, declaredParents(input, section, null), input);
  return { ...NOTHING, ...joined(lists) };
}

/** Read where any list was. */
function joined(lists: readonly ScopePart[]): Pick<Part, 'resources' | 'unread' | 'asked'> {
  const asked = lists.find((list) => list.asked === 'read')?.asked ?? lists.find((list) => list.asked)?.asked;
  return {
    resources: lists.flatMap((list) => list.resources),
    unread: lists.flatMap(({ unread }) => unread),
    ...(asked === undefined ? {} : { asked }),
  };
}

/** The lists of a project, and then its log: that is asked about what they show, and of nothing there is nothing to ask. */
async function projectPart(input: ReadLiveInput, project: LiveProject): Promise<Part> {
  const { needHistory } = input;
  const kinds = input.kinds.filter((kind) => isAskedFor(kind, input.desired, project));
  const lists = await readProject(kinds, project, declaredParents(input, project.label, project), input);
  const { resources, unread, ...rest } = joined(lists);
  const isListed = unread.length === 0;
  const isEnough = isListed && resources.length > 0 ? needHistory(project, resources) : null;
  const log = isEnough === null ? NOTHING : await historyPart(input, project, isEnough);
  return { ...rest, resources, unread: [...unread, ...log.unread], histories: log.histories };
}

/** A kind that nobody writes in a project costs nothing there, unless it goes with what is to go. */
function isAskedFor(
  { kind, parent, isOnlyDeclared = false }: KindRemote,
  { resources }: DesiredState,
  { label }: LiveProject,
): boolean {
  const own = resources.filter(({ scope }) => scope === label);
  return !isOnlyDeclared || own.some((one) => one.kind === kind || (one.kind === parent && one.absent));
}

/**
 * Of the parents that are declared with something below them, or as what goes with all that is below it, those that live: below what does
 * not exist there is nothing to ask for.
 */
function declaredParents({ desired, liveIds }: ReadLiveInput, scope: string, project: LiveProject | null): ParentsOf {
  return (below, found) => {
    const own = desired.resources.filter((one) => one.scope === scope);
    const going = own.filter(({ kind, absent }) => absent && kind === below.parent).map(({ address }) => address);
    const parents = new Set([
      ...own.flatMap(({ kind, parent = null }) => (kind === below.kind ? (parent ?? []) : [])),
      ...going,
    ]);
    if (parents.size === 0) return [];
    const ids = liveIds(project, found);
    // What is to be a copy comes from another that may be declared too: that is read once.
    return [...new Set([...parents].flatMap((parent) => ids.get(parent) ?? []))];
  };
}

/** The section of an account-wide kind that is to be read, or null when nothing asks for it. */
function accountSection(kind: KindName, input: ReadLiveInput, declared: readonly string[]): string | null {
  const section = input.desired.resources.find((resource) => resource.kind === kind)?.scope;
  if (section !== undefined) return touching(declared, input)(section) ? section : null;
  return input.desired.accountPrune.includes(kind) && input.target.length === 0 ? kind : null;
}

async function historyPart(input: ReadLiveInput, { label, id }: LiveProject, isEnough: IsEnough): Promise<Part> {
  try {
    const history = await readHistoryUntil(input.reader, id, isEnough, input.signal);
    return { ...NOTHING, histories: [[id, history]], asked: 'read' };
  } catch (error) {
    const failure = failureOf(error);
    const reason = `its operation log: ${failure.message}`;
    // Of a project of which all but the log may have been read.
    return { ...NOTHING, unread: [{ what: label, projectId: id, reason, part: 'operation_log' }], asked: failure };
  }
}

/** Throws where every request went without an answer: then it is the service that cannot be reached, not some of its projects. */
function refuseSilence(parts: readonly Part[]): void {
  const asked = parts.flatMap((part) => part.asked ?? []);
  const [first] = asked;
  if (asked.every((outcome) => outcome !== 'read' && outcome.status === null) && first instanceof ApiFailure)
    throw first;
}

async function readFacts(
  input: ReadLiveInput,
  declared: readonly string[],
  { projects, resources, unread }: Pick<LiveState, 'projects' | 'resources' | 'unread'>,
): Promise<ReadonlyMap<KindName, JsonObject>> {
  const facts = new Map<KindName, JsonObject>();
  for (const kind of input.kinds) {
    if (kind.facts === undefined) continue;
    const before =
      kind.parent === null && !isToRead(input.known ?? null, null) ? input.known?.live.facts.get(kind.kind) : undefined;
    if (before !== undefined) {
      facts.set(kind.kind, before);
      continue;
    }
    const desired: readonly DesiredResource[] = input.desired.resources.filter((one) => one.kind === kind.kind);
    const isAsked = kind.parent === null ? accountSection(kind.kind, input, declared) !== null : desired.length > 0;
    if (!isAsked) continue;
    if (kind.parent === null && unread.some(({ what }) => what === (desired[0]?.scope ?? kind.kind))) continue;
    const found = { desired, live: resources.filter((one) => one.kind === kind.kind), projects };
    if (kind.needsFacts?.(found) === false) continue;
    const orphans = await input.orphans();
    facts.set(kind.kind, await kind.facts({ ...factsInput(input, kind.kind), ...found, orphans }));
  }
  return facts;
}

function factsInput(
  input: ReadLiveInput,
  kind: KindName,
): Omit<FactsInput, 'desired' | 'live' | 'projects' | 'orphans'> {
  const { reader, signal, sinks, clock, allow = [], target, exclude, once = false } = input;
  const looks: MoreLooks = {
    nowMs: clock.nowMs(),
    allow,
    target,
    exclude,
    plan: makePlan,
    pause: async (ms) => clock.sleep(ms, signal),
  };
  const pruned = input.desired.accountPrune.includes(kind);
  return { reader, signal, sinks, pruned, ...(once ? {} : { looks }) };
}

/** True when a project is expected that none of the lists to be read will show. */
function expectsUnlisted(desired: DesiredState, wanted: readonly { readonly id: string | null }[]): boolean {
  const expected = desired.expect?.hasProject ?? null;
  return expected !== null && !wanted.some(({ id }) => id === expected);
}

function missingExpectation(
  desired: DesiredState,
  listing: ProjectListing | null,
  projects: readonly LiveProject[],
  unread: readonly Unread[],
): readonly Diagnostic[] {
  const expected = desired.expect?.hasProject ?? null;
  if (expected === null) return [];
  assert(desired.expect !== null, 'an expectation has a place');
  const wasListed = projects.some(({ id }) => id === expected) && !unread.some((entry) => entry.projectId === expected);
  if (wasListed || listing?.projects.some(({ id }) => id === expected) === true) return [];
  return [
    {
      severity: 'error',
      code: 'expectation_failed',
      message: `the expected project ${expected} was not found in the account`,
      hint: 'Check that the credential and the base URL are those that the file is meant for.',
      range: desired.expect.source,
    },
  ];
}

function onePerScope(unread: readonly Unread[]): readonly Unread[] {
  const byScope = new Map(unread.toReversed().map((entry) => [entry.what, entry]));
  return [...byScope.values()].sort((a, b) => compareText(a.what, b.what));
}
