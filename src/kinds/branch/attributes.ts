// The attributes of branches (api-rules 8), and how the service shows them.
import type { BranchListItem } from '../../api/index.ts';
import { objectOf, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import type { Normalised } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Row, WireTable } from '../shared/wire.ts';
import { flag, once, plain, seconds, text } from '../define.ts';
import { PROJECT } from '../../model/kind.ts';
import { foreignIn } from '../shared/branch-contents.ts';
import { BRANCH_ID, branchesPath } from '../shared/paths.ts';

/** The service accepts a `ttl` up to 30 days (api-rules 8.7). */
const MAX_TTL_SECONDS = 30 * 86_400;
/** Leases (`ttl`) that differ by this or less are equal, as the service counts whole seconds from the request's arrival. */
const LEASE_MARGIN_SECONDS = 60;

export const attributes: Readonly<Record<string, Row<Item>>> = {
  name: text({ tells: true, isIdentity: true, formerly: 'renamed_from', hasLabels: true }),
  // A missing parent means that the branch is a root.
  parent_id: {
    ...plain({ change: 'immutable', absent: null }),
    read: ({ parent_id: parent }) => (parent === '' ? undefined : parent),
    refersTo: {
      kind: 'branch',
      field: 'id',
      among: 'project',
      onRemoval: 'holds',
      after: ['expires_at', 'protected'],
      copies,
    },
  },
  // A branch that copies a schema is a root, but the request names the source of the schema as `parent_id`.
  schema_of: {
    ...once({ refersTo: { kind: 'branch', field: 'id', among: 'project' } }),
    wire: 'parent_id',
    read: none,
  },
  parent_timestamp: { ...once(), read: none },
  parent_lsn: { ...once(), read: none },
  init_source: { ...once(), read: none },
  disposable: { ...once(), read: none, write: none },
  // The live value is the time of the last reset. If the branch's own route shows no reset, it is the creation time; a list may omit the reset.
  reset: {
    ...plain({ isOpen: isResetOpen, canonical: sameReset }),
    // The service shows whole seconds, so the wanted time is cut to whole seconds.
    normalise: (value) => timeOf(wholeSecond(objectOf(value)['not_before'] ?? null)),
    read: resetSince,
    write: none,
  },
  default: { ...flag({ default: false, mayKeep: true }), read: ({ default: is, primary }) => is ?? primary },
  protected: flag({ default: false, mayKeep: true }),
  // A branch without lease and expiry never expires. A branch with an expiry has a lease, even if only the expiry is shown.
  ttl_seconds: {
    ...seconds('12h or 14d', (given) => given >= 1 && given <= MAX_TTL_SECONDS, 'a ttl of 1 s to 30 d', {
      absent: null,
      shownWith: 'expires_at',
      isEnd: true,
      file: 'ttl',
    }),
    canonical: sameLease,
    wire: 'expires_at',
    read: ({ expires_at: at, ttl_interval_seconds: ttl }) => (at === undefined ? undefined : ttl),
    write: (value) => (typeof value === 'number' ? { ttl_seconds: value } : undefined),
  },
  expires_at: {
    ...plain({ absent: null, isEnd: true, clearedBy: ['ttl', 'expires_at'] }),
    canonical: wholeSecond,
    normalise: timeOf,
  },
};

const [WITH_DATA, WITHOUT_DATA] = ['parent-data', 'schema-only'];

/** Returns the branch whose contents the new branch copies; null for a copy of an earlier moment, whose contents are not known. */
function copies(spec: JsonObject, live: readonly LiveResource[]): Json | null {
  const { init_source: source = WITH_DATA } = spec;
  const isOfNow = ['parent_timestamp', 'parent_lsn'].every((path) => spec[path] === undefined);
  if (!isOfNow || (source !== WITH_DATA && source !== WITHOUT_DATA)) return null;
  return spec['parent_id'] ?? spec['schema_of'] ?? live.find((one) => one.spec['default'] === true)?.id ?? null;
}

function timeOf(value: Json): Normalised {
  const ms = millisecondsOf(value);
  return ms === null ? { problem: 'expected a time with its zone, or a date' } : { value: isoTime(ms) };
}

function none(): undefined {
  return undefined;
}

function resetSince({ last_reset_at: resetAt, created_at: madeAt, isItself = false }: Item): Json | undefined {
  const since = textOf(resetAt ?? (isItself ? madeAt : null));
  return since === null ? undefined : { since };
}

/** An older `reset` does nothing: a line that stayed in a file must not delete a week of work. */
const RESET_WITHIN_MS = 7 * 86_400_000;

export function isResetOpen(wanted: Json, nowMs: number): boolean {
  const ms = millisecondsOf(wanted) ?? Infinity;
  return ms <= nowMs && nowMs - ms <= RESET_WITHIN_MS;
}

export function isResetOver(wanted: Json, nowMs: number): boolean {
  return (millisecondsOf(wanted) ?? Infinity) < nowMs - RESET_WITHIN_MS;
}

export function sameReset(wanted: Json, live: Json = null): Json {
  const sinceMs = millisecondsOf(objectOf(live)['since']);
  const ms = millisecondsOf(wanted);
  return ms !== null && sinceMs !== null && sinceMs >= ms ? live : wanted;
}

function sameLease(value: Json, beside: Json = null): Json {
  if (typeof value !== 'number' || typeof beside !== 'number') return value;
  return Math.abs(value - beside) <= LEASE_MARGIN_SECONDS ? Math.min(value, beside) : value;
}

function wholeSecond(value: Json): Json {
  const ms = millisecondsOf(value);
  return ms === null ? null : isoTime(Math.floor(ms / 1000) * 1000);
}

/** `isItself`: true if the item comes from the branch's own route. Unlike a list, this route leaves out no member. */
export type Item = BranchListItem & { readonly isItself?: boolean };

/** Operations of a compute: if one ends well, the compute's branch works, so an earlier failure of the branch is repaired. */
const APPLYING: ReadonlySet<string> = new Set(['apply_config', 'start_compute']);

export const wireTable: WireTable<Item> = {
  kind: 'branch',
  parent: PROJECT,
  section: 'branches',
  segment: 'branches',
  operations: {
    subjectOf: ({ branchId, resourceId }) => (resourceId === null ? branchId : null),
    names: 'itself',
    repairs: ({ branchId, action }) => (APPLYING.has(action) ? branchId : null),
    starts: {
      create: ['create_branch', 'create_timeline', 'timeline_update_protected_config'],
      update: ['create_branch', 'delete_timeline', 'apply_config'],
      delete: ['delete_timeline'],
    },
    // A creation and a restore always start operations; other changes may start none.
    mayStartNone: ({ method, path }) => method !== 'POST' || path.endsWith('/set_as_default'),
  },
  collection: ({ projectId }) => branchesPath(projectId),
  wire: {
    list: 'BranchListing',
    items: 'branches',
    reply: 'BranchWritten',
    item: 'branch',
    problemOf: foreignIn('branch', BRANCH_ID, true),
  },
  attributes,
  observed: [
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
  ],
};
