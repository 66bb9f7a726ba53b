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

/** The compute that was made before, and of what. */
interface Before {
  readonly endpoint: Endpoint;
  readonly live: LiveCompute;
}

/** Kept from one list to the next: computes of several projects are mostly alike, too. */
let before: Before | null = null;

export function liveComputes(endpoints: readonly Endpoint[], projectId: string): readonly LiveResource[] {
  return endpoints.map((endpoint) => {
    const live: LiveCompute = new LiveCompute(endpoint, projectId, before);
    before = { endpoint, live };
    return live;
  });
}

/** What differs from compute to compute even where all is the same is kept by itself: then the rest can be shared. */
class LiveCompute implements LiveResource {
  readonly id: string;
  readonly projectId: string;
  readonly createdAtMs: number | null;
  readonly #branchId: string;
  readonly #host: string | undefined;
  /** With the branch and the host of another compute, perhaps. */
  readonly #spec: JsonObject;
  readonly #observed: JsonObject;

  constructor(endpoint: Endpoint, projectId: string, before: Before | null) {
    this.id = endpoint.id;
    this.projectId = projectId;
    this.#branchId = endpoint.branch_id;
    this.#host = endpoint.host;
    const isLike = before !== null && isSpecLike(endpoint, before.endpoint);
    this.#spec = isLike ? before.live.#spec : specOf(endpoint, before?.live.spec ?? NOTHING);
    const looksLike = before !== null && looksAlike(endpoint, before.endpoint);
    this.#observed = looksLike ? before.live.#observed : picked(endpoint, OBSERVED, before?.live.observed ?? NOTHING);
    this.createdAtMs = looksLike ? before.live.createdAtMs : millisecondsOf(endpoint.created_at);
  }

  get kind(): string {
    return KIND;
  }

  get spec(): JsonObject {
    const shared = this.#spec;
    return shared['branch_id'] === this.#branchId ? shared : { ...shared, branch_id: this.#branchId };
  }

  get observed(): JsonObject {
    const shared = this.#observed;
    return shared['host'] === this.#host || this.#host === undefined ? shared : { ...shared, host: this.#host };
  }
}

const NOTHING: JsonObject = {};

function millisecondsOf(at: string | undefined): number | null {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? null : ms;
}

/** Whether all that can be compared with a wish is the same, but for the branch. */
function isSpecLike(one: Endpoint, other: Endpoint): boolean {
  return (
    one.type === other.type &&
    one.autoscaling_limit_min_cu === other.autoscaling_limit_min_cu &&
    one.autoscaling_limit_max_cu === other.autoscaling_limit_max_cu &&
    one.provisioner === other.provisioner &&
    one.suspend_timeout_seconds === other.suspend_timeout_seconds &&
    one.pooler_enabled === other.pooler_enabled &&
    one.pooler_mode === other.pooler_mode &&
    one.disabled === other.disabled &&
    one.passwordless_access === other.passwordless_access &&
    one.name === other.name &&
    one.region_id === other.region_id &&
    isAlike((one.settings ?? null) as Json, (other.settings ?? null) as Json)
  );
}

/** Whether all that the service decides is the same, but for the host, which both have. */
function looksAlike(one: Endpoint, other: Endpoint): boolean {
  return (
    one.host !== undefined &&
    other.host !== undefined &&
    one.proxy_host === other.proxy_host &&
    one.current_state === other.current_state &&
    one.pending_state === other.pending_state &&
    one.last_active === other.last_active &&
    one.started_at === other.started_at &&
    one.suspended_at === other.suspended_at &&
    one.disabled === other.disabled &&
    one.creation_source === other.creation_source &&
    one.created_at === other.created_at &&
    one.updated_at === other.updated_at
  );
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
  if (isEmpty(a)) return isEmpty(b);
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isAlike(a[name] ?? null, b[name]))
  );
}

function isEmpty(value: JsonObject): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}

function isShown<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Of two equal texts the one that is kept already. */
function shared<T>(value: T, before: Json | undefined): T {
  return value === before ? (before as T) : value;
}
