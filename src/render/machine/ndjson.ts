// Events as lines of JSON in the words of Terraform's machine-readable UI, with ours beside them: the stream that machines follow.
import { unreachable } from '../../base/assert.ts';
import { isoTime } from '../../base/time/clock.ts';
import { type Json, type JsonObject, objectOf } from '../../base/json.ts';
import { snaked } from '../../base/naming-case.ts';
import type { Address } from '../../model/address.ts';
import { TERRAFORM_ACTIONS, tallyOf, type ApplyEvent, type StepRef } from '../../model/outcome/event.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { jsonText } from './json-text.ts';
import { diagnosticToJson } from './diagnostics-json.ts';
import { changeCounts, eventSentence } from '../messages/events.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftVerdict } from '../messages/verdicts.ts';
import { findingName, findingSections, type Finding } from '../view/findings.ts';

const MODULE = 'trueup';

/** The resource of an event's address: machine readers want kind and name beside it. */
export type ResourceIndex = ReadonlyMap<Address, { readonly kind: string; readonly name: string }>;

/** Version of these lines, as Terraform counts its own. */
const UI_VERSION = '1.2';

/** First line of a stream. */
export function versionLine(version: string, atMs: number): string {
  const head = lineHead('info', `trueup ${version}`, { type: 'version', atMs });
  return lineOf({ ...head, trueup: version, ui: UI_VERSION });
}

/** The line of an event, line feed included. */
export function eventLine(event: ApplyEvent, resources: ResourceIndex = new Map()): string {
  return lineOf(eventToJson(event, resources));
}

/** The event as `schemas/event.schema.json` describes it. */
export function eventToJson(event: ApplyEvent, resources: ResourceIndex): JsonObject {
  return { ...lineHead(levelOf(event), eventSentence(event), event), ...payloadOf(event, resources) };
}

/** Any line of the stream. */
export function lineOf(value: JsonObject): string {
  return `${jsonText(value)}\n`;
}

/** The members that begin every line of the stream. */
export function lineHead(
  level: 'info' | 'warn' | 'error',
  message: string,
  { type, atMs }: { readonly type: string; readonly atMs: number },
): JsonObject {
  return { '@level': level, '@message': message, '@module': MODULE, '@timestamp': isoTime(atMs), type };
}

function levelOf(event: ApplyEvent): 'info' | 'warn' | 'error' {
  switch (event.type) {
    case 'apply_errored':
      return 'error';
    case 'diagnostic':
      return event.diagnostic.severity === 'error' ? 'error' : 'warn';
    case 'step_unknown':
    case 'retry':
      return 'warn';
    case 'step_skipped':
      return event.satisfied === true ? 'info' : 'warn';
    case 'upkeep':
      return event.outcome === 'done' ? 'info' : 'error';
    case 'verify':
      return event.converged ? 'info' : 'warn';
    case 'run_finished':
      return event.status === 'converged' ? 'info' : 'error';
    default:
      return 'info';
  }
}

type EventOf<T extends ApplyEvent['type']> = Extract<ApplyEvent, { readonly type: T }>;

