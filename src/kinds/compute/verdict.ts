// Judges what no attribute of a compute shows: whether a restart is needed, whether a start failed, and the state of the compute's branch.
import { listed, defined, picked } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { objectOf, textOf, type JsonObject, type Json } from '../../base/json.ts';
import {
  warningAt,
  restartPolicyOf,
  type DesiredResource,
  type RestartPolicy,
  type ResourceId,
} from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasFailed } from '../../model/operations/operation.ts';
import type { LiveResource, OperationHistory, OperationRecord, LiveProject } from '../../model/live.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import type { Judge, Proposal } from '../define.ts';
import { inParallel } from '../../apply/read/read-scopes.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import { groupBy } from '../../base/group-by.ts';
import { ifKnown, readOrNull } from '../../client/failure.ts';
import type { ReferentContext } from '../../model/attributes.ts';
import { isReference } from '../../model/values.ts';
import { branchProblems, branchWords } from '../shared/branch-labels.ts';
import { keptBy, ofKind, protection } from '../shared/effects.ts';

/** Returns the earliest time at which a start satisfies the step; null if there is none. */
export function restartSinceMs({ restart }: JsonObject): number | null {
  return millisecondsOf(objectOf(restart)['since']);
}

export const computeVerdict: Judge = (input) => {
  const { desired, live, context } = input;
  const { diagnostics = [], ...verdict } = restartVerdict(input);
  const failed = live === null || desired.absent ? [] : failedStart(desired, live, context);
  return { diagnostics: [...diagnostics, ...unlikelyBranch(desired, live, context), ...failed], ...verdict };
};

const restartVerdict: Judge = ({ desired, live, restarts, context }) => {
  const { nowMs, noHistory = false } = context;
  const policy = restartPolicyOf(desired);
  if (policy === null || live === null) return {};
  const asked = askedSince(policy, nowMs);
  const { notBeforeMs } = policy;
  if (asked.length === 0 && notBeforeMs !== null)
    return { notes: [`restart.not_before ${isoTime(notBeforeMs)} is in the future`] };
  const start = lastStart(live, context);
  const open = asked.filter(({ sinceMs }) => start.atMs === null || start.atMs < sinceMs);
  const [first] = open;
  if (first === undefined) return {};
  if (restarts) return { notes: [`this change restarts the compute, which satisfies ${first.word}`] };
  if (live.observed['current_state'] !== 'active')
    return { notes: [`the compute is not running, and its next start satisfies ${first.word}`] };
  const proven = open.find(({ sinceMs }) => start.seenFromMs <= sinceMs);
  if (proven !== undefined) return { intents: [restartIntent(live, proven, { asked, start, nowMs })] };
  if (noHistory) return { notes: [`${first.word} was not checked: operation logs were not read`] };
  return { unread: [`${first.word}: the last start is not known (${gapWords(context)}); ${WITHOUT_EVIDENCE}`] };
};

const WITHOUT_EVIDENCE = 'restart the compute once by hand, write a later time, or remove `restart`';

function gapWords({ history }: KindContext): string {
  if (history === null) return 'the operation log was not read';
  if (history.complete) return 'the service keeps its operation log for six months';
  return 'the pages of the operation log that were read do not reach back far enough';
}

interface Asked {
  readonly word: 'restart.not_before' | 'restart.max_age';
  readonly sinceMs: number;
  readonly due: boolean;
}

/** Returns the restarts that the policy asks for now. A fixed time comes first, because a restart by age runs only in a run with `--due`. */
function askedSince({ notBeforeMs, maxAgeMs }: RestartPolicy, nowMs: number): readonly Asked[] {
  return listed<Asked>(
    notBeforeMs !== null && notBeforeMs <= nowMs && { word: 'restart.not_before', sinceMs: notBeforeMs, due: false },
    maxAgeMs !== null && { word: 'restart.max_age', sinceMs: nowMs - maxAgeMs, due: true },
  );
}

interface Start {
  readonly atMs: number | null;
  readonly isCreation: boolean;
  /** From this time, the live compute and the operation log show every start. */
  readonly seenFromMs: number;
}

function lastStart(live: LiveResource, { history, nowMs }: KindContext): Start {
  const startedAtMs = Math.max(...startsOf(live, history?.operations ?? []));
  const { createdAtMs: madeAtMs } = live;
  if (startedAtMs >= (madeAtMs ?? -Infinity) && startedAtMs !== -Infinity)
    return { atMs: startedAtMs, isCreation: false, seenFromMs: -Infinity };
  return { atMs: madeAtMs, isCreation: madeAtMs !== null, seenFromMs: logFrom(history, nowMs) };
}

