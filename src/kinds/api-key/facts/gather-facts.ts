// Reads facts that the list of keys does not show: the sinks, the own key of the run, and leftovers of interrupted runs.
import { sinkLabel, sinksOf, type DesiredResource } from '../../../model/desired.ts';
import { inParallel } from '../../../apply/in-parallel.ts';
import { textOf } from '../../../base/json.ts';
import type { FactsInput } from '../../../apply/kind-remote.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { provenOthers, type KeyFacts, type SinkFact } from './facts.ts';
import { leftoversOf } from './leftovers.ts';
import { liveKey, RECORD } from '../live-key.ts';
import { mayRemove } from './may-remove.ts';
import { findOwnKey } from './self.ts';

/** The limit exists because each sink may be a process. */
const LOOKS_AT_ONCE = 8;

/** `list` reads the keys again, and `beside` reads other lists that may hold the own key of the run. Rejects with `ApiFailure`. */
export async function gatherFacts(
  input: FactsInput,
  rules: KindRules,
  { list, beside }: Readonly<Record<'list' | 'beside', () => Promise<readonly LiveResource[]>>>,
): Promise<KeyFacts> {
  const keys = input.live.map(liveKey);
  const found = await inParallel(
    input.desired.filter(hasSinks),
    LOOKS_AT_ONCE,
    async (desired) => [desired.address, await lookAtSinks(input, desired)] as const,
  );
  const sinks = Object.fromEntries(found);
  const ownId = found.flatMap(([, facts]) => facts).find(({ isOurs }) => isOurs)?.id ?? null;
  const own = (await input.orphans()).filter(({ kind }) => kind === rules.kind);
  const isSelfSure = keys.some(({ id }) => id === ownId);
  const facts: KeyFacts = {
    sinks,
    self: isSelfSure ? ownId : null,
    isSelfSure,
    ...leftoversOf(own, keys, sinks),
  };
  const { looks } = input;
  // The search costs time and requests, so only a plan that removes keys starts it.
  if (isSelfSure || looks === undefined || !mayRemove(input, rules, looks, facts)) return facts;
  const moving = await findOwnKey({
    first: [...input.live, ...(await beside())],
    look: async () => [...(await list()), ...(await beside())],
    pause: async (ms) => looks.pause(ms),
  });
  const others = provenOthers(Object.values(sinks));
  return { ...facts, self: moving === null || others.has(moving) ? null : moving };
}

function hasSinks(desired: DesiredResource): boolean {
  return !desired.absent && sinksOf(desired).length > 0;
}

async function lookAtSinks(input: FactsInput, desired: DesiredResource): Promise<readonly SinkFact[]> {
  const facts: SinkFact[] = [];
  for (const target of sinksOf(desired)) {
    const {
      state,
      holds,
      reason,
      warning = null,
      isOurs = null,
    } = await input.sinks.look(target, RECORD, input.signal);
    const [id, name] = [textOf(holds?.['id']), textOf(holds?.['name'])];
    facts.push({ label: sinkLabel(target), state, id, name, reason, warning, isOurs });
  }
  return facts;
}
