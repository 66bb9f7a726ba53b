// Connections as they are live: nothing of their own in the account, but all there where role, database and primary compute are.
import type { JsonObject } from '../../base/json.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Attributes } from '../../model/attributes.ts';
import { flag, nameOfA, plain } from '../attributes.ts';
import type { KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';

export const PLACE: KindPlace = {
  kind: 'connection',
  parent: 'branch',
  section: 'connections',
  segment: 'connections',
};

export const attributes: Attributes = {
  role: nameOfA('role', {
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'role', field: 'name', among: 'siblings' },
  }),
  database: nameOfA('database', {
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'database', field: 'name', among: 'siblings' },
  }),
  pooled: flag({ isIdentity: true }),
  host: plain({ isIdentity: true }),
};

/** What a declaration rests on, as far as it is there. */
interface Parts {
  readonly role: LiveResource | undefined;
  readonly database: LiveResource | undefined;
  readonly compute: LiveResource | undefined;
}

export function partsOf(
  { spec }: DesiredResource,
  branchId: ResourceId | null,
  around: readonly LiveResource[],
): Parts {
  const on = (kind: string, name: unknown): LiveResource | undefined =>
    around.find((one) => one.kind === kind && one.parentId === branchId && one.spec['name'] === name);
  return {
    role: on('role', spec['role']),
    database: on('database', spec['database']),
    compute: around.find(
      (one) => one.kind === 'compute' && one.spec['branch_id'] === branchId && one.spec['type'] === 'read_write',
    ),
  };
}

/** What of it is not there, in words; empty where all is. */
export function missingParts(
  desired: DesiredResource,
  branchId: ResourceId | null,
  around: readonly LiveResource[],
): readonly string[] {
  const { role, database, compute } = partsOf(desired, branchId, around);
  return [
    ...(role === undefined ? [`the role ${JSON.stringify(desired.spec['role'] ?? '?')}`] : []),
    ...(database === undefined ? [`the database ${JSON.stringify(desired.spec['database'] ?? '?')}`] : []),
    ...(compute === undefined ? ['a primary compute of its branch'] : []),
  ];
}

/** Null where something of it is not there. */
export function liveConnection(
  desired: DesiredResource,
  { projectId, branchId }: { readonly projectId: string | null; readonly branchId: ResourceId | null },
  around: readonly LiveResource[],
): LiveResource | null {
  const { role, database, compute } = partsOf(desired, branchId, around);
  if (branchId === null || role === undefined || database === undefined || compute === undefined) return null;
  const { host } = compute.observed;
  const updatedAt = role.observed['updated_at'];
  return {
    kind: PLACE.kind,
    id: `${branchId}/${desired.name}`,
    projectId,
    parentId: branchId,
    spec: {
      role: desired.spec['role'] ?? null,
      database: desired.spec['database'] ?? null,
      pooled: desired.spec['pooled'] ?? false,
      host: host ?? null,
    },
    observed: {
      compute: compute.id,
      ...(typeof updatedAt === 'string' ? { updated_at: updatedAt } : {}),
    },
    createdAtMs: null,
  };
}

/** The host at which the pooler of a compute answers: its first part ends with `-pooler`. */
export function pooledHost(host: string): string {
  return host.replace(/^[^.]*/, (first) => `${first}-pooler`);
}

/** The record that its places should hold now, without its secrets. */
export function recordOf({ spec: { role, database, pooled, host }, observed }: LiveResource): JsonObject {
  const updatedAt = observed['updated_at'];
  return {
    database: database ?? null,
    role: role ?? null,
    pooled: pooled ?? false,
    ...(typeof host === 'string' ? { host, pooled_host: pooledHost(host) } : {}),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
}
