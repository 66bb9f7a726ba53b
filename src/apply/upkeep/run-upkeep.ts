// Runs upkeep: terms are renewed as steps are run, places refilled and emptied one after another; nothing of it holds anything else up.
import { ApiFailure } from '../../client/failure.ts';
import type { Address } from '../../model/address.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { Plan, PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { InHand } from '../kind-remote.ts';
import { createSignals } from '../run/signals.ts';
import { actOnPlaces } from './places.ts';
import { execute, type ExecuteInput } from '../execute.ts';

export interface UpkeepInput extends Omit<ExecuteInput, 'logs' | 'isSaved' | 'onMade' | 'onSecret'> {
  /** In order of address; all of it can be done. */
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

/** By the machinery of steps: in the lanes of their projects, looked at before, decided by evidence when a reply is lost. */
async function renew(input: UpkeepInput, upkeep: readonly PlannedUpkeep[], tell: TellUpkeep): Promise<void> {
  const steps = upkeep.flatMap(({ step }) => step ?? []);
  if (steps.length === 0) return;
  const ends = new Map<Address, string | null>();
  const plan: Plan = { ...input.plan, changes: [], steps, upkeep: [] };
  const emit = (event: ApplyEvent): void => {
    if (event.type === 'retry') input.emit(event);
    const end = endIn(event);
    if (end !== undefined) ends.set(end.address, end.problem);
  };
  try {
    await execute({ ...input, plan, logs: new Map(), isSaved: false, emit });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    for (const one of upkeep) ends.set(one.address, error.message);
  }
  for (const one of upkeep) {
    const end = ends.get(one.address);
    tell(one, end === undefined ? 'the run ended before this was done' : end);
  }
}

function endIn(event: ApplyEvent): { readonly address: Address; readonly problem: string | null } | undefined {
  switch (event.type) {
    case 'apply_complete':
      return { address: event.address, problem: null };
    case 'apply_errored':
      return { address: event.address, problem: event.diagnostic.message };
    case 'step_unknown':
      return { address: event.address, problem: event.reason };
    case 'step_skipped':
      return { address: event.address, problem: event.satisfied === true ? null : event.reason };
    case 'diagnostic':
      return event.diagnostic.code === 'stale' && event.diagnostic.address !== undefined
        ? { address: event.diagnostic.address, problem: event.diagnostic.message }
        : undefined;
    default:
      return undefined;
  }
}
