// Projects of a reply as live resources: what a declaration can be compared with, and what is only shown.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { ProjectListItem } from '../../api/index.ts';
import { PROJECT, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { specOf } from '../define.ts';
import { attributes } from './attributes.ts';
import { shownMembers } from '../shared/lists.ts';

/** Each in a scope of its own. */
export const PLACE: KindPlace = {
  kind: PROJECT,
  parent: PROJECT,
  section: 'projects',
  segment: null,
  isApart: true,
  operations: {
    subjectOf: ({ projectId }) => projectId,
    names: 'whole',
    starts: { create: ['create_timeline', 'create_branch', 'start_compute'], update: ['apply_storage_config'] },
    last: 'suspend_compute',
    mayStartNone: true,
  },
};

/** The list of projects shows all of this. Settings that it does not show are at their defaults. */
export function liveProject(item: ProjectListItem): LiveResource {
  const { id } = item;
  return {
    kind: PROJECT,
    id,
    projectId: id,
    spec: specOf(attributes, item),
    observed: shownMembers(item, ['created_at', 'updated_at']),
    createdAtMs: millisecondsOf(item.created_at),
  };
}
