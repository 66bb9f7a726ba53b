// What a plan was made from, as JSON, and back. Members that say nothing are left out: there may be many thousand entries.
import type { Json, JsonObject } from '../base/json.ts';
import { isoTime } from '../base/clock.ts';
import type { LiveResource, LiveState, OperationRecord } from '../model/live.ts';
import type {
  PlanReadHistory,
  PlanReading,
  PlanReadOperation,
  PlanReadResource,
  PlanRecord as Stored,
} from '../model/generated/types.ts';
import { desiredFromJson, desiredToJson } from './desired-json.ts';
import type { PlanRecord } from './record.ts';
import { warningFromJson, warningToJson } from './warning-json.ts';

/** The service is not in it: it stands in the plan itself. */
export function recordToJson({ input, before, after }: PlanRecord): JsonObject {
  const {
    baseUrl: _baseUrl,
    store: _store,
    desired,
    live,
    nowMs,
    clockDoubt = null,
    consent,
    allow,
    due,
    target,
    exclude,
    noHistory = false,
    problems = [],
    ...others
  } = input;
  others satisfies Record<string, never>;
  return {
    now: isoTime(nowMs),
    ...(clockDoubt === null ? {} : { clock_doubt: clockDoubt }),
    options: { consent, allow: allow.map((one): Json => ({ ...one })), due, target, exclude, no_history: noHistory },
    desired: desiredToJson(desired),
    reading: readingToJson(live),
    said: {
      before: before.map(warningToJson),
      reading: problems.map(warningToJson),
      after: after.map(warningToJson),
    },
  };
}

export function recordFromJson(
  { options: { no_history: noHistory, ...options }, ...json }: Stored,
  service: { readonly baseUrl: string; readonly store?: string },
): PlanRecord {
  return {
    input: {
      ...service,
      desired: desiredFromJson(json.desired),
      live: readingFromJson(json.reading),
      nowMs: Date.parse(json.now),
      clockDoubt: json.clock_doubt ?? null,
      ...options,
      noHistory,
      problems: json.said.reading.map(warningFromJson),
    },
    before: json.said.before.map(warningFromJson),
    after: json.said.after.map(warningFromJson),
  };
}

function readingToJson({ projects, resources, histories, unread, facts, ...others }: LiveState): JsonObject {
  others satisfies Record<string, never>;
  return {
    projects: projects.map(({ label, id, name }): Json => ({ label, id, name })),
    resources: resources.map(liveToJson),
    histories: Object.fromEntries(
      [...histories].map(([id, { operations, complete }]) => [
        id,
        { complete, operations: operations.map(operationToJson) },
      ]),
    ),
    unread: unread.map(({ what, projectId, reason, part }): Json => ({
      what,
      project_id: projectId,
      reason,
      ...(part === undefined ? {} : { part }),
    })),
    facts: Object.fromEntries(facts),
  };
}

function readingFromJson({ projects, resources, histories, unread, facts }: PlanReading): LiveState {
  return {
    projects,
    resources: resources.map(liveFromJson),
    histories: new Map(
      Object.entries(histories as Readonly<Record<string, PlanReadHistory>>).map(([id, { complete, operations }]) => [
        id,
        { complete, operations: operations.map(operationFromJson) },
      ]),
    ),
    unread: unread.map(({ what, project_id: projectId, reason, part }) => ({
      what,
      projectId,
      reason,
      ...(part === undefined ? {} : { part }),
    })),
    facts: new Map(Object.entries(facts as Readonly<Record<string, JsonObject>>)),
  };
}

function liveToJson({ kind, id, projectId, spec, observed, createdAtMs }: LiveResource): JsonObject {
  return { kind, id, project_id: projectId, spec, observed, created_at_ms: createdAtMs };
}

function liveFromJson(json: PlanReadResource): LiveResource {
  return {
    kind: json.kind,
    id: json.id,
    projectId: json.project_id,
    spec: json.spec as JsonObject,
    observed: json.observed as JsonObject,
    createdAtMs: json.created_at_ms,
  };
}

function operationToJson(operation: OperationRecord): JsonObject {
  const { id, action, status, projectId, branchId, resourceId, failuresCount, error, ...times } = operation;
  const { retryAtMs, createdAtMs, updatedAtMs, ...others } = times;
  others satisfies Record<string, never>;
  return {
    id,
    action,
    status,
    project_id: projectId,
    branch_id: branchId,
    resource_id: resourceId,
    failures_count: failuresCount,
    error,
    retry_at_ms: retryAtMs,
    created_at_ms: createdAtMs,
    updated_at_ms: updatedAtMs,
  };
}

function operationFromJson(json: PlanReadOperation): OperationRecord {
  return {
    id: json.id,
    action: json.action,
    status: json.status,
    projectId: json.project_id,
    branchId: json.branch_id,
    resourceId: json.resource_id,
    failuresCount: json.failures_count,
    error: json.error,
    retryAtMs: json.retry_at_ms,
    createdAtMs: json.created_at_ms,
    updatedAtMs: json.updated_at_ms,
  };
}
