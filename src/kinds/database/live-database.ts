// Databases of a reply as live resources: their ids survive a rename.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { DatabaseListItem } from '../../api/index.ts';
import type { Below, KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';

export const PLACE: KindPlace = { kind: 'database', parent: 'branch', section: 'databases', segment: 'databases' };

export function liveDatabase(database: DatabaseListItem, { projectId, parentId = '' }: Below): LiveResource {
  const { id, name, owner_name: owner, created_at: createdAt, updated_at: updatedAt } = database;
  return {
    kind: PLACE.kind,
    id: databaseId(parentId, id),
    projectId,
    parentId,
    spec: { name, owner },
    observed: {
      ...(createdAt === undefined ? {} : { created_at: createdAt }),
      ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    },
    createdAtMs: millisecondsOf(createdAt),
  };
}

/** `BRANCH/NUMBER`: a child branch may keep the numbers of its parent's. */
export function databaseId(branchId: string, id: number): string {
  return `${branchId}/${id}`;
}
