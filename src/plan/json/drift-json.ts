// The report of drift as JSON (`schemas/drift.schema.json`), and back.
import type { Json, JsonObject } from '../../base/json.ts';
import type { DriftFile } from '../../model/generated/types.ts';
import { DriftFile as isDriftFile } from '../../model/generated/validators.js';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { changeFromJson, changeToJson } from './change-json.ts';
import {
  unlistedFromJson,
  unlistedToJson,
  unplannedFromJson,
  unplannedToJson,
  unreadFromJson,
  unreadToJson,
} from './unlisted-json.ts';

/** What a report does not know of itself; `timestamp` is ISO 8601. */
export interface DriftStamp {
  readonly timestamp: string;
  readonly toolVersion: string;
}

export function driftToJson(report: DriftReport, stamp: DriftStamp): JsonObject {
  const changes = (list: readonly Change[]): Json[] => list.map((change) => changeToJson(change));
  const { target, exclude } = report.selection;
  return {
    format_version: '1.0',
    timestamp: stamp.timestamp,
    tool_version: stamp.toolVersion,
    status: report.status,
    ...(target.length === 0 ? {} : { target }),
    ...(exclude.length === 0 ? {} : { exclude }),
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
    selection: { target: json.target ?? [], exclude: json.exclude ?? [] },
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
