// Renders events and findings as lines of JSON, in the format of Terraform's machine-readable UI.
import { unreachable } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import { arrayOf, objectOf, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { snaked } from '../../base/naming-case.ts';
import type { Address } from '../../model/address.ts';
import { TERRAFORM_ACTIONS, type ApplyEvent, type StepRef } from '../../model/outcome/event.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { type Change, tallyOf } from '../../model/outcome/plan.ts';
import { jsonText, diagnosticToJson } from './diagnostics-json.ts';
import { eventSentence, eventTone } from '../messages/events.ts';
import { nameText } from '../text/escape.ts';
import { changeCounts } from '../view/plan-rows.ts';
import { driftVerdict, findingSections, isGap } from '../view/findings.ts';

const MODULE = 'trueup';

/** The kind and name of each resource, which machine formats add to its address. */
export type ResourceIndex = ReadonlyMap<Address, { readonly kind: string; readonly name: string }>;

const UI_VERSION = '1.2';

type Level = 'info' | 'warn' | 'error';

export function versionLine(version: string, atMs: number): string {
  const head = lineHead('info', `trueup ${version}`, { type: 'version', atMs });
  return lineOf({ ...head, trueup: version, ui: UI_VERSION });
}

/** An event as a line (see `schemas/event.schema.json`), including the line feed. */
export function eventLine(event: ApplyEvent, resources: ResourceIndex = new Map()): string {
  const tone = eventTone(event);
  const level = tone === 'bad' ? 'error' : tone === 'warn' || event.type === 'retry' ? 'warn' : 'info';
  return lineOf({ ...lineHead(level, eventSentence(event), event), ...payloadOf(event, resources) });
}

function lineOf(value: JsonObject): string {
  return `${jsonText(value)}\n`;
}

function lineHead(level: Level, message: string, of: { readonly type: string; readonly atMs: number }): JsonObject {
  return {
    '@level': level,
    '@message': message,
    '@module': MODULE,
    '@timestamp': isoTime(of.atMs),
    type: of.type,
  };
}

function payloadOf(event: ApplyEvent, resources: ResourceIndex): JsonObject {
  const resourceAt = (address: Address): JsonObject => resourceToJson(address, resources.get(address));
  switch (event.type) {
    case 'planned_change':
      return { change: changeToJson(event.change) };
    case 'change_summary': {
      const { blocked, held, due } = event.summary;
      const { add, change, destroy } = changeCounts(event.summary, event.halfReplaced);
      return { changes: { add, change, remove: destroy, import: 0, operation: 'apply', blocked, held, due } };
    }
    case 'apply_start':
    case 'apply_complete':
      return stepToJson(event, resourceAt);
    case 'apply_progress': {
      const { operation, waitingFor, progress } = event;
      return {
        ...stepToJson(event, resourceAt),
        operation: operation === null ? null : snaked(operation),
        expected_seconds: null,
        waiting_for: waitingFor,
        ...progress,
      };
    }
    case 'apply_errored':
      return { ...stepToJson(event, resourceAt), diagnostic: diagnosticToJson(event.diagnostic) };
    case 'step_skipped': {
      const { reason, satisfied = false, blocked = false } = event;
      return { ...stepToJson(event, resourceAt), reason, satisfied, blocked };
    }
    case 'step_unknown':
      return { ...stepToJson(event, resourceAt), reason: event.reason, timed_out: event.timedOut };
    case 'retry': {
      const { step, address, method, path, attempt, delayMs, cause } = event;
      return { retry: { step_id: step, address, method, path, attempt, delay_seconds: seconds(delayMs), cause } };
    }
    case 'secret_stored':
      return { secret: { resource: resourceAt(event.address), sink: event.sink, path: event.path ?? null } };
    case 'upkeep': {
      const { action, outcome, message, sinks } = event;
      return { upkeep: { resource: resourceAt(event.address), action, outcome, message, sinks } };
    }
    case 'verify':
      return { verify: { converged: event.converged, remaining: event.remaining, blocked: event.blocked } };
    case 'diagnostic':
      return {
        diagnostic: diagnosticToJson(event.diagnostic),
        ...(event.resourceId === undefined ? {} : { resource_id: event.resourceId }),
      };
    case 'run_finished': {
      const { status, counts, requests, seconds: elapsed } = event;
      return { status, counts: snaked(counts), requests, seconds: elapsed };
    }
    default:
      return unreachable(event);
  }
}

type StepEvent = StepRef & { readonly type: string; readonly resourceId?: string | null; readonly elapsedMs?: number };

function stepToJson(
  { step, address, action, resourceId = null, elapsedMs }: StepEvent,
  resourceAt: (address: Address) => JsonObject,
): JsonObject {
  return {
    hook: {
      resource: resourceAt(address),
      action: TERRAFORM_ACTIONS[action],
      ...(resourceId === null ? {} : { id_key: 'id', id_value: resourceId }),
      ...(elapsedMs === undefined ? {} : { elapsed_seconds: seconds(elapsedMs) }),
    },
    step: { id: step, action },
  };
}

function resourceToJson(address: Address, of: { readonly kind?: unknown; readonly name?: unknown } = {}): JsonObject {
  return {
    addr: address,
    module: '',
    resource: address,
    implied_provider: MODULE,
    resource_type: textOf(of.kind) ?? '',
    resource_name: textOf(of.name) ?? address.slice(address.indexOf('/') + 1),
    resource_key: null,
  };
}

function changeToJson(change: Change): JsonObject {
  const { address, action, resourceId, attributes, impact, blockedBy, due } = change;
  return {
    resource: resourceToJson(address, change),
    action: TERRAFORM_ACTIONS[tallyOf(change)],
    trueup: {
      action,
      resource_id: resourceId,
      attributes: attributes.map(({ source: _source, ...one }): Json => ({ ...one })),
      impact,
      blocked_by: blockedBy,
      due,
    },
  };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

export function driftLines(report: DriftReport, json: JsonObject, atMs: number): readonly string[] {
  const sections = findingSections(report);
  const lines = sections.flatMap(({ kind, findings }) =>
    findings.map((finding, at) => {
      const level = isGap(finding) ? 'error' : finding.drift ? 'warn' : 'info';
      const entry = objectOf(arrayOf(json[kind])[at]);
      const resource = resourceToJson(finding.address, { kind: entry['type'], name: entry['name'] });
      return lineOf({
        ...lineHead(level, `${nameText(finding.address)}: ${finding.message}`, { type: 'resource_drift', atMs }),
        class: kind,
        ...(isGap(finding)
          ? {}
          : { change: { resource, action: TERRAFORM_ACTIONS[finding.change?.action ?? 'none'] } }),
        entry,
      });
    }),
  );
  const counts = Object.fromEntries(sections.map(({ kind, findings }) => [kind, findings.length]));
  const level = report.status === 'in_sync' ? 'info' : 'warn';
  const head = lineHead(level, driftVerdict(report), { type: 'drift_summary', atMs });
  return [...lines, lineOf({ ...head, status: report.status, findings: counts })];
}
