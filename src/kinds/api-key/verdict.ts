// Chooses the live key that a declaration means, and decides whether the key is rotated or replaced, and older keys are revoked.
import { listed, present } from '../../base/picked.ts';
import { listOf } from '../../base/text/words.ts';
import { addressOf, scopeOf } from '../../model/address.ts';
import { warningAt, sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Judge, Judgement, Proposal } from '../define.ts';
import { demandOf } from '../shared/secret-entry.ts';
import {
  lackingLabels,
  sinkDiagnostics,
  sinksIn,
  storable,
  type Wanted,
  type SinkFact,
} from '../shared/secret-sinks.ts';
import {
  LAST_USE,
  RECORD,
  keyRotation,
  keyWords,
  lastUseWords,
  leftoverOf,
  lastUseOf,
  newestFirst,
  retirement,
  type KeyRotation,
} from './key.ts';
import type { Choice, KindRules } from '../../plan/kind-rules.ts';

interface Case {
  readonly wanted: Wanted;
  readonly current: LiveResource;
  readonly rotation: KeyRotation | null;
  /** True if a sink may hold the value of a key that an interrupted run left: that key is revoked, so a rotation follows. */
  readonly isInterrupted: boolean;
  readonly nowMs: number;
}

export const keyVerdict: Judge = ({ desired, live, companions, context: { facts, nowMs } }) => {
  const { name = null } = desired.spec;
  const wanted: Wanted = { desired, facts, shape: RECORD, record: { name, ...present({ id: live?.id }) } };
  const keys = companions.toSorted(newestFirst);
  const left = keys.filter((key) => leftoverOf(facts, key) !== null);
  const cleanUp = left.map((key) => leftoverIntent(key, leftoverOf(facts, key) === 'guess'));
  if (live === null)
    return desired.absent
      ? { intents: cleanUp }
      : { intents: cleanUp, diagnostics: onCi(wanted), ...storableKey(wanted) };
  const rotation = keyRotation(desired);
  const isInterrupted = left.some((key) => leftoverOf(facts, key) === 'stored') && mayHold(wanted, left);
  const one: Case = { wanted, current: live, rotation, isInterrupted, nowMs };
  const others = keys.filter((key) => !left.includes(key));
  const newer = others.filter((key) => newestFirst(one.current, key) >= 0);
  const older = others.filter((key) => !newer.includes(key));
  const retired = rotation === null ? [] : older.map((key) => retire(one, key, rotation));
  const renewal = newer.length > 0 ? null : (rotateIntent(one) ?? replaceIntent(one));
  const beside = desired.absent ? [] : rotation === null ? others : newer;
  return {
    intents: listed(...cleanUp, ...retired.flatMap(({ intents = [] }) => intents), renewal),
    notes: [
      ...retired.flatMap(({ notes = [] }) => notes),
      ...beside.map((key) => `another key with this name is left alone: ${keyWords(key, nowMs)}`),
    ],
    diagnostics: [
      ...retired.flatMap(({ diagnostics = [] }) => diagnostics),
      ...(rotation === null ? [] : unrotated(one, newer)),
      ...missing(one),
      ...sinkDiagnostics(wanted, 'secret', renewal?.action === 'rotate'),
    ],
  };
};

function onCi(wanted: Wanted): readonly Diagnostic[] {
  return sinkDiagnostics(wanted, 'secret', true).filter(({ code }) => code === 'sink_on_ci');
}

/** The value of a key is shown once, so a new key needs a sink that can take it. */
function storableKey(wanted: Wanted): ReturnType<typeof storable> {
  if (sinksOf(wanted.desired).length > 0) return storable(wanted);
  return {
    blockedBy: ['secret_missing'],
    notes: ['the value of the key is shown only once: write secret: { file: NAME }'],
  };
}

function retire({ wanted: { desired }, current, nowMs }: Case, old: LiveResource, rotation: KeyRotation): Judgement {
  const { state, words } = retirement(old, current, rotation, nowMs);
  if (state === 'kept') return { notes: [words] };
  if (state === 'revoke') {
    // The declared rotation is the consent. `removalGuard` still keeps the key that this run uses.
    const restsOn = listed(rotation.revoke === 'when_unused' && LAST_USE);
    const own = { origin: 'rotate', consented: true, reasons: [words], restsOn };
    return { intents: [{ action: 'revoke', target: old, ...own }] };
  }
  const hint =
    'Give that consumer the new value. To revoke the old key after the overlap, write rotate: { revoke: after_overlap }.';
  return { diagnostics: [warningAt(desired, 'rotate', 'retiring_key_in_use', words, hint)] };
}

function rotateIntent({ wanted, current, rotation, isInterrupted, nowMs }: Case): Proposal | null {
  const demand = demandOf(current.createdAtMs, rotation, nowMs, { set: 'the key was created', is: 'the key is' });
  if (demand === null && !isInterrupted) return null;
  const { blockedBy, notes } = storableKey(wanted);
  const own = 'this run uses the key: give the next run the new value before the old key is revoked';
  return {
    action: 'rotate',
    target: null,
    due: !isInterrupted && demand?.due === true,
    origin: 'rotate',
    reasons: [isInterrupted ? 'an earlier rotation was interrupted' : (demand?.reason ?? '')],
    notes: listed(...notes, wanted.facts['self'] === current.id && own),
    blockedBy,
    consented: true,
  };
}

