// Keeps the sinks of connections filled, and clears them once the connection is absent.
import { numberOf, objectOf, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { listOf } from '../../base/text/words.ts';
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import type { Judge } from '../define.ts';
import { rolePath } from '../shared/paths.ts';
import {
  elsewhere,
  forgetOf,
  isUnkept,
  lackingSinks,
  refillOf,
  sinkDiagnostics,
  type Wanted,
} from '../shared/secret-sinks.ts';
import { RECORD, factsOf, partsOf } from './record.ts';

/** `isRemade`: this run gives the role a new password, so every sink holds an older password. */
function wantedOf(desired: DesiredResource, live: LiveResource | null, context: KindContext, isRemade = false): Wanted {
  const record = live === null || isRemade ? ELSEWHERE : factsOf(live.spec, live.observed['updated_at']);
  const isResetSince = isRemade || live === null || isNew(desired, live, context) || isReset(desired, live, context);
  return { desired, facts: context.facts, shape: RECORD, record, isResetSince };
}

/** True if this run created the branch, the compute or the role: then a sink that does not show its content may lead elsewhere. */
function isNew(desired: DesiredResource, { parentId, observed }: LiveResource, { made, around }: KindContext): boolean {
  const ids = new Set<unknown>(made.values());
  return [parentId, observed['compute'], partsOf(desired, parentId ?? '', around).role?.id].some((id) => ids.has(id));
}

/** True if the password was reset after the sinks were filled, according to the journal of this folder. */
function isReset(desired: DesiredResource, live: LiveResource, { around, facts }: KindContext): boolean {
  const { role } = partsOf(desired, live.parentId ?? '', around);
  const path = `${rolePath(live, String(live.spec['role']))}/reset_password`;
  const resets = objectOf(facts['reset']);
  const resetMs = [role?.id ?? '', path].flatMap((key) => numberOf(resets[key]) ?? []);
  return Math.max(...resetMs, -Infinity) > (numberOf(objectOf(facts['refilled'])[desired.address]) ?? -Infinity);
}

/** A record that no sink matches: while a resource is missing, any host in a sink may lead to the data of another branch. */
const ELSEWHERE: JsonObject = { host: null };

export const connectionUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => sinksOf(desired).length > 0,
  needs({ desired, live, runs, context }) {
    const role = roleOf(desired, context);
    const isRemade = role !== undefined && runs(role.address);
    const wanted = wantedOf(desired, live, context, isRemade);
    if (desired.absent) return forgetOf(wanted);
    const isKeptNowhere = isUnkept(context.facts, context.liveProject);
    const isPending = live === null || isKeptNowhere || isRemade;
    const content = live === null ? {} : { ...live.spec, compute: live.observed['compute'] ?? null };
    const refill = refillOf(wanted, content, isPending);
    const isAway = live !== null && isKeptNowhere && !isRemade && isAllElsewhere(wanted, context);
    if (refill === null || isAway) return null;
    const missing =
      live === null
        ? partsOf(desired, context.parentId, context.around).missing
        : [`a new password of the role ${JSON.stringify(desired.spec['role'] ?? '?')}`];
    const pending = isPending ? [`waits for ${listOf(missing)}`] : [];
    return { ...refill, ...present({ restsOn: role?.address }), reasons: [...refill.reasons, ...pending] };
  },
};

function roleOf({ spec }: DesiredResource, { beside }: KindContext): DesiredResource | undefined {
  return beside('role').declared.find((role) => !role.absent && role.spec['name'] === spec['role']);
}

/** True if every sink that lacks the password may be on another machine; false if this run set the password, and so can store it. */
function isAllElsewhere(wanted: Wanted, context: KindContext): boolean {
  const isMade = context.made.has(roleOf(wanted.desired, context)?.address ?? '');
  return !isMade && lackingSinks(wanted).every(({ sink }) => sink.isElsewhere === true);
}

export const connectionVerdict: Judge = ({ desired, live, context }) => {
  const wanted = wantedOf(desired, live, context);
  const lacking = lackingSinks(wanted);
  const isUnfilled =
    !desired.absent && live !== null && isUnkept(context.facts, context.liveProject) && lacking.length > 0;
  const isAway = isUnfilled && isAllElsewhere(wanted, context);
  const labels = lacking.map(({ sink }) => sink.label);
  const diagnostics = listed(
    ...sinkDiagnostics(wanted, 'secret', lacking.length > 0),
    isAway && elsewhere(desired, labels, 'secret'),
  );
  // If a file declares the role, the password reset is a change of the role, so the connection is not blocked.
  if (!isUnfilled || isAway || roleOf(desired, context) !== undefined) return { diagnostics };
  const role = JSON.stringify(desired.spec['role'] ?? '?');
  const why = `no file declares the role ${role}, whose password reset would fill the sink`;
  return { diagnostics, notes: [...lacking.map((one) => one.why), why], blockedBy: ['sink_unfillable'] };
};
