// Drift: the plan read as a report of differences, and the report as JSON (`schemas/drift.schema.json`) and back.
import { compareText } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { DesiredState } from '../model/desired.ts';
import type { DriftReport, DriftStatus, NotCompared, UnlistedResource } from '../model/outcome/drift.ts';
import type { DriftFile } from '../model/generated/types.ts';
import { DriftFile as isDriftFile } from '../model/generated/validators.js';
import { isWhole } from '../model/outcome/plan.ts';
import type { Change, Plan } from '../model/outcome/plan.ts';
import { changeFromJson, changeToJson } from './json/change-json.ts';
import { LAST_CHANGE_UNKNOWN } from './diff/history.ts';
import {
  unlistedFromJson,
  unlistedToJson,
  unplannedFromJson,
  unplannedToJson,
  unreadFromJson,
  unreadToJson,
} from './json/unlisted-json.ts';

/** What a plan found, as a report. `desired` tells what the file leaves to others. */
export function driftOf(plan: Plan, desired: DesiredState | null = null): DriftReport {
  const differences = plan.changes.filter(({ action, due, origin }) => action !== 'none' && !due && origin !== 'prune');
  const missing = differences.filter(({ action }) => action === 'create');
  const changed = differences.filter(({ action }) => action !== 'create');
  return {
    status: statusOf(plan, differences),
    changed,
    missing,
    unmanaged: unlisted(plan),
    held: plan.changes.filter(({ held }) => held.length > 0),
    notCompared: notCompared(plan, desired),
    unread: plan.unread,
    unplanned: plan.unplanned,
    due: plan.changes.filter(({ due }) => due),
  };
}

function unlisted({ unmanaged, changes }: Plan): UnlistedResource[] {
  const pruned = new Map(
    changes.flatMap((change) => (change.origin === 'prune' ? [[change.address, change] as const] : [])),
  );
  return unmanaged.map((resource) => {
    const change = pruned.get(resource.address);
    return change === undefined ? resource : { ...resource, change };
  });
}

function statusOf(plan: Plan, differences: readonly Change[]): DriftStatus {
  if (!isWhole(plan)) return 'incomplete';
  return differences.length > 0 || plan.unmanaged.some(({ pruned }) => pruned) ? 'drifted' : 'in_sync';
}

function notCompared(plan: Plan, desired: DesiredState | null): NotCompared[] {
  const planned = new Set(plan.changes.map(({ address }) => address));
  const ignored = (desired?.resources ?? []).flatMap(({ address, lifecycle }) =>
    lifecycle.ignore.length === 0 || !planned.has(address)
      ? []
      : [{ address, paths: [...lifecycle.ignore].sort(), reason: 'lifecycle.ignore leaves it to others' }],
  );
  const strange = plan.diagnostics.flatMap(({ code, severity, address, message }) =>
    severity === 'warning' && address !== undefined && (code === 'crowded_place' || code === 'unknown_type')
      ? [{ address, paths: [], reason: message }]
      : [],
  );
  const untold = plan.changes.flatMap(({ address, notes }) =>
    notes
      .filter((note) => note.startsWith(LAST_CHANGE_UNKNOWN))
      .map((reason) => ({ address, paths: ['last_operation'], reason })),
  );
  return [...ignored, ...strange, ...untold].sort((a, b) => compareText(a.address, b.address));
}

/** What a report does not know of itself; `timestamp` is ISO 8601. */
export interface DriftStamp {
  readonly timestamp: string;
  readonly toolVersion: string;
}

export function driftToJson(report: DriftReport, stamp: DriftStamp): JsonObject {
  const changes = (list: readonly Change[]): Json[] => list.map((change) => changeToJson(change));
  return {
    format_version: '1.0',
    timestamp: stamp.timestamp,
    tool_version: stamp.toolVersion,
    status: report.status,
    changed: changes(report.changed),
    missing: changes(report.missing),
    unmanaged: report.unmanaged.map(unlistedToJson),
    held: changes(report.held),
    not_compared: report.notCompared.map(({ address, paths, reason }): Json => ({ address, paths, reason })),
    unread: report.unread.map(unreadToJson),
    unplanned: report.unplanned.map(unplannedToJson),
    due: changes(report.due),
  };
}

/** The report that the JSON stands for; undefined when it is none. */
export function driftFromJson(json: unknown): DriftReport | undefined {
  if (!isReport(json)) return undefined;
  return {
    status: json.status,
    changed: json.changed.map(changeFromJson),
    missing: json.missing.map(changeFromJson),
    unmanaged: json.unmanaged.map(unlistedFromJson),
    held: json.held.map(changeFromJson),
    notCompared: json.not_compared,
    unread: json.unread.map(unreadFromJson),
    unplanned: json.unplanned.map(unplannedFromJson),
    due: json.due.map(changeFromJson),
  };
}

function isReport(json: unknown): json is DriftFile {
  return isDriftFile(json);
}
