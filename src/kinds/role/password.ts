// The password of a role: its record, its rotation, and the sinks that need it.
import type { RolePasswordReply, RoleWritten } from '../../api/index.ts';
import type { Contents, FactsInput } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/sink.ts';
import { textOf, type Json, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { Secret } from '../../base/secret.ts';
import { listOf } from '../../base/text/words.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import { warningAt, sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Block } from '../../model/outcome/plan.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import type { Judge, Proposal } from '../define.ts';
import { primaryOf } from '../shared/effects.ts';
import { rolePath } from '../shared/paths.ts';
import { demandOf, rotationOf } from '../shared/secret-entry.ts';
import {
  forgetOf,
  elsewhere,
  isUnkept,
  lackingLabels,
  lackingSinks,
  refillOf,
  sinkDiagnostics,
  sinkFacts,
  storable,
  type Wanted,
} from '../shared/secret-sinks.ts';

export const RECORD: RecordShape = {
  members: ['project', 'branch', 'role', 'password', 'updated_at'],
  secrets: ['password'],
  owner: ['project', 'role'],
  required: ['branch'],
};

function recordWith({ projectId, parentId = '' }: Below, name: string, updatedAt: Json | undefined): JsonObject {
  return { project: projectId, branch: parentId, role: name, ...present({ updated_at: textOf(updatedAt) }) };
}

function setAtMs({ observed }: LiveResource): number | null {
  return millisecondsOf(observed['updated_at']);
}

export function recordOf(live: LiveResource): JsonObject {
  return recordWith(live, String(live.spec['name']), live.observed['updated_at']);
}

/** Reads the role first: if the password changes between the two reads, the record has the older time, so a later run reads again. */
export async function contentsOf(reader: Reader, of: Below, spec: JsonObject, signal: AbortSignal): Promise<Contents> {
  const name = String(spec['name']);
  const path = rolePath(of, name);
  const { role } = await reader.get<RoleWritten>(path, 'RoleWritten', { signal });
  try {
    const { password } = await reader.get<RolePasswordReply>(`${path}/reveal_password`, 'RolePasswordReply', {
      signal,
    });
    return { facts: recordWith(of, name, role.updated_at), secrets: { password: new Secret(password) } };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 412) throw error;
    return { problem: 'the service stores no passwords in this project, so this password cannot be read again' };
  }
}

export async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  const records = input.live.map(recordOf);
  return sinkFacts(input, 'role', RECORD, () => records);
}

const KEPT = { notes: ['the service reserves this role and does not delete it'], blockedBy: ['refused'] } as const;

/** True for a role that the service reserves: it neither deletes such a role nor resets its password. */
function isOfService({ observed }: LiveResource): boolean {
  return observed['protected'] === true;
}

export const roleVerdict: Judge = ({ desired, live, context }) => {
  if (desired.absent) return live !== null && isOfService(live) ? KEPT : {};
  const wanted = wantedOf(desired, live, context);
  if (live === null)
    return {
      ...storable(wanted, ...restingOn(desired, live, context)),
      diagnostics: sinkDiagnostics(wanted, 'password', true),
    };
  const rotate = resetIntent(wanted, live, context);
  const isFilled = rotate !== null || lackingSinks(wanted).length > 0;
  return {
    intents: rotate === null ? [] : [rotate],
    diagnostics: [
      ...sinkDiagnostics(wanted, 'password', isFilled),
      ...(rotate === null ? untold(wanted, live, context) : []),
      ...ageless(desired, live),
    ],
  };
};

export const passwordUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => sinksOf(desired).length > 0,
  needs({ desired, live, differs, runs, context }) {
    if (desired.absent) return forgetOf(wantedOf(desired, live, context));
    // A step that sets the password also stores it. If a role is copied with its new branch, the refill waits for the copy.
    if (live === null ? differs : runs(desired.address)) return null;
    if (live !== null && (isUnkeptIn(context) || live.spec['no_login'] === true)) return null;
    const { name = null } = desired.spec;
    return refillOf(wantedOf(desired, live, context), { name }, live === null);
  },
};

/** If this run made the branch but not the role, a sink that does not show its content may hold a former password. */
function wantedOf(desired: DesiredResource, live: LiveResource | null, { facts, made }: KindContext): Wanted {
  const isCopy = !made.has(desired.address) && [...made.values()].includes(live?.parentId ?? '');
  const isResetSince = live === null || isCopy;
  return { desired, facts, shape: RECORD, record: live && recordOf(live), isResetSince };
}