function mayHold({ desired, facts }: Wanted, keys: readonly LiveResource[]): boolean {
  return sinksIn(desired, facts).some(
    ({ state, holds }) => state === 'stored' && (holds === null || keys.some(({ id }) => holds['id'] === id)),
  );
}

/** Proposes to revoke a key that an interrupted run left. The journal shows where the key comes from, but gives no consent. */
function leftoverIntent(key: LiveResource, isGuess: boolean): Proposal {
  const [reason, note] = isGuess
    ? [
        'an interrupted run probably created the key: the key appeared after that run lost a reply, and was never used',
        'somebody else may have created the key: consent must name its address, and a pattern is not enough',
      ]
    : ['an interrupted run created the key and lost its value; the key was never used'];
  const target = { target: key, restsOn: [LAST_USE], isGuess };
  return { action: 'revoke', ...target, origin: 'orphan', reasons: listed(reason), notes: listed(note) };
}

/** A lost value needs a new key. The replacement needs `--allow`, because a client may still use the old key. */
function replaceIntent({ wanted, current, nowMs }: Case): Proposal | null {
  if (lackingLabels(wanted).length === 0) return null;
  const { blockedBy, notes } = storableKey(wanted);
  return {
    action: 'replace',
    target: current,
    origin: 'secret_missing',
    reasons: ['the value of the key is not in the sink'],
    notes: [
      `key ${current.id}, which will be revoked, was ${lastUseWords(current, nowMs)}`,
      ...onCi(wanted).map(({ message }) => message),
      ...notes,
    ],
    blockedBy,
    onRequest: true,
    allowance: wanted.desired.address,
  };
}

function missing({ wanted, current: { id } }: Case): readonly Diagnostic[] {
  const { address } = wanted.desired;
  const lacking = lackingLabels(wanted);
  if (lacking.length === 0) return [];
  const message = `${listOf(lacking)} ${lacking.length === 1 ? 'does' : 'do'} not hold the value of key ${id}, which cannot be shown again`;
  const hint = `A rotation (rotate) stores a new value. To create a new key and revoke this one now: trueup apply --allow replace:${addressOf(scopeOf(address), id)}`;
  return [warningAt(wanted.desired, 'secret', 'secret_missing', message, hint)];
}

function unrotated(
  { wanted: { desired }, current, nowMs }: Case,
  [newer]: readonly LiveResource[],
): readonly Diagnostic[] {
  const so = `${desired.address} is not rotated`;
  if (newer !== undefined) {
    const message = `${so}: a newer key has the same name (${keyWords(newer, nowMs)})`;
    const hint = 'Write the id of the current key, or revoke the other key.';
    return [warningAt(desired, 'rotate', 'newer_namesake', message, hint)];
  }
  if (current.createdAtMs !== null) return [];
  return [warningAt(desired, 'rotate', 'age_unknown', `${so}: the service does not show the age of key ${current.id}`)];
}

/** `certain` is false if the key was chosen only by its age. */
interface Identified {
  readonly current: LiveResource | null;
  readonly because: string;
  readonly certain: boolean;
}

export const chooseKey: NonNullable<KindRules['choose']> = (desired, candidates, { facts }): Choice => {
  const keys = candidates.toSorted(newestFirst);
  const isLeft = (key: LiveResource): boolean => leftoverOf(facts, key) !== null;
  const claims = keys.filter((key) => !isLeft(key));
  const found = identify(desired, claims, sinksIn(desired, facts));
  // With a pin and no rotation, other keys of the same name are no companions, except keys that interrupted runs left.
  const isAlone = desired.pin !== null && keyRotation(desired) === null;
  const others = keys.filter((key) => key !== found.current && (!isAlone || isLeft(key)));
  return {
    live: found.current,
    because: found.because,
    companions: others,
    guess: !found.certain,
    diagnostics: claims.some(({ id }) => id === desired.pin) ? pinDiagnostics(desired, found) : [],
  };
};

/** `keys` are sorted newest first. */
function identify(desired: DesiredResource, keys: readonly LiveResource[], sinks: readonly SinkFact[]): Identified {
  const sure = (current: LiveResource | null, because: string): Identified => ({ current, because, certain: true });
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
  // A run stores a new key, then uses it once. So an unused key was not stored, and sinks that show no id hold the newest used key.
  const isSilent = rotates && sinks.every(({ state, holds }) => state === 'stored' && holds === null);
  const used = isSilent ? keys.find((key) => lastUseOf(key).lastUsedAtMs !== null) : undefined;
  const because = `${desired.absent ? 'one' : 'the newest'} of ${keys.length} keys of this name`;
  return { current: used ?? newest, because, certain: used !== undefined };
}

function pinDiagnostics(desired: DesiredResource, { current }: Identified): readonly Diagnostic[] {
  if (current === null || current.id === desired.pin) return [];
  const message = `the id of ${desired.address} names the retiring key; the current key is ${current.id}`;
  const hint = 'Remove the id, or write the id of the current key: trueup pin --fix';
  return [warningAt(desired, 'id', 'stale_pin', message, hint)];
}
