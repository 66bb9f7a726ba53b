// The rules of connections: they are no difference to anything; their places are kept filled, and emptied where they shall be gone.
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import { numberOf, objectOf, type JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import { listOf } from '../../base/text/words.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { placesFromJson } from '../shared/secret-facts.ts';
import { writtenAt } from '../shared/secret-places.ts';
import {
  elsewhere,
  forgetOf,
  lackingPlaces,
  placeDiagnostics,
  refillOf,
  type Wanted,
} from '../shared/secret-refill.ts';
import { liveConnection, missingParts, partsOf, PLACE, recordOf, attributes } from './live-connection.ts';
import { RECORD } from './record.ts';

function words({ role, database }: JsonObject): string {
  return `the connection of the role ${JSON.stringify(role ?? '?')} to the database ${JSON.stringify(database ?? '?')}`;
}

/** `isRemade`: its role gets a new password, so whatever its places hold is older. */
function wantedOf(desired: DesiredResource, live: LiveResource | null, context: KindContext, isRemade = false): Wanted {
  const record = live === null || isRemade ? NOT_THERE : recordOf(live);
  const isResetSince = isRemade || (live !== null && isReset(desired, live, context));
  return { desired, facts: placesFromJson(context.facts), shape: RECORD, record, isResetSince };
}

/** True where a run of this folder has asked for a new password of its role since its places were filled. */
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

/** Of a connection of which something is missing: whatever host a place holds leads elsewhere, perhaps to the data of another branch. */
const NOT_THERE: JsonObject = { host: null };

/** What it is read anew by. */
function contentOf({ spec: { role, database, pooled, host }, observed: { compute } }: LiveResource): JsonObject {
  return {
    role: role ?? null,
    database: database ?? null,
    pooled: pooled ?? false,
    host: host ?? null,
    compute: compute ?? null,
  };
}

const upkeep: NonNullable<KindRules['upkeep']> = {
  mayNeed: (desired) => sinksOf(desired).length > 0,
  needs({ desired, live, runs, context }) {
    const role = roleOf(desired, context);
    const isRemade = role !== undefined && runs(role.address);
    const wanted = wantedOf(desired, live, context, isRemade);
    const forget = desired.absent ? forgetOf(wanted) : null;
    if (desired.absent) return forget === null ? [] : [forget];
    const isUnkept = isUnkeptIn(wanted, context);
    const isPending = live === null || isUnkept || isRemade;
    const found = refillOf(wanted, live === null ? {} : contentOf(live), isPending);
    if (found === null || (live !== null && isUnkept && !isRemade && isAllElsewhere(wanted, context))) return [];
    const refill = role === undefined ? found : { ...found, restsOn: role.address };
    if (!isPending) return [refill];
    const missing =
      live === null
        ? missingParts(desired, context.parentId ?? null, context.around)
        : [`the role ${JSON.stringify(desired.spec['role'] ?? '?')} gets a new password`];
    return [{ ...refill, reasons: [...refill.reasons, `not yet there: ${listOf(missing)}`] }];
  },
};

/** True where a password that no reply of this run told is nowhere to be had. */
function isUnkeptIn({ facts }: Wanted, { liveProject }: KindContext): boolean {
  return facts.unkept.includes(liveProject?.id ?? '');
}

function roleOf({ spec }: DesiredResource, { beside }: KindContext): DesiredResource | undefined {
  return beside('role').declared.find((role) => !role.absent && role.spec['name'] === spec['role']);
}

/** True where all that lack the password may lie on another machine: where this run made the password, it goes there. */
function isAllElsewhere(wanted: Wanted, context: KindContext): boolean {
  const isMade = context.made.has(roleOf(wanted.desired, context)?.address ?? '');
  return !isMade && lackingPlaces(wanted).every(({ place }) => place.isElsewhere);
}

const verdict: KindRules['verdict'] = ({ desired, live, context }) => {
  const wanted = wantedOf(desired, live, context);
  const lacking = lackingPlaces(wanted);
  const range = writtenAt(desired, 'secret');
  const isUnfilled = !desired.absent && live !== null && isUnkeptIn(wanted, context) && lacking.length > 0;
  const isElsewhere = isUnfilled && isAllElsewhere(wanted, context);
  // A declared role shows itself that it is to be reset for this.
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
      ...placeDiagnostics(wanted, range, lacking.length > 0),
      ...(isElsewhere
        ? [
            elsewhere(
              desired,
              lacking.map(({ place }) => place.label),
              range,
            ),
          ]
        : []),
    ],
  };
};

/** What planning asks of connections. */
export const connectionRules: KindRules = {
  ...PLACE,
  attributes,
  place: () => null,
  fingerprint: () => ({ lasting: {}, passing: {} }),
  poolWords: words,
  choose(desired, _candidates, { liveProject, parentId: branchId, around }) {
    const below = { projectId: liveProject?.id ?? null, branchId };
    const live = desired.absent ? null : liveConnection(desired, below, around);
    return {
      live,
      because: live === null ? 'resources that the connection depends on do not exist yet' : words(desired.spec),
      companions: [],
      guess: false,
      diagnostics: [],
    };
  },
  verdict,
  upkeep,
  effects: {},
  // Nothing of it is ever sent.
  requests: {},
};
