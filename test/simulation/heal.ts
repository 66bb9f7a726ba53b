// The runs after the faults: at most two applies, then nothing is left to do, whatever the control plane does by itself.
import { falseConvergence, unreported } from './laws/convergence.ts';
import { differences, surplus } from './laws/end-state.ts';
import { memberDifferences } from './laws/rules.ts';
import { falseStores } from './laws/passwords.ts';
import { shown as shownOf, type Story } from './laws/story.ts';
import { resolvedBy } from './laws/tree-state.ts';
import type { Change } from '../../src/model/outcome/plan.ts';
import type { DesiredState } from '../../src/model/desired.ts';
import { unfaithful } from './laws/wire.ts';
import type { Schedule } from './schedule.ts';
import { BY_RULE } from '../../src/plan/match/by-rule.ts';
import type { Site } from './world/site.ts';
import { run, type RunOptions, type RunRecord } from './world/run.ts';
import { desiredOf } from './world/workload.ts';

/** After the faults: the first may find what a late request did, the second then has nothing left. */
const APPLIES = 2;
/** No injected request is later than this. */
const LATEST_COMMIT_MS = 900_000;
/** A key that was not used for so long is used by nobody. */
const RECENT_USE_MS = 600_000;
/** Longer than an idle compute stays awake. */
const QUIET_MS = 400_000;

/** Without faults: at most two applies, and then nothing is left to do, whatever the control plane does by itself. */
export async function heal(schedule: Schedule, story: Story, violations: string[]): Promise<void> {
  const { site, leniency } = story;
  // A key that somebody has just used may be the run's own, as far as anybody can tell.
  if (schedule.deeds?.some(({ key }) => key !== undefined) === true) await site.time.clockOf().sleep(RECENT_USE_MS);
  // What a reply told and no log knows may yet appear, until then.
  // So may what became of a change whose operation keeps a word that nobody knows.
  const isInDoubt = schedule.faults.some(({ fault }) => fault.kind === 'status');
  if (leniency.pretends || isInDoubt) await site.time.clockOf().sleep(LATEST_COMMIT_MS);
  await applyUntilEmpty(schedule, story, violations, 'at once');
  if (leniency.lateCommits) {
    await site.time.clockOf().sleep(LATEST_COMMIT_MS);
    await applyUntilEmpty(schedule, story, violations, 'after the last late request');
  }
  const last = story.runs.at(-1);
  // What the log keeps showing as failed is never said to be mended, by apply no more than by drift.
  const guesses =
    last === undefined
      ? new Set<string>()
      : heldAsGuesses(story, last, resolvedBy(story.site, await desiredOf(story.workload)));
  const isWhole =
    last?.result?.status === 'converged' ||
    (last !== undefined && isHeldAsMeant(story, last)) ||
    (last !== undefined && isAllButTwins(story, last));
  if (last !== undefined && isStuck(story, last)) return;
  if (last === undefined || (!isWhole && guesses.size === 0 && !areKeptByTheLog(story, last))) {
    // An untrue list or a broken promise may leave what only people can sort out: then it is said.
    if (isForPeople(story, last)) return;
    const held = (last?.plan?.changes ?? []).flatMap(({ address, blockedBy }) =>
      blockedBy.length === 0 ? [] : [`${address} (${blockedBy.join(', ')})`],
    );
    const end = last?.result?.status ?? last?.error?.slice(0, 300) ?? diagnosed(last);
    violations.push(['not converged at the end:', end, ...held].join(' '));
    return;
  }
  const changes = last.plan?.changes ?? [];
  const late = changes.filter(isDatedWrongly).map(({ address }) => address);
  const kept = changes.filter((change) => isHold(story, change)).map(({ address }) => address);
  const found = differences(story, await desiredOf(story.workload), last).filter(
    (words) =>
      ![...guesses, ...kept].includes(words.split(/:? /)[0] ?? '') &&
      !late.some((address) => words.startsWith(`${address}: ttl`)),
  );
  violations.push(...unreported(story, last, found).map((words) => `at the end, ${words}`));
  violations.push(...surplus(story, last), ...memberDifferences(story, last));
  // A key that somebody has just used is released some minutes later.
  const isReleased = changes.some(({ blockedBy }) => blockedBy.includes('self'));
  if (schedule.noise !== false && last.plan !== null && !areKeptByTheLog(story, last) && !isReleased)
    await staysEmpty(story, violations);
}

