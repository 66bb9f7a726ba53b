// The password of a role: its record, its rotation, and the sinks that need it.
import type { RolePasswordReply, RoleWritten } from '../../api/index.ts';
import type { Contents, FactsInput } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import { Secret } from '../../base/secret.ts';
import { listOf } from '../../base/text/words.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Intent, KindContext, KindRules, Verdict } from '../../plan/kind-rules.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { diagnosed } from '../shared/problems.ts';
import { demandOf, rotationOf } from '../shared/secret-entry.ts';
import {
  elsewhere,
  isUnkept,
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
  const told = typeof updatedAt === 'string' ? { updated_at: updatedAt } : {};
  return { project: projectId, branch: parentId, role: name, ...told };
}

/** Null if the service does not show the time. */
function setAtMs({ observed }: LiveResource): number | null {
  return millisecondsOf(observed['updated_at']);
}

/** The record of the present password, without its value. */
export function recordOf(live: LiveResource): JsonObject {
  return recordWith(live, String(live.spec['name']), live.observed['updated_at']);
}

/** The role is read first: if the password changes in between, the record shows an older time, and is read again. */
export async function contentsOf(reader: Reader, of: Below, spec: JsonObject, signal: AbortSignal): Promise<Contents> {
  const { projectId, parentId = '' } = of;
  const name = String(spec['name']);
  const path = `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(name)}`;
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
  return sinkFacts(input, { kind: 'role', shape: RECORD, recordsOf: () => records });
}

const NOTHING = { intents: [], notes: [], diagnostics: [], blockedBy: [] };
const KEPT: Pick<Verdict, 'notes' | 'blockedBy'> = {
  notes: ['the service reserves this role and does not delete it'],
  blockedBy: ['refused'],
};

/** The service neither deletes such a role nor resets its password ("Roles"). */
function isOfService({ observed }: LiveResource): boolean {
  return observed['protected'] === true;
}

export const roleVerdict: KindRules['verdict'] = ({ desired, live, context }) => {
  if (desired.absent) return live !== null && isOfService(live) ? { ...NOTHING, ...KEPT } : NOTHING;
  const wanted = wantedOf(desired, live, context);
  const rotate = live === null ? null : resetIntent(wanted, live, context);
  const isMade = live === null || rotate !== null;
  const { blockedBy, notes } = live === null ? storable(wanted, ...restingOn(desired, live, context)) : NOTHING;
  return {
    intents: rotate === null ? [] : [rotate],
    notes,
    blockedBy,
    diagnostics: [
      ...sinkDiagnostics(wanted, 'password', isMade || lackingSinks(wanted).length > 0),
      ...(isMade ? [] : untold(wanted, live, context)),
      ...(live === null ? [] : ageless(desired, live)),
    ],
  };
};

export const passwordUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => !desired.absent && sinksOf(desired).length > 0,
  needs({ desired, live, differs, runs, context }) {
    const { name } = desired.spec;
    // A step that sets the password also stores it; an inherited role is read once its branch exists.
    if (live === null ? differs : runs(desired.address)) return [];
    const wanted = wantedOf(desired, live, context);
    if (live !== null && (isUnkeptIn(context) || live.spec['no_login'] === true)) return [];
    const refill = refillOf(wanted, { name: name ?? null }, live === null);
    return refill === null ? [] : [refill];
  },
};

function wantedOf(desired: DesiredResource, live: LiveResource | null, { facts }: KindContext): Wanted {
  const record = live === null ? null : recordOf(live);
  return { desired, facts, shape: RECORD, record };
}

function isUnkeptIn({ facts, liveProject, beside }: KindContext): boolean {
  return [facts, beside('connection').facts].some((known) => isUnkept(known, liveProject));
}

/** These facts show whether a sink of a connection holds the present password. */
const OF_A_CONNECTION: RecordShape = { members: [], secrets: [], owner: [], required: [] };

