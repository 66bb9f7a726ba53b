// Makes the input for reading the live state that a plan needs, with a client that can only GET.
import { attributeAt } from '../../model/attributes.ts';
import { picked } from '../../base/picked.ts';
import type { ReadLiveInput } from '../../apply/read/read-scopes.ts';
import { readerOf } from '../../client/api-client.ts';
import { MOST_SKEW_MS } from '../../model/operations/timing.ts';
import { kindOf, kinds, type Kind } from '../../kinds/index.ts';
import {
  declaredProject,
  restartPolicyOf,
  sinksOf,
  type DesiredResource,
  type DesiredState,
  type KindName,
} from '../../model/desired.ts';
import type { LivePlace, LiveResource, OperationRecord } from '../../model/live.ts';
import type { PlanInput } from '../../plan/input.ts';
import { keyIn } from '../../plan/match/by-rule.ts';
import { declaredByRule, livePlaces } from '../../plan/match/match-all.ts';
import { isAbsenceStated, managedLeaves, sameAt, untoldLeaves } from '../../plan/diff/difference.ts';
import { tellsLastChange } from '../../plan/diff/history.ts';
import { leavesOf, valueAt, type Leaf } from '../../model/values.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Address } from '../../model/address.ts';
import type { PlanRequest } from '../types.ts';
import type { Parts } from '../workspace.ts';
import type { SinkFound, SinkLookup } from '../../apply/kind-remote.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { makePlan } from '../../plan/make-plan.ts';

export function readInput(parts: Parts, request: PlanRequest): ReadLiveInput {
  const { client, serverClock } = parts;
  const { noHistory = false, once = false, logsOf } = request;
  // Before the first reply, the service's time is unknown, so the earliest possible time is taken.
  const earliestMs = serverClock.nowMs() - MOST_SKEW_MS;
  const asked = noHistory || once ? new Map<string, Asked>() : askedOfLogs(request.desired, earliestMs);
  const inputFor = (...[own, project, resources]: Parameters<ReadLiveInput['livePlaces']>): PlanInput => {
    const projects = project === null ? [] : [project];
    const live = { projects, resources, histories: new Map(), unread: [], facts: new Map() };
    const desired = { ...request.desired, resources: own };
    const read = { baseUrl: client.baseUrl, desired, live, nowMs: serverClock.nowMs() };
    return { ...inputOf(read), ...picked(request, ['removals']) };
  };
  const placesIn: ReadLiveInput['livePlaces'] = (...read) => livePlaces(inputFor(...read));
  return {
    desired: request.desired,
    kinds,
    reader: readerOf(client),
    clock: serverClock,
    signal: request.signal ?? new AbortController().signal,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
    needHistory(project, live) {
      const { sinceMs = Infinity, declared = [] } = asked.get(project.label) ?? {};
      const isFollowed = sinceMs === Infinity && logsOf?.has(project.id) === false;
      if (declared.length === 0 || isFollowed) return null;
      const isReached = ({ createdAtMs }: OperationRecord): boolean => createdAtMs !== null && createdAtMs < sinceMs;
      let managed: readonly LiveResource[] | null = null;
      // The log is enough if it shows the last change of each declared resource and reaches back to `sinceMs`.
      return (operations) => {
        if (sinceMs !== Infinity && !operations.some(isReached)) return false;
        if (managed === null) {
          const meant = meantBy(declared.filter(isLogged), placesIn(declared, project, live));
          managed = live.filter(({ kind, id }) => meant.has(`${kind} ${id}`));
        }
        return managed.every((one) => tellsLastChange(kindOf(one.kind), one, operations));
      };
    },
    livePlaces: placesIn,
    ruled: (own, project, resources) => declaredByRule(inputFor(own, project, resources)),
    untold: (own, project, resources, isPartial) => {
      const isDoubtful = doubtfulIn(request.desired, own, project.label);
      const sought = soughtIn(own);
      const omits = ({ kind, spec }: LiveResource): boolean =>
        sought.get(kind)?.some(({ segments }) => valueAt(spec, segments) === undefined) === true;
      const lacking = resources.filter((live) => isDoubtful(live) || omits(live));
      if (lacking.length === 0 || isPartial) return lacking;
      const meant = meantBy(own, placesIn(own, project, resources));
      return lacking.filter(
        (live) => isDoubtful(live) || differsByOmission(meant.get(`${live.kind} ${live.id}`), live),
      );
    },
    sinks: boundedSinks(parts.lookup, request.desired),
    orphans: async () => parts.orphans(),
    known: request.known ?? null,
    allow: request.allow ?? [],
    once,
  };
}

function mayBeReplaced({ kind, pin, spec }: DesiredResource): boolean {
  const rules = kindOf(kind);
  return pin !== null && leavesOf(spec).some(({ path }) => attributeAt(rules, path).change === 'replace');
}

