// The attributes of computes (api-rules 4 to 6), and which of their changes restart a compute.
import type { Endpoint } from '../../api/index.ts';
import { isJsonObject, objectOf, type Json } from '../../base/json.ts';
import { anything, flag, mapping, parameter, size, suspendDelay, text } from '../define.ts';
import { branchNamed } from '../shared/branch-labels.ts';
import type { Row } from '../shared/wire.ts';
import { endOfBranch } from './verdict.ts';

/** Missing and empty settings mean the same (api-rules 4.11). */
const SETTING = { restarts: true, absent: null } as const;

export const attributes: Readonly<Record<string, Row<Endpoint>>> = {
  branch_id: text({
    change: 'move',
    formerly: 'moved_from',
    prunedBy: 'branches',
    slot: { empty: 'a branch without a primary', unlisted: 'unlisted_primary', left: 'without_primary' },
    named: branchNamed,
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'branch', field: 'id', among: 'project', onRemoval: 'goes', ends: endOfBranch },
  }),
  type: text({
    change: 'replace',
    tells: true,
    isIdentity: true,
    values: ['read_write', 'read_only'],
    hasProfiles: true,
    prunedBy: 'types',
  }),
  // A missing name means that the replica has no name (api-rules 4.7).
  name: text({ absent: null, isName: true, clearedBy: ['name'] }),
  region_id: text({ change: 'never' }),
  autoscaling_limit_min_cu: size({ restarts: true }),
  autoscaling_limit_max_cu: size({ restarts: true }),
  suspend_timeout_seconds: suspendDelay(),
  settings: { ...mapping('settings', SETTING), isWhole: true, write: withParameters },
  'settings.pg_settings': mapping('parameters', SETTING),
  'settings.pg_settings.*': parameter(SETTING),
  'settings.pgbouncer_settings': mapping('parameters', SETTING),
  'settings.pgbouncer_settings.*': parameter(SETTING),
  'settings.preload_libraries': anything(SETTING),
  'settings.preload_libraries.*': anything(SETTING),
  pooler_enabled: flag(),
  pooler_mode: text(),
  disabled: flag(),
  passwordless_access: flag(),
  provisioner: text({ restarts: true }),
};

/** Adds `pg_settings` if missing, and writes its values as text, because the service refuses anything else. */
function withParameters(settings: Json): Json {
  if (!isJsonObject(settings)) return settings;
  const texts = Object.entries(objectOf(settings['pg_settings'])).map(([name, value]): [string, Json] => [
    name,
    typeof value === 'object' ? value : String(value),
  ]);
  return { ...settings, pg_settings: Object.fromEntries(texts) };
}
