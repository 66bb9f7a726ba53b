// The look right before a write: the scope of its target as it is now and, for what only the log can prove, the log as well.
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import type { Step, StepAction } from '../../model/outcome/plan.ts';
import { strangersIn, type Assessment } from './assess.ts';
import { judgeBy, type Before } from './evidence.ts';
import { foreignOperations } from '../step/joining.ts';
import { readHistory } from '../read/operation-log.ts';
import { kindOf, type Run } from '../run/run.ts';
import { grownSince } from './contents.ts';
import type { Age } from './world.ts';

/** `foreign`: operations under way on the target, which are to be waited for before anything can be said. */
export interface Look {
  readonly verdict: Assessment;
  readonly before: Before;
  readonly foreign: readonly OperationRecord[];
  /** The project's newest operations, where they were read. */
  readonly log: readonly OperationRecord[] | null;
}

/** What takes something away or cuts people off is looked at whenever it is sent. */
const ALWAYS_LOOKED_AT: ReadonlySet<StepAction> = new Set(['delete', 'revoke', 'move', 'restart']);

export function isAlwaysLookedAt(run: Pick<Run, 'use'>, step: Step): boolean {
  return ALWAYS_LOOKED_AT.has(step.action) || run.use.kinds.get(step.kind)?.remote.repeat(step) === 'secret';
}

function holds({ expects }: Step): boolean {
  return expects.state === 'present' && expects.contains !== undefined;
}

/** How long a reading serves steps that make or change something. */
const READING_FRESH_MS = 2000;
/** How long one serves the others: about a round trip, so that those which are sent together share it. */
const LOOK_FRESH_MS = 50;

/** How new a reading must be for the step to be sent now; `afterMs` is the end of the last thing that could have changed its scope. */
export function ageFor(run: Pick<Run, 'use'>, step: Step, afterMs: number): Age {
  const isStrict = isAlwaysLookedAt(run, step);
  const sinceMs = run.use.clock.monotonicMs() - (isStrict ? LOOK_FRESH_MS : READING_FRESH_MS);
  return { afterMs, sinceMs, beforeWrites: isStrict };
}

/** Looks at what the step is about, and judges it. Rejects with `ApiFailure`. */
export async function lookAt(run: Run, step: Step, age: Age, signal: AbortSignal): Promise<Look> {
  const { world, clock } = run.use;
  const [first, operations] = await Promise.all([world.list(step, age, signal), logFor(run, step, signal)]);
  const seen = { live: first, verdict: judgeBy(run, step, first) };
  if (seen.verdict.state === 'ready' && holds(step)) {
    const grown = await grownSince(run, step, age, signal);
    // What is in it may have taken long to read.
    seen.live = await world.list(step, { ...age, sinceMs: clock.monotonicMs() - READING_FRESH_MS }, signal);
    seen.verdict = grown ?? judgeBy(run, step, seen.live);
  }
  const { live, verdict } = seen;
  const before = beforeOf(run, step, live, operations);
  if (operations === null || verdict.state !== 'ready') return { verdict, before, foreign: [], log: operations };
  const foreign = foreignOperations(step, operations).filter(({ id }) => !run.known.joined.has(id));
  const met = foreign.length > 0 ? null : metBy(run, step, operations);
  return { verdict: met ?? verdict, before, foreign, log: operations };
}

/** Satisfied if an operation of the log has done what the step is for, whoever started it. */
function metBy(run: Run, step: Step, operations: readonly OperationRecord[]): Assessment | null {
  const { expects } = step;
  const reason = kindOf(run, step).remote.metBy?.(step, operations) ?? null;
  return reason === null ? null : { state: 'satisfied', id: expects.state === 'present' ? expects.id : null, reason };
}

/** What is known when the request is sent. */
function beforeOf(
  run: Run,
  step: Step,
  live: readonly LiveResource[],
  operations: readonly OperationRecord[] | null = null,
): Before {
  const pool = step.expects.joins;
  const { canonical } = kindOf(run, step);
  const members = pool === null ? [] : strangersIn({ ...pool, known: [] }, live, { claimed: new Set(), canonical });
  const known = [...new Set([...(pool?.known ?? []), ...members.map(({ id }) => id)])].sort();
  const listed = new Set(live.map(({ id }) => id));
  return { known, listed, operations: operations === null ? null : new Set(operations.map(({ id }) => id)) };
}

/** Only for a step that nothing else can prove: as far back as its kind asks. */
async function logFor(run: Run, step: Step, signal: AbortSignal): Promise<readonly OperationRecord[] | null> {
  const { remote } = kindOf(run, step);
  if (remote.repeat(step) !== 'never' || step.projectId === null) return null;
  const sinceMs = remote.plannedAtMs?.(step) ?? null;
  const { operations } = await readHistory(run.use.client, step.projectId, { sinceMs }, signal);
  const { joined } = run.known;
  return operations.map((operation) => (isBusy(operation) ? (joined.get(operation.id) ?? operation) : operation));
}