async function applyUntilEmpty(schedule: Schedule, story: Story, violations: string[], when: string): Promise<void> {
  const { applies = APPLIES } = schedule.workload;
  for (let done = 0; done <= applies; done++) {
    const record = await applyOnce(schedule, story, violations);
    // A run without a step may find that what an earlier one began has failed.
    const isEmpty = record.plan?.steps.length === 0 && record.result?.status !== 'incomplete';
    if (isEmpty || isAllButTwins(story, record)) return;
  }
  const last = story.runs.at(-1);
  const steps = last?.plan?.steps.map(({ action, address }) => `${action} ${address}`).join(', ');
  if (isForPeople(story, last) || areKeptByTheLog(story, last) || (last !== undefined && isStuck(story, last))) return;
  violations.push(
    `${when}, not empty after ${applies} applies: ${steps ?? last?.error?.slice(0, 300) ?? diagnosed(last)}`,
  );
}

/** An apply in the way of the schedule: at once, by a plan that was shown, or by a saved one, which is then applied once more. */
async function applyOnce({ repairs = null }: Schedule, story: Story, violations: string[]): Promise<RunRecord> {
  const { site, workload } = story;
  const runs = story.runs as RunRecord[];
  const isAtRest = site.plane.truth.operations({ open: true }).length === 0;
  const { variables = {} } = workload;
  const perform = async (options: RunOptions, before: RunRecord | null = null): Promise<RunRecord> => {
    const record = await run(site, workload, { variables, ...options }, before);
    runs.push(record);
    violations.push(...unfaithful(story, record.run));
    if (options.planOnly !== true) violations.push(...falseConvergence(story, record), ...falseStores(story, record));
    return record;
  };
  if (repairs === null) return perform({});
  const seq = site.plane.ledger().length;
  const shown = await perform({ planOnly: true });
  if (shown.plan === null) return perform({});
  const record = await perform({ carriesOut: repairs === 'as shown' ? 'shown' : 'saved' }, shown);
  const isRefused = record.isOther || record.result?.status === 'stale';
  const isSame = isAtRest && record.plannedAtSeq === seq && shown.plannedAtSeq === seq;
  if (isRefused && isSame) violations.push(`run ${record.run}: nothing had changed since run ${shown.run} planned it`);
  // What is carried out a second time has no more to do.
  if (repairs === 'saved twice') await perform({ carriesOut: 'saved' }, record);
  return record.isOther ? perform({}) : record;
}

/** Nothing is left but projects that the file tells by a name which several have; where it has no others, there is no plan. */
function isAllButTwins({ workload }: Story, { plan, result, diagnostics }: RunRecord): boolean {
  const { twins = [] } = workload;
  if (plan === null) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return twins.length > 0 && errors.length > 0 && errors.every(({ code }) => code === 'ambiguous_project');
  }
  // What an operation of before took back is no twin.
  if (result?.diagnostics.some(({ code }) => code === 'not_planned') === true) return false;
  const told = plan?.unplanned.map(({ project }) => project) ?? [];
  return (
    twins.length > 0 &&
    result?.status === 'incomplete' &&
    plan?.steps.length === 0 &&
    plan.unread.length === 0 &&
    told.length === twins.length &&
    told.every((project) => twins.includes(project))
  );
}

