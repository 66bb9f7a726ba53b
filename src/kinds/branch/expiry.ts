// Times of branches: their expiry, their resets, the point in the parent's history that they copy, and what the service would refuse.
import { arrayOf, compareText, isJsonObject, type JsonObject } from '../../base/json.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import { diagnosed } from '../shared/problems.ts';
import { isResetOpen, isResetOver, sameReset } from './attributes.ts';

export function expired(desired: DesiredResource, live: LiveResource | null): Diagnostic {
  const so =
    live === null ? 'the branch is not created again' : `${live.id} stays unchanged, and nothing is created on it`;
  return diagnosed(desired, 'expires_at', {
    code: 'expired',
    message: `the expires_at of ${desired.address} (${String(desired.spec['expires_at'])}) is past, so ${so}`,
    hint: 'Remove the entry, or write a later expires_at.',
  });
}

/** An expired branch stays listed until the service deletes it. */
export function expiring(
  desired: DesiredResource,
  { id, spec: { expires_at: at } }: LiveResource,
  nowMs: number,
): readonly Diagnostic[] {
  const { expires_at: declared, ttl_seconds: lease } = desired.spec;
  if (typeof at !== 'string' || declared !== undefined || lease !== undefined || Date.parse(at) > nowMs) return [];
  return [
    diagnosed(desired, '', {
      code: 'expired',
      message: `${id} expired at ${at}; the service will delete the branch with its contents`,
      hint: `To keep the branch, write a later expires_at, or null, at ${desired.address}.`,
    }),
  ];
}

/** The service accepts an expiry at most this far ahead ("expires_at"). */
const MAX_AHEAD_MS = 30 * 86_400_000;

export function expiryRefused(
  { spec: { expires_at: at, ttl_seconds: lease, protected: isProtected } }: DesiredResource,
  live: LiveResource | null,
  { around, nowMs }: KindContext,
): readonly string[] {
  const isFar = typeof at === 'string' && Date.parse(at) > nowMs + MAX_AHEAD_MS;
  const far = isFar ? ['a branch cannot expire more than 30 days ahead: write an earlier expires_at'] : [];
  if (live === null || (at ?? lease ?? null) === null) return far;
  const { id, spec } = live;
  const child = around.find((one) => one.spec['parent_id'] === id);
  return [
    ...far,
    ...(spec['default'] === true ? ['the default branch cannot expire'] : []),
    ...(spec['protected'] === true && isProtected === undefined ? ['a protected branch cannot expire'] : []),
    ...(child === undefined ? [] : [`a branch with a child cannot expire (its child is ${child.id})`]),
  ];
}

export function keepingRefused({ spec }: DesiredResource, live: LiveResource): readonly string[] {
  const until = live.spec['expires_at'];
  if (typeof until !== 'string' || spec['expires_at'] !== undefined || spec['ttl_seconds'] !== undefined) return [];
  const kept = ['default', 'protected'].filter((path) => spec[path] === true && live.spec[path] !== true);
  return kept.map((path) => `the branch expires at ${until}, and cannot be ${path}: write \`ttl: null\` on the branch`);
}

export function isDeclarationOf({ absent, pin, spec, movedFrom }: DesiredResource, live: LiveResource): boolean {
  return !absent && (pin === live.id || [spec['name'], movedFrom].includes(live.spec['name'] ?? null));
}

export function parentRefused({ kind, spec }: DesiredResource, { declared, around }: KindContext): readonly string[] {
  const parent = around.find((one) => one.kind === kind && one.id === spec['parent_id']);
  const until = parent?.spec['expires_at'];
  if (parent === undefined || typeof until !== 'string') return [];
  const isCleared = declared.some(
    (one) =>
      isDeclarationOf(one, parent) && one.spec['expires_at'] === null && !one.lifecycle.ignore.includes('expires_at'),
  );
  if (isCleared) return [];
  return [`${parent.id} expires at ${until}, and cannot be a parent: write \`ttl: null\` on that branch`];
}

export function isReset(
  { spec: { reset: wanted } }: DesiredResource,
  { spec: { reset: since } }: LiveResource,
  { nowMs }: Pick<KindContext, 'nowMs'>,
): boolean {
  return (
    wanted !== undefined && since !== undefined && isResetOpen(wanted, nowMs) && sameReset(wanted, since) !== since
  );
}

/** The service resets only a branch with a parent and without children or protection ("Restore and reset"). */
export function resetRefused(desired: DesiredResource, live: LiveResource, context: KindContext): readonly string[] {
  if (!isReset(desired, live, context)) return [];
  const { id, spec } = live;
  const child = context.around.find((one) => one.spec['parent_id'] === id);
  return [
    ...(spec['parent_id'] === undefined ? ['a branch without a parent cannot be reset'] : []),
    ...(spec['protected'] === true
      ? ['a protected branch cannot be reset: write `protected: false` first, and apply that change']
      : []),
    ...(child === undefined ? [] : [`a branch with a child cannot be reset (its child is ${child.id})`]),
  ];
}

export function resetAhead({ spec: { reset: wanted } }: DesiredResource, { nowMs }: KindContext): readonly string[] {
  return (millisecondsOf(wanted) ?? 0) > nowMs ? [`reset.not_before ${String(wanted)} is in the future`] : [];
}

export function resetOver(desired: DesiredResource, live: LiveResource, { nowMs }: KindContext): readonly Diagnostic[] {
  const { reset: wanted } = desired.spec;
  const since = live.spec['reset'];
  if (wanted === undefined || !isResetOver(wanted, nowMs) || since === undefined || sameReset(wanted, since) === since)
    return [];
  return [
    diagnosed(desired, 'reset', {
      code: 'expired',
      message: `the reset.not_before of ${desired.address} (${String(wanted)}) is more than 7 days past, so ${live.id} is not reset`,
      hint: 'Write a later time to reset the branch, or remove `reset`.',
    }),
  ];
}

export function beginningRefused(
  { spec: { parent_timestamp: at } }: DesiredResource,
  { nowMs }: KindContext,
): readonly string[] {
  if (typeof at !== 'string' || Date.parse(at) <= nowMs) return [];
  return [`\`at\` is ${at}, which is in the future: write an earlier time, or remove \`at\``];
}

export function isLapsed({ deletion_method: method }: JsonObject): boolean {
  return method === 'ttl';
}

export function hasLapsed(
  { set, spec: { name } }: DesiredResource,
  { facts: { gone }, liveProject }: KindContext,
): boolean {
  const own = arrayOf(gone).filter(isJsonObject);
  const deleted = own.filter((one) => one['name'] === name && one['project_id'] === liveProject?.id);
  const [newest] = deleted.toSorted((a, b) => compareText(String(b['deleted_at']), String(a['deleted_at'])));
  return set !== undefined && newest !== undefined && isLapsed(newest);
}

export function lapsedBefore(
  { pin, set, spec: { name } }: DesiredResource,
  { facts: { gone }, liveProject }: KindContext,
): readonly string[] {
  // Members of sets are meant to expire, so nobody needs this note.
  if (set !== undefined) return [];
  const deleted = arrayOf(gone).filter(isJsonObject);
  const own = deleted.filter(
    (one) => pin === null && isLapsed(one) && one['name'] === name && one['project_id'] === liveProject?.id,
  );
  return own.map(
    ({ id, deleted_at: at, recoverable_until: until }) =>
      `the new branch is empty: ${String(id)} with this name expired at ${String(at)}; recover that branch until ${String(until)} with POST /projects/${liveProject?.id ?? ''}/branches/${String(id)}/recover`,
  );
}
