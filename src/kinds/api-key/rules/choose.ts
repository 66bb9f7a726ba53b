// Chooses the declared key among keys of one name: by pin, by the sinks, else by age.
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { Choice, KindContext } from '../../../plan/kind-rules.ts';
import { factsFromJson, type KeyFacts } from '../facts/facts.ts';
import { liveKey, newestFirst, type LiveKey, keyOptions } from '../live-key.ts';
import { writtenAt } from '../../shared/secret-places.ts';

/** `certain` is false if only the age speaks for the key. */
interface Identified {
  readonly current: LiveKey | null;
  readonly because: string;
  readonly certain: boolean;
}

export function chooseKey(desired: DesiredResource, candidates: readonly LiveResource[], context: KindContext): Choice {
  const facts = factsFromJson(context.facts);
  const keys = candidates.map(liveKey).sort(newestFirst);
  const found = identify(desired, keys, facts);
  const others = keys.filter((key) => key !== found.current);
  // A pin without rotation means one key alone.
  const alone = desired.pin !== null && keyOptions(desired.options).rotation === null;
  const companions = alone ? others.filter((key) => facts.orphans.includes(key.id)) : others;
  return {
    live: found.current?.live ?? null,
    because: found.because,
    companions: companions.map((key) => key.live),
    guess: !found.certain,
    diagnostics: keys.some((key) => key.id === desired.pin) ? pinDiagnostics(desired, found, facts) : [],
  };
}

/** `keys` are sorted newest first. A leftover of an interrupted run is never the current key. */
function identify(desired: DesiredResource, keys: readonly LiveKey[], facts: KeyFacts): Identified {
  const claims = keys.filter((key) => !facts.orphans.includes(key.id));
  const stored = storedKey(desired, claims, facts);
  const pinned = claims.find((key) => key.id === desired.pin);
  const rotates = keyOptions(desired.options).rotation !== null;
  if (pinned !== undefined) {
    // Each rotation makes a pin old: the record in the sink shows the successor.
    if (!rotates || stored === null || newestFirst(stored, pinned) >= 0)
      return { current: pinned, because: 'pinned id', certain: true };
    return {
      current: stored,
      because: 'the sink holds the value of this key, which is newer than the pinned key',
      certain: true,
    };
  }
  const [newest, next] = claims;
  if (newest === undefined) return { current: null, because: 'no live key has this name', certain: true };
  if (next === undefined) return { current: newest, because: 'the only key of this name', certain: true };
  if (stored !== null)
    return {
      current: stored,
      because: `the sink holds the value of this key (${claims.length} keys have this name)`,
      certain: true,
    };
  const because = `${desired.absent ? 'one' : 'the newest'} of ${claims.length} keys of this name`;
  return { current: newest, because, certain: rotates && !sinksContradict(desired, facts) };
}

function storedKey(desired: DesiredResource, keys: readonly LiveKey[], facts: KeyFacts): LiveKey | null {
  const ids = new Set(
    (facts.sinks[desired.address] ?? []).flatMap(({ state, id }) => (state === 'stored' ? [id] : [])),
  );
  return keys.find((key) => ids.has(key.id)) ?? null;
}

/** True if a sink is empty, broken, or holds the record of another key. */
function sinksContradict(desired: DesiredResource, facts: KeyFacts): boolean {
  return (facts.sinks[desired.address] ?? []).some(({ state, id }) => state !== 'stored' || id !== null);
}

function pinDiagnostics(desired: DesiredResource, { current }: Identified, facts: KeyFacts): readonly Diagnostic[] {
  if (desired.pin === null || current === null) return [];
  const range = writtenAt(desired, 'id');
  const own = { address: desired.address, range };
  // A removal checks the name by the common rule.
  if (current.name !== desired.spec['name'] && !desired.absent)
    return [
      {
        severity: 'error',
        code: 'pin_other_name',
        message: `the name of key ${current.id} differs from the name of ${desired.address}, and keys cannot be renamed`,
        hint: 'Under name:, write the name that this key has in the account, or remove the id.',
        ...own,
      },
    ];
  if (current.id === desired.pin || facts.orphans.includes(desired.pin)) return [];
  return [
    {
      severity: 'warning',
      code: 'stale_pin',
      message: `the id of ${desired.address} names the retiring key; the current key is ${current.id}`,
      hint: 'Remove the id, or write the id of the current key: trueup pin --fix',
      ...own,
    },
  ];
}
