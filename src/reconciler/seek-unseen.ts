// What a run of this folder made and the list does not show: looked for before it is planned anew, since a list may lag behind.
import type { ReadLiveResult } from '../apply/read-live.ts';
import type { JsonObject } from '../base/json.ts';
import { readerOf } from '../client/read-only.ts';
import { kinds } from '../kinds/index.ts';
import type { Address } from '../model/address.ts';
import type { ResourceId } from '../model/desired.ts';
import type { LiveState, Unread } from '../model/live.ts';
import type { Plan } from '../model/plan.ts';
import type { Line } from './connect.ts';
import { readAccount } from './read.ts';
import { SETTLE_PAUSES_MS } from './settle.ts';
import type { PlanRequest } from './types.ts';
import type { Workspace } from './workspace.ts';

/** So long after the reply a list may lag behind it, and what is not found may yet appear. */
const LAG_MS = 30_000;

/** A create of the plan, and what a reply told that an earlier run had made for the same address. */
interface Unseen {
  readonly kind: string;
  readonly address: Address;
  readonly projectId: string;
  readonly id: ResourceId;
  /** When that was, the service's time. */
  readonly atMs: number;
}

/**
 * The reading after a second look, where the plan would make something that this folder's journal says was made; null where it would not.
 * Until it is listed, or surely gone, nothing is planned in its project.
 */
export async function seekUnseen(
  line: Line,
  workspace: Workspace,
  request: PlanRequest,
  { plan, reading }: { readonly plan: Plan; readonly reading: ReadLiveResult },
): Promise<ReadLiveResult | null> {
  let open = await unseenOf(workspace, plan, reading.live);
  if (open.length === 0) return null;
  const signal = request.signal ?? new AbortController().signal;
  let current = reading;
  for (const pauseMs of [...SETTLE_PAUSES_MS, null]) {
    const looks = await Promise.all(
      open.map(async (one) => ({ one, sight: await sightOf(line, current, one, signal) })),
    );
    const isYoung = ({ atMs }: Unseen): boolean => line.serverClock.nowMs() - atMs < LAG_MS;
    const left = looks.filter(
      ({ one, sight }) => sight === 'there' || (pauseMs !== null && (sight === null || isYoung(one))),
    );
    open = left.map(({ one }) => one);
    if (open.length === 0) return current;
    if (pauseMs === null) break;
    await line.clock.sleep(pauseMs, signal);
    const changed = new Set(open.map(({ projectId }) => projectId));
    const known = { live: current.live, changed };
    const again = await readAccount(line, workspace, { ...request, known });
    current = { ...again, diagnostics: current.diagnostics };
    const listed = new Set(current.live.resources.map(({ kind, id }) => `${kind} ${id}`));
    open = open.filter(({ kind, id }) => !listed.has(`${kind} ${id}`));
    if (open.length === 0) return current;
  }
  return {
    ...current,
    live: { ...current.live, unread: [...current.live.unread, ...open.map(notListed(current.live))] },
  };
}

function notListed({ projects }: LiveState): (one: Unseen) => Unread {
  return ({ address, projectId, id }) => ({
    what: projects.find((project) => project.id === projectId)?.label ?? projectId,
    projectId,
    reason: `${id}, which an earlier run made for ${address}, is there, and the list of what is there does not show it`,
  });
}

/** Creations of the plan of which the journal tells the id, where that is not listed. */
async function unseenOf(workspace: Workspace, plan: Plan, live: LiveState): Promise<readonly Unseen[]> {
  const creates = new Map(
    plan.changes.flatMap(({ action, address, projectId }) =>
      action === 'create' && projectId !== null ? [[address, projectId] as const] : [],
    ),
  );
  if (creates.size === 0) return [];
  const listed = new Set(live.resources.map(({ id }) => id));
  return (await workspace.orphans()).flatMap((one) => unseenIn(one, creates) ?? []).filter(({ id }) => !listed.has(id));
}

function unseenIn(json: JsonObject, creates: ReadonlyMap<Address, string>): Unseen | null {
  const { kind, address, id, path, at_ms: atMs } = json;
  const projectId = creates.get(String(address));
  if (projectId === undefined || typeof id !== 'string' || typeof atMs !== 'number') return null;
  // A project of the same name may be another one by now.
  if (!String(path).startsWith(`/projects/${projectId}/`)) return null;
  return { kind: String(kind), address: String(address), projectId, id, atMs };
}

/** Whether it is there by itself; null where the service does not tell: not every one has a route for that. */
async function sightOf(
  line: Line,
  { live }: ReadLiveResult,
  { kind, projectId, id }: Unseen,
  signal: AbortSignal,
): Promise<'there' | 'gone' | null> {
  const remote = kinds.find((one) => one.remote.kind === kind)?.remote;
  if (remote?.isThere === undefined) return null;
  const ask = async (one: ResourceId): Promise<boolean | null> =>
    (await remote.isThere?.(readerOf(line.client), projectId, one, signal)) ?? null;
  const found = await ask(id);
  if (found !== false) return found === true ? 'there' : null;
  const other = live.resources.find((one) => one.kind === kind && one.projectId === projectId);
  // A service that answers so for one that it lists has no such route.
  return other === undefined || (await ask(other.id)) === true ? 'gone' : null;
}
