// The attributes of computes (api-rules 4 to 6): a size or a setting restarts a compute, all else changes it in place.
import type { Endpoint } from '../../api/index.ts';
import { specOf, type Row } from '../define.ts';
import { anything, apiName, flag, mapping, parameter, size, suspendDelay, text } from '../attributes.ts';
import { endOfBranch } from './branches.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { branchNamed } from '../shared/branch-labels.ts';
import { PROJECT } from '../../model/kind.ts';
import type { KindTraits } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import { shownMembers } from '../shared/lists.ts';

/** Absent and empty settings mean the same (api-rules 4.11). */
const SETTING = { restarts: true, absent: null } as const;

export const attributes: Readonly<Record<string, Row<Endpoint>>> = {
  branch_id: text('a text', {
    change: 'move',
    formerly: 'moved_from',
    prunedBy: 'branches',
    named: branchNamed,
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'branch', field: 'id', among: 'project', onRemoval: 'goes', ends: endOfBranch },
  }),
  type: text('a text', {
    change: 'replace',
    tells: true,
    isIdentity: true,
    values: ['read_write', 'read_only'],
    hasProfiles: true,
    prunedBy: 'types',
  }),
  // A replica without a name has none (public reference 1.1).
  name: apiName({ absent: null, isName: true, clearedBy: ['name'] }),
  region_id: text('a text', { change: 'never' }),
  autoscaling_limit_min_cu: size({ restarts: true }),
  autoscaling_limit_max_cu: size({ restarts: true }),
  suspend_timeout_seconds: suspendDelay(),
  settings: mapping('settings', SETTING),
  'settings.pg_settings': mapping('parameters', SETTING),
  'settings.pg_settings.*': parameter(SETTING),
  'settings.pgbouncer_settings': mapping('parameters', SETTING),
  'settings.pgbouncer_settings.*': parameter(SETTING),
  'settings.preload_libraries': anything(SETTING),
  'settings.preload_libraries.*': anything(SETTING),
  pooler_enabled: flag(),
  pooler_mode: text('a text'),
  disabled: flag(),
  passwordless_access: flag(),
  provisioner: text('a text', { restarts: true }),
};

export const KIND = 'compute';
/** Directly below its project, also in addresses. */
export const PLACE: KindTraits = {
  attributes,
  kind: KIND,
  parent: PROJECT,
  section: 'computes',
  segment: null,
  operations: {
    subjectOf: ({ resourceId }) => resourceId,
    names: 'itself',
    starts: {
      create: ['create_compute', 'start_compute'],
      update: ['apply_config'],
      move: ['apply_config'],
      restart: ['suspend_compute', 'start_compute'],
      delete: ['suspend_compute'],
    },
    last: 'suspend_compute',
  },
};

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

export function liveCompute(endpoint: Endpoint, projectId: string): LiveResource {
  return {
    kind: KIND,
    id: endpoint.id,
    projectId,
    spec: specOf(attributes, endpoint),
    observed: shownMembers(endpoint, OBSERVED),
    createdAtMs: millisecondsOf(endpoint.created_at),
  };
}