function isUnkeptIn(context: KindContext): boolean {
  return isUnkept(context) || isUnkept({ ...context, facts: context.beside('connection').facts });
}

/** A shape without owner members, so that no sink belongs to another owner; only the record from `restingOn` decides whether a sink is stale. */
const OF_A_CONNECTION: RecordShape = { members: [], secrets: [], owner: [], required: [] };

/** Returns the sinks of connections that use this role: the run that sets the password fills these sinks. */
function restingOn(
  { spec: { name } }: DesiredResource,
  live: LiveResource | null,
  { around, beside, parentId }: KindContext,
): readonly Wanted[] {
  const { declared, facts } = beside('connection');
  const { host } = primaryOf(parentId, around)?.observed ?? {};
  const record = present({ updated_at: live?.observed['updated_at'], host });
  return declared
    .filter(({ absent, spec }) => !absent && spec['role'] === name)
    .map((desired) => ({ desired, facts, shape: OF_A_CONNECTION, record }));
}

/** Proposes to reset the password if `rotate` asks for it, or if a sink lacks a password that cannot be read again (needs `--allow`). */
function resetIntent(wanted: Wanted, live: LiveResource, context: KindContext): Proposal | null {
  const { desired } = wanted;
  const words = { set: 'the password was set', is: 'the password is' };
  const demand = demandOf(setAtMs(live), rotationOf(desired), context.nowMs, words);
  const others = restingOn(desired, live, context);
  // If the run under verification set the password, that run can still store the password in the sinks of connections without a reset.
  const waiting = context.made.has(desired.address) ? [] : others;
  const resting = waiting.flatMap((one) =>
    unfillable(one, live, context).map((lack) => ({ ...lack, why: `${one.desired.address}: ${lack.why}` })),
  );
  const lacking = [...unfillable(wanted, live, context), ...resting].filter(({ sink }) => sink.isElsewhere !== true);
  const isLacking = lacking.length > 0 && demand?.due !== false;
  if (demand === null && !isLacking) return null;
  const { blockedBy, notes } = storable(wanted, ...others);
  const isRefused = isOfService(live) || live.spec['no_login'] === true;
  const own = isLacking
    ? { origin: 'secret_missing', reasons: lacking.map(({ why }) => why), allowance: desired.address }
    : { origin: 'rotate', reasons: [demand?.reason ?? ''], due: demand?.due === true };
  return {
    action: 'rotate',
    target: live,
    ...own,
    notes: listed(...notes, isRefused && REFUSED),
    blockedBy: listed<Block>(...blockedBy, isRefused && 'refused'),
  };
}

const REFUSED = 'the service does not reset the password of a reserved role, or of a role that cannot log in';

/** Returns the sinks that lack the password, if the service stores no passwords. Ignores the journal: it knows one machine's runs only. */
function unfillable(wanted: Wanted, live: LiveResource, context: KindContext): ReturnType<typeof lackingSinks> {
  if (live.spec['no_login'] === true || !isUnkeptIn(context)) return [];
  const facts = { ...wanted.facts, open: [] };
  return lackingSinks({ ...wanted, facts }).filter(({ isRefused }) => !isRefused);
}

function untold(wanted: Wanted, live: LiveResource, context: KindContext): readonly Diagnostic[] {
  const { desired } = wanted;
  const hasNone = live.spec['no_login'] === true;
  const labels = hasNone ? lackingLabels(wanted) : unfillable(wanted, live, context).map(({ sink }) => sink.label);
  if (labels.length === 0) return [];
  if (!hasNone) return [elsewhere(desired, labels, 'password')];
  const message = `${desired.address} cannot log in and has no password, so ${listOf(labels)} ${labels.length === 1 ? 'stays' : 'stay'} empty`;
  return [warningAt(desired, 'password', 'secret_missing', message)];
}

function ageless(desired: DesiredResource, live: LiveResource): readonly Diagnostic[] {
  if (rotationOf(desired) === null || setAtMs(live) !== null) return [];
  const message = `the password of ${desired.address} is not rotated: the service does not show when the password was set`;
  return [warningAt(desired, 'rotate', 'age_unknown', message)];
}
