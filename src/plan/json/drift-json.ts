// The report of drift as JSON (`schemas/drift.schema.json`), and back.
import type { JsonObject } from '../../base/json.ts';
import { DriftFile as isDriftFile } from '../../model/generated/validators.js';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { planJson } from './forms.ts';

/** Members of the JSON that the report itself does not hold; `timestamp` is ISO 8601. */
export interface DriftStamp {
  readonly timestamp: string;
  readonly toolVersion: string;
}

export function driftToJson(report: DriftReport, { timestamp, toolVersion }: DriftStamp): JsonObject {
  return {
    format_version: '1.0',
    timestamp,
    ...planJson.write({ ...report, ...report.selection, toolVersion }, 'DriftFile'),
  };
}

/** The report, or undefined if the JSON is not a report. */
export function driftFromJson(json: unknown): DriftReport | undefined {
  if (!isDriftFile(json)) return undefined;
  const {
    target = [],
    exclude = [],
    ...report
  } = planJson.read(json, 'DriftFile') as DriftReport & Partial<DriftReport['selection']>;
  return { ...report, selection: { target, exclude } };
}
