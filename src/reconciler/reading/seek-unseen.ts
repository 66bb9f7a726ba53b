// What a run of this folder made and no list has shown since: looked for before it is planned anew or made anew, since a list may lag behind.
import { readHistoryUntil } from '../../apply/read/operation-log.ts';
import type { ReadLiveResult } from '../../apply/read/read-live.ts';
import { compareText } from '../../base/json.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { readOrNull } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import { SETTLE_PAUSES_MS } from '../../model/operations/timing.ts';
import type { LiveResource, LiveState, OperationHistory, Unread } from '../../model/live.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import { placeholderOf } from '../../model/reference.ts';
import type { Session } from '../connect.ts';
import { madeFor, unlisted, type Creation, type Shown, type Unseen } from './made-before.ts';
import { readAccount } from './read.ts';
import type { ApplyRequest, PlanRequest } from '../types.ts';
import type { Workspace } from '../workspace.ts';

/** For this long after the reply, nothing is believed to be gone before the last look: a list may lag behind. */
const LAG_MS = 30_000;
/** From this long after the reply on, a log without the creation proves that nothing was made: until then the log may lag. */
const LOG_LAG_MS = 600_000;
/** From this long after the reply on, what neither a list nor a request by its id shows is gone, whatever the log says. */
const MOST_LAG_MS = 86_400_000;
/** The log is read back to somewhat before the request: its times may be of another clock. */
const LOG_MARGIN_MS = 60_000;

/** `there`: asked for by itself, the service shows it · `gone`: that is proved · `unknown`: neither. */
type Sight = 'there' | 'gone' | 'unknown';

/**
 * The reading after a second look, where the plan would make something that this folder's journal says was made; null where it would not.
 * Until it is listed, or proved gone, nothing is planned in its project.
 */
export async function seekUnseen(
  session: Session,
  workspace: Workspace,
  request: PlanRequest,
  { plan, reading }: { readonly plan: Plan; readonly reading: ReadLiveResult },
): Promise<ReadLiveResult | null> {
  const signal = request.signal ?? new AbortController().signal;
  const creations = creationsOf(plan);
  const shownIn = ({ resources, projects }: LiveState): Shown => {
    return { live: resources, declared: declaredIds(projects, request.desired.projects, creations) };
  };
  const shown = shownIn(reading.live);
  const files = request.desired.projects;
  const below = { projectId: placeholderOf(PROJECT) };
  const projects = async (): Promise<readonly LiveResource[]> =>
    kindOf(PROJECT).remote.list(readerOf(session.client), below, signal);
  let open = unlisted(await madeFor(session, workspace, creations, { ...shown, files, projects, signal }), shown);
  if (open.length === 0) return null;
  let current = reading;
  for (const pauseMs of [...SETTLE_PAUSES_MS, null]) {
    const looks = await sightsOf(session, open, { live: current.live.resources, isLast: pauseMs === null, signal });
    open = open.filter((one) => looks.get(one) !== 'gone');
    if (open.length === 0) return current;
    const young = open.filter((one) => ageMsOf(session, one) < LAG_MS);
    // What no list shows after so long is not shown by a later one either.
    if (pauseMs === null || young.length === 0)
      return {
        ...current,
        live: { ...current.live, unread: [...current.live.unread, ...notListed(current.live, looks)] },
      };
    if (pauseMs === SETTLE_PAUSES_MS[0]) session.onPause?.(waitWords(young));
    await session.clock.sleep(pauseMs, signal);
    const changed = new Set(open.map(({ projectId }) => projectId));
    const again = await readAccount(session, workspace, { ...request, known: { live: current.live, changed } });
    current = { ...again, diagnostics: current.diagnostics };
    open = unlisted(open, shownIn(current.live));
    if (open.length === 0) return current;
  }
  return current;
}

function creationsOf({ changes, steps }: Plan): readonly Creation[] {
  const making = new Map(steps.flatMap((step) => (step.expects.state === 'absent' ? [[step.address, step]] : [])));
  return changes
    .filter(({ action }) => action === 'create' || action === 'replace')
    .map(({ kind, address, projectId, after }) => {
      return { kind, address, projectId, name: after?.['name'] ?? null, step: making.get(address) ?? null };
    });
}

type Projects = PlanRequest['desired']['projects'];

/** Ids of the projects that the files have: found ones, and those that they tell of labels other than what is about to be made. */
function declaredIds(
  found: LiveState['projects'],
  declared: Projects,
  creations: readonly Pick<Creation, 'address'>[],
): ReadonlySet<string> {
  const making = new Set(creations.map(({ address }) => address));
  return new Set([...found, ...declared.filter(({ label }) => !making.has(label))].flatMap(({ id }) => id ?? []));
}

/**
 * Why these are not to be made now, by address: what an earlier run made there is neither in the lists just read (`live`) nor proved gone.
 * However old the plan is: another run of the folder may have made it since.
 */
export async function unseenNow(
  session: Session,
  workspace: Workspace,
  { plan, desired }: Pick<ApplyRequest, 'plan' | 'desired'>,
  steps: readonly Step[],
  look: LookAt,
): Promise<ReadonlyMap<Address, string>> {
  const creations = steps.map((step) => ({ ...step, name: step.achieves?.['name'] ?? null, step }));
  const projects = look.live.filter(({ kind }) => kind === PROJECT);
  const files = desired.projects;
  const planned = plan.changes.flatMap(({ projectId }) => projectId ?? []);
  const shown = { live: look.live, declared: new Set([...planned, ...declaredIds([], files, creations)]) };
  const around = { ...shown, files, projects: async () => projects, signal: look.signal };
  const made = await madeFor(session, workspace, creations, around);
  const open = unlisted(made, shown);
  const looks = await sightsOf(session, open, look);
  return new Map(
    open.flatMap((one) => (looks.get(one) === 'gone' ? [] : [[one.address, wordsFor(one, looks.get(one))]])),
  );
}