/** Returns the wall times of all known starts, whoever caused them: any start satisfies a restart. */
export function startsOf({ id, observed }: LiveResource, operations: readonly OperationRecord[]): readonly number[] {
  const logged = operations.flatMap(({ resourceId, action, status, createdAtMs, updatedAtMs }) =>
    resourceId === id && action === 'start_compute' && status === 'finished' ? [updatedAtMs ?? createdAtMs ?? 0] : [],
  );
  return [...logged, millisecondsOf(observed['started_at']) ?? -Infinity];
}

export function startWords(atMs: number): string {
  return `the compute started ${isoTime(atMs)}, which satisfies the restart`;
}

/** The service may remove operations after six months. */
const KEPT_MS = 180 * 86_400_000;

/** Returns the time from which the log is complete. */
function logFrom(history: OperationHistory | null, nowMs: number): number {
  if (history?.complete === true) return nowMs - KEPT_MS;
  const times = (history?.operations ?? []).flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return times.reduce((least, time) => Math.min(least, time), Infinity);
}

function restartIntent(
  target: LiveResource,
  { word, due, sinceMs }: Asked,
  { asked, start, nowMs }: { readonly asked: readonly Asked[]; readonly start: Start; readonly nowMs: number },
): Proposal {
  const { atMs, isCreation } = start;
  const since =
    atMs === null ? 'the last start is not known' : `${isCreation ? 'created' : 'last started'} ${isoTime(atMs)}`;
  const ago = `${atMs === null ? 'long' : humanDuration(nowMs - atMs)} ago`;
  // Any start after the latest asked time satisfies the step, even if the step was not sent yet.
  const latestMs = Math.max(...asked.map((one) => one.sinceMs));
  return {
    action: 'restart',
    target,
    due,
    origin: 'restart',
    reasons: [`${word}: ${since}, ${due ? ago : `before ${isoTime(sinceMs)}`}`],
    options: { restart: { since: isoTime(latestMs), planned_at: isoTime(nowMs) } },
  };
}

/** Warns of a failed start. The plan has no change for a failed start, because the next connection starts the compute again. */
function failedStart(desired: DesiredResource, live: LiveResource, { history }: KindContext): readonly Diagnostic[] {
  const newest = history?.operations.find(
    ({ resourceId, action }) => resourceId === live.id && action === 'start_compute',
  );
  const state = live.observed['current_state'];
  if (newest === undefined || !hasFailed(newest) || state === 'active' || live.spec['disabled'] === true) return [];
  const why = newest.error === null ? '' : ` (${newest.error})`;
  const message = `the last start of ${desired.address} (start_compute ${newest.id}) ended as ${newest.status}${why}; its state is ${textOf(state) ?? 'not running'}`;
  const hint =
    'The next connection starts the compute again. If that start fails too, delete the compute and apply to re-create it, or ask the service.';
  return [warningAt(desired, '', 'start_failed', message, hint)];
}

type Found = Pick<FactsInput, 'desired' | 'live' | 'projects' | 'around' | 'prunedIn'>;

/** Returns the projects in which a compute may be created, moved or removed, and whose branches were not read yet. */
export function withUnknownBranches({ desired, live, projects, around, prunedIn = [] }: Found): readonly LiveProject[] {
  const known = new Set(around.flatMap(({ kind, projectId }) => (kind === 'branch' ? [projectId] : [])));
  const wanted = groupBy(desired, ({ scope }) => scope);
  const found = groupBy(live, ({ projectId }) => projectId ?? '');
  return projects.filter(
    ({ id, label }) =>
      !known.has(id) && mayChange(wanted.get(label) ?? [], found.get(id) ?? [], prunedIn.includes(label)),
  );
}

/** False if each declaration has a live compute in its slot and nothing is removed. */
function mayChange(declared: readonly DesiredResource[], live: readonly LiveResource[], isPruned: boolean): boolean {
  const pins = new Set(declared.map(({ absent, pin }) => (absent ? null : pin)));
  const slotOf = (id: ResourceId | null, { branch_id: branch, type }: JsonObject): string =>
    [pins.has(id) ? id : '', branch, type].join(' ');
  const byId = new Map(live.map((one) => [one.id, one]));
  const free = groupBy(live, ({ id, spec }) => slotOf(id, spec));
  if (isPruned && live.length > declared.filter(({ absent }) => !absent).length) return true;
  return declared.some(({ absent, pin, spec }) => {
    const there = byId.get(pin ?? '');
    if (absent && pin === null) return live.some((one) => one.spec['branch_id'] === spec['branch_id']);
    if (absent) return there !== undefined;
    // No list of branches helps here: a new branch is not listed yet, and a declaration without branch and pin names no branch.
    if (isReference(spec['branch_id']) || (pin === null && spec['branch_id'] === undefined)) return false;
    return free.get(slotOf(pin, { ...there?.spec, ...spec }))?.pop() === undefined;
  });
}