/** All that is left is what the workload, or the service, lets nobody do. */
function isHeldAsMeant(story: Story, { plan, result }: RunRecord): boolean {
  const blocked = (plan?.changes ?? []).filter(({ blockedBy }) => blockedBy.length > 0);
  return result?.status === 'blocked' && blocked.every((change) => isHold(story, change) || isDatedWrongly(change));
}

/**
 * No compute of a protected branch can be deleted. Where uses show once a minute a short run cannot tell its own key: a revocation then
 * needs its id, which no workload allows.
 */
function isHold({ site, workload }: Story, change: Change): boolean {
  const { address, blockedBy, before, resourceId } = change;
  const { holds = [], switches } = workload;
  const isSealed = (): boolean =>
    site.plane.truth.branches().some(({ id, isProtected }) => isProtected && id === before?.['branch_id']);
  const isOwnKeyUnknown =
    switches?.lastUse === 'each_minute' &&
    blockedBy.length > 0 &&
    blockedBy.every((block) => ['allowance', 'ambiguous', 'self'].includes(block));
  return (
    holds.includes(address) ||
    isOwnKeyUnknown ||
    (blockedBy.includes('refused') && (isSealed() || isKeptByTheLog(site, resourceId))) ||
    isRuled(site, change)
  );
}

/** People must decide: on the removals and the keys of a list in doubt, on an earlier expiry of a member, and on a branch of its name. */
function isRuled({ plane }: Site, { address, blockedBy, origin, after }: Change): boolean {
  if (BY_RULE.has(origin)) return blockedBy.length > 0;
  if (!address.includes('/previews/')) return false;
  // A namesake may have expired since the plan.
  const gone = plane.ledger().flatMap(({ kind, before }) => (kind === 'branch' ? [shownOf(before)] : []));
  const namesakes = [...plane.truth.branches(), ...gone].filter(({ name }) => name === after?.['name']);
  return (
    blockedBy.includes('allowance') ||
    blockedBy.includes('list_in_doubt') ||
    (blockedBy.includes('foreign') && namesakes.length > 0) ||
    blockedBy.every((block) => block === 'dependency')
  );
}

/** A lease that was begun by a wrong date of the service ends some hours or days late: nobody lets it end sooner. */
function isDatedWrongly({ attributes, consents = [] }: Change): boolean {
  const lease = attributes.find(({ path }) => path === 'ttl_seconds');
  if (typeof lease?.before !== 'number' || typeof lease.after !== 'number') return false;
  return consents.every(({ word }) => word === 'expire') && lease.before > lease.after;
}

/** The run ended with words for people, where only people can know what is right. */
function isForPeople({ leniency }: Story, record: RunRecord | undefined): boolean {
  const unplanned = record?.plan?.unplanned.flatMap(({ diagnostics }) => diagnostics) ?? [];
  // A saved plan brings what was said when it was made.
  const said = [...(record?.diagnostics ?? []), ...(record?.plan?.diagnostics ?? [])];
  const codes = [...said, ...unplanned].map(({ code }) => code);
  const isGuess = record?.plan?.changes.some(({ blockedBy }) => blockedBy.includes('ambiguous')) === true;
  if (isGuess && (leniency.serverLies || leniency.journalLost)) return true;
  // What was pretended is missing in the copy that was made since.
  if (codes.includes('unknown_referent') && leniency.pretends) return true;
  const isTwice = codes.includes('place_held') || codes.includes('both_names_live');
  if (isTwice && (leniency.serverLies || leniency.othersWrite)) return true;
  // What a pin meant that went stale in somebody else's hands: nothing that it could mean is removed.
  if (codes.includes('stale_pin') && record?.result?.status === 'blocked' && leniency.othersWrite) return true;
  // What somebody else has removed before any list showed it may yet appear.
  const unread = record?.plan?.unread.map(({ reason }) => reason) ?? [];
  if (leniency.othersWrite && unread.some((reason) => reason.includes('nothing proves that it is gone'))) return true;
  return record?.result?.status === 'blocked' && leniency.journalLost && codes.includes('secret_missing');
}

