// Computes of a reply as live resources. There may be a hundred thousand of them: what one shares with the next is kept once.
import type { Endpoint } from '../../api/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';

export const KIND = 'compute';

/** What a wish can be compared with. */
const SPEC = [
  'branch_id',
  'type',
  'autoscaling_limit_min_cu',
  'autoscaling_limit_max_cu',
  'provisioner',
  'settings',
  'suspend_timeout_seconds',
  'pooler_enabled',
  'pooler_mode',
  'disabled',
  'passwordless_access',
  'name',
  'region_id',
] as const;

/** What the service decides by itself: shown, never compared. */
const OBSERVED = [
  'host',
  'proxy_host',
  'current_state',
  'pending_state',
  'last_active',
  'started_at',
  'suspended_at',
  'disabled',
  'creation_source',
  'created_at',
  'updated_at',
] as const;

const NOTHING: JsonObject = {};

export function liveComputes(endpoints: readonly Endpoint[], projectId: string): readonly LiveResource[] {
  let before: LiveResource | null = null;
  return endpoints.map((endpoint) => (before = toLive(endpoint, projectId, before)));
}

function toLive(endpoint: Endpoint, projectId: string, before: LiveResource | null): LiveResource {
  const observed = picked(endpoint, OBSERVED, before?.observed ?? NOTHING);
  return {
    kind: KIND,
    id: endpoint.id,
    projectId,
    spec: specOf(endpoint, before?.spec ?? NOTHING),
    observed,
    createdAtMs: createdAtMs(observed, before),
  };
}

function createdAtMs({ created_at: at }: JsonObject, before: LiveResource | null): number | null {
  if (before !== null && at === before.observed['created_at']) return before.createdAtMs;
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Where all is shown that services mostly show, the object is made in one go; else member by member. */
function specOf(endpoint: Endpoint, before: JsonObject): JsonObject {
  const { branch_id, type, autoscaling_limit_min_cu, autoscaling_limit_max_cu, provisioner, settings } = endpoint;
  const { suspend_timeout_seconds, pooler_enabled, pooler_mode, disabled, passwordless_access, region_id } = endpoint;
  const shown =
    isShown(branch_id) &&
    isShown(type) &&
    isShown(autoscaling_limit_min_cu) &&
    isShown(autoscaling_limit_max_cu) &&
    isShown(provisioner) &&
    isShown(settings) &&
    isShown(suspend_timeout_seconds) &&
    isShown(pooler_enabled) &&
    isShown(pooler_mode) &&
    isShown(disabled) &&
    isShown(passwordless_access) &&
    isShown(region_id);
  if (!shown || isShown(endpoint.name)) return picked(endpoint, SPEC, before);
  return {
    branch_id,
    type,
    autoscaling_limit_min_cu,
    autoscaling_limit_max_cu,
    provisioner,
    settings: isAlike(settings as Json, before['settings']) ? before['settings'] : settings,
    suspend_timeout_seconds,
    pooler_enabled,
    pooler_mode: shared(pooler_mode, before['pooler_mode']),
    disabled,
    passwordless_access,
    region_id: shared(region_id, before['region_id']),
  } as JsonObject;
}

function picked(endpoint: Endpoint, names: readonly (keyof Endpoint)[], before: JsonObject): JsonObject {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = endpoint[name];
    if (isShown(value)) found[name] = shared(value, before[name]);
  }
  return found as JsonObject;
}

/** Equal, with the members in the same order. */
function isAlike(a: Json, b: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isAlike(a[name] ?? null, b[name]))
  );
}

function isShown<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Of two equal texts the one that is kept already. */
function shared<T>(value: T, before: Json | undefined): T {
  return value === before ? (before as T) : value;
}
