// The attributes of projects (api-rules 3).
import type { ProjectListItem } from '../../api/index.ts';
import { compareText, objectOf, type Json } from '../../base/json.ts';
import { canonicalAt, type Attribute } from '../../model/attributes.ts';
import { anything, mapping, parameter, seconds, suspendDelay, text } from '../define.ts';
import type { Row } from '../shared/wire.ts';

const MAX_HISTORY_SECONDS = 30 * 86_400;

/** Null stands for a setting with its default value, because the service does not show such a setting. */
const ABSENT = { absent: null } as const;

/** The service replaces these settings as a whole, so requests also send their unmanaged members. */
const WHOLE = { ...mapping('settings', ABSENT), isWhole: true };

function setting(usual: Json, more: Partial<Attribute> = {}): Attribute {
  return anything({ ...ABSENT, default: usual, canonical: inOneForm, ...more });
}

/** A change of these settings suspends the active computes. */
const SUSPENDING = { affects: ['compute'] } as const;

const used: Attribute = seconds('360000 or 100h', (given) => given >= 0, 'at least 0 s', { ...ABSENT, default: 0 });

export const attributes: Readonly<Record<string, Row<ProjectListItem>>> = {
  name: anything({ tells: true, file: 'renamed_from' }),
  history_retention_seconds: seconds(
    '86400 or 7d',
    (given) => given >= 0 && given <= MAX_HISTORY_SECONDS,
    `at most 30 d of history (${MAX_HISTORY_SECONDS} s)`,
  ),
  default_endpoint_settings: {
    ...WHOLE,
    read: ({ default_endpoint_settings: shown }) => objectOf(shown),
  },
  'default_endpoint_settings.suspend_timeout_seconds': suspendDelay(ABSENT),
  'default_endpoint_settings.pg_settings': mapping('parameters', ABSENT),
  'default_endpoint_settings.pg_settings.*': parameter(ABSENT),
  'default_endpoint_settings.pgbouncer_settings': mapping('parameters', ABSENT),
  'default_endpoint_settings.pgbouncer_settings.*': parameter(ABSENT),
  'default_endpoint_settings.*': anything(ABSENT),
  settings: { ...mapping('settings', ABSENT), read: ({ settings }) => objectOf(settings) },
  'settings.allowed_ips': WHOLE,
  'settings.allowed_ips.ips': setting([], SUSPENDING),
  'settings.allowed_ips.protected_branches_only': setting(false, SUSPENDING),
  'settings.enable_logical_replication': setting(false, SUSPENDING),
  'settings.block_public_connections': setting(false),
  'settings.block_vpc_connections': setting(false),
  'settings.hipaa': setting(false, SUSPENDING),
  'settings.audit_log_level': setting('base'),
  'settings.quota': mapping('quotas', ABSENT),
  'settings.quota.active_time_seconds': used,
  'settings.quota.compute_time_seconds': used,
  'settings.quota.*': setting(0),
  'settings.preload_libraries': WHOLE,
  'settings.preload_libraries.use_defaults': setting(true),
  'settings.preload_libraries.enabled_libraries': setting([]),
  'settings.maintenance_window': WHOLE,
  'settings.maintenance_window.*': anything({ ...ABSENT, canonical: inOneForm }),
  'settings.*': setting(null),
  region_id: text({ change: 'immutable', file: 'create.region_id' }),
  pg_version: anything({ change: 'immutable', file: 'create.pg_version' }),
  org_id: text({ change: 'immutable', file: 'create.org_id' }),
  store_passwords: { ...anything({ canonical: () => null, file: 'create.store_passwords' }), read: () => undefined },
  provisioner: { ...anything({ canonical: () => null, file: 'create.provisioner' }), read: () => undefined },
};

/** Settings that cannot be turned off again, with their values when off. */
export const FOR_GOOD_ONCE_ON: Readonly<Record<string, Json>> = {
  'settings.enable_logical_replication': false,
  'settings.hipaa': false,
  'settings.audit_log_level': 'base',
};

export function canonical(path: string, value: Json | undefined): Json {
  return canonicalAt({ attributes }, path, value);
}

/** Gives equal settings one form: lists are sets, and times of a window lose the seconds that the service may add. */
function inOneForm(value: Json): Json {
  if (typeof value === 'string') return value.replace(/^(\d\d:\d\d):00$/, '$1');
  return Array.isArray(value) ? asSet(value) : value;
}

/** Gives equal lists one form: order and duplicates make no difference, and a network becomes the range of its addresses. */
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

interface AddressSpan {
  /** IPv4 addresses are mapped into IPv6 at `::ffff:0:0`. */
  readonly first: bigint;
  readonly last: bigint;
  /** True for a CIDR range that is not written with its first address. */
  readonly isWithin: boolean;
}

export function spanOf(text: string): AddressSpan | null {
  const plain = text.replaceAll(/\s/g, '');
  const [from = '', to, ...more] = plain.split('-');
  const [address = '', prefix, ...rest] = from.split('/');
  const first = numberOf(address);
  if (first === null || more.length > 0 || rest.length > 0) return null;
  if (to !== undefined) {
    const last = prefix === undefined ? numberOf(to) : null;
    return last === null || last < first ? null : { first, last, isWithin: false };
  }
  const bits = address.includes(':') ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : bits + 1;
  if (length > bits) return null;
  const size = 1n << BigInt(bits - length);
  const start = first - (first % size);
  return { first: start, last: start + size - 1n, isWithin: start !== first };
}

function numberOf(address: string): bigint | null {
  const isShort = /^\d+(?:\.\d+){3}$/.test(address);
  const url = `http://[${isShort ? '::ffff:' : ''}${address}]`;
  if (!URL.canParse(url)) return null;
  // `hostname` has the short form, without leading zeros and without the longest run of zero groups.
  const [before = [], after = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