function notListed({ projects }: LiveState, looks: ReadonlyMap<Unseen, Sight>): readonly Unread[] {
  return [...looks].flatMap(([one, sight]) => {
    if (sight === 'gone') return [];
    // A project that would be made has another id in the plan than the one that was made.
    const place = projects.find(({ id, label }) =>
      one.kind === PROJECT ? label === one.address : id === one.projectId,
    );
    const { label: what, id: projectId } = place ?? { label: one.projectId, id: one.projectId };
    return [{ what, projectId, reason: wordsFor(one, sight) }];
  });
}

/** Said once, at the beginning of the wait. */
function waitWords(open: readonly Unseen[]): string {
  const mostMs = SETTLE_PAUSES_MS.reduce((sum, ms) => sum + ms, 0);
  const made = [...open]
    .sort((a, b) => compareText(a.address, b.address))
    .map(({ id, address }) => `${address} (${id})`);
  return `waiting up to ${Math.ceil(mostMs / 1000)}s: a recent run created ${listOfFirst(made, NAMED)}, which the service does not list; the list may lag, or somebody renamed or deleted it`;
}

const NAMED = 3;

function wordsFor({ id, address, isUnproved }: Unseen, sight: Sight | undefined): string {
  if (isUnproved)
    return `an earlier run asked to create ${address} and got no reply; ${id} appeared then, and trueup could not read whether that is the resource. Run the command again`;
  const made = `an earlier run created ${id} for ${address};`;
  if (sight === 'there')
    return `${made} it exists, but no listed resource matches. If somebody renamed it, write its id in the file; if the list lags, run the command again; to create another resource, use another label`;
  return `${made} it is not listed, and may exist. Run the command again later, or, if somebody deleted it, delete the journal in the state folder`;
}

interface LookAt {
  readonly live: readonly LiveResource[];
  /** True for the last look: no further one follows. */
  readonly isLast: boolean;
  readonly signal: AbortSignal;
}

async function sightsOf(session: Session, open: readonly Unseen[], look: LookAt): Promise<ReadonlyMap<Unseen, Sight>> {
  return new Map(await Promise.all(open.map(async (one) => [one, await sightOf(session, one, look)] as const)));
}

async function sightOf(session: Session, one: Unseen, { live, isLast, signal }: LookAt): Promise<Sight> {
  const isFound = await isThere(session, live, one, signal);
  if (isFound === true) return 'there';
  const { uncertainty } = session.client.serverTime();
  const ageMs = ageMsOf(session, one);
  if (ageMs < LAG_MS && !isLast) return 'unknown';
  // Of a project there is no log that would tell.
  if ((one.kind === PROJECT && isFound === false) || one.isFenced) return 'gone';
  if (one.seen || (uncertainty === null && ageMs >= MOST_LAG_MS)) return 'gone';
  return (await logTells(session, one, uncertainty === null && ageMs >= LOG_LAG_MS, signal)) ? 'gone' : 'unknown';
}

/** How long ago it was made. */
function ageMsOf({ client }: Session, { atMs, madeAtMs }: Unseen): number {
  const { nowMs, uncertainty } = client.serverTime();
  // A time still to come was noted by a machine whose clock was wrong.
  const isNotedWrongly = uncertainty === null && atMs > nowMs + LOG_MARGIN_MS;
  return nowMs - (isNotedWrongly ? (madeAtMs ?? atMs) : atMs);
}

/** Asked for by itself; null where the service does not tell: not every one has a route for that. */
async function isThere(
  session: Session,
  live: readonly LiveResource[],
  { kind, projectId, id }: Unseen,
  signal: AbortSignal,
): Promise<boolean | null> {
  const { remote } = kindOf(kind);
  const ask = async (one: ResourceId): Promise<boolean | null> => {
    const asked = remote.show?.(readerOf(session.client), { id: one, projectId }, signal);
    return asked === undefined ? null : readOrNull(asked.then((shown) => shown !== null));
  };
  const found = await ask(id);
  if (found !== false) return found;
  const other = live.find((one) => one.kind === kind && one.projectId === projectId && one.id !== id);
  // A service that answers so for one that it lists has no such route.
  return other === undefined || (await ask(other.id)) === true ? false : null;
}

/** True when the log tells that it was removed, or (`mayDeny`) is read back to its creation and knows nothing of it. */
async function logTells(
  session: Session,
  { kind, projectId, id, atMs }: Unseen,
  mayDeny: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const history = await logSince(session, projectId, atMs - LOG_MARGIN_MS, signal);
  if (history === null) return false;
  const own = history.operations.filter(({ resourceId }) => resourceId === id);
  if (own.length === 0) return mayDeny && history.complete;
  return kindOf(kind).remote.wasRemoved?.(own) === true;
}

/** `complete` when it reaches back to `sinceMs` as well; null when it cannot be read. */
async function logSince(
  session: Session,
  projectId: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<OperationHistory | null> {
  const reaches = (operations: OperationHistory['operations']): boolean =>
    operations.some(({ createdAtMs }) => createdAtMs !== null && createdAtMs < sinceMs);
  const log = await readOrNull(readHistoryUntil(readerOf(session.client), projectId, reaches, signal));
  return log === null ? null : { ...log, complete: log.complete || reaches(log.operations) };
}
