// What no file lists, and what could not be read or planned, as JSON, and back.
import type { JsonObject } from '../../base/json.ts';
import type { UnlistedResource } from '../../model/outcome/drift.ts';
import type { Unplanned } from '../../model/diagnostic.ts';
import type { DriftUnmanaged, PlanUnmanaged, PlanUnplanned, PlanUnread } from '../../model/generated/types.ts';
import type { Unread } from '../../model/live.ts';
import type { Change, UnmanagedResource } from '../../model/outcome/plan.ts';
import { changeFromJson, changeToJson } from './change-json.ts';
import { warningFromJson, warningToJson } from './warning-json.ts';

export function unmanagedToJson(resource: UnmanagedResource): JsonObject {
  const { address, kind, id, projectId, spec, described, pruned } = resource;
  const words = described === undefined ? {} : { description: described };
  return { address, kind, id, project_id: projectId, attributes: spec, ...words, pruned };
}

function unmanagedFromJson(json: PlanUnmanaged): UnmanagedResource {
  const { address, kind, id, project_id: projectId, attributes, description, pruned } = json;
  const words = description === undefined ? {} : { described: description };
  return { address, kind, id, projectId, spec: attributes as JsonObject, ...words, pruned };
}

/** In a drift report it has the members of a change too: readers need to know one shape. */
export function unlistedToJson(resource: UnlistedResource): JsonObject {
  return { ...changeToJson(resource.change ?? untouched(resource)), ...unmanagedToJson(resource) };
}

export function unlistedFromJson(json: DriftUnmanaged): UnlistedResource {
  const resource = unmanagedFromJson(json);
  return resource.pruned ? { ...resource, change: changeFromJson(json) } : resource;
}

function untouched({ address, kind, id, projectId, spec }: UnmanagedResource): Change {
  return {
    address,
    kind,
    name: id,
    action: 'none',
    resourceId: id,
    projectId,
    matchedBy: 'no declaration claims it',
    before: spec,
    after: spec,
    attributes: [],
    impact: [],
    impactDetails: {},
    notes: [],
    reasons: ['the files do not list it'],
    blockedBy: [],
    held: [],
    due: false,
    origin: 'unmanaged',
    source: null,
    lastOperation: null,
    replacePaths: [],
  };
}

export function unreadToJson({ what, projectId, reason }: Unread): JsonObject {
  return { what, project_id: projectId, reason };
}

export function unreadFromJson({ what, project_id: projectId, reason }: PlanUnread): Unread {
  return { what, projectId, reason };
}

export function unplannedToJson({ project, projectId, diagnostics }: Unplanned): JsonObject {
  return { project, project_id: projectId, diagnostics: diagnostics.map(warningToJson) };
}

export function unplannedFromJson({ project, project_id: projectId, diagnostics }: PlanUnplanned): Unplanned {
  return { project, projectId, diagnostics: diagnostics.map(warningFromJson) };
}
