// Chooses, among live keys of one name, the key that a declaration means: by its pin, by its sinks, else by age.
import { errorAt, warningAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Choice, KindRules } from '../../plan/kind-rules.ts';
import { sinksIn, type SinkFact } from '../shared/secret-sinks.ts';
import { keyRotation, leftoverOf, liveKey, newestFirst, type LiveKey } from './key.ts';

/** `certain` is false if the key was chosen only by its age. */
interface Identified {
  readonly current: LiveKey | null;
  readonly because: string;
  readonly certain: boolean;
}

export const chooseKey: NonNullable<KindRules['choose']> = (desired, candidates, { facts }): Choice => {
  const keys = candidates.map(liveKey).sort(newestFirst);
  const isLeft = (key: LiveKey): boolean => leftoverOf(facts, key) !== null;
  const claims = keys.filter((key) => !isLeft(key));
  const found = identify(desired, claims, sinksIn(desired, facts));
  // A pin without rotation means only the pinned key: other keys of its name do not count, except leftovers of interrupted runs.
  const isAlone = desired.pin !== null && keyRotation(desired) === null;
  const others = keys.filter((key) => key !== found.current && (!isAlone || isLeft(key)));
  return {
    live: found.current?.live ?? null,
    because: found.because,
    companions: others.map(({ live }) => live),
    guess: !found.certain,
    diagnostics: claims.some(({ id }) => id === desired.pin) ? pinDiagnostics(desired, found) : [],
  };
};

/** `keys` are sorted newest first. */
function identify(desired: DesiredResource, keys: readonly LiveKey[], sinks: readonly SinkFact[]): Identified {
  const sure = (current: LiveKey | null, because: string): Identified => ({ current, because, certain: true });
  const ids = new Set(sinks.flatMap(({ state, holds }) => (state === 'stored' ? [holds?.['id']] : [])));
  const stored = keys.find(({ id }) => ids.has(id));
  const pinned = keys.find(({ id }) => id === desired.pin);
  const rotates = keyRotation(desired) !== null;
  if (pinned !== undefined) {
    // After a rotation, the pin names the old key, and the record in the sink names its successor.
    if (!rotates || stored === undefined || newestFirst(stored, pinned) >= 0) return sure(pinned, 'pinned id');
    return sure(stored, 'the sink holds the value of this key, which is newer than the pinned key');
  }
  const [newest, next] = keys;
  if (newest === undefined) return sure(null, 'no live key has this name');
  if (next === undefined) return sure(newest, 'the only key of this name');
  if (stored !== undefined)
    return sure(stored, `the sink holds the value of this key (${keys.length} keys have this name)`);
  // A run uses a new key once, after it stores the value. So if the sinks show no id, they hold the newest key that was ever used.
  const isSilent = rotates && sinks.every(({ state, holds }) => state === 'stored' && holds === null);
  const used = isSilent ? keys.find(({ lastUsedAtMs }) => lastUsedAtMs !== null) : undefined;
  const because = `${desired.absent ? 'one' : 'the newest'} of ${keys.length} keys of this name`;
  return { current: used ?? newest, because, certain: used !== undefined };
}

function pinDiagnostics(desired: DesiredResource, { current }: Identified): readonly Diagnostic[] {
  if (current === null) return [];
  const { address } = desired;
  // A key to be removed is skipped here: a check common to all kinds already compares its name.
  if (current.name !== desired.spec['name'] && !desired.absent) {
    const message = `the name of key ${current.id} differs from the name of ${address}, and keys cannot be renamed`;
    const hint = 'Under name:, write the name that this key has in the account, or remove the id.';
    return [errorAt(desired, 'id', 'pin_other_name', message, hint)];
  }
  if (current.id === desired.pin) return [];
  const message = `the id of ${address} names the retiring key; the current key is ${current.id}`;
  const hint = 'Remove the id, or write the id of the current key: trueup pin --fix';
  return [warningAt(desired, 'id', 'stale_pin', message, hint)];
}
