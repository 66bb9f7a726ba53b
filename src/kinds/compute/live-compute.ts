// Computes of a reply as live resources: what a declaration can be compared with, and what is only shown.
import { millisecondsOf } from '../../base/time/clock.ts';
import { PROJECT, type KindPlace } from '../../model/kind.ts';
import type { Endpoint } from '../../api/index.ts';
import type { LiveResource } from '../../model/live.ts';
import { specOf } from '../define.ts';
import { attributes } from './attributes.ts';
import { shownMembers } from '../shared/lists.ts';

export const KIND = 'compute';
/** Directly below its project, also in addresses. */
export const PLACE: KindPlace = {
  kind: KIND,
  parent: PROJECT,
  section: 'computes',
  segment: null,
  operations: {
    subjectOf: ({ resourceId }) => resourceId,
    names: 'itself',
    starts: {
      create: ['create_compute', 'start_compute'],
      update: ['apply_config'],
      move: ['apply_config'],
      restart: ['suspend_compute', 'start_compute'],
      delete: ['suspend_compute'],
    },
    last: 'suspend_compute',
  },
};

/** What the service decides by itself: shown, never compared. */
const OBSERVED = [
  'host',
  'proxy_host',
  'current_state',
  'pending_state',
  'last_active',
  'started_at',
  'suspended_at',
  'disabled',
  'creation_source',
  'created_at',
  'updated_at',
] as const;

export function liveCompute(endpoint: Endpoint, projectId: string): LiveResource {
  return {
    kind: KIND,
    id: endpoint.id,
    projectId,
    spec: specOf(attributes, endpoint),
    observed: shownMembers(endpoint, OBSERVED),
    createdAtMs: millisecondsOf(endpoint.created_at),
  };
}
