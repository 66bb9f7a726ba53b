// Reads what a wish touches, through a client that can only GET.
import { jsonEqual } from '../../base/json.ts';
import { readLive, type ReadLiveResult } from '../../apply/read/read-live.ts';
import type { IsEnough } from '../../apply/read/operation-log.ts';
import { readerOf } from '../../client/read-only.ts';
import { MOST_SKEW_MS } from '../../client/server-time.ts';
import { kindOf, kinds } from '../../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import { liveIds } from '../../plan/match/match-all.ts';
import { tellsLastChange } from '../../plan/diff/history.ts';
import type { PlanInput } from '../../plan/input.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Line } from '../connect.ts';
import type { PlanRequest } from '../types.ts';
import type { Workspace } from '../workspace.ts';

export async function readAccount(line: Line, workspace: Workspace, request: PlanRequest): Promise<ReadLiveResult> {
  const { noHistory = false, once = false, logsOf } = request;
  const asked = noHistory || once ? new Map<string, Asked>() : askedOfLogs(request.desired, momentsOf(line));
  return readLive({
    desired: request.desired,
    kinds: kinds.map(({ remote }) => remote),
    reader: readerOf(line.client),
    clock: line.serverClock,
    signal: request.signal ?? new AbortController().signal,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
    needHistory({ label, id }, live) {
      const own = asked.get(label);
      const isFollowed = own?.sinceMs === Infinity && logsOf?.has(id) === false;
      return own === undefined || isFollowed ? null : enoughFor(own, live);
    },
    liveIds: (project, resources) => liveIds(inputFor(line, request, project, resources)),
    sinks: workspace.lookup,
    orphans: async () => workspace.orphans(),
    known: request.known ?? null,
    allow: request.allow ?? [],
    once,
  });
}

/** One project, or what is account-wide, as far as it was read: enough to tell which live resource is which declaration. */
function inputFor(
  line: Line,
  { desired }: PlanRequest,
  project: LiveProject | null,
  resources: readonly LiveResource[],
): PlanInput {
  return {
    baseUrl: line.client.baseUrl,
    desired,
    live: {
      projects: project === null ? [] : [project],
      resources,
      histories: new Map(),
      unread: [],
      facts: new Map(),
    },
    kinds: kinds.map(({ rules }) => rules),
    nowMs: line.serverClock.nowMs(),
    consent: 'reviewed',
    allow: [],
    due: false,
    target: [],
    exclude: [],
  };
}

/** Before its first reply nobody knows the service's time: then a log is read as far back as it may be asked for. */
function momentsOf({ client, serverClock }: Line): readonly number[] {
  const nowMs = serverClock.nowMs();
  return client.serverTime().doubt === null ? [nowMs] : [nowMs - MOST_SKEW_MS, nowMs + MOST_SKEW_MS];
}

interface Asked {
  /** Since when (wall time) the log is needed; Infinity where only last changes are asked for. */
  readonly sinceMs: number;
  readonly declared: readonly DesiredResource[];
}

/** What is asked of the log of each project with a declaration, by label. */
function askedOfLogs({ resources }: DesiredState, moments: readonly number[]): ReadonlyMap<string, Asked> {
  const sinceOf = (one: DesiredResource): number =>
    Math.min(...moments.map((nowMs) => kindOf(one.kind).rules.evidenceSinceMs?.(one, nowMs) ?? Infinity));
  const logged = resources.filter((one) => kindOf(one.kind).rules.hasNoLog !== true);
  return new Map(
    [...groupBy(logged, ({ scope }) => scope)].map(([scope, declared]) => [
      scope,
      { sinceMs: Math.min(...declared.map(sinceOf)), declared },
    ]),
  );
}

/** Enough is what shows the last change of each resource that a declaration may mean, and reaches back as far as asked. */
function enoughFor({ sinceMs, declared }: Asked, live: readonly LiveResource[]): IsEnough {
  const managed = live.filter((one) => declared.some((desired) => mayMean(desired, one)));
  return (operations) =>
    (sinceMs === Infinity || operations.some(({ createdAtMs }) => createdAtMs !== null && createdAtMs < sinceMs)) &&
    managed.every((one) => tellsLastChange(kindOf(one.kind).rules, one, operations));
}

/** By its id, by its pool, or by where it comes from. */
function mayMean({ kind, pin, movedFrom, spec }: DesiredResource, live: LiveResource): boolean {
  if (kind !== live.kind) return false;
  if (pin === live.id || movedFrom !== null) return true;
  const { rules } = kindOf(live.kind);
  const own = rules.pool(live.spec);
  return Object.entries(rules.pool(spec)).every(
    ([path, value]) => value === null || jsonEqual(rules.canonical(path, value), rules.canonical(path, own[path])),
  );
}
