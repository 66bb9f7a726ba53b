// Finds the key that this run itself uses: no consent revokes that key, so a plan that removes keys must know it.
import type { FactsInput, MoreLooks } from '../../apply/kind-remote.ts';
import { arrayOf, objectOf, textOf, type JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules, RemovalGuard } from '../../plan/kind-rules.ts';
import { sinkFacts, type SinkFact } from '../shared/secret-sinks.ts';
import { RECORD, lastUseOf, lastUseWords, leftoversIn } from './key.ts';

/** The service may show uses with this delay, so a key used within this time may be the key of this run. */
const LAG_MS = 300_000;

/**
 * Blocks the revocation of a key that this run uses or may use. If a sink stores the key's value, comparing it with the credential proves
 * that the run uses another key. Otherwise, the last uses of the keys must prove it.
 */
export function revocationGuard(key: LiveResource, { facts, nowMs }: KindContext): RemovalGuard {
  const held = (note: string): RemovalGuard => ({ blockedBy: ['self'], notes: [note] });
  if (facts['self'] === key.id) return held(`this run uses key ${key.id}`);
  const isRecent = nowMs - (lastUseOf(key).lastUsedAtMs ?? -Infinity) < LAG_MS;
  const isOtherNow = typeof facts['self'] === 'string' && (facts['self_sure'] === true || !isRecent);
  if (isOtherNow || othersIn(facts).has(key.id)) return { blockedBy: [], notes: [] };
  return held(
    `this run may use key ${key.id} (${lastUseWords(key, nowMs)}); to prove that it does not, store the run's own key in a \`file\` sink`,
  );
}

function allSinks(facts: JsonObject): readonly SinkFact[] {
  return Object.values(objectOf(facts['sinks'])).flatMap(arrayOf) as unknown as readonly SinkFact[];
}

/** Returns the ids of keys whose stored value differs from this run's credential. */
function othersIn(facts: JsonObject): ReadonlySet<unknown> {
  return new Set(allSinks(facts).flatMap(({ holds, isOurs }) => (isOurs === false ? [holds?.['id']] : [])));
}

/** Lists the keys; with `again`, by new requests instead of replies that the run already has. */
type List = (again: boolean) => Promise<readonly LiveResource[]>;

/** `self`: the id of the key that this run uses, or null · `self_sure`: true if a value in a sink proves `self` · `leftovers`: see `leftoversIn`. */
export async function keyFacts(input: FactsInput, rules: KindRules, list: List): Promise<JsonObject> {
  const sinks = { ...(await sinkFacts(input, rules.kind, RECORD)) };
  const stored = textOf(allSinks(sinks).find(({ isOurs }) => isOurs === true)?.holds?.['id']);
  const isSure = input.live.some(({ id }) => id === stored);
  const asked = (await input.orphans()).filter(({ kind }) => kind === rules.kind);
  const leftovers = leftoversIn(asked, input.live, sinks);
  const facts = { ...sinks, leftovers, self: isSure ? stored : null, self_sure: isSure };
  const { looks } = input;
  // The search costs time and requests, so only a plan that removes keys starts it.
  if (isSure || looks === undefined || !removesKeys(input, rules, looks, facts)) return facts;
  const moving = await findOwnKey(list, async (ms) => looks.pause(ms));
  return { ...facts, self: othersIn(facts).has(moving) ? null : moving };
}

function removesKeys(
  { desired, live, pruned = false }: FactsInput,
  rules: KindRules,
  looks: MoreLooks,
  facts: JsonObject,
): boolean {
  const { changes } = looks.plan({
    ...picked(looks, ['nowMs', 'allow', 'target', 'exclude']),
    baseUrl: '',
    desired: {
      expect: null,
      projects: [],
      resources: desired,
      accountPrune: pruned ? [rules.kind] : [],
      safety: [],
    },
    live: { projects: [], resources: live, histories: new Map(), unread: [], facts: new Map([[rules.kind, facts]]) },
    kinds: [rules],
    consent: 'reviewed',
    due: true,
  });
  return changes.some(({ action, resourceId }) => (action === 'revoke' || action === 'replace') && resourceId !== null);
}

/** The pause between two reads of the list: more than a second, because the service may show uses in whole seconds. */
const STEP_MS = 1100;
/** If the last use of a key is older than this, the previous read of the list did not cause this use. */
const PROMPT_MS = 10_000;
/** The search ends after this many reads; two reads in a row decide if they leave the same single key. */
const MAX_LOOKS = 4;

/**
 * Finds the run's own key: the only key whose last use moves with each read of the list, twice in a row. Null if no single key does,
 * because other keys are in heavy use or the service shows uses late.
 */
async function findOwnKey(list: List, pause: (ms: number) => Promise<number>): Promise<ResourceId | null> {
  let before = usesOf(await list(false));
  let candidates = new Set(before.keys());
  let agreements = 0;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const sinceMs = (await pause(STEP_MS)) - PROMPT_MS;
    const uses = usesOf(await list(true));
    const hasMoved = (id: string): boolean => (uses.get(id) ?? 0) > Math.max(before.get(id) ?? 0, sinceMs - 1);
    candidates = new Set([...candidates].filter(hasMoved));
    before = uses;
    // Each read of the list uses the run's own key and moves its last use. If no last use moved, the service shows uses late.
    if (candidates.size === 0) return null;
    agreements = candidates.size === 1 ? agreements + 1 : 0;
    if (agreements === 2) return [...candidates][0] ?? null;
  }
  return null;
}

function usesOf(list: readonly LiveResource[]): ReadonlyMap<string, number> {
  return new Map(list.map((key) => [key.id, lastUseOf(key).lastUsedAtMs ?? 0]));
}
