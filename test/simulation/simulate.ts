// Plays a schedule on a fresh site and holds everything against the laws: first under faults, then without, until nothing is left to do.
import { createHash } from 'node:crypto';
import { endOfTrouble } from './end-of-trouble.ts';
import { heal } from './heal.ts';
import { consentViolations } from './laws/consent.ts';
import { falseConvergence } from './laws/convergence.ts';
import { dataViolations } from './laws/data.ts';
import { guessViolations } from './laws/guesses.ts';
import { ledgerViolations } from './laws/ledger.ts';
import { orderViolations } from './laws/order.ts';
import { falseStores } from './laws/passwords.ts';
import { reportViolations } from './laws/report.ts';
import { reviewViolations } from './laws/reviewed.ts';
import { ruleViolations } from './laws/rules.ts';
import { resolvedBy } from './laws/tree-state.ts';
import { leaks, watchPlaces } from './laws/secrets.ts';
import type { Story } from './laws/story.ts';
import { polluted, wireViolations } from './laws/wire.ts';
import { leniencyOf, type Schedule } from './schedule.ts';
import { writeViolations } from './laws/writes.ts';
import { run, type RunOptions, type RunRecord } from './world/run.ts';
import { HOME } from '../support/files.ts';
import { ask, createSite, endFaults, type Site } from './world/site.ts';
import { desiredOf, loaded } from './world/workload.ts';

export interface Played {
  readonly site: Site;
  readonly runs: readonly RunRecord[];
  readonly violations: readonly string[];
  /** Virtual time that has passed, milliseconds. */
  readonly simulatedMs: number;
  /** The rest would have gone as after an earlier schedule, to the byte, and was not played again. */
  readonly isRejoined: boolean;
}

/** Virtual time within which everything must have come to an end. */
const LIMIT_MS = 60 * 86_400_000;
const NEVER = 1_000_000_000;

export interface PlayOptions {
  /** What earlier schedules without a violation left: where this one leaves the same, the runs after the faults are left out. What was played is added. */
  readonly ends?: Set<string> | null;
  /** False: nothing is run after the faults, so only what must never happen is judged, not that all comes right. */
  readonly heals?: boolean;
}

/** Plays it all. */
export async function play(schedule: Schedule, { ends = null, heals = true }: PlayOptions = {}): Promise<Played> {
  const { workload, seed } = schedule;
  // Read beforehand: whether its meaning is known already must not show in the order of things.
  const desired = await desiredOf(workload);
  for (const { variables } of [...schedule.runs, ...(schedule.beside ?? [])]) await loaded(workload, variables);
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
  const native = new Set([...truth.computes(), ...truth.keys(), ...truth.branches()].map(({ id }) => id));
  const story: Story = { site, workload, runs, native, leniency: leniencyOf(schedule) };
  let isRejoined = false;
  try {
    isRejoined = await site.time.run(act(schedule, story, violations, { ends, heals }), LIMIT_MS);
    violations.push(...ledgerViolations(story), ...orderViolations(story), ...reportViolations(story));
    violations.push(...consentViolations(story), ...writeViolations(story), ...reviewViolations(story));
    violations.push(...dataViolations(story), ...ruleViolations(story));
    violations.push(...guessViolations(story, resolvedBy(site, desired)));
    violations.push(...wireViolations(story), ...polluted(), ...leaks(site, runs));
  } catch (error) {
    violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const simulatedMs = site.time.clockOf().monotonicMs();
  site.plane.close();
  return { site, runs, violations: [...new Set(violations)], simulatedMs, isRejoined };
}

/** Resolves with true when the rest has been played before. */
async function act(
  schedule: Schedule,
  story: Story,
  violations: string[],
  { ends, heals }: Required<PlayOptions>,
): Promise<boolean> {
  await disturbed(schedule, story, violations);
  if (!heals) return false;
  const { site } = story;
  // What a process had sent when it died arrives.
  await site.time.clockOf().sleep(1);
  endFaults(site, schedule.nature ?? []);
  site.disk.fault = null;
  damageJournal(site, schedule.journal ?? null);
  const end = ends === null ? null : endOfTrouble(schedule, story);
  if (end !== null && ends?.has(end) === true) return true;
  const before = violations.length;
  await heal(schedule, story, violations);
  if (end !== null && violations.length === before) ends?.add(end);
  return false;
}

/** The runs under faults, and what others do beside them. */
async function disturbed(schedule: Schedule, story: Story, violations: string[]): Promise<void> {
  const { site } = story;
  const clock = site.time.clockOf();
  const lists = schedule.faults.some(({ fault }) => fault.kind === 'list');
  // A rule that never fires keeps the memory of past lists going.
  const memory = lists ? [{ when: { nth: NEVER }, fault: { kind: 'list', how: 'stale' } } as const] : [];
  site.plane.setFaults({ seed: schedule.seed, rules: [...schedule.faults, ...(schedule.nature ?? []), ...memory] });
  site.disk.fault = schedule.diskFault ?? null;
  const runs = story.runs as RunRecord[];
  const play = async ({ afterMs = 0, ...options }: RunOptions, before: RunRecord | null = null): Promise<RunRecord> => {
    if (afterMs > 0) await clock.sleep(afterMs);
    const record = await run(site, story.workload, options, before);
    runs.push(record);
    violations.push(...falseConvergence(story, record), ...falseStores(story, record));
    return record;
  };
  const inTurn = async (): Promise<void> => {
    let before: RunRecord | null = null;
    for (const options of schedule.runs) before = await play(options, before);
  };
  const others = (schedule.beside ?? []).map((options) => play(options));
  const people = (schedule.deeds ?? []).map(async ({ afterMs, method, path, body, key }) => {
    await clock.sleep(afterMs);
    // An answer that never comes holds nobody up.
    await Promise.race([
      ask(site, method, path, { body, ...(key === undefined ? {} : { key }) }).catch(() => undefined),
      clock.sleep(120_000),
    ]);
  });
  await Promise.all([inTurn(), ...others, ...people]);
}

function damageJournal(site: Site, how: Schedule['journal']): void {
  const path = `${HOME}/state/journal`;
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
