// One run of the real reconciler as a simulated process: plan, apply, read back; and all that it says.
import { createReconciler } from '../../../src/reconciler/index.ts';
import { isoTime } from '../../../src/base/time/clock.ts';
import { parseJson } from '../../../src/base/json.ts';
import { Secret } from '../../../src/base/secret.ts';
import { seededRandom } from '../../../src/base/random.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan, type OpenedPlan } from '../../../src/plan/json/saved-plan.ts';
import type { PlanOutcome } from '../../../src/reconciler/types.ts';
import { errorText } from './error-text.ts';
import type { CrashPoint, Life } from './life.ts';
import { HOME } from '../../support/files.ts';
import { BASE_URL, processesOf, programsOf, sendOf, spawn, type Site } from './site.ts';
import { loaded, type Variables, type Workload } from './workload.ts';

export interface RunOptions {
  /** It begins so much later. */
  readonly afterMs?: number;
  readonly variables?: Variables;
  readonly crash?: CrashPoint | null;
  /** Only plan. */
  readonly planOnly?: boolean;
  /** The plan is saved, and applied so much later. */
  readonly savedForMs?: number | null;
  /** Folder of journal and lock, when not the usual one: another machine. */
  readonly folder?: string;
  /** The wall clock of this process is off by so much, milliseconds; it jumps there in the middle of the run. */
  readonly skewMs?: number;
  /** The wall clock of this process is off by so much all the time, milliseconds. */
  readonly offMs?: number;
  /** A person takes so long to answer. */
  readonly promptMs?: number;
  /** The organization that it is told of: another account, as far as anybody can tell. */
  readonly orgId?: string;
  /** The store that it is told of: as much another account. */
  readonly store?: string;
  readonly timeoutMs?: number | null;
  /** How long a step waits for its operations; ten minutes unless told. */
  readonly stepTimeoutMs?: number | null;
  readonly stop?: { readonly kind: 'soft' | 'hard'; readonly afterMs: number } | null;
  readonly requestsPerMinute?: number;
  /** Nobody looks at the plan. */
  readonly isUnattended?: boolean;
  /** Which plan is carried out: that which the run before showed, if this one makes the same (`--expect-hash`), or that which it had saved. */
  readonly carriesOut?: 'shown' | 'saved';
}

export interface RunRecord {
  readonly run: number;
  readonly life: Life;
  /** Null where its files are refused. */
  readonly desired: DesiredState | null;
  plan: Plan | null;
  result: RunResult | null;
  /** Why it ended without a result, besides death. */
  error: string | null;
  diagnostics: readonly Diagnostic[];
  readonly events: ApplyEvent[];
  /** It only planned. */
  readonly isPlanOnly: boolean;
  /** Nobody looked at its plan. */
  readonly isUnattended: boolean;
  /** It applied a saved plan: it answers for the addresses of its steps alone. */
  readonly isSaved: boolean;
  /** The run whose plan it was to carry out. */
  readonly reviewed: RunRecord | null;
  /** The plan that it saved or was to carry out, as text. */
  saved: string | null;
  /** It made another plan than that which was shown, and did nothing. */
  isOther: boolean;
  /** Of the ledger, when its plan was made. */
  plannedAtSeq: number;
  planCalls: number;
  /** Branches that had a primary when it began, and when it ended. */
  readonly primariesBefore: ReadonlySet<string>;
  primariesAfter: ReadonlySet<string>;
  readonly startedMs: number;
  /** When it was told to stop, virtual time; null when it was not. */
  stoppedMs: number | null;
  endedMs: number;
  /** Timers that were still set when it ended; those of a dead one never ring. */
  timersLeft: number;
  /** Texts that it gave to the outside, other than requests. */
  readonly said: string[];
}

/** Runs to its end or its death. Never rejects for what the run does. */
export async function run(
  site: Site,
  workload: Workload,
  options: RunOptions = {},
  before: RunRecord | null = null,
): Promise<RunRecord> {
  const { desired, diagnostics } =
    options.carriesOut === 'saved' && before !== null ? before : await loaded(workload, options.variables);
  const life = spawn(site, options.crash ?? null);
  const number = life.pid;
  const record: RunRecord = {
    run: number,
    life,
    desired,
    plan: null,
    result: null,
    error: null,
    diagnostics,
    events: [],
    isPlanOnly: options.planOnly === true,
    isUnattended: options.isUnattended === true,
    isSaved: typeof options.savedForMs === 'number' || options.carriesOut === 'saved',
    reviewed: options.carriesOut === undefined ? null : before,
    saved: null,
    isOther: false,
    plannedAtSeq: 0,
    planCalls: 0,
    primariesBefore: primariesOf(site),
    primariesAfter: new Set(),
    startedMs: site.time.nowMs,
    stoppedMs: null,
    endedMs: 0,
    timersLeft: 0,
    said: [],
  };
  const work = (desired === null ? Promise.resolve() : perform(site, workload, desired, options, record)).catch(
    (error: unknown) => {
      record.error = errorText(error);
    },
  );
  await Promise.race([work, life.death]);
  record.timersLeft = life.isDead ? 0 : site.time.openTimersOf(life);
  if (life.isDead && options.crash?.power === true) site.disk.losePower();
  life.isDead = true;
  record.endedMs = site.time.nowMs;
  record.primariesAfter = primariesOf(site);
  return record;
}

