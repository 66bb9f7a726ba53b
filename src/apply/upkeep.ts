// Does the tasks of a run that are no changes of the plan: renews resources as steps, and fills or clears sinks one by one.
import { ApiFailure, isExpected } from '../client/failure.ts';
import type { Address } from '../model/address.ts';
import type { Plan, PlannedUpkeep } from '../model/outcome/plan.ts';
import type { InHand } from './kind-remote.ts';
import { RunningResult } from './run/result.ts';
import { createSignals } from './run/signals.ts';
import { execute, type ExecuteInput } from './execute.ts';
import type { JsonObject } from '../base/json.ts';
import { releaseAll, reserveAll, storeAll } from './secret/secret-step.ts';
import { timingOf } from './step/attempt.ts';
import type { RunSignals } from './run/run.ts';
import { SinkFailure, type SecretSink } from './sinks/sink.ts';

interface UpkeepInput extends Omit<ExecuteInput, 'planAgain'> {
  /** Sorted by address, without the tasks that still wait for a change. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly inHand: InHand;
  /** Reads the account after renewals; returns, by address, a problem for each renewal that the account does not show. */
  readonly readBack: (renewals: readonly PlannedUpkeep[]) => Promise<ReadonlyMap<Address, string>>;
}

export async function runUpkeep(input: UpkeepInput): Promise<void> {
  const tell = ({ address, action, sinks }: PlannedUpkeep, message: string | null): void =>
    input.emit({ type: 'upkeep', address, action, outcome: message === null ? 'done' : 'failed', message, sinks });
  const renewals = input.upkeep.filter(({ step }) => step !== undefined);
  if (renewals.length > 0) {
    const problemOf = await renew(input, renewals);
    const left = await input.readBack(renewals.filter((one) => problemOf(one) === null));
    for (const one of renewals) tell(one, problemOf(one) ?? left.get(one.address) ?? null);
  }
  const onPlaces = input.upkeep.filter(({ step }) => step === undefined);
  const { signals, close } = createSignals(input.clock, input.stop, input.runDeadlineMs);
  try {
    for (const one of onPlaces) tell(one, await actOnPlaces({ ...input, signals }, one));
  } finally {
    close();
  }
}

/** Runs the renewals as the steps of a plan. Returns a function from a renewal to its problem; null if the renewal was done. */
async function renew(
  input: UpkeepInput,
  upkeep: readonly PlannedUpkeep[],
): Promise<(one: PlannedUpkeep) => string | null> {
  const plan: Plan = { ...input.plan, changes: [], steps: upkeep.flatMap(({ step }) => step ?? []), upkeep: [] };
  const result = new RunningResult(plan);
  const emit: ExecuteInput['emit'] = (event) => {
    if (event.type === 'retry') input.emit(event);
    result.add({ atMs: input.clock.nowMs(), ...event });
  };
  let failure: string | null = null;
  try {
    await execute({ ...input, plan, planAgain: null, emit });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    failure = error.message;
  }
  const { steps, diagnostics } = result.now();
  return ({ step, address }) => {
    const end = steps.find(({ id }) => id === step?.id);
    if (failure === null && (end?.outcome === 'done' || end?.outcome === 'satisfied')) return null;
    const stale = diagnostics.findLast((one) => one.address === address)?.message;
    return failure ?? end?.message ?? stale ?? NO_TIME;
  };
}

const NO_TIME = 'the run ended before this task was done';

interface PlaceTools extends UpkeepInput {
  readonly signals: RunSignals;
}

async function actOnPlaces(given: PlaceTools, one: PlannedUpkeep): Promise<string | null> {
  const { signals, inHand } = given;
  // Only a hard stop ends the storing of a secret in hand.
  const admission = inHand.has(one.restsOn ?? '') ? signals.requests : signals.admission;
  const tools = { ...given, signals: { ...signals, admission } };
  if (admission.aborted) return NO_TIME;
  try {
    const sinks = tools.openSinks(one);
    const refused = refusedIn(one);
    if (sinks.length === 0 && refused !== null) return refused;
    return (await (one.action === 'forget' ? forget : refill)(tools, one, sinks)) ?? refused;
  } catch (error) {
    if (error instanceof ApiFailure) return error.message;
    if (!isExpected(error)) throw error;
    return 'the run was stopped';
  }
}

type Act = (tools: PlaceTools, one: PlannedUpkeep, sinks: readonly SecretSink[]) => Promise<string | null>;

const forget: Act = async ({ signals }, _one, sinks) => {
  const problems: string[] = [];
  for (const sink of sinks)
    await sink.forget(signals.stores).catch((error: unknown) => {
      if (!(error instanceof SinkFailure)) throw error;
      problems.push(`${error.message}; no later run clears the sink of a member of a set, so clear that sink by hand`);
    });
  return problems.length === 0 ? null : problems.join('; ');
};

const refill: Act = async (tools, one, sinks) => {
  const { client, journal, signals, kinds, inHand, reach } = tools;
  const reserved = await reserveAll(sinks, signals.admission);
  if ('problem' in reserved) return reserved.problem;
  const { places } = reserved;
  const { action, address, kind } = one;
  reach('reserved');
  try {
    const told = inHand.get(one.restsOn ?? '');
    const contents = await kinds
      .get(kind)
      ?.reveal?.(client, one, one.options['content'] as JsonObject, signals.requests, told);
    if (contents === undefined || 'problem' in contents) return contents?.problem ?? 'the secret cannot be read again';
    const noted = { id: `${action}:${address}`, address, kind, method: 'GET', path: '' };
    await journal.intent(noted, [], true);
    reach('intended');
    const problem = await storeAll({ run: tools, step: one, timing: timingOf(tools) }, places, {
      ...contents,
      isWhole: false,
    });
    reach('stored');
    // A refused sink may still have an older secret. Noted as `failed`, this refill does not supersede earlier requests in the journal.
    const state = refusedIn(one) === null ? 'stored' : 'failed';
    if (problem === null) await journal.note(noted, state, one.resourceId);
    return problem;
  } finally {
    await releaseAll(places);
  }
};

function refusedIn({ options: { refused } }: PlannedUpkeep): string | null {
  return Array.isArray(refused) ? refused.join('; ') : null;
}
