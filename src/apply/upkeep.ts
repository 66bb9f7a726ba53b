// Does the upkeep at the end of a run: renews resources as steps, and fills or clears sinks one after another.
import { ApiFailure, isExpected } from '../client/failure.ts';
import type { Plan, PlannedUpkeep } from '../model/outcome/plan.ts';
import type { InHand, KindRemote } from './kind-remote.ts';
import { RunningResult } from './run/result.ts';
import { createSignals } from './run/signals.ts';
import { execute, type ExecuteInput } from './execute.ts';
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import { releaseAll, reserveAll, storeAll } from './secret/places.ts';
import type { Happening, RunSignals } from './run/run.ts';
import { SinkFailure, type SecretSink } from './sinks/sink.ts';

interface UpkeepInput extends Omit<ExecuteInput, 'histories' | 'planAgain' | 'onMade' | 'onSecret'> {
  /** Sorted by address, without pending upkeep. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly inHand: InHand;
}

/** Reports one act: null if it was done, else why it was not. */
type TellUpkeep = (one: PlannedUpkeep, problem: string | null) => void;

/** Reports each act by an event. Rejects only for a bug of ours. */
export async function runUpkeep(input: UpkeepInput): Promise<void> {
  const tell: TellUpkeep = ({ address, action, sinks }, message) =>
    input.emit({
      type: 'upkeep',
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

/** Renewals run as steps, with their queues and looks. */
async function renew(input: UpkeepInput, upkeep: readonly PlannedUpkeep[], tell: TellUpkeep): Promise<void> {
  const steps = upkeep.flatMap(({ step }) => step ?? []);
  if (steps.length === 0) return;
  const plan: Plan = { ...input.plan, changes: [], steps, upkeep: [] };
  const result = new RunningResult(plan);
  const emit = (event: Happening): void => {
    if (event.type === 'retry') input.emit(event);
    result.add({ atMs: input.clock.nowMs(), ...event });
  };
  let failure: string | null = null;
  try {
    await execute({ ...input, plan, histories: new Map(), planAgain: null, emit });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    failure = error.message;
  }
  const { steps: ends, diagnostics } = result.now();
  const stale = new Map(diagnostics.map(({ address, message }) => [address, message]));
  for (const one of upkeep) {
    const end = ends.find(({ id }) => id === one.step?.id);
    const isWell = end?.outcome === 'done' || end?.outcome === 'satisfied';
    const problem = failure ?? end?.message ?? stale.get(one.address) ?? 'the run ended before this task was done';
    tell(one, isWell && failure === null ? null : problem);
  }
}

interface PlaceTools extends Pick<
  ExecuteInput,
  'client' | 'clock' | 'journal' | 'emit' | 'kinds' | 'openSinks' | 'stepTimeoutMs' | 'reach'
> {
  readonly signals: RunSignals;
  readonly inHand: InHand;
  /** Monotonic; Infinity = none. */
  readonly runDeadlineMs: number;
}

/** Why the act was not done, null if it was. Rejects only for a bug of ours. */
async function actOnPlaces(tools: PlaceTools, one: PlannedUpkeep): Promise<string | null> {
  if (tools.signals.admission.aborted) return 'the run ended before this task was done';
  try {
    const sinks = tools.openSinks(one);
    const refused = refusedIn(one);
    const problem = sinks.length === 0 && refused !== null ? null : await act(tools, one, sinks);
    return problem ?? refused;
  } catch (error) {
    if (error instanceof ApiFailure) return error.message;
    if (!isExpected(error)) throw error;
    return 'the run was stopped';
  }
}

async function act(tools: PlaceTools, one: PlannedUpkeep, sinks: readonly SecretSink[]): Promise<string | null> {
  return one.action === 'forget' ? forget(tools, sinks) : refill(tools, one, sinks);
}

async function forget({ signals }: PlaceTools, sinks: readonly SecretSink[]): Promise<string | null> {
  const problems: string[] = [];
  for (const sink of sinks)
    await sink.forget(signals.stores).catch((error: unknown) => {
      if (!(error instanceof SinkFailure)) throw error;
      problems.push(error.message);
    });
  return problems.length === 0 ? null : problems.join('; ');
}

/** Reads the secret only when its sinks are ready for it. */
async function refill(tools: PlaceTools, one: PlannedUpkeep, sinks: readonly SecretSink[]): Promise<string | null> {
  const { client, clock, journal, signals, stepTimeoutMs, runDeadlineMs, inHand, reach = () => undefined } = tools;
  const reserved = await reserveAll(sinks, signals.admission);
  if ('problem' in reserved) return reserved.problem;
  const { places } = reserved;
  reach('reserved');
  try {
    const contents = await remoteOf(tools, one).reveal?.(
      client,
      one,
      contentIn(one),
      signals.requests,
      inHand.get(one.restsOn ?? ''),
    );
    if (contents === undefined || 'problem' in contents) return contents?.problem ?? 'the secret cannot be read again';
    const noted = notedAs(one);
    await journal.intent(noted, [], true);
    reach('intended');
    const startedAtMs = clock.monotonicMs();
    const timing = { startedAtMs, deadlineMs: Math.min(startedAtMs + stepTimeoutMs, runDeadlineMs) };
    const use = { clock, signals, runDeadlineMs };
    const filling = { run: { use, tell: tools }, step: one, timing };
    const problem = await storeAll(filling, places, { ...contents, isWhole: false });
    reach('stored');
    // A sink that was left out may hold an older secret, so requests of earlier runs stay open.
    const state = refusedIn(one) === null ? 'stored' : 'failed';
    if (problem === null) await journal.note(noted, state, one.resourceId);
    return problem;
  } finally {
    await releaseAll(places);
  }
}

/** Why some of the sinks are left out, null if none is. */
function refusedIn({ options: { refused } }: PlannedUpkeep): string | null {
  return Array.isArray(refused) ? refused.join('; ') : null;
}

function contentIn({ options }: PlannedUpkeep): JsonObject {
  return options['content'] as JsonObject;
}

function remoteOf({ kinds }: PlaceTools, { kind }: PlannedUpkeep): KindRemote {
  const found = kinds.find(({ remote }) => remote.kind === kind);
  assert(found !== undefined, `no kind ${kind}`);
  return found.remote;
}

/** The act as a step of the journal: once every sink has the secret, no earlier request of the address is open. */
function notedAs({ address, kind, action }: PlannedUpkeep): Parameters<ExecuteInput['journal']['intent']>[0] {
  return { id: `${action}:${address}`, address, kind, method: 'GET', path: '' };
}
