// Decides what a declared key needs besides its existence: rotation, retirement, a new value, and cleaning up after a crash.
import { unreachable } from '../../../base/assert.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Intent, KindRules, Verdict } from '../../../plan/kind-rules.ts';
import { factsFromJson, type KeyFacts } from '../facts/facts.ts';
import {
  LAST_USE,
  uncertainWords,
  keyWords,
  lastUseWords,
  liveKey,
  newestFirst,
  type LiveKey,
  keyOptions,
  type KeyRotation,
} from '../live-key.ts';
import { writtenAt } from '../../shared/secret-places.ts';
import { retirement, rotationDemand } from './rotation.ts';
import { sinkDiagnostics, mayHoldOneOf, sinksWithout, storable, storeWarnings } from '../facts/sink-state.ts';

interface Case {
  readonly desired: DesiredResource;
  readonly facts: KeyFacts;
  readonly nowMs: number;
  /** Other keys of the name, newest first, without orphans. */
  readonly others: readonly LiveKey[];
  readonly orphans: readonly LiveKey[];
}

export const keyVerdict: KindRules['verdict'] = ({ desired, live, companions, context }) => {
  const facts = factsFromJson(context.facts);
  const { nowMs } = context;
  const keys = companions.map(liveKey).sort(newestFirst);
  const isOrphan = (key: LiveKey): boolean => facts.orphans.includes(key.id);
  const one: Case = {
    desired,
    facts,
    nowMs,
    others: keys.filter((key) => !isOrphan(key)),
    orphans: keys.filter(isOrphan),
  };
  const current = live === null ? null : liveKey(live);
  const cleanUp = one.orphans.map((key) => orphanIntent(key, facts));
  if (current === null)
    return { intents: cleanUp, diagnostics: storeWarnings(desired, facts), ...storable(desired, facts) };
  const verdict = verdictOfLive(one, current);
  return { ...verdict, intents: [...cleanUp, ...verdict.intents] };
};

function verdictOfLive(one: Case, current: LiveKey): Verdict {
  const { desired, facts, nowMs } = one;
  const { rotation } = keyOptions(desired.options);
  const older = one.others.filter((key) => newestFirst(current, key) < 0);
  const newer = one.others.filter((key) => newestFirst(current, key) >= 0);
  const retired = rotation === null ? [] : older.map((key) => retire(one, key, current, rotation));
  const rotate = newer.length > 0 ? null : rotateIntent(one, current, rotation);
  const replace = rotate !== null || newer.length > 0 ? null : replaceIntent(one, current);
  const beside = desired.absent ? [] : rotation === null ? [...older, ...newer] : newer;
  return {
    intents: [
      ...retired.flatMap(({ intent }) => intent ?? []),
      ...[rotate, replace].filter((intent) => intent !== null),
    ],
    notes: [
      ...retired.flatMap(({ note }) => note ?? []),
      ...beside.flatMap((key) => [
        `another key with this name is left alone: ${keyWords(key, nowMs)}`,
        ...(facts.uncertain.includes(key.id) ? [uncertainWords(key.id)] : []),
      ]),
    ],
    diagnostics: [
      ...retired.flatMap(({ diagnostic }) => diagnostic ?? []),
      ...(rotation === null ? [] : rotationDiagnostics(one, current, newer)),
      ...sinkDiagnostics(desired, facts, current.id),
      ...(rotate === null ? [] : storeWarnings(desired, facts)),
    ],
    blockedBy: [],
  };
}

interface Retired {
  readonly intent: Intent | null;
  readonly note: string | null;
  readonly diagnostic: Diagnostic | null;
}

function retire(one: Case, old: LiveKey, current: LiveKey, rotation: KeyRotation): Retired {
  const { desired, nowMs } = one;
  const { state, words } = retirement(old, current, rotation, nowMs);
  switch (state) {
    case 'revoke': {
      const intent = retireIntent(old, words, rotation);
      return { intent, note: null, diagnostic: null };
    }
    case 'kept':
      return { intent: null, note: words, diagnostic: null };
    case 'in_use':
      return {
        intent: null,
        note: null,
        diagnostic: {
          severity: 'warning',
          code: 'retiring_key_in_use',
          message: words,
          hint: 'Give that consumer the new value. To revoke the old key after the overlap, write rotate: { revoke: after_overlap }.',
          address: desired.address,
          range: writtenAt(desired, 'rotate'),
        },
      };
    default:
      return unreachable(state);
  }
}

