// The two kinds of keys: their lists, their attributes, and the paths of their requests.
import type { ApiKeyList, ApiKeyListItem, OrganizationListing } from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { Attributes } from '../../model/attributes.ts';
import { nameOfA, plain } from '../attributes.ts';
import { PROJECT, type Below, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { contradictionIn } from '../shared/wire.ts';
import { PLACE, timeOf } from './live-key.ts';

export interface KeyVariant {
  readonly place: KindPlace;
  readonly attributes: Attributes;
  /** The path for creating a key with this spec. */
  readonly collection: (spec: JsonObject) => string;
  readonly list: (reader: Reader, below: Below, signal: AbortSignal) => Promise<readonly LiveResource[]>;
  /** Keys of other lists that may hold the own key of the run. */
  readonly beside: (reader: Reader, signal: AbortSignal) => Promise<readonly LiveResource[]>;
  /** True if only declared keys are read. */
  readonly isOnlyDeclared?: true;
}

/** No request changes a key, and a key has only a name. */
const NAME = nameOfA('key', { change: 'never', tells: true, isIdentity: true });

export const ACCOUNT: KeyVariant = {
  place: PLACE,
  attributes: { name: NAME },
  collection: () => '/api_keys',
  list: async (reader, _below, signal) => listed(reader, '/api_keys', { place: PLACE, spec: {} }, signal),
  beside: async () => Promise.resolve([]),
};

const ORGANIZATION_ID = /^[a-z0-9][a-z0-9-]{0,59}$/;

function organizationKeys(id: unknown): string {
  assert(typeof id === 'string' && ORGANIZATION_ID.test(id), 'a malformed organization id reached a request');
  return `/organizations/${id}/api_keys`;
}

const ORG_PLACE: KindPlace = {
  kind: 'org_api_key',
  parent: null,
  section: 'org_api_keys',
  segment: 'org_api_keys',
};

/** Each organization has its own list. */
export const ORGANIZATION: KeyVariant = {
  place: ORG_PLACE,
  isOnlyDeclared: true,
  attributes: {
    name: NAME,
    org_id: plain({ change: 'immutable', tells: true, isIdentity: true, isHome: true, file: 'org' }),
    project_id: plain({
      change: 'immutable',
      file: 'project',
      refersTo: { kind: PROJECT, field: 'id', among: 'project' },
    }),
  },
  collection: ({ org_id: org }) => organizationKeys(org),
  async list(reader, { parentId }, signal) {
    const ids = parentId === undefined ? await organizations(reader, signal) : [parentId];
    const lists = await Promise.all(ids.map(async (id) => keysOf(reader, id, signal)));
    return lists.flat();
  },
  // A key of an organization may have no right to see the account's keys, and is then none of them.
  beside: async (reader, signal) =>
    ACCOUNT.list(reader, { projectId: null }, signal).catch((error: unknown) => {
      if (isRefused(error)) return [];
      throw error;
    }),
};

async function organizations(reader: Reader, signal: AbortSignal): Promise<readonly string[]> {
  const listing = await reader.get<OrganizationListing>('/users/me/organizations', 'OrganizationListing', {
    signal,
    problemOf: (body) => (body.organizations.every(({ id }) => ORGANIZATION_ID.test(id)) ? null : STRANGE),
  });
  const { orgId } = reader;
  const ids = listing.organizations.map(({ id }) => id).filter((id) => orgId === undefined || id === orgId);
  return [...new Set(ids)].sort();
}

async function keysOf(reader: Reader, id: string, signal: AbortSignal): Promise<readonly LiveResource[]> {
  const kept = { place: ORG_PLACE, spec: { org_id: id } };
  return listed(reader, organizationKeys(id), kept, signal).catch((error: unknown) => {
    throw isRefused(error) ? withWayOn(error, id) : error;
  });
}

function isRefused(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && (error.status === 403 || error.status === 404);
}

function withWayOn(refusal: ApiFailure, id: string): ApiFailure {
  const way = `use the key of an administrator of ${id}, or leave the section out with --exclude`;
  return new ApiFailure(`${refusal.message}; ${way}`, refusal);
}

const STRANGE = 'lists an organization whose id no request could name';

interface Kept {
  readonly place: KindPlace;
  readonly spec: JsonObject;
}

async function listed(reader: Reader, path: string, kept: Kept, signal: AbortSignal): Promise<readonly LiveResource[]> {
  const of = (item: ApiKeyListItem): LiveResource => fromWire(item, kept);
  // If two keys have one id, nobody knows which one a revocation removes.
  const problemOf = (body: ApiKeyList): string | null => {
    const twice = contradictionIn(body, ({ id }) => String(id), of);
    return twice === null ? null : `lists the key ${twice} twice, with different values`;
  };
  const keys = await reader.get<ApiKeyList>(path, 'ApiKeyList', { signal, problemOf });
  return keys.map(of);
}

/** `spec` holds the name and the home; `observed` holds times as the service writes them. */
function fromWire(item: ApiKeyListItem, { place, spec }: Kept): LiveResource {
  const { project_id: projectId, last_used_from_addr: address } = item;
  const home = textOf(spec['org_id']);
  return {
    kind: place.kind,
    id: String(item.id),
    projectId: null,
    ...(home === null ? {} : { parentId: home }),
    spec: { name: item.name, ...spec, ...(projectId === undefined ? {} : { project_id: projectId }) },
    observed: {
      created_at: item.created_at ?? null,
      last_used_at: timeOf(item.last_used_at) === null ? null : (item.last_used_at ?? null),
      last_used_from_addr: typeof address === 'string' ? address : null,
    },
    createdAtMs: timeOf(item.created_at),
  };
}
