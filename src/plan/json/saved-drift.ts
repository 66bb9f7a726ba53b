// Reads a drift report from JSON (`schemas/drift.schema.json`).
import { DriftFile as isDriftFile } from '../../model/generated/validators.js';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { planJson } from './forms.ts';

/** Returns undefined if the JSON is not a drift report. */
export function driftFromJson(json: unknown): DriftReport | undefined {
  if (!isDriftFile(json)) return undefined;
  const {
    target = [],
    exclude = [],
    ...report
  } = planJson.read(json, 'DriftFile') as DriftReport & Partial<DriftReport['selection']>;
  return { ...report, selection: { target, exclude } };
}
