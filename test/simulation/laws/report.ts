// Laws on what a run says: plans only read, every step has an end, done means done, the counts are those of the ledger.
import type { LedgerEntry } from '../../../src/control-plane/index.ts';
import type { RunRecord } from '../world/run.ts';
import { groupOf, groupsOf, ownEntries, type OwnEntry, type Story } from './story.ts';

export function reportViolations(story: Story): readonly string[] {
  const own = ownEntries(story);
  return story.runs.flatMap((run) => [
    ...planWrites(run),
    ...endless(run),
    ...timersLeft(run),
    ...(story.leniency.serverLies || run.result === null ? [] : liesOfSteps(story, own, run)),
    ...(story.leniency.serverLies || run.result === null ? [] : liesOfCounts(story, own, run)),
    ...unsaidOutages(story, own, run),
  ]);
}

const READS = /^(GET|facts|open-read|read|names|real-path|run \S+ check) ?/;

/** I8: planning sends nothing but reads and writes no file. */
function planWrites({ run, life, planCalls }: RunRecord): readonly string[] {
  return life.calls
    .slice(0, planCalls)
    .flatMap((call) => (READS.test(call) ? [] : [`run ${run} did "${call}" while planning`]));
}

/** I22: every step has an end. A run that failed as a whole says why. */
function endless({ run, result, error, plan, diagnostics }: RunRecord): readonly string[] {
  if (error !== null && !/ApiFailure|tracked_state: /.test(error)) return [`run ${run} broke: ${error.slice(0, 600)}`];
  if (plan === null && error === null && diagnostics.length === 0 && result === null) return [];
  const open = (result?.steps ?? []).filter(({ outcome }) => outcome === 'pending' || outcome === 'running');
  return open.map(({ id, outcome }) => `run ${run}: step ${id} is ${outcome} at the end`);
}

/** A run that has ended waits for nothing, so that its process can end. */
function timersLeft({ run, timersLeft: left }: RunRecord): readonly string[] {
  return left === 0 ? [] : [`run ${run} left ${left} timers behind`];
}

const UNTOUCHED = new Set(['skipped', 'not_started', 'satisfied']);

/** I10: a step that is done was committed; one that was not sent was not. */
function liesOfSteps(story: Story, own: readonly OwnEntry[], run: RunRecord): readonly string[] {
  const planned = new Set(run.plan?.steps);
  return [...groupsOf(run)].flatMap(([group, members]) => {
    // A renewal is no step of the result.
    if (!members.some((step) => planned.has(step))) return [];
    const ids = new Set(members.map(({ id }) => id));
    const steps = (run.result?.steps ?? []).filter(({ id }) => ids.has(id));
    const like = own.filter(({ request: { method, path, body } }) => groupOf(method, path, body) === group);
    const committed = like.filter((one) => one.run === run).length;
    const proved = mayStandIn(story, group) ? like.length : committed;
    const done = steps.filter(({ outcome }) => outcome === 'done').length;
    const outcomes = steps.map(({ outcome }) => outcome).join(', ');
    // What is gone by a late request of an earlier run answers as one that this run removed; so does a change that it made.
    const isLate = story.leniency.lateCommits && group.startsWith('DELETE');
    const isSure = !group.startsWith('PATCH') && !isLate && !story.leniency.othersWrite;
    if (isSure && proved < done) return [`run ${run.run}: ${group} is ${outcomes}, committed ${committed} times`];
    const isUntouched = steps.every(({ outcome }) => UNTOUCHED.has(outcome));
    return isUntouched && committed > 0 ? [`run ${run.run}: ${group} is ${outcomes}, but was committed`] : [];
  });
}

/** A compute that an earlier run asked for and that came late is as good as the one of which the reply was lost. */
function mayStandIn({ leniency }: Story, group: string): boolean {
  return leniency.lateCommits && /^POST \/projects\/[^/]+\/endpoints /.test(group);
}