type Branch = Pick<LiveResource, 'id' | 'spec' | 'observed' | 'marks'>;
type Asking = Found & Pick<FactsInput, 'kinds' | 'reader' | 'signal'>;

/** Reads the fact `branches`: for each project, the branches that its computes name, or null if its list of branches could not be read. */
export async function branchFacts(found: Asking): Promise<JsonObject | null> {
  const open = withUnknownBranches(found);
  if (open.length === 0) return null;
  const lists = await inParallel(open, async ({ id }) => [id, await branchesOf(found, id)] as const);
  const branches = lists.filter(([, list]) => list !== 'no_route');
  return { branches: Object.fromEntries(branches) as unknown as JsonObject };
}

/** `no_route`: the service has no list of branches, so the plan cannot check a branch; the service itself refuses a wrong branch. */
async function branchesOf(
  { kinds, reader, signal, desired, live }: Asking,
  projectId: string,
): Promise<readonly Branch[] | 'no_route' | null> {
  const branches = kinds.find(({ kind }) => kind === 'branch');
  if (branches === undefined) return null;
  const list = await readOrNull(ifKnown(branches.list(reader, { projectId }, signal), 'no_route'));
  if (list === null || list === 'no_route') return list;
  const used = new Set(live.map(({ spec }) => spec['branch_id']));
  const named = new Set([...used, ...desired.map(({ spec }) => spec['branch_id'])]);
  const own = list.filter(({ id, observed }) => named.has(id) || named.has(observed['restored_as']));
  return inParallel(own, async (one) => {
    const isUntold = used.has(one.id) && (one.spec['protected'] === undefined || one.marks === null);
    const shown = isUntold ? await readOrNull(branches.show?.(reader, one, signal) ?? Promise.resolve(null)) : null;
    const { id, spec, observed, marks } = shown ?? one;
    return {
      id,
      spec: picked(spec, ['protected', 'expires_at']),
      observed: picked({ ...one.observed, ...observed }, ['restored_as']),
      ...defined({ marks }),
    };
  });
}

/** Returns the branches of the project; null if their list could not be read, undefined if it was not needed or the service has none. */
function branchesIn({ around, facts, liveProject }: ReferentContext): readonly Branch[] | null | undefined {
  const read = ofKind(around, 'branch');
  const listed = objectOf(facts['branches'])[liveProject?.id ?? ''];
  return read.length > 0 ? read : (listed as unknown as readonly Branch[] | null | undefined);
}

function branchOf(id: Json | undefined, context: ReferentContext): Branch | undefined {
  return branchesIn(context)?.find((one) => one.id === id);
}

/** The service deletes no compute of a protected branch. Prune deletes no compute of a disposable branch or of a branch in a set. */
export const removalGuard: NonNullable<KindRules['removalGuard']> = ({ spec: { branch_id: id } }, context) => {
  const branches = branchesIn(context);
  const branch = branchOf(id, context);
  const isSo = branches === null ? null : branch === undefined ? false : branch.spec['protected'];
  return {
    ...keptBy([protection(isSo, `the ${branchWords(id, context.project)}`)]),
    isKept:
      branches === null || branch?.marks === null
        ? null
        : ['set', 'disposable'].some((mark) => branch?.marks?.[mark] !== undefined),
  };
};

/** Returns why a protected compute would or may be deleted with its branch; null if the branch does not expire. `made`: the spec of a new branch. */
export function endOfBranch(id: Json, made: JsonObject | null, context: ReferentContext): string | null {
  const name = `the ${branchWords(id, context.project)}`;
  if (made === null && branchesIn(context) === null)
    return `the compute is protected, and the expiry of ${name} could not be read`;
  const { ttl_seconds: lease = null, expires_at: moment = null } = made ?? branchOf(id, context)?.spec ?? {};
  if (lease === null && moment === null) return null;
  const end =
    typeof moment === 'string' ? `expires at ${moment}` : `has a lease of ${humanDuration(Number(lease) * 1000)}`;
  return `${name} ${end}; the compute is protected, and would be deleted with the branch`;
}

function unlikelyBranch(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): readonly Diagnostic[] {
  const { branch_id: branch } = desired.spec;
  if (desired.absent || typeof branch !== 'string' || live?.spec['branch_id'] === branch) return [];
  const branches = branchesIn(context) ?? null;
  return branches === null ? [] : branchProblems(desired, branch, branches, context, 'branch_id');
}
