// Values of a project in the form in which equal meanings are equal: lists that are sets, and defaults that are not shown.
import { compareText, isJsonObject, type Json } from '../../../base/json.ts';
import { spanOf } from '../networks.ts';

/** What is so where the service shows nothing. */
export const DEFAULTS: Readonly<Record<string, Json>> = {
  'settings.allowed_ips.ips': [],
  'settings.allowed_ips.protected_branches_only': false,
  'settings.enable_logical_replication': false,
  'settings.block_public_connections': false,
  'settings.block_vpc_connections': false,
  'settings.hipaa': false,
  'settings.audit_log_level': 'base',
  'settings.quota.active_time_seconds': 0,
  'settings.quota.compute_time_seconds': 0,
  'settings.quota.written_data_bytes': 0,
  'settings.quota.data_transfer_bytes': 0,
  'settings.quota.logical_size_bytes': 0,
  'settings.preload_libraries.use_defaults': true,
  'settings.preload_libraries.enabled_libraries': [],
  'default_endpoint_settings.suspend_timeout_seconds': 0,
};

/** Five minutes, which 0 stands for. */
const DEFAULT_SUSPEND_SECONDS = 300;

export function canonical(path: string, value: Json | undefined): Json {
  // Used once, when it is made.
  if (path === 'store_passwords' || path === 'provisioner') return null;
  const known = value ?? DEFAULTS[path] ?? null;
  if (Array.isArray(known)) return asSet(known);
  // The service may show seconds that nobody can set.
  if (/^settings\.maintenance_window\.(?:start|end)_time$/.test(path) && typeof known === 'string')
    return known.replace(/^(\d\d:\d\d):00$/, '$1');
  if (path === 'default_endpoint_settings.suspend_timeout_seconds' && known === DEFAULT_SUSPEND_SECONDS) return 0;
  // Parameters are texts.
  const isParameter = /^default_endpoint_settings\.(?:pg|pgbouncer)_settings\./.test(path);
  return isParameter && known !== null && !isJsonObject(known) ? String(known) : known;
}

/** Without what stands there twice, in one order: addresses as what they span, all else without blanks, in one case. */
function asSet(list: readonly Json[]): Json {
  const members = list.map((one) =>
    typeof one === 'string' ? (spanned(one) ?? one.replaceAll(/\s/g, '').toLowerCase()) : one,
  );
  return [...new Map(members.map((one) => [JSON.stringify(one), one])).entries()]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, one]) => one);
}

function spanned(text: string): string | null {
  const span = spanOf(text);
  return span === null ? null : `${span.first}-${span.last}`;
}
