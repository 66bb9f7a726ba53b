// Databases of a reply as live resources: their ids survive a rename.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { DatabaseListItem } from '../../api/index.ts';
import type { Below, KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { ON_A_BRANCH } from '../shared/branch-contents.ts';
import { shownMembers } from '../shared/lists.ts';

export const PLACE: KindPlace = {
  kind: 'database',
  parent: 'branch',
  section: 'databases',
  segment: 'databases',
  operations: ON_A_BRANCH,
};

export function liveDatabase(database: DatabaseListItem, { projectId, parentId = '' }: Below): LiveResource {
  const { id, name, owner_name: owner } = database;
  return {
    kind: PLACE.kind,
    id: databaseId(parentId, id),
    projectId,
    parentId,
    spec: { name, owner },
    observed: shownMembers(database, ['created_at', 'updated_at']),
    createdAtMs: millisecondsOf(database.created_at),
  };
}

/** `BRANCH/NUMBER`: a child branch may keep the numbers of its parent's. */
export function databaseId(branchId: string, id: string | number): string {
  return `${branchId}/${id}`;
}