function rotateIntent(one: Case, current: LiveKey, rotation: KeyRotation | null): Intent | null {
  const { desired, facts, nowMs } = one;
  // If the crash came after storing, a sink holds the value of a key that is revoked now.
  const orphans = one.orphans.flatMap(({ id }) => (facts.unstored.includes(id) ? [] : [id]));
  const interrupted = orphans.length > 0 && mayHoldOneOf(desired, facts, orphans);
  const demand = rotation === null ? null : rotationDemand(current, rotation, nowMs);
  if (demand === null && !interrupted) return null;
  const { blockedBy, notes } = storable(desired, facts);
  const selfNote =
    facts.self === current.id
      ? ['this run uses the key: give the next run the new value before the old key is revoked']
      : [];
  return {
    action: 'rotate',
    target: null,
    due: !interrupted && demand?.due === true,
    origin: 'rotate',
    reasons: interrupted ? ['an earlier rotation was interrupted'] : [demand?.reason ?? ''],
    notes: [...notes, ...selfNote],
    blockedBy,
    consented: true,
  };
}

/** Only a new key has a new value. The replacement waits for a request, because a client may use the old key. */
function replaceIntent(one: Case, current: LiveKey): Intent | null {
  const { desired, facts, nowMs } = one;
  if (sinksWithout(desired, facts, current.id).length === 0) return null;
  const { blockedBy, notes } = storable(desired, facts);
  return {
    action: 'replace',
    target: current.live,
    due: false,
    origin: 'secret_missing',
    reasons: ['the value of the key is not in the sink'],
    notes: [
      `key ${current.id}, which will be revoked, was ${lastUseWords(current, nowMs)}`,
      ...storeWarnings(desired, facts).map(({ message }) => message),
      ...notes,
    ],
    blockedBy,
    consented: false,
    onRequest: true,
    allowance: desired.address,
  };
}

/** The rotation itself consents. Every removal checks that the run does not use the key. */
function retireIntent(key: LiveKey, reason: string, { revoke }: KeyRotation): Intent {
  return {
    action: 'revoke',
    target: key.live,
    due: false,
    origin: 'rotate',
    reasons: [reason],
    notes: [],
    blockedBy: [],
    restsOn: revoke === 'when_unused' ? [LAST_USE] : [],
    consented: true,
  };
}

/** The journal explains the key, and consents to nothing. */
function orphanIntent(key: LiveKey, { probable }: KeyFacts): Intent {
  const isGuess = probable.includes(key.id);
  return {
    action: 'revoke',
    target: key.live,
    due: false,
    origin: 'orphan',
    reasons: [
      isGuess
        ? 'an interrupted run probably created the key: the key appeared when the reply to that run was lost, and was never used'
        : 'an interrupted run created the key and lost its value; the key was never used',
    ],
    notes: isGuess
      ? ['somebody else may have created the key: consent must name its address, and a pattern is not enough']
      : [],
    blockedBy: [],
    restsOn: [LAST_USE],
    consented: false,
    isGuess,
  };
}

function rotationDiagnostics(one: Case, current: LiveKey, newer: readonly LiveKey[]): readonly Diagnostic[] {
  const { desired, nowMs } = one;
  const own = {
    severity: 'warning',
    address: desired.address,
    range: writtenAt(desired, 'rotate'),
  } as const;
  if (newer[0] !== undefined)
    return [
      {
        ...own,
        code: 'newer_namesake',
        message: `${desired.address} is not rotated: a newer key has the same name (${keyWords(newer[0], nowMs)})`,
        hint: 'Write the id of the current key, or revoke the other key.',
      },
    ];
  if (current.createdAtMs !== null) return [];
  return [
    {
      ...own,
      code: 'age_unknown',
      message: `${desired.address} is not rotated: the service does not show the age of key ${current.id}`,
    },
  ];
}
