// Runs upkeep: terms are renewed as steps are run, places refilled and emptied one after another; nothing of it holds anything else up.
import { ApiFailure } from '../../client/failure.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { Plan, PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { InHand } from '../kind-remote.ts';
import { RunningResult } from '../run/result.ts';
import { createSignals } from '../run/signals.ts';
import { actOnPlaces } from './places.ts';
import { execute, type ExecuteInput } from '../execute.ts';

export interface UpkeepInput extends Omit<ExecuteInput, 'logs' | 'isSaved' | 'onMade' | 'onSecret'> {
  /** Sorted by address; none of it is pending. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly inHand: InHand;
}

/** How one act ended: null where it was done, else why it was not. */
export type TellUpkeep = (one: PlannedUpkeep, problem: string | null) => void;

/** Tells the end of each by an event. Rejects only for a bug of ours. */
export async function runUpkeep(input: UpkeepInput): Promise<void> {
  const tell: TellUpkeep = ({ address, action, sinks }, message) =>
    input.emit({
      type: 'upkeep',
      atMs: input.clock.nowMs(),
      address,
      action,
      outcome: message === null ? 'done' : 'failed',
      message,
      sinks,
    });
  await renew(
    input,
    input.upkeep.filter(({ step }) => step !== undefined),
    tell,
  );
  const onPlaces = input.upkeep.filter(({ step }) => step === undefined);
  if (onPlaces.length === 0) return;
  const signals = createSignals(input.clock, input.stop, input.runDeadlineMs);
  try {
    const tools = { ...input, signals: signals.signals, runDeadlineMs: input.runDeadlineMs ?? Infinity };
    for (const one of onPlaces) tell(one, await actOnPlaces(tools, one));
  } finally {
    signals.close();
  }
}

/** Renewals run as steps do: in the queues of their projects, with a look before each request and after a lost reply. */
async function renew(input: UpkeepInput, upkeep: readonly PlannedUpkeep[], tell: TellUpkeep): Promise<void> {
  const steps = upkeep.flatMap(({ step }) => step ?? []);
  if (steps.length === 0) return;
  const plan: Plan = { ...input.plan, changes: [], steps, upkeep: [] };
  const result = new RunningResult(plan);
  const emit = (event: ApplyEvent): void => {
    if (event.type === 'retry') input.emit(event);
    result.add(event);
  };
  let failure: string | null = null;
  try {
    await execute({ ...input, plan, logs: new Map(), isSaved: false, emit });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    failure = error.message;
  }
  const { steps: ends, diagnostics } = result.now();
  const stale = new Map(diagnostics.map(({ address, message }) => [address, message]));
  for (const one of upkeep) {
    const end = ends.find(({ id }) => id === one.step?.id);
    const isWell = end?.outcome === 'done' || end?.outcome === 'satisfied';
    const problem = failure ?? end?.message ?? stale.get(one.address) ?? 'the run ended before this was done';
    tell(one, isWell && failure === null ? null : problem);
  }
}
