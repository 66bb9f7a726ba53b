// Plays a schedule on a fresh site and holds everything against the laws: first under faults, then without, until nothing is left to do.
import { createHash } from 'node:crypto';
import { differences, surplus } from './laws/end-state.ts';
import { ledgerViolations } from './laws/ledger.ts';
import { reportViolations } from './laws/report.ts';
import { leaks, watchPlaces } from './laws/secrets.ts';
import type { Story } from './laws/story.ts';
import { leniencyOf } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { run } from './world/run.ts';
import type { RunRecord } from './world/run.ts';
import { ask, createSite, endFaults, HOME } from './world/site.ts';
import type { Site } from './world/site.ts';
import { desiredOf } from './world/workload.ts';

export interface Played {
  readonly site: Site;
  readonly runs: readonly RunRecord[];
  readonly violations: readonly string[];
  /** Virtual time that has passed, milliseconds. */
  readonly simulatedMs: number;
}

/** Virtual time within which everything must have come to an end. */
const LIMIT_MS = 12 * 3_600_000;
/** After the faults: the first may find what a late request did, the second then has nothing left. */
const MOST_APPLIES = 2;
/** No injected request is later than this. */
const LATEST_COMMIT_MS = 900_000;
const NEVER = 1_000_000_000;

export async function play(schedule: Schedule): Promise<Played> {
  const { workload, seed } = schedule;
  const site = createSite({
    seed,
    world: workload.world,
    slow: schedule.faults.some(({ fault }) => ['black-hole', 'trickle', 'latency'].includes(fault.kind)),
    ...(workload.switches === undefined ? {} : { switches: workload.switches }),
    ...(workload.secrets === undefined ? {} : { secrets: workload.secrets }),
    ...(schedule.operationMs === undefined ? {} : { operationMs: schedule.operationMs }),
  });
  const violations: string[] = [];
  watchPlaces(site, (violation) => violations.push(violation));
  for (const id of workload.usedKeys ?? []) site.consumers.add(id);
  const runs: RunRecord[] = [];
  const { truth } = site.plane;
  const native = new Set([...truth.computes().map(({ id }) => id), ...truth.keys().map(({ id }) => id)]);
  const story: Story = { site, workload, runs, native, leniency: leniencyOf(schedule) };
  try {
    await site.time.run(act(schedule, story, violations), LIMIT_MS);
    violations.push(...ledgerViolations(story), ...reportViolations(story), ...leaks(site, runs));
  } catch (error) {
    violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const simulatedMs = site.time.clockOf().monotonicMs();
  site.plane.close();
  return { site, runs, violations: [...new Set(violations)], simulatedMs };
}

async function act(schedule: Schedule, story: Story, violations: string[]): Promise<void> {
  await disturbed(schedule, story, violations);
  const { site } = story;
  endFaults(site);
  site.disk.fault = null;
  damageJournal(site, schedule.journal ?? null);
  await heal(schedule, story, violations);
}

/** The runs under faults, and what others do beside them. */
async function disturbed(schedule: Schedule, story: Story, violations: string[]): Promise<void> {
  const { site } = story;
  const clock = site.time.clockOf();
  const lists = schedule.faults.some(({ fault }) => fault.kind === 'list');
  // A rule that never fires keeps the memory of past lists going.
  const memory = lists ? [{ when: { nth: NEVER }, fault: { kind: 'list', how: 'stale' } } as const] : [];
  site.plane.setFaults({ seed: schedule.seed, rules: [...schedule.faults, ...memory] });
  site.disk.fault = schedule.diskFault ?? null;
  const runs = story.runs as RunRecord[];
  const play = async (options: Parameters<typeof run>[2]): Promise<void> => {
    const record = await run(site, story.workload, options);
    runs.push(record);
    violations.push(...(await falseConvergence(story, record)));
  };
  const inTurn = async (): Promise<void> => {
    for (const options of schedule.runs) await play(options);
  };
  const others = (schedule.beside ?? []).map(async ({ afterMs, ...options }) => {
    await clock.sleep(afterMs);
    await play(options);
  });
  const people = (schedule.deeds ?? []).map(async ({ afterMs, method, path, body }) => {
    await clock.sleep(afterMs);
    // An answer that never comes holds nobody up.
    await Promise.race([ask(site, method, path, { body }).catch(() => undefined), clock.sleep(120_000)]);
  });
  await Promise.all([inTurn(), ...others, ...people]);
}

/** I10: a run that says it has converged has. */
async function falseConvergence(story: Story, record: RunRecord): Promise<readonly string[]> {
  const { leniency, workload } = story;
  if (record.result?.status !== 'converged' || leniency.serverLies || leniency.othersWrite) return [];
  const desired = await desiredOf(workload.yaml);
  // A saved plan answers for what its steps make or change.
  const makers = record.plan?.steps.filter(({ achieves }) => achieves !== null) ?? [];
  const steps = new Set(makers.map(({ address }) => address));
  const asked = record.isSaved
    ? { ...desired, resources: desired.resources.filter(({ address }) => steps.has(address)) }
    : desired;
  // A place that cannot be read is said to be so, and proves nothing.
  if (record.diagnostics.some(({ code }) => code === 'sink_broken')) return [];
  const found = differences(story, asked, record);
  return found
    .filter((words) => !words.includes('left over'))
    .map((words) => `run ${record.run} says converged, but ${words}`);
}

/** Without faults: at most two applies, and then nothing is left to do, whatever the control plane does by itself. */
async function heal(schedule: Schedule, story: Story, violations: string[]): Promise<void> {
  const { site, leniency } = story;
  await applyUntilEmpty(story, violations, 'at once');
  if (leniency.lateCommits) {
    await site.time.clockOf().sleep(LATEST_COMMIT_MS);
    await applyUntilEmpty(story, violations, 'after the last late request');
  }
  for (let round = 1; round < (schedule.workload.rounds ?? 1); round++) {
    await site.time.clockOf().sleep(8 * 86_400_000);
    await applyUntilEmpty(story, violations, `in round ${round + 1}`);
  }
  const last = story.runs.at(-1);
  if (last?.result?.status !== 'converged') {
    // An untrue list or a broken promise may leave what only people can sort out: then it is said.
    if (isForPeople(story, last)) return;
    violations.push(
      `not converged at the end: ${last?.result?.status ?? last?.error?.slice(0, 300) ?? diagnosed(last)}`,
    );
    return;
  }
  const found = differences(story, await desiredOf(story.workload.yaml), last);
  const told = JSON.stringify([last.diagnostics, last.plan?.changes]);
  const isReported = (words: string): boolean => {
    if (!leniency.journalLost || !words.startsWith('api_keys/')) return false;
    const leftOver = /key (\d+) was made/.exec(words)?.[1];
    return leftOver === undefined ? told.includes('secret_missing') : told.includes(leftOver);
  };
  violations.push(...found.filter((words) => !isReported(words)).map((words) => `at the end, ${words}`));
  violations.push(...surplus(story, last));
  await staysEmpty(story, violations);
}

async function applyUntilEmpty(story: Story, violations: string[], when: string): Promise<void> {
  const runs = story.runs as RunRecord[];
  for (let applies = 0; applies <= MOST_APPLIES; applies++) {
    const record = await run(story.site, story.workload, {});
    runs.push(record);
    // A run without a step may find that what an earlier one began has failed.
    if (record.plan?.steps.length === 0 && record.result?.status !== 'incomplete') return;
    violations.push(...(await falseConvergence(story, record)));
  }
  const last = runs.at(-1);
  const steps = last?.plan?.steps.map(({ action, address }) => `${action} ${address}`).join(', ');
  if (isForPeople(story, last)) return;
  violations.push(
    `${when}, not empty after ${MOST_APPLIES} applies: ${steps ?? last?.error?.slice(0, 300) ?? diagnosed(last)}`,
  );
}

/** The run ended with words for people, where only people can know what is right. */
function isForPeople({ leniency }: Story, record: RunRecord | undefined): boolean {
  const codes = record?.diagnostics.map(({ code }) => code) ?? [];
  if (codes.includes('ambiguous_key') && (leniency.serverLies || leniency.journalLost)) return true;
  if (codes.includes('place_held') && (leniency.serverLies || leniency.othersWrite)) return true;
  return record?.result?.status === 'blocked' && leniency.journalLost && codes.includes('secret_missing');
}

function diagnosed(record: RunRecord | undefined): string {
  return record?.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ') ?? 'no run';
}

/** I14: computes that fall asleep and wake, and keys that are used, are no differences. */
async function staysEmpty(story: Story, violations: string[]): Promise<void> {
  const { site } = story;
  const runs = story.runs as RunRecord[];
  const first = runs.at(-1)?.plan?.planHash;
  for (const pauseMs of [400_000]) {
    await site.time.clockOf().sleep(pauseMs);
    const [compute] = site.plane.truth.computes().filter(({ disabled }) => !disabled);
    if (compute !== undefined) site.plane.truth.connect(compute.id).close();
    const record = await run(site, story.workload, { planOnly: true });
    runs.push(record);
    if (record.plan?.steps.length !== 0) violations.push(`the plan does not stay empty: ${diagnosed(record)}`);
    if (record.plan?.planHash !== first) violations.push('noise changes the plan');
  }
}

function damageJournal(site: Site, how: Schedule['journal']): void {
  const path = `${HOME}/.trueup/journal`;
  const text = site.disk.text(path);
  if (text === null || how === null || how === undefined) return;
  if (how === 'erased') site.disk.erase(path);
  else if (how === 'cut') site.disk.write(path, text.slice(0, Math.floor(text.length * site.random.next())));
  else {
    const at = Math.floor(text.length * site.random.next());
    site.disk.write(
      path,
      `${text.slice(0, at)}${String.fromCharCode((text.charCodeAt(at) % 90) + 33)}${text.slice(at + 1)}`,
    );
  }
}

/** A digest of all that happened: the same schedule gives the same one. */
export function digestOf({ site, runs }: Played): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(site.wire));
  hash.update(
    JSON.stringify(site.plane.ledger(), (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  for (const { plan, result, events, life } of runs) hash.update(JSON.stringify([plan, result, events, life.calls]));
  return hash.digest('hex');
}