function payloadOf(event: ApplyEvent, resources: ResourceIndex): JsonObject {
  switch (event.type) {
    case 'planned_change':
      return { change: changeToJson(event.change) };
    case 'change_summary':
      return { changes: summaryToJson(event) };
    case 'apply_start':
      return { hook: hookOf(event, resources, event.resourceId, null), step: stepOf(event) };
    case 'apply_progress':
      return progressToJson(event, resources);
    case 'apply_complete':
      return { hook: hookOf(event, resources, event.resourceId, event.elapsedMs), step: stepOf(event) };
    case 'apply_errored':
      return {
        hook: hookOf(event, resources, null, event.elapsedMs),
        step: stepOf(event),
        diagnostic: diagnosticToJson(event.diagnostic),
      };
    case 'step_skipped':
      return {
        hook: hookOf(event, resources, event.resourceId ?? null, null),
        step: stepOf(event),
        reason: event.reason,
        satisfied: event.satisfied ?? false,
        blocked: event.blocked ?? false,
      };
    case 'step_unknown':
      return {
        hook: hookOf(event, resources, null, event.elapsedMs),
        step: stepOf(event),
        reason: event.reason,
        timed_out: event.timedOut,
      };
    case 'retry':
      return { retry: retryToJson(event) };
    case 'secret_stored':
      return { secret: { resource: resourceOf(event.address, resources), sink: event.sink, path: event.path ?? null } };
    case 'upkeep': {
      const { action, outcome, message, sinks } = event;
      return { upkeep: { resource: resourceOf(event.address, resources), action, outcome, message, sinks } };
    }
    case 'verify':
      return { verify: { converged: event.converged, remaining: event.remaining, blocked: event.blocked } };
    case 'diagnostic':
      return {
        diagnostic: diagnosticToJson(event.diagnostic),
        ...(event.resourceId === undefined ? {} : { resource_id: event.resourceId }),
      };
    case 'run_finished':
      return {
        status: event.status,
        counts: snaked(event.counts),
        requests: event.requests,
        seconds: event.seconds,
      };
    default:
      return unreachable(event);
  }
}

function retryToJson(event: EventOf<'retry'>): JsonObject {
  return {
    step_id: event.step,
    address: event.address,
    method: event.method,
    path: event.path,
    attempt: event.attempt,
    delay_seconds: seconds(event.delayMs),
    cause: event.cause,
  };
}

function progressToJson(event: EventOf<'apply_progress'>, resources: ResourceIndex): JsonObject {
  return {
    hook: hookOf(event, resources, null, event.elapsedMs),
    step: stepOf(event),
    operation: event.operation === null ? null : snaked(event.operation),
    expected_seconds: null,
    waiting_for: event.waitingFor,
    done: event.progress.done,
    total: event.progress.total,
  };
}

function hookOf(event: StepRef, resources: ResourceIndex, id: ResourceId | null, elapsedMs: number | null): JsonObject {
  return {
    resource: resourceOf(event.address, resources),
    action: TERRAFORM_ACTIONS[event.action],
    ...(id === null ? {} : { id_key: 'id', id_value: id }),
    ...(elapsedMs === null ? {} : { elapsed_seconds: seconds(elapsedMs) }),
  };
}

function stepOf(event: StepRef): JsonObject {
  return { id: event.step, action: event.action };
}

function resourceOf(address: Address, resources: ResourceIndex): JsonObject {
  const known = resources.get(address);
  return resourceToJson(address, known?.kind ?? '', known?.name ?? address.slice(address.indexOf('/') + 1));
}

export function resourceToJson(address: Address, kind: string, name: string): JsonObject {
  return {
    addr: address,
    module: '',
    resource: address,
    implied_provider: MODULE,
    resource_type: kind,
    resource_name: name,
    resource_key: null,
  };
}

function changeToJson(change: Change): JsonObject {
  return {
    resource: resourceToJson(change.address, change.kind, change.name),
    action: TERRAFORM_ACTIONS[tallyOf(change)],
    trueup: {
      action: change.action,
      resource_id: change.resourceId,
      attributes: change.attributes.map(({ source: _source, ...one }): Json => ({ ...one })),
      impact: change.impact,
      blocked_by: change.blockedBy,
      due: change.due,
    },
  };
}

function summaryToJson(event: EventOf<'change_summary'>): JsonObject {
  const { blocked, held, due } = event.summary;
  const { add, change, destroy } = changeCounts(event);
  return { add, change, remove: destroy, import: 0, operation: 'apply', blocked, held, due };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

/** `json` is the report as JSON: each line carries the entry that its finding has there. */
export function driftLines(report: DriftReport, json: JsonObject, atMs: number): readonly string[] {
  const sections = findingSections(report);
  const lines = sections.flatMap(({ kind, findings }) =>
    findings.map((finding, at) => {
      const entry = entryOf(json, kind, at);
      return lineOf({
        ...lineHead(findingLevel(finding), `${findingName(finding)}: ${finding.message}`, {
          type: 'resource_drift',
          atMs,
        }),
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

function findingLevel({ class: kind, drift }: Finding): 'info' | 'warn' | 'error' {
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
