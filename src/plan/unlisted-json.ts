// What no file lists and what could not be read, as JSON, and back.
import type { JsonObject } from '../base/json.ts';
import type { PlanUnmanaged, PlanUnread } from '../model/generated/types.ts';
import type { Unread } from '../model/live.ts';
import type { UnmanagedResource } from '../model/plan.ts';

export function unmanagedToJson(resource: UnmanagedResource): JsonObject {
  const { address, kind, id, projectId, spec, pruned } = resource;
  return { address, kind, id, project_id: projectId, attributes: spec, pruned };
}

export function unmanagedFromJson(json: PlanUnmanaged): UnmanagedResource {
  const { address, kind, id, project_id: projectId, attributes, pruned } = json;
  return { address, kind, id, projectId, spec: attributes as JsonObject, pruned };
}

export function unreadToJson({ what, projectId, reason }: Unread): JsonObject {
  return { what, project_id: projectId, reason };
}

export function unreadFromJson({ what, project_id: projectId, reason }: PlanUnread): Unread {
  return { what, projectId, reason };
}
