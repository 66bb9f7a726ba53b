// A project: its record (times in milliseconds since the epoch), its form in replies, and its due events.
import type { DefaultEndpointSettings, ProjectListItem, ProjectSettings } from '../../../api/index.ts';
import { present, type Fields } from '../../core/fields.ts';
import { regionDomain } from '../engine/naming.ts';
import type { TableSpec } from '../../core/table.ts';
import type { DueContext, Switches } from '../engine/switches.ts';

/** Idle time before a project is detached from storage (api-rules 3.13). */
const DETACH_AFTER_MS = 30 * 86_400_000;
const CHECK_PERIOD_MS = { daily: 86_400_000, hourly: 3_600_000 } as const;

export function detachDueMs(project: ProjectRecord): number {
  return project.activityMs + DETACH_AFTER_MS;
}

export function nextCheckMs({ availabilityChecks }: Switches, atMs: number): number | undefined {
  return availabilityChecks === 'off' ? undefined : atMs + CHECK_PERIOD_MS[availabilityChecks];
}

export const projectTable: TableSpec<ProjectRecord, never, DueContext> = {
  indexes: {},
  due: {
    detach: detachDueMs,
    quota: (project) => project.quotaDueMs,
    // Availability checks that were missed while the control plane was down are skipped.
    check: ({ nextCheckMs: plannedMs }, { nowMs, switches }) =>
      plannedMs !== undefined && plannedMs < nowMs ? nextCheckMs(switches, nowMs) : plannedMs,
  },
};

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly regionId: string;
  readonly provisioner: string;
  readonly pgVersion: number;
  readonly historyRetentionSeconds: number;
  /** Whether passwords of roles are stored. Default: true. */
  readonly storePasswords?: boolean;
  readonly settings?: ProjectSettings;
  readonly defaultEndpointSettings?: DefaultEndpointSettings;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** The last use that counts, such as a connection. After 30 days without use, the project is detached from storage. */
  readonly activityMs: number;
  readonly detached: boolean;
  readonly nextCheckMs?: number;
  /** Absent until usage is first counted, such as at the first start of a compute. */
  readonly usage?: ProjectUsage;
  readonly quotaDueMs?: number;
}

export interface ProjectUsage {
  readonly periodMs: number;
  /** Usage is counted up to this time; the next count continues from it. */
  readonly sinceMs: number;
  /** The active times of all computes in the current period, added up. */
  readonly activeMs: number;
  /** The same sum, with each active time multiplied by the size of its compute in compute units. */
  readonly computeMs: number;
}

const projectFields: Fields<ProjectRecord> = {
  id: 'id',
  name: 'name',
  region_id: 'regionId',
  provisioner: 'provisioner',
  pg_version: 'pgVersion',
  store_passwords: 'storePasswords',
  history_retention_seconds: 'historyRetentionSeconds',
  settings: 'settings',
  default_endpoint_settings: 'defaultEndpointSettings',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

export const projectSeed: Fields<ProjectRecord> = {
  ...projectFields,
  last_request_at: 'activityMs',
  detached: 'detached',
};

export const projectDefaults = {
  provisioner: 'k8s-neonvm',
  pgVersion: 17,
  detached: false,
} as const;

const SIZE_LIMIT_MB = 204_800;

export function presentProject(project: ProjectRecord): ProjectListItem {
  return {
    store_passwords: true,
    settings: {},
    ...(present(projectFields, project) as Pick<ProjectRecord, 'id' | 'name'>),
    platform_id: project.regionId.split('-')[0] ?? '',
    cpu_used_sec: 0,
    active_time: 0,
    branch_logical_size_limit: SIZE_LIMIT_MB,
    branch_logical_size_limit_bytes: SIZE_LIMIT_MB * 1_048_576,
    proxy_host: regionDomain(project.regionId),
    creation_source: 'console',
  };
}