/** What is left rests on a branch of which the creation failed, and the plan says so: only people can mend that. */
function isStuck({ site, leniency }: Story, { plan }: RunRecord): boolean {
  const unfinished = site.plane.truth.branches().filter(({ currentState }) => currentState === 'init');
  const open = site.plane.truth.operations({ open: true });
  const isHopeless = unfinished.length > 0 && open.length === 0;
  const isSaid = (plan?.diagnostics ?? []).some(({ code }) => code === 'unfinished');
  return isHopeless && (isSaid || leniency.emptySuccess);
}

/** The operations of a branch's creation and reset. */
const MADE_BY: ReadonlySet<string> = new Set(['create_branch', 'delete_timeline']);

/** The log shows a failure for ever: what mended the compute is missing in it, or no later change of the branch starts an operation. */
function isKeptByTheLog({ plane }: Site, id: string | null): boolean {
  const changes = plane.truth
    .operations()
    .filter(({ action, endpointId, branchId }) =>
      action === 'apply_config' ? endpointId === id : MADE_BY.has(action) && branchId === id,
    );
  const { hidden, action = '', status = '' } = changes.toSorted((one, other) => one.seq - other.seq).at(-1) ?? {};
  return hidden === true || (MADE_BY.has(action) && ['failed', 'cancelled'].includes(status));
}

/** Only repairs are left, of which the log shows the failure for ever. */
function areKeptByTheLog({ site }: Story, record: RunRecord | undefined): boolean {
  const steps = record?.plan?.steps ?? [];
  return (
    steps.length > 0 &&
    steps.every(
      ({ action, expects }) => action === 'update' && expects.state === 'present' && isKeptByTheLog(site, expects.id),
    )
  );
}

/** Addresses of what is held until somebody says which one is meant, where nothing else is held; none where that is no guess. */
function heldAsGuesses(story: Story, record: RunRecord, desired: DesiredState): ReadonlySet<string> {
  const { plan, result } = record;
  const blocked = (plan?.changes ?? []).filter(
    (change) => change.blockedBy.length > 0 && !isHold(story, change) && !isDatedWrongly(change),
  );
  const isGuess = ({ blockedBy, before, after }: Change): boolean =>
    blockedBy.includes('ambiguous') &&
    desired.resources.some(
      ({ pin, spec }) =>
        pin === null && spec['type'] === 'read_only' && spec['branch_id'] === (before ?? after)?.['branch_id'],
    );
  const isHeld = result?.status === 'blocked' || isAllButTwins(story, record) || areKeptByTheLog(story, record);
  if (!isHeld || !blocked.every(isGuess)) return new Set();
  return new Set(blocked.map(({ address }) => address));
}

function diagnosed(record: RunRecord | undefined): string {
  return record?.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ') ?? 'no run';
}

/** I14: computes that fall asleep and wake, and keys that are used, are no differences. */
async function staysEmpty(story: Story, violations: string[]): Promise<void> {
  const { site } = story;
  const runs = story.runs as RunRecord[];
  const first = runs.at(-1)?.plan?.planHash;
  await site.time.clockOf().sleep(QUIET_MS);
  const [compute] = site.plane.truth.computes().filter(({ disabled }) => !disabled);
  if (compute !== undefined) site.plane.truth.connect(compute.id).close();
  const record = await run(site, story.workload, { planOnly: true });
  runs.push(record);
  violations.push(...unfaithful(story, record.run));
  if (record.plan?.steps.length !== 0) violations.push(`the plan does not stay empty: ${diagnosed(record)}`);
  if (record.plan?.planHash !== first) violations.push('noise changes the plan');
  // What a plan calls no change, the next apply does not touch.
  const next = await run(site, story.workload, {});
  runs.push(next);
  const writes = site.wire.filter(({ run: by, method }) => by === next.run && method !== 'GET');
  violations.push(...writes.map(({ method, path }) => `${method} ${path} was sent right after a plan without changes`));
}
