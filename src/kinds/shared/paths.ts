// Paths of requests; `{ADDRESS}` stands for the id of a resource that does not exist yet.
import { assert } from '../../base/assert.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Below } from '../../model/kind.ts';

export const BRANCH_ID: RegExp = /^br-[a-z0-9-]{1,57}$/;
const PROJECT_ID = /^[a-z0-9][a-z0-9-]{0,59}$/;
const UNBORN = /^\{[^{}]+\}$/;

export function projectPath(id: string | null): string {
  assert(id !== null && (PROJECT_ID.test(id) || UNBORN.test(id)), 'a malformed project id reached a request');
  return `/projects/${id}`;
}

export function branchesPath(projectId: string | null): string {
  return `${projectPath(projectId)}/branches`;
}

export function branchPath(projectId: string | null, id: ResourceId | null): string {
  assert(id !== null && (BRANCH_ID.test(id) || UNBORN.test(id)), 'a malformed branch id reached a request');
  return `${branchesPath(projectId)}/${id}`;
}

export function contentsPath(projectId: string | null, branchId: ResourceId | null, section: string): string {
  return `${branchPath(projectId, branchId)}/${section}`;
}

export function rolePath({ projectId, parentId = '' }: Below, name: string): string {
  return `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(name)}`;
}

/** False for an empty text, and for a text of only dots, because dots lead to another path even if they are encoded. */
export function isSegment(text: string): boolean {
  return !/^\.*$/.test(text);
}

export function nameSegment(name: string): string {
  assert(isSegment(name), 'a name that could leave its path reached a request');
  return encodeURIComponent(name);
}

/** Encodes an id, but keeps `{ADDRESS}`, which is replaced before the request is sent. */
export function idSegment(id: ResourceId): string {
  return UNBORN.test(id) ? id : nameSegment(id);
}

/** Returns a connection string through `address`, without a password. `compute`: the id of the compute, with `-pooler` to use its pooler. */
export function uriThrough(
  address: string,
  { compute, role, database }: { readonly compute: string; readonly role: string; readonly database: string },
): string {
  const path = `${encodeURIComponent(role)}@${address}/${encodeURIComponent(database)}`;
  return `postgresql://${path}?sslmode=require&options=endpoint%3D${compute}`;
}