/** Sinks of connections through this role: the run that sets the password fills them. */
function restingOn(
  { spec: { name } }: DesiredResource,
  live: LiveResource | null,
  { around, beside, parentId }: KindContext,
): readonly Wanted[] {
  const { declared, facts } = beside('connection');
  const primary = around.find(
    ({ kind, spec }) => kind === 'compute' && spec['branch_id'] === parentId && spec['type'] === 'read_write',
  );
  const record = { ...picked(live?.observed ?? {}, ['updated_at']), ...picked(primary?.observed ?? {}, ['host']) };
  return declared
    .filter(({ absent, spec }) => !absent && spec['role'] === name)
    .map((desired) => ({ desired, facts, shape: OF_A_CONNECTION, record }));
}

/** A password is due by `rotate`, or because a sink lacks a password that nobody can read again; the latter waits for a request. */
function resetIntent(wanted: Wanted, live: LiveResource, context: KindContext): Intent | null {
  const { desired } = wanted;
  const words = { set: 'the password was set', is: 'the password is' };
  const demand = demandOf(setAtMs(live), rotationOf(desired), context.nowMs, words);
  const others = restingOn(desired, live, context);
  // A run that set the password still knows it.
  const waiting = context.made.has(desired.address) ? [] : others;
  const resting = waiting.flatMap((one) =>
    unfillable(one, live, context).map((lack) => ({ ...lack, why: `${one.desired.address}: ${lack.why}` })),
  );
  const lacking = [...unfillable(wanted, live, context), ...resting].filter(({ sink }) => sink.isElsewhere !== true);
  const isLacking = lacking.length > 0 && demand?.due !== false;
  if (demand === null && !isLacking) return null;
  const { blockedBy, notes } = storable(wanted, ...others);
  const isRefused = isOfService(live) || live.spec['no_login'] === true;
  const why = 'the service does not reset the password of a reserved role, or of a role that cannot log in';
  return {
    action: 'rotate',
    target: live,
    due: !isLacking && demand?.due === true,
    origin: isLacking ? 'secret_missing' : 'rotate',
    reasons: isLacking ? lacking.map((one) => one.why) : [demand?.reason ?? ''],
    notes: isRefused ? [...notes, why] : notes,
    blockedBy: isRefused ? [...blockedBy, 'refused'] : blockedBy,
    consented: false,
    ...(isLacking ? { allowance: desired.address } : {}),
  };
}

/** Sinks without a password that the service does not keep. The journal does not count, because it belongs to one machine. */
function unfillable(wanted: Wanted, live: LiveResource, context: KindContext): ReturnType<typeof lackingSinks> {
  if (live.spec['no_login'] === true || !isUnkeptIn(context)) return [];
  const facts = { ...wanted.facts, open: [] };
  return lackingSinks({ ...wanted, facts }).filter(({ isRefused }) => !isRefused);
}

/** Warns about a role without a password, and about sinks on another machine. */
function untold(wanted: Wanted, live: LiveResource, context: KindContext): readonly Diagnostic[] {
  const hasNone = live.spec['no_login'] === true;
  const lacking = hasNone
    ? lackingSinks(wanted).filter(({ isRefused }) => !isRefused)
    : unfillable(wanted, live, context);
  const labels = lacking.map(({ sink: { label } }) => label);
  if (labels.length === 0) return [];
  const { desired } = wanted;
  if (!hasNone) return [elsewhere(desired, labels, 'password')];
  const message = `${desired.address} cannot log in and has no password, so ${listOf(labels)} ${labels.length === 1 ? 'stays' : 'stay'} empty`;
  return [diagnosed(desired, 'password', { code: 'secret_missing', message })];
}

function ageless(desired: DesiredResource, live: LiveResource): readonly Diagnostic[] {
  if (rotationOf(desired) === null || setAtMs(live) !== null) return [];
  const message = `the password of ${desired.address} is not rotated: the service does not show when the password was set`;
  return [diagnosed(desired, 'rotate', { code: 'age_unknown', message })];
}
