// What a declared role leads to besides existing: a new password when one is due, and places that are kept filled.
import { listOf } from '../../base/text/words.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Intent, KindContext, KindRules, Verdict } from '../../plan/kind-rules.ts';
import { placesFromJson } from '../shared/secret-facts.ts';
import { placesOf, writtenAt } from '../shared/secret-places.ts';
import { lackingPlaces, placeDiagnostics, refillOf, storable, type Wanted } from '../shared/secret-refill.ts';
import { rotationOf } from '../shared/secret-rotation.ts';
import { demandOf, recordOf, setAtMs } from './password.ts';
import { RECORD } from './live-role.ts';

const NOTHING = { intents: [], notes: [], diagnostics: [], blockedBy: [] };
const KEPT: Pick<Verdict, 'notes' | 'blockedBy'> = {
  notes: ['the service removes no role that it keeps for itself'],
  blockedBy: ['refused'],
};

/** One that is neither removed nor given a new password ("Roles"). */
function isOfService({ observed }: LiveResource): boolean {
  return observed['protected'] === true;
}

export const roleVerdict: KindRules['verdict'] = ({ desired, live, context }) => {
  if (desired.absent) return live !== null && isOfService(live) ? { ...NOTHING, ...KEPT } : NOTHING;
  const wanted = wantedOf(desired, live, context);
  const rotate = live === null ? null : rotateIntent(wanted, live, context);
  const isMade = live === null || rotate !== null;
  const { blockedBy, notes } = live === null ? storable(wanted) : NOTHING;
  return {
    intents: rotate === null ? [] : [rotate],
    notes,
    blockedBy,
    diagnostics: [
      ...placeDiagnostics(wanted, writtenAt(desired, 'password'), isMade || lackingPlaces(wanted).length > 0),
      ...(isMade ? [] : unfillable(wanted, live, context)),
      ...(live === null ? [] : ageless(desired, live, context)),
    ],
  };
};

export const passwordUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => !desired.absent && placesOf(desired).length > 0,
  needs({ desired, live, differs, runs, context }) {
    const { name } = desired.spec;
    // A step that makes the role or its password stores that itself; a role that a copied branch brings is read once the branch is there.
    if (live === null ? differs : runs) return [];
    const wanted = wantedOf(desired, live, context);
    if (live !== null && (isUnkept(wanted, context) || live.spec['no_login'] === true)) return [];
    const refill = refillOf(wanted, { name: name ?? null }, live === null);
    return refill === null ? [] : [refill];
  },
};

function wantedOf(desired: DesiredResource, live: LiveResource | null, { facts }: KindContext): Wanted {
  const record = live === null ? null : recordOf(live);
  return { desired, facts: placesFromJson(facts), shape: RECORD, record };
}

function isUnkept({ facts }: Wanted, { liveProject }: KindContext): boolean {
  return facts.unkept.includes(liveProject?.id ?? '');
}

function rotateIntent(wanted: Wanted, live: LiveResource, { nowMs, facts }: KindContext): Intent | null {
  const { desired } = wanted;
  const rotation = rotationOf(desired);
  const demand = rotation === null ? null : demandOf(setAtMs(live, facts), rotation, nowMs);
  if (demand === null) return null;
  const { blockedBy, notes } = storable(wanted);
  const isRefused = isOfService(live) || live.spec['no_login'] === true;
  const why = 'the service resets the password of no role that it keeps for itself, or that cannot log in';
  return {
    action: 'rotate',
    target: live,
    due: demand.due,
    origin: 'rotate',
    reasons: [demand.reason],
    notes: isRefused ? [...notes, why] : notes,
    blockedBy: isRefused ? [...blockedBy, 'refused'] : blockedBy,
    consented: false,
  };
}

/** Of a project in which the service keeps no passwords, and of a role that has none. */
function unfillable(wanted: Wanted, live: LiveResource, context: KindContext): readonly Diagnostic[] {
  const lacking = lackingPlaces(wanted).flatMap(({ place: { label }, isRefused }) => (isRefused ? [] : [label]));
  const hasNone = live.spec['no_login'] === true;
  if (lacking.length === 0 || !(hasNone || isUnkept(wanted, context))) return [];
  const { address } = wanted.desired;
  const why = hasNone
    ? 'the role cannot log in, and has none'
    : 'the service keeps no passwords in this project: it can be stored only when the role is made, or its password reset';
  return [
    {
      severity: 'warning',
      code: 'secret_missing',
      message: `${listOf(lacking)} ${lacking.length === 1 ? 'does' : 'do'} not hold the password of ${address}: ${why}`,
      ...(hasNone
        ? {}
        : { hint: 'A reset makes a new one: rotate: { not_before: TIME } with a time that has just passed.' }),
      address,
      range: writtenAt(wanted.desired, 'password'),
    },
  ];
}

function ageless(desired: DesiredResource, live: LiveResource, { facts }: KindContext): readonly Diagnostic[] {
  if (rotationOf(desired) === null || setAtMs(live, facts) !== null) return [];
  return [
    {
      severity: 'warning',
      code: 'age_unknown',
      message: `the service does not tell when the password of ${desired.address} was set, so it is not rotated`,
      address: desired.address,
      range: writtenAt(desired, 'rotate'),
    },
  ];
}
