// The rules of branches: what each attribute's change takes, which names they hold, and the requests that make it so.
import { isoTime } from '../../../base/time/clock.ts';
import { humanDuration } from '../../../base/time/duration.ts';
import type { KindRules, StepPart } from '../../../plan/kind-rules.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { Marks } from '../../../model/outcome/plan.ts';
import { canonicalAt } from '../../../model/attributes.ts';
import { bodyOf } from '../../define.ts';
import { attributes as rows, PLACE } from '../attributes.ts';
import { DISPOSABLE, isMadeDisposable, NOTES } from '../../shared/branch-contents.ts';
import { branchesPath, branchPath } from '../../shared/paths.ts';
import { branchEffects } from './effect.ts';
import { contents, removalGuard } from './removal.ts';
import { branchVerdict } from './verdict.ts';

function nameOf({ name }: JsonObject): string {
  return `the branch ${JSON.stringify(name ?? '?')}`;
}

function fingerprint(live: LiveResource): Marks {
  const { projectId, createdAtMs, observed } = live;
  return {
    lasting: { project_id: projectId, ...(createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) }) },
    passing: {
      current_state: observed['current_state'] ?? null,
      ...(isMadeDisposable(live) ? { [DISPOSABLE]: true } : {}),
    },
  };
}

/**
 * Protection ends first, since what is protected cannot expire. It begins when all is made and removed on the branch, since its computes
 * cannot be removed any more, and before branches are made from it, since those get passwords of their own then. Which one is the
 * default has a route of its own, and is said last.
 */
function parts(_action: 'create' | 'update', attributes: JsonObject): readonly StepPart[] {
  const { default: isDefault, protected: isProtected, ...rest } = attributes;
  const unprotects = isProtected === false;
  const isApart = unprotects && (typeof rest['ttl_seconds'] === 'number' || typeof rest['expires_at'] === 'string');
  const first = unprotects && !isApart ? { ...rest, protected: false } : rest;
  return [
    ...(isApart ? [{ name: 'unprotect', attributes: { protected: false } }] : []),
    ...(Object.keys(first).length === 0 ? [] : [{ name: 'main', attributes: first }]),
    ...(isProtected === true
      ? [{ name: 'protect', attributes: { protected: true }, waitsFor: 'contents' as const }]
      : []),
    ...(isDefault === true
      ? [{ name: 'default', attributes: { default: true }, waitsFor: 'users' as const, takesOver: true }]
      : []),
  ];
}

/** What the service takes where nothing is said, and what brings roles and databases alone. */
const [WITH_DATA, WITHOUT_DATA] = ['parent-data', 'schema-only'];

/** The branch whose roles and databases of now a new one begins with, be it without their data. Null where it begins at an earlier moment, whose contents are not known. */
const copies: NonNullable<KindRules['copies']> = (spec, live) => {
  const { init_source: source = WITH_DATA } = spec;
  const isOfNow = ['parent_timestamp', 'parent_lsn'].every((path) => spec[path] === undefined);
  if (!isOfNow || (source !== WITH_DATA && source !== WITHOUT_DATA)) return null;
  return spec['parent_id'] ?? spec['schema_of'] ?? live.find((one) => one.spec['default'] === true)?.id ?? null;
};

const requests: KindRules['requests'] = {
  create: ({ projectId, attributes }) => ({
    method: 'POST',
    path: branchesPath(projectId),
    body: creation(attributes),
  }),
  update: ({ projectId, id, attributes }) =>
    attributes['default'] === true
      ? { method: 'POST', path: `${branchPath(projectId, id)}/set_as_default`, body: null }
      : { method: 'PATCH', path: branchPath(projectId, id), body: { branch: bodyOf(rows, attributes) } },
  delete: ({ projectId, id }) => ({ method: 'DELETE', path: branchPath(projectId, id), body: null }),
};

/** With notes by which it is known later: which run made it, and whether it was made to be thrown away. */
function creation(attributes: JsonObject): JsonObject {
  return {
    branch: bodyOf(rows, attributes),
    annotation_value: {
      [NOTES.run]: { run_id: true },
      ...(attributes['disposable'] === true ? { [NOTES.disposable]: 'true' } : {}),
    },
  };
}

/**
 * Renews a lease of which less than half is left, by the clock of the service, which ends it: while the time is in doubt as well, for one
 * renewal too many harms nobody. One that is to change is sent by that change; one whose end is not told is left alone.
 */
const leaseOf = (value: Json | undefined, beside: Json | undefined): Json =>
  canonicalAt({ attributes: rows }, 'ttl_seconds', value, beside);

const lease: NonNullable<KindRules['upkeep']> = {
  mayNeed: ({ absent, spec }) => !absent && typeof spec['ttl_seconds'] === 'number',
  needs({ desired: { spec }, live, differs, context: { nowMs } }) {
    const { ttl_seconds: declared } = spec;
    const { ttl_seconds: kept, expires_at: expiresAt } = live?.spec ?? {};
    // Where the declared lease differs and no change says so, a hold keeps the live one: that is what is renewed.
    const isHeld = kept !== undefined && leaseOf(declared, kept) !== leaseOf(kept, declared);
    const seconds = isHeld ? kept : declared;
    if (typeof seconds !== 'number' || typeof expiresAt !== 'string' || differs) return [];
    const wholeMs = seconds * 1000;
    const leftMs = Date.parse(expiresAt) - nowMs;
    if (Number.isNaN(leftMs) || leftMs >= wholeMs / 2) return [];
    const left = leftMs > 0 ? `${humanDuration(leftMs)} left` : 'none left';
    const reason = `ttl ${humanDuration(wholeMs)}, ${left}: the branch expires at ${isoTime(Date.parse(expiresAt))}`;
    return [{ action: 'renew', reasons: [reason], send: { ttl_seconds: seconds } }];
  },
};

/** What planning asks of branches. */
export const branchRules: KindRules = {
  ...PLACE,

  copies,
  place: (spec) => (typeof spec['name'] === 'string' ? nameOf(spec) : null),
  fingerprint,
  poolWords: nameOf,
  verdict: branchVerdict,
  consentWords: ['drop', 'expire', 'recreate'],
  contents,
  effects: branchEffects,
  removalGuard,
  upkeep: lease,
  parts,
  requests,
};
