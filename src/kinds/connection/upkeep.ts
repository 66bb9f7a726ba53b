// The sinks of connections: they are kept filled, and are cleared once the connection is absent.
import { numberOf, objectOf, textOf, type JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import {
  elsewhere,
  forgetOf,
  isUnkept,
  lackingSinks,
  refillOf,
  sinkDiagnostics,
  type Wanted,
} from '../shared/secret-sinks.ts';
import { factsOf, partsOf } from './parts.ts';
import { RECORD } from './record.ts';

/** With `isRemade`, the role gets a new password, so every sink holds an older one. */
function wantedOf(desired: DesiredResource, live: LiveResource | null, context: KindContext, isRemade = false): Wanted {
  const record = live === null || isRemade ? ELSEWHERE : factsOf(live.spec, textOf(live.observed['updated_at']));
  const isResetSince = isRemade || (live !== null && isReset(desired, live, context));
  return { desired, facts: context.facts, shape: RECORD, record, isResetSince };
}

/** True after a reset of the password since the sinks were filled, by the journal of this folder. */
function isReset(
  desired: DesiredResource,
  { projectId, parentId = '', spec: { role: name } }: LiveResource,
  { around, facts }: KindContext,
): boolean {
  const { role } = partsOf(desired, parentId, around);
  const path = `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(String(name))}/reset_password`;
  const resets = objectOf(facts['reset']);
  const resetMs = [role?.id ?? '', path].flatMap((key) => numberOf(resets[key]) ?? []);
  return Math.max(...resetMs, -Infinity) > (numberOf(objectOf(facts['refilled'])[desired.address]) ?? -Infinity);
}

/** While a part is missing, any host in a sink may lead to the data of another branch. */
const ELSEWHERE: JsonObject = { host: null };

export const connectionUpkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => sinksOf(desired).length > 0,
  needs({ desired, live, runs, context }) {
    const role = roleOf(desired, context);
    const isRemade = role !== undefined && runs(role.address);
    const wanted = wantedOf(desired, live, context, isRemade);
    const forget = desired.absent ? forgetOf(wanted) : null;
    if (desired.absent) return forget === null ? [] : [forget];
    const isKeptNowhere = isUnkept(context.facts, context.liveProject);
    const isPending = live === null || isKeptNowhere || isRemade;
    const found = refillOf(
      wanted,
      live === null ? {} : { ...live.spec, compute: live.observed['compute'] ?? null },
      isPending,
    );
    if (found === null || (live !== null && isKeptNowhere && !isRemade && isAllElsewhere(wanted, context))) return [];
    const refill = role === undefined ? found : { ...found, restsOn: role.address };
    if (!isPending) return [refill];
    const missing =
      live === null
        ? partsOf(desired, context.parentId, context.around).missing
        : [`the role ${JSON.stringify(desired.spec['role'] ?? '?')} gets a new password`];
    return [{ ...refill, reasons: [...refill.reasons, `these resources do not exist yet: ${listOf(missing)}`] }];
  },
};

function roleOf({ spec }: DesiredResource, { beside }: KindContext): DesiredResource | undefined {
  return beside('role').declared.find((role) => !role.absent && role.spec['name'] === spec['role']);
}

/** True if every sink that lacks the password may lie on another machine; a password that this run made is stored here. */
function isAllElsewhere(wanted: Wanted, context: KindContext): boolean {
  const isMade = context.made.has(roleOf(wanted.desired, context)?.address ?? '');
  return !isMade && lackingSinks(wanted).every(({ sink }) => sink.isElsewhere === true);
}

export const connectionVerdict: KindRules['verdict'] = ({ desired, live, context }) => {
  const wanted = wantedOf(desired, live, context);
  const lacking = lackingSinks(wanted);
  const isUnfilled =
    !desired.absent && live !== null && isUnkept(context.facts, context.liveProject) && lacking.length > 0;
  const isElsewhere = isUnfilled && isAllElsewhere(wanted, context);
  // A declared role is reset for this, and its own change shows that.
  const isStuck = isUnfilled && !isElsewhere && roleOf(desired, context) === undefined;
  const role = JSON.stringify(desired.spec['role'] ?? '?');
  return {
    intents: [],
    notes: isStuck
      ? [
          ...lacking.map(({ why }) => why),
          `no file declares the role ${role}, whose password reset would fill the sink`,
        ]
      : [],
    blockedBy: isStuck ? ['sink_unfillable'] : [],
    diagnostics: [
      ...sinkDiagnostics(wanted, 'secret', lacking.length > 0),
      ...(isElsewhere
        ? [
            elsewhere(
              desired,
              lacking.map(({ sink }) => sink.label),
              'secret',
            ),
          ]
        : []),
    ],
  };
};
