// Upkeep of the places of secrets: refilled with what is read at that moment, or made to delete what they hold.
import { assert } from '../../base/assert.ts';
import { ApiFailure, isExpected } from '../../client/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { PlannedUpkeep } from '../../model/outcome/plan.ts';
import type { ExecuteInput } from '../execute.ts';
import type { InHand, KindRemote } from '../kind-remote.ts';
import { releaseAll, reserveAll } from '../secret/reserve.ts';
import { storeAll } from '../secret/store-all.ts';
import type { RunSignals } from '../run/run.ts';
import { SinkFailure, type SecretSink } from '../sinks/sink.ts';

/** The tools that acting on sinks takes. */
export interface PlaceTools extends Pick<
  ExecuteInput,
  'client' | 'clock' | 'journal' | 'emit' | 'kinds' | 'openSinks' | 'stepTimeoutMs' | 'reach'
> {
  readonly signals: RunSignals;
  readonly inHand: InHand;
  /** Monotonic; Infinity = none. */
  readonly runDeadlineMs: number;
}

/** Why it was not done; null when it was. Rejects only for a bug of ours. */
export async function actOnPlaces(tools: PlaceTools, one: PlannedUpkeep): Promise<string | null> {
  if (tools.signals.admission.aborted) return 'the run ended before this was done';
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

/** The secret is read when its places are ready for it, and not before. */
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
    const tell = {
      emit: (event: Parameters<Parameters<typeof storeAll>[0]['run']['tell']['emit']>[0]) =>
        tools.emit({ atMs: clock.nowMs(), ...event }),
    };
    const problem = await storeAll({ run: { use, tell }, step: one, timing }, places, contents);
    reach('stored');
    // A place that was left out may still hold what was there before: what an earlier run left open stays so.
    const state = refusedIn(one) === null ? 'stored' : 'failed';
    if (problem === null) await journal.note(noted, state, one.resourceId);
    return problem;
  } finally {
    await releaseAll(places);
  }
}

/** Why nothing is done with some of the places. */
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

/** The step in the journal: once its secret is in every sink, no earlier request of the address is open. */
function notedAs({ address, kind, action }: PlannedUpkeep): Parameters<ExecuteInput['journal']['intent']>[0] {
  return { id: `${action}:${address}`, address, kind, method: 'GET', path: '' };
}
