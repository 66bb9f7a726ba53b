// Reads what a wish touches, through a client that can only GET.
import { readLive, type ReadLiveResult } from '../apply/read-live.ts';
import type { HistoryWindow } from '../apply/operation-log.ts';
import { readerOf } from '../client/read-only.ts';
import { MOST_SKEW_MS } from '../client/server-time.ts';
import { kinds } from '../kinds/index.ts';
import type { DesiredResource, DesiredState } from '../model/desired.ts';
import type { Line } from './connect.ts';
import type { PlanRequest } from './types.ts';
import type { Workspace } from './workspace.ts';

export async function readAccount(line: Line, workspace: Workspace, request: PlanRequest): Promise<ReadLiveResult> {
  const windows = historyWindows(request.desired, momentsOf(line));
  const { histories = 'needed' } = request;
  const isAsked = (id: string): boolean => (typeof histories === 'string' ? histories === 'all' : histories.has(id));
  return readLive({
    desired: request.desired,
    kinds: kinds.map(({ remote }) => remote),
    reader: readerOf(line.client),
    clock: line.serverClock,
    signal: request.signal ?? new AbortController().signal,
    target: request.target ?? [],
    exclude: request.exclude ?? [],
    needHistory: ({ label, id }) => windows.get(label) ?? (isAsked(id) ? { sinceMs: null } : null),
    sinks: workspace.lookup,
    orphans: async () => workspace.orphans(),
    known: request.known ?? null,
    ...(request.taken === undefined ? {} : { taken: request.taken }),
    allow: request.allow ?? [],
    once: request.once ?? false,
  });
}

/** Before its first reply nobody knows the service's time: then a log is read as far back as it may be asked for. */
function momentsOf({ client, serverClock }: Line): readonly number[] {
  const nowMs = serverClock.nowMs();
  return client.serverTime().doubt === null ? [nowMs] : [nowMs - MOST_SKEW_MS, nowMs + MOST_SKEW_MS];
}

/** How far back each project's log must be read for what its resources ask, by project label. */
function historyWindows(desired: DesiredState, moments: readonly number[]): ReadonlyMap<string, HistoryWindow> {
  const windows = new Map<string, HistoryWindow>();
  for (const resource of desired.resources) {
    const asked = moments.flatMap((nowMs) => evidenceSince(resource, nowMs) ?? []);
    if (asked.length === 0) continue;
    const sinceMs = Math.min(...asked);
    const known = windows.get(resource.scope)?.sinceMs ?? Infinity;
    windows.set(resource.scope, { sinceMs: Math.min(known, sinceMs) });
  }
  return windows;
}

function evidenceSince(resource: DesiredResource, nowMs: number): number | null {
  const kind = kinds.find(({ rules }) => rules.kind === resource.kind);
  return kind?.rules.evidenceSinceMs?.(resource, nowMs) ?? null;
}
