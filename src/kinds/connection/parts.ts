// Derives live connections: the service stores none, so each follows from its role, its database and the primary of its branch.
import { textOf, type Json, type JsonObject } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import type { Attributes } from '../../model/attributes.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { ofKind, primaryOf } from '../shared/effects.ts';
import { flag, nameOfA, plain } from '../attributes.ts';

export const KIND = 'connection';

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

interface Parts {
  readonly role: LiveResource | undefined;
  readonly database: LiveResource | undefined;
  readonly compute: LiveResource | undefined;
  readonly missing: readonly string[];
}

export function partsOf(
  { spec }: DesiredResource,
  branchId: ResourceId | null,
  around: readonly LiveResource[],
): Parts {
  const on = (kind: string, name: unknown): LiveResource | undefined =>
    ofKind(around, kind).find(({ parentId, spec }) => parentId === branchId && spec['name'] === name);
  const role = on('role', spec['role']);
  const database = on('database', spec['database']);
  const compute = primaryOf(branchId, around);
  const missing = [
    ...(role === undefined ? [`the role ${JSON.stringify(spec['role'] ?? '?')}`] : []),
    ...(database === undefined ? [`the database ${JSON.stringify(spec['database'] ?? '?')}`] : []),
    ...(compute === undefined ? ['a primary compute of its branch'] : []),
  ];
  return { role, database, compute, missing };
}

/** The id is made of the branch and the name in the file. Null while a resource that the connection needs is missing. */
export function liveConnection(
  desired: DesiredResource,
  { projectId, parentId }: { readonly projectId: string | null; readonly parentId: ResourceId | null },
  around: readonly LiveResource[],
): LiveResource | null {
  const { role, database, compute } = partsOf(desired, parentId, around);
  if (parentId === null || role === undefined || database === undefined || compute === undefined) return null;
  const { role: roleName = null, database: databaseName = null, pooled = false } = desired.spec;
  return {
    kind: KIND,
    id: `${parentId}/${desired.name}`,
    projectId,
    parentId,
    spec: { role: roleName, database: databaseName, pooled, host: compute.observed['host'] ?? null },
    observed: { compute: compute.id, ...present({ updated_at: textOf(role.observed['updated_at']) }) },
    createdAtMs: null,
  };
}

export function pooledHost(host: string): string {
  return host.replace(/^[^.]*/, (first) => `${first}-pooler`);
}

/** `pooled` distinguishes two connections of one role and database. */
export function factsOf(
  { role = null, database = null, pooled = false, host }: JsonObject,
  updatedAt: Json | undefined,
): JsonObject {
  const hosts = typeof host === 'string' ? { host, pooled_host: pooledHost(host) } : {};
  return { database, role, pooled, ...hosts, ...present({ updated_at: textOf(updatedAt) }) };
}
