// Projects of a reply as live resources: what a declaration can be compared with, and what is only shown.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { ProjectListItem } from '../../api/index.ts';
import { objectOf } from '../../base/json.ts';
import { PROJECT, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';

/** Each in a scope of its own. */
export const PLACE: KindPlace = { kind: PROJECT, parent: PROJECT, section: 'projects', segment: null, isApart: true };

/** The list of projects shows all of this. Settings that it does not show are at their defaults. */
export function liveProject(item: ProjectListItem): LiveResource {
  const { id, name, region_id: region, pg_version: version, org_id: org, history_retention_seconds: history } = item;
  return {
    kind: PROJECT,
    id,
    projectId: id,
    spec: {
      name,
      ...(region === undefined ? {} : { region_id: region }),
      ...(version === undefined ? {} : { pg_version: version }),
      ...(org === undefined ? {} : { org_id: org }),
      ...(history === undefined ? {} : { history_retention_seconds: history }),
      default_endpoint_settings: objectOf(item.default_endpoint_settings),
      settings: objectOf(item.settings),
    },
    observed: {
      ...(item.created_at === undefined ? {} : { created_at: item.created_at }),
      ...(item.updated_at === undefined ? {} : { updated_at: item.updated_at }),
    },
    createdAtMs: millisecondsOf(item.created_at),
  };
}