/** I23: what is reported as made and removed is what the ledger shows, when nothing is left in doubt. */
function liesOfCounts({ leniency }: Story, own: readonly OwnEntry[], run: RunRecord): readonly string[] {
  const counts = run.result?.counts;
  if (counts === undefined) return [];
  if (leniency.othersWrite) return [];
  if (counts.failed + counts.unknown + counts.timedOut > 0) return [];
  const mine = own.filter((one) => one.run === run).map(({ entry }) => entry);
  // Those of roles and databases are told apart on their branch alone, and none is taken back.
  const isSame = (one: LedgerEntry, other: LedgerEntry): boolean =>
    one.kind === other.kind && one.id === other.id && ['key', 'compute'].includes(one.kind);
  const undone = (made: LedgerEntry): boolean => mine.some((entry) => entry.verb === 'DELETE' && isSame(entry, made));
  const isCreation = ({ verb, path }: (typeof mine)[number]): boolean =>
    verb === 'POST' && /\/(endpoints|api_keys|branches|roles|databases)$/.test(path);
  const created = mine.filter((entry) => isCreation(entry) && !undone(entry)).length;
  const removed = mine.filter(
    (entry) => entry.verb === 'DELETE' && !mine.some((other) => isCreation(other) && isSame(other, entry)),
  ).length;
  const found: string[] = [];
  // What a request did long after its absence was believed is no part of the report.
  const standIns = leniency.lateCommits
    ? own.filter(({ run: by, entry }) => by !== run && isCreation(entry) && entry.path.endsWith('/endpoints')).length
    : 0;
  const isLate = leniency.lateCommits && (created > counts.added || created + standIns >= counts.added);
  const isGoneLate = leniency.lateCommits && removed < counts.destroyed;
  if (created !== counts.added && !isLate)
    found.push(`run ${run.run} reports ${counts.added} added, the ledger has ${created}`);
  if (removed !== counts.destroyed && !isGoneLate)
    found.push(`run ${run.run} reports ${counts.destroyed} destroyed, the ledger has ${removed}`);
  return found;
}

/** I27: a branch that had a primary and has none at the end of a run that was read back is named by its result, and was by its plan; no other is. */
function unsaidOutages({ site, leniency }: Story, own: readonly OwnEntry[], run: RunRecord): readonly string[] {
  const { result, plan, primariesBefore: before, primariesAfter: after } = run;
  if (result === null || plan === null) return [];
  if (leniency.serverLies || leniency.lateCommits || leniency.othersWrite) return [];
  const named = result.vacated.map(({ id }) => id);
  const codes = result.diagnostics.map(({ code }) => code);
  const isReadBack =
    run.events.some(({ type }) => type === 'verify') && !codes.includes('not_verified') && !codes.includes('unread');
  const planned = plan.changes.flatMap(({ blockedBy, impactDetails: { no_primary: left = null } }) =>
    blockedBy.length === 0 ? [JSON.stringify(left)] : [],
  );
  // A plan that leads through a place leaves it as it was before a run broke off there.
  const passages = plan.steps.flatMap(({ id, achieves }) =>
    id.startsWith('detour:') ? [achieves?.['branch_id']] : [],
  );
  const gone = new Set(
    own.flatMap(({ entry }) => (entry.kind === 'branch' && entry.verb === 'DELETE' ? [entry.id] : [])),
  );
  const there = new Set(site.plane.truth.branches().map(({ id }) => id));
  // An operation that an earlier run left behind may take back what it did, also while a run only looks.
  const isQuiet = leniency.brokenOperations && !own.some((one) => one.run === run);
  return [
    ...[...before].flatMap((branch) => {
      // A branch may have expired.
      if (isQuiet || after.has(branch) || gone.has(branch) || !there.has(branch)) return [];
      const isPlanned = passages.includes(branch) || planned.some((details) => details.includes(`"${branch}"`));
      return [
        ...(named.includes(branch) || !isReadBack
          ? []
          : [`run ${run.run} left ${branch} without a primary and does not say so`]),
        ...(isPlanned || leniency.brokenOperations
          ? []
          : [`run ${run.run} left ${branch} without a primary, and its plan had not said so`]),
      ];
    }),
    ...named.flatMap((id) =>
      before.has(id) && !after.has(id) ? [] : [`run ${run.run} says that ${id} is without a primary, which it is not`],
    ),
  ];
}
