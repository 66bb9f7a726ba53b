// Branches of a reply as live resources: what a declaration can be compared with, and what is only shown.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { BranchListItem, BranchListing } from '../../api/index.ts';
import type { JsonObject } from '../../base/json.ts';
import { PROJECT, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { specOf } from '../define.ts';
import { attributes } from './attributes.ts';
import { shownMembers } from '../shared/lists.ts';

const KIND = 'branch';
export const PLACE: KindPlace = {
  kind: KIND,
  parent: PROJECT,
  section: 'branches',
  segment: 'branches',
  operations: {
    subjectOf: ({ branchId, resourceId }) => (resourceId === null ? branchId : null),
    names: 'itself',
    starts: {
      create: ['create_branch', 'create_timeline', 'timeline_update_protected_config'],
      delete: ['delete_timeline'],
    },
    mayStartNone: true,
  },
};

/** What the service decides by itself: shown, never compared. */
const OBSERVED = [
  'current_state',
  'pending_state',
  'logical_size',
  'parent_lsn',
  'parent_timestamp',
  'init_source',
  'last_reset_at',
  'written_data_bytes',
  'restored_as',
  'restored_from',
  'created_at',
  'updated_at',
] as const;

type Notes = NonNullable<BranchListing['annotations']>[string];

/** A branch as a live resource. A lease is what the service keeps of it (`ttl_interval_seconds`), never the time left. */
export function liveBranch(branch: BranchListItem, projectId: string, notes: Notes | undefined): LiveResource {
  return {
    kind: KIND,
    id: branch.id,
    projectId,
    ...(branch.restored_as === undefined ? {} : { tookOver: branch.restored_as }),
    spec: specOf(attributes, branch),
    observed: {
      ...shownMembers(branch, OBSERVED),
      ...(notes?.value === undefined ? {} : { annotations: notes.value as JsonObject }),
    },
    createdAtMs: millisecondsOf(branch.created_at),
  };
}