/** Returns a test for resources whose list omits a fact that decides on a removal or set membership: name, annotation or a `mayKeep` attribute. */
function doubtfulIn(
  desired: DesiredState,
  own: readonly DesiredResource[],
  label: string,
): (live: LiveResource) => boolean {
  const { prune = false, sets = [] } = declaredProject(desired, label) ?? {};
  const mayRemove = prune !== false || own.some((one) => one.absent || mayBeReplaced(one));
  const going = new Set(own.flatMap(({ absent, pin }) => (absent && pin !== null ? [pin] : [])));
  return ({ kind, id, spec, marks }) => {
    const { attributes } = kindOf(kind);
    if (going.has(id) && attributes['name'] !== undefined && spec['name'] === undefined) return true;
    const mayBeMember = sets.some((set) => set.template[0].kind === kind && keyIn(set, spec['name']) !== null);
    if (marks === null && (mayRemove || mayBeMember)) return true;
    const rows = mayRemove ? Object.entries(attributes) : [];
    return rows.some(([path, { mayKeep = false }]) => mayKeep && spec[path] === undefined);
  };
}

/** Returns the declarations by the kind and id of their live resources. */
function meantBy(
  own: readonly DesiredResource[],
  places: ReadonlyMap<Address, LivePlace>,
): ReadonlyMap<string, DesiredResource> {
  return new Map(
    own.flatMap((one) => {
      const place = places.get(one.address);
      return place === undefined || place.isCopied ? [] : [[`${one.kind} ${place.id}`, one] as const];
    }),
  );
}

/** True if the list omits a declared value. False if the omission itself stands for a value (`absent`), and this is the declared value. */
function differsByOmission(desired: DesiredResource | undefined, { kind, spec }: LiveResource): boolean {
  const rules = kindOf(kind);
  const omitted = desired === undefined ? [] : untoldLeaves(rules, managedLeaves(desired), spec, true);
  return omitted.some((leaf) => !isAbsenceStated(attributeAt(rules, leaf.path), spec) || !sameAt(rules, leaf, spec));
}

function soughtIn(own: readonly DesiredResource[]): ReadonlyMap<KindName, readonly Leaf[]> {
  const byKind = groupBy(
    own.filter(({ absent }) => !absent),
    ({ kind }) => kind,
  );
  return new Map(
    [...byKind].map(([kind, declared]) => {
      const leaves = declared.flatMap((one) => untoldLeaves(kindOf(kind), managedLeaves(one), {}, true));
      return [kind, [...new Map(leaves.map((leaf) => [leaf.path, leaf])).values()]];
    }),
  );
}

interface Asked {
  /** The wall-clock time that the log must reach back to; Infinity if the log only needs to show the last changes. */
  readonly sinceMs: number;
  readonly declared: readonly DesiredResource[];
}

function askedOfLogs({ resources }: DesiredState, nowMs: number): ReadonlyMap<string, Asked> {
  const sinceOf = (one: DesiredResource): number => {
    const { notBeforeMs, maxAgeMs } = restartPolicyOf(one) ?? { notBeforeMs: null, maxAgeMs: null };
    return Math.min(notBeforeMs ?? Infinity, nowMs - (maxAgeMs ?? -Infinity));
  };
  const scopes = [...groupBy(resources, ({ scope }) => scope)].filter(([, declared]) => declared.some(isLogged));
  return new Map(
    scopes.map(([scope, declared]) => [
      scope,
      { sinceMs: declared.reduce((ms, one) => Math.min(ms, sinceOf(one)), Infinity), declared },
    ]),
  );
}

function isLogged({ kind }: DesiredResource): boolean {
  return kindOf(kind).operations !== undefined;
}

/** The most exec sinks to check. Files can name thousands, but a machine can start only about this many programs within seconds. */
const MOST_PROGRAMS = 100;

/** Stands for a sink whose program is not called: nothing is compared, and apply checks the sink before it creates a secret. */
const NOT_LOOKED_AT: SinkFound = { state: 'stored', holds: null, reason: null };

/** Returns a lookup that calls only the first `MOST_PROGRAMS` exec sinks, in the order of addresses. File sinks are always read. */
export function boundedSinks(sinks: SinkLookup, desired: DesiredState): SinkLookup {
  const named = desired.resources.flatMap(sinksOf).flatMap(({ exec }) => (typeof exec === 'string' ? [exec] : []));
  const looked = new Set([...new Set(named)].slice(0, MOST_PROGRAMS));
  return {
    look: async (target, shape, signal) =>
      typeof target['exec'] === 'string' && !looked.has(target['exec'])
        ? NOT_LOOKED_AT
        : sinks.look(target, shape, signal),
  };
}

function inputOf(
  read: Pick<PlanInput, 'baseUrl' | 'desired' | 'live' | 'nowMs'>,
  of: readonly Kind[] = kinds,
): PlanInput {
  return { ...read, ...UNASKED, held: [], kinds: of };
}

/** The options of a plan if nobody asks for any. */
export const UNASKED = { consent: 'reviewed', allow: [], due: false, target: [], exclude: [] } as const;

export function planOf(...read: Parameters<typeof inputOf>): Plan {
  return makePlan(inputOf(...read));
}
