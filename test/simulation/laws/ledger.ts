// Laws on what was really committed: approved, once, no more disruption than planned, nobody locked out.
import { objectOf } from '../../../src/base/json.ts';
import type { LedgerEntry } from '../../../src/control-plane/index.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import type { RunRecord } from '../world/run.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Story } from './story.ts';

export function ledgerViolations(story: Story): readonly string[] {
  const own = ownEntries(story);
  return [
    ...own.flatMap((one) => unapproved(story, own, one)),
    ...story.runs.flatMap((run) => repeated(story, own, run)),
    ...own.flatMap((one) => disruption(one)),
    ...own.flatMap((one) => lockedOut(story, one)),
    ...twoPrimaries(story),
  ];
}

function stepsFor({ request, run }: OwnEntry): readonly Step[] {
  return groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
}

/** I4, I7: every change was a step of the run's plan, or the removal of a key that the run itself had just made. */
function unapproved(story: Story, own: readonly OwnEntry[], one: OwnEntry): readonly string[] {
  if (stepsFor(one).length > 0) return [];
  const { entry, run, request } = one;
  // A renewal follows from the reading at the end of the run; laws of its own judge it (`data.ts`, `rules.ts`).
  const hadLease = typeof shown(entry.before)['expires_at'] === 'string';
  if (entry.kind === 'branch' && hadLease && /^\{"branch":\{"expires_at":"[^"]*"\}\}$/.test(request.body ?? ''))
    return [];
  const isOwnKey = own.some(
    (other) =>
      other.run === run && other.entry.verb === 'POST' && other.entry.kind === 'key' && other.entry.id === entry.id,
  );
  // The id of a key that was only pretended to be made is told again, to whoever makes the next one.
  const { wire, pretendedKeys } = story.site;
  const hasAsked = wire.some(
    ({ run: by, method, path }) => by === run.run && method === 'POST' && path === '/api_keys',
  );
  const isTold = isOwnKey || (hasAsked && [...pretendedKeys.values()].includes(entry.id));
  if (entry.verb === 'DELETE' && entry.kind === 'key' && isTold && !story.site.consumers.has(entry.id)) return [];
  return [`run ${run.run}: ${entry.verb} ${entry.path} was not in its plan`];
}

/** I1, I11: what may not be repeated is sent at most once a step; nothing is repeated without a look in between. */
function repeated(story: Story, own: readonly OwnEntry[], run: RunRecord): readonly string[] {
  const found: string[] = [];
  const wire = story.site.wire.filter((request) => request.run === run.run);
  for (const [group, steps] of groupsOf(run)) {
    const first = steps[0] as Step;
    const sent = wire.filter(({ method, path, body }) => groupOf(method, path, body) === group);
    const uncertain = sent.filter(({ end }) => end !== 'not_sent' && ![423, 429, 503].includes(Number(end)));
    if (mustNotRepeat(first) && uncertain.length > steps.length)
      found.push(`run ${run.run}: ${group} was sent ${uncertain.length} times for ${steps.length} steps`);
    if (steps.length === 1)
      for (const [at, request] of sent.entries()) {
        const next = sent[at + 1];
        if (next === undefined) continue;
        const between = wire.slice(wire.indexOf(request) + 1, wire.indexOf(next));
        if (!between.some(({ method }) => method === 'GET'))
          found.push(`run ${run.run}: ${group} was sent again without a look`);
      }
    const committed = own.filter(
      (one) => one.run === run && groupOf(one.request.method, one.request.path, one.request.body) === group,
    );
    if (
      first.method === 'POST' &&
      first.kind === 'compute' &&
      !story.leniency.serverLies &&
      committed.length > steps.length
    )
      found.push(`run ${run.run}: ${group} was done ${committed.length} times for ${steps.length} steps`);
  }
  return found;
}

function mustNotRepeat(step: Step): boolean {
  if (step.action === 'restart') return true;
  return step.expects.state === 'absent' && step.expects.joins.where['type'] === 'read_only';
}

/** I12: a restart or a dropped connection was announced by the plan, and comes once a step. */
function disruption(one: OwnEntry): readonly string[] {
  const { entry, run } = one;
  if (entry.kind !== 'compute' || (!entry.restarted && !entry.droppedConnections)) return [];
  const addresses = new Set(stepsFor(one).map(({ address }) => address));
  const changes = (run.plan?.changes ?? []).filter(({ address }) => addresses.has(address));
  const isSaid = changes.some(({ impact, action }) => impact.includes('drops_connections') || action === 'restart');
  return isSaid || changes.length === 0
    ? []
    : [`run ${run.run}: ${entry.verb} ${entry.path} dropped connections, which its plan did not say`];
}

/** I3: the run's own key and keys that somebody uses are never revoked, unless the file or the user asks for that very key. */
function lockedOut({ site, leniency }: Story, one: OwnEntry): readonly string[] {
  const { entry, run } = one;
  if (entry.kind !== 'key' || entry.verb !== 'DELETE') return [];
  if (entry.id === site.ownKeyId) return [`run ${run.run} revoked its own key`];
  // By a time that is hours ahead, nobody has used it for long.
  if (!site.consumers.has(entry.id) || leniency.wrongDates || isLeft(site, entry)) return [];
  const addresses = new Set(stepsFor(one).map(({ address }) => address));
  const asked = (run.plan?.changes ?? []).some(
    ({ address, origin }) => addresses.has(address) && ['absent', 'prune', 'secret_missing'].includes(origin),
  );
  return asked ? [] : [`run ${run.run} revoked key ${entry.id}, which somebody uses`];
}

const HOUR_MS = 3_600_000;

/** True for a key whose last use shows more than an hour before a new one of its name was made: as far as anybody can tell, nobody needs it. */
function isLeft({ plane }: Story['site'], { before, atMs }: LedgerEntry): boolean {
  const made = plane
    .ledger()
    .filter(({ kind, verb, after }) => kind === 'key' && verb === 'POST' && nameOf(after) === nameOf(before));
  const lastMs = made.reduce((ms, one) => (one.atMs < atMs ? Math.max(ms, one.atMs) : ms), -Infinity);
  return Date.parse(String(objectOf(before)['last_used_at'])) < lastMs - HOUR_MS;
}

function nameOf(key: unknown): unknown {
  return objectOf(key)['name'];
}

/** I1: a branch has one primary at the most. */
function twoPrimaries({ site }: Story): readonly string[] {
  const seen = new Set<string>();
  return site.plane.truth.computes().flatMap(({ branchId, type, id }) => {
    if (type !== 'read_write') return [];
    const isSecond = seen.has(branchId);
    seen.add(branchId);
    return isSecond ? [`${branchId} has a second primary, ${id}`] : [];
  });
}
