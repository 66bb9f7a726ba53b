// A drift report as lines of JSON: one a finding, in the words of Terraform's machine-readable UI, and what they come to.
import { objectOf, type JsonObject } from '../../base/json.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { findingName, findingSections, type Finding } from '../view/findings.ts';
import { TERRAFORM_ACTIONS } from '../../model/outcome/event.ts';
import { lineHead, lineOf, resourceToJson } from './ndjson.ts';

/** `json` is the report as JSON: each line carries the entry that its finding has there. */
export function driftLines(report: DriftReport, json: JsonObject, atMs: number): readonly string[] {
  const sections = findingSections(report);
  const lines = sections.flatMap(({ kind, findings }) =>
    findings.map((finding, at) => {
      const entry = entryOf(json, kind, at);
      return lineOf({
        ...lineHead(levelOf(finding), `${findingName(finding)}: ${finding.message}`, { type: 'resource_drift', atMs }),
        class: kind,
        ...(kind === 'unread' || kind === 'unplanned' ? {} : { change: changeOf(finding, entry) }),
        entry,
      });
    }),
  );
  const counts = Object.fromEntries(sections.map(({ kind, findings }) => [kind, findings.length]));
  const level = report.status === 'in_sync' ? 'info' : 'warn';
  const head = lineHead(level, driftVerdict(report), { type: 'drift_summary', atMs });
  return [...lines, lineOf({ ...head, status: report.status, findings: counts })];
}

function levelOf({ class: kind, drift }: Finding): 'info' | 'warn' | 'error' {
  if (kind === 'unread' || kind === 'unplanned') return 'error';
  return drift ? 'warn' : 'info';
}

function entryOf(json: JsonObject, kind: Finding['class'], at: number): JsonObject {
  const entries = json[kind];
  const entry: unknown = Array.isArray(entries) ? entries[at] : undefined;
  return objectOf(entry);
}

function changeOf({ address, change }: Finding, entry: JsonObject): JsonObject {
  const { type = '', name = address.slice(address.indexOf('/') + 1) } = entry;
  return {
    resource: resourceToJson(address, String(type), String(name)),
    action: TERRAFORM_ACTIONS[change?.action ?? 'none'],
  };
}
