// The attributes of branches (api-rules 8).
import type { BranchListItem, BranchListing } from '../../api/index.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import type { Normalised, KindTraits } from '../../model/attributes.ts';
import { specOf, type Row } from '../define.ts';
import { flag, once, plain, seconds, text } from '../attributes.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { shownMembers } from '../shared/lists.ts';

/** The service takes no longer lease ("expires_at": at most 30 days ahead). */
const MAX_TTL_SECONDS = 30 * 86_400;
/** The service keeps whole seconds, counted from when the request arrives. */
const LEASE_MARGIN_SECONDS = 60;

export const attributes: Readonly<Record<string, Row<BranchListItem>>> = {
  name: text('the name of a branch', { tells: true, isIdentity: true, formerly: 'renamed_from', hasLabels: true }),
  // A branch without one is a root (account reference 2.3).
  parent_id: {
    ...plain({ change: 'immutable', absent: null }),
    read: ({ parent_id: parent }) => (parent === '' ? undefined : parent),
    refersTo: { kind: 'branch', field: 'id', among: 'project', onRemoval: 'holds', after: ['expires_at', 'protected'] },
  },
  // The service calls the branch that a schema comes from its parent.
  schema_of: {
    ...once({ refersTo: { kind: 'branch', field: 'id', among: 'project' } }),
    wire: 'parent_id',
    read: none,
  },
  parent_timestamp: { ...once(), read: none },
  parent_lsn: { ...once(), read: none },
  init_source: { ...once(), read: none },
  disposable: { ...once(), read: none, write: none },
  default: { ...flag({ default: false, mayKeep: true }), read: ({ default: is, primary }) => is ?? primary },
  protected: flag({ default: false, mayKeep: true }),
  // A branch without one never expires (account reference 2.7), and one that expires has a lease, shown or not.
  ttl_seconds: {
    ...seconds('a duration such as 12h or 14d', leaseProblem, { absent: null, shownWith: 'expires_at', isEnd: true }),
    canonical: sameLease,
    wire: 'expires_at',
    read: ({ expires_at: at, ttl_interval_seconds: ttl }) => (at === undefined ? undefined : ttl),
    write: (value) => (typeof value === 'number' ? { ttl_seconds: value } : undefined),
  },
  expires_at: {
    ...plain({ absent: null, isEnd: true, clearedBy: ['ttl', 'expires_at'] }),
    canonical: wholeSecond,
    normalise: (value): Normalised => {
      const ms = millisecondsOf(value);
      return ms === null ? { problem: 'expected a time with its zone, or a date' } : { value: isoTime(ms) };
    },
  },
};

function none(): undefined {
  return undefined;
}

function leaseProblem(given: number): string | null {
  const isAllowed = Number.isInteger(given) && given >= 1 && given <= MAX_TTL_SECONDS;
  return isAllowed ? null : `a ttl is 1 s to 30 d, in whole seconds; this ttl is ${given} s`;
}

/** Leases that differ by less than the margin get one form. */
function sameLease(value: Json, beside: Json = null): Json {
  if (typeof value !== 'number' || typeof beside !== 'number') return value;
  return Math.abs(value - beside) <= LEASE_MARGIN_SECONDS ? Math.min(value, beside) : value;
}

function wholeSecond(value: Json): Json {
  const ms = millisecondsOf(value);
  return ms === null ? null : isoTime(Math.floor(ms / 1000) * 1000);
}

const KIND = 'branch';
export const PLACE: KindTraits = {
  attributes,
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