/** Branches that have one, in truth. */
function primariesOf({ plane }: Site): ReadonlySet<string> {
  return new Set(plane.truth.computes().flatMap(({ type, branchId }) => (type === 'read_write' ? [branchId] : [])));
}

async function perform(
  site: Site,
  workload: Workload,
  desired: DesiredState,
  options: RunOptions,
  record: RunRecord,
): Promise<void> {
  const { life } = record;
  const { offMs = 0, promptMs = 0 } = options;
  let skewMs = offMs;
  const clock = site.time.clockOf(life, () => skewMs);
  const reconciler = createReconciler({
    baseUrl: BASE_URL,
    credential: new Secret(site.keyValues.get(site.ownKeyId) ?? ''),
    send: sendOf(site, life, record.run),
    clock,
    random: seededRandom(site.seed * 1000 + record.run),
    cwd: HOME,
    ...(options.orgId === undefined ? {} : { orgId: options.orgId }),
    ...(options.store === undefined ? {} : { store: options.store }),
    stateDir: options.folder ?? `${HOME}/state`,
    machine: {
      fileSystem: site.disk.seenBy(life),
      processes: processesOf(site, life),
      runProgram: programsOf(site, life),
    },
    sinks: new Map([['vault', '/bin/vault']]),
    env: { PATH: '/bin', TRUEUP_API_KEY: site.keyValues.get(site.ownKeyId) ?? '' },
    requestsPerMinute: options.requestsPerMinute ?? Infinity,
    ...(typeof options.stepTimeoutMs === 'number' ? { stepTimeoutMs: options.stepTimeoutMs } : {}),
    onRetry: (notice) => record.said.push(JSON.stringify(notice)),
  });
  try {
    const { allow = [], due = false } = workload;
    const consent = options.isUnattended === true ? 'unattended' : 'reviewed';
    const request = { allow, due, consent } as const;
    const { savedForMs = null, carriesOut = null } = options;
    const found = carriesOut === 'saved' ? null : await reconciler.plan({ ...request, desired });
    record.planCalls = life.calls.length;
    record.plannedAtSeq = site.plane.ledger().length;
    if (found === null) record.saved = record.reviewed?.saved ?? null;
    else if (savedForMs !== null || options.planOnly === true) record.saved = savedText(site, found);
    record.plan = found === null ? (openedPlan(record.saved)?.plan ?? null) : found.plan;
    record.diagnostics = found?.diagnostics ?? [];
    record.isOther = carriesOut === 'shown' && record.plan?.planHash !== record.reviewed?.plan?.planHash;
    if (record.plan === null || options.planOnly === true || record.isOther) return;
    if (savedForMs !== null) await clock.sleep(savedForMs);
    else if (promptMs > 0) await clock.sleep(promptMs);
    skewMs = offMs + (options.skewMs ?? 0);
    const opened = record.isSaved ? openedPlan(record.saved) : null;
    const input = (opened?.record ?? found?.record)?.input;
    if (input === undefined) return;
    record.plan = opened?.plan ?? record.plan;
    record.result = await reconciler.apply({
      plan: record.plan,
      desired: input.desired,
      reading: input,
      isSaved: record.isSaved,
      hasPaused: promptMs > 0,
      request,
      onEvent: (event) => record.events.push(event),
      timeoutMs: options.timeoutMs ?? null,
      stop: stopOf(site.time.clockOf(), options.stop ?? null, () => (record.stoppedMs = site.time.nowMs)),
    });
  } finally {
    await reconciler.close();
  }
}

/** As `plan --out` writes it. */
function savedText(site: Site, { plan, record }: PlanOutcome): string | null {
  if (plan === null || record === null) return null;
  const timestamp = isoTime(site.time.nowMs);
  return JSON.stringify(planToJson(plan, { timestamp, toolVersion: '0.0.0', expiresInMs: null, record }));
}

/** As `apply` reads it: made again from what it was made from. Throws where that gives another plan. */
function openedPlan(saved: string | null): OpenedPlan | null {
  if (saved === null) return null;
  const opened = openPlan(parseJson(saved), { kinds, toolVersion: '0.0.0' });
  if ('problem' in opened) throw new Error(`a saved plan is refused: ${opened.problem}`);
  return opened;
}

function stopOf(
  clock: { sleep(ms: number): Promise<void> },
  stop: RunOptions['stop'],
  onStop: () => void,
): { readonly soft: AbortSignal; readonly hard: AbortSignal } {
  const soft = new AbortController();
  const hard = new AbortController();
  for (const { signal } of [soft, hard]) signal.addEventListener('abort', onStop);
  if (stop !== null && stop !== undefined)
    void clock.sleep(stop.afterMs).then(() => (stop.kind === 'soft' ? soft : hard).abort());
  return { soft: soft.signal, hard: hard.signal };
}
