// Settings of a project: merges sent settings into the stored ones, and checks the rules for them.
import { BlockList, isIP } from 'node:net';
import type { DefaultEndpointSettings, ProjectSettings } from '../../../api/index.ts';
import type { Engine } from '../engine/engine.ts';
import { plans } from '../engine/switches.ts';
import { Refusal, badRequest, notModelled, quoted } from '../../core/refusal.ts';
import { configOfNew, requireValidConfig, withDefaults } from '../compute/rules.ts';

/** The default maintenance window of a new project is on Sundays. */
export const newSettings: ProjectSettings = {
  maintenance_window: { weekdays: [7], start_time: '03:00', end_time: '04:00' },
};

/** `before`, overridden by the sent members. The limits of the quota are merged one by one. */
export function mergedSettings(before: ProjectSettings, sent: ProjectSettings = {}): ProjectSettings {
  const { quota, allowed_ips: ips, preload_libraries: libraries } = sent;
  return {
    ...before,
    ...sent,
    ...(quota && { quota: { ...before.quota, ...quota } }),
    ...(ips && { allowed_ips: { ips: [], protected_branches_only: false, ...ips } }),
    ...(libraries && { preload_libraries: { use_defaults: true, enabled_libraries: [], ...libraries } }),
  };
}

/** Refuses invalid settings, quotas that are not modelled, and turning logical replication off. */
export function requireValidSettings(engine: Engine, before: ProjectSettings, after: ProjectSettings): void {
  addressList(after.allowed_ips?.ips ?? []);
  if (engine.works !== undefined)
    for (const name of OF_DATA)
      if ((after.quota?.[name] ?? 0) > 0 && after.quota?.[name] !== before.quota?.[name])
        throw notModelled(`settings.quota.${name}, with Postgres behind the computes,`);
  if (before.enable_logical_replication === true && after.enable_logical_replication === false)
    throw new Refusal(422, 'settings.enable_logical_replication cannot be turned off again');
  // No organization of this server allows HIPAA.
  if (after.hipaa === true) throw new Refusal(422, 'settings.hipaa: the organization must allow HIPAA first');
  if (after.audit_log_level !== undefined && after.audit_log_level !== 'base')
    throw new Refusal(422, 'settings.audit_log_level: other levels than base are for organizations that allow HIPAA');
  for (const name of after.preload_libraries?.enabled_libraries ?? [])
    if (!preloadLibraries.some((library) => library.library_name === name))
      throw badRequest(`settings.preload_libraries.enabled_libraries: unknown library; value:${quoted(name)}`);
}

/** With Postgres servers, data is not counted, so these quota limits cannot be enforced. */
const OF_DATA = ['written_data_bytes', 'data_transfer_bytes', 'logical_size_bytes'] as const;

const ADDRESS_RULE = /^\s*([^-/\s]+)\s*(?:-\s*([^-/\s]+)\s*|\/(\d{1,3})\s*)?$/;

/** The addresses that the rules name: single ones, CIDR ranges, or ranges from-to. Refuses any other text with 400. */
export function addressList(rules: readonly string[]): BlockList {
  const list = new BlockList();
  for (const rule of rules) {
    const [, base = '', to, bits] = ADDRESS_RULE.exec(rule) ?? [];
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    try {
      if (to !== undefined) list.addRange(base, to, family);
      else if (bits !== undefined) list.addSubnet(base, Number(bits), family);
      else list.addAddress(base, family);
    } catch {
      throw badRequest(
        `settings.allowed_ips.ips: expected an address, a CIDR range or a range from-to; value:${quoted(rule)}`,
      );
    }
  }
  return list;
}

export function requireHistory(engine: Engine, seconds: number): void {
  const { plan } = engine.switches;
  const most = plans[plan].historySeconds;
  if (seconds > most)
    throw badRequest(
      `history_retention_seconds is ${most} at most on the plan ${plan}; history_retention_seconds:"${seconds}"`,
    );
}

export function requireDefaults(engine: Engine, defaults: DefaultEndpointSettings): void {
  const attributes = withDefaults({}, { defaultEndpointSettings: defaults });
  requireValidConfig(configOfNew(attributes, '', engine.switches), attributes, engine.switches);
}

const LIBRARIES = [
  ['timescaledb', 'Time series data', '2.17.1'],
  ['pg_cron', 'Jobs at set times', '1.6'],
  ['pg_partman_bgw', 'Keeps partitions', '5.1.0'],
] as const;

export const preloadLibraries: readonly Readonly<Record<string, unknown>>[] = LIBRARIES.map(
  ([name, description, version]) => ({
    library_name: name,
    description,
    is_default: name === 'timescaledb',
    is_experimental: false,
    version,
  }),
);
