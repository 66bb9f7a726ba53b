// Finds out what the list of keys does not tell: what the sinks hold, whose key we are, what an interrupted run left.
import { inParallel } from '../../apply/in-parallel.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KeyFacts, SinkFact } from './facts.ts';
import { leftoversOf } from './leftovers.ts';
import { liveKey } from './live-key.ts';
import { keyOptions } from './options.ts';
import { findOwnKey } from './self.ts';

/** Sinks that are asked at the same time: each may be a process. */
const LOOKS_AT_ONCE = 8;

/** `list` reads the keys again. Rejects with `ApiFailure` when it cannot. */
export async function gatherFacts(input: FactsInput, list: () => Promise<readonly LiveResource[]>): Promise<KeyFacts> {
  const keys = input.live.map(liveKey);
  const looks = await inParallel(
    input.desired.filter(hasSinks),
    LOOKS_AT_ONCE,
    async (desired) => [desired.address, await lookAtSinks(input, desired)] as const,
  );
  const sinks = Object.fromEntries(looks);
  const { pause } = input;
  const isAsked = pause !== undefined && mayRevoke(input, sinks);
  const self = isAsked ? await findOwnKey({ first: input.live, look: list, pause }) : null;
  const newest = Math.max(...keys.map(({ lastUsedAtMs }) => lastUsedAtMs ?? -Infinity));
  return {
    sinks,
    self,
    newestUseMs: Number.isFinite(newest) ? newest : null,
    ...leftoversOf(input.orphans, keys, sinks),
  };
}

function hasSinks(desired: DesiredResource): boolean {
  return !desired.absent && keyOptions(desired.options).secret.length > 0;
}

async function lookAtSinks(input: FactsInput, desired: DesiredResource): Promise<readonly SinkFact[]> {
  const facts: SinkFact[] = [];
  for (const target of keyOptions(desired.options).secret) {
    const { state, id, name, reason } = await input.sinks.look(target);
    facts.push({ label: labelOf(target), state, id, name: name ?? null, reason });
  }
  return facts;
}

/** `file:ci.json`, as the sink calls itself. */
function labelOf(target: JsonObject): string {
  const [kind, name] = Object.entries(target)[0] ?? ['sink', ''];
  return `${kind}:${String(name)}`;
}

function isDeclared(live: LiveResource, desired: readonly DesiredResource[]): boolean {
  return desired.some(({ pin, spec }) => pin === live.id || spec['name'] === live.spec['name']);
}

/** Looking for our own key costs time and requests: only where a key could be revoked. */
function mayRevoke(input: FactsInput, sinks: Readonly<Record<string, readonly SinkFact[]>>): boolean {
  if (input.pruned === true && input.live.some((live) => !isDeclared(live, input.desired))) return true;
  const namesakes = new Map<unknown, number>();
  for (const { spec } of input.live) namesakes.set(spec['name'], (namesakes.get(spec['name']) ?? 0) + 1);
  const ids = new Set(input.live.map(({ id }) => id));
  return input.desired.some(({ address, absent, pin, spec, options }) => {
    const count = namesakes.get(spec['name']) ?? 0;
    const lacksValue = (sinks[address] ?? []).some(({ state }) => state === 'absent');
    if (absent || lacksValue) return count > 0 || (pin !== null && ids.has(pin));
    return keyOptions(options).rotation !== null && count > 1;
  });
}
