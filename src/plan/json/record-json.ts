// What a plan was made from, as JSON, and back. Members that say nothing are left out: there may be many thousand entries.
import type { Json, JsonObject } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import { cameled, snaked } from '../../base/naming-case.ts';
import type { LiveState } from '../../model/live.ts';
import type { PlanReadHistory, PlanReading, PlanRecord as Stored } from '../../model/generated/types.ts';
import { desiredFromJson, desiredToJson } from './desired-json.ts';
import type { PlanRecord } from '../record.ts';
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
    projects: projects.map(snaked),
    resources: resources.map(snaked),
    histories: Object.fromEntries(
      [...histories].map(([id, { operations, complete }]) => [id, { complete, operations: operations.map(snaked) }]),
    ),
    unread: unread.map(snaked),
    facts: Object.fromEntries(facts),
  };
}

function readingFromJson({ projects, resources, histories, unread, facts }: PlanReading): LiveState {
  return {
    projects: projects.map(cameled),
    resources: resources.map((one) => ({
      ...cameled(one),
      spec: one.spec as JsonObject,
      observed: one.observed as JsonObject,
    })),
    histories: new Map(
      Object.entries(histories as Readonly<Record<string, PlanReadHistory>>).map(([id, { complete, operations }]) => [
        id,
        { complete, operations: operations.map(cameled) },
      ]),
    ),
    unread: unread.map(cameled),
    facts: new Map(Object.entries(facts as Readonly<Record<string, JsonObject>>)),
  };
}
