// The order of what is live, whatever the order in which it was read.
import { compareText } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';

/** By kind, project and id. Lists mostly come in that order, for ids follow the order in which things were made. */
export function inOrder(resources: readonly LiveResource[]): readonly LiveResource[] {
  let before: LiveResource | undefined;
  for (const one of resources) {
    if (before !== undefined && byScopeAndId(before, one) > 0) return [...resources].sort(byScopeAndId);
    before = one;
  }
  return resources;
}

function byScopeAndId(a: LiveResource, b: LiveResource): number {
  const sameProject = a.kind === b.kind && a.projectId === b.projectId;
  if (sameProject) return compareText(a.id, b.id);
  return compareText(a.kind, b.kind) || compareText(a.projectId ?? '', b.projectId ?? '') || compareText(a.id, b.id);
}
