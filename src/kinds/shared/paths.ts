// Paths of a project, its branches and what lies on them; `{ADDRESS}` stands for an id that is still to be made.
import { assert } from '../../base/assert.ts';
import type { ResourceId } from '../../model/desired.ts';

/** A branch id as the service gives them. */
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

/** What lies on one branch: its `roles`, its `databases`. */
export function contentsPath(projectId: string | null, branchId: ResourceId | null, section: string): string {
  return `${branchPath(projectId, branchId)}/${section}`;
}

/** False for what would lead elsewhere in a path, however it is encoded. */
export function isSegment(text: string): boolean {
  return !/^\.*$/.test(text);
}

/** A name, or an id of any form, as one segment of a path. */
export function nameSegment(name: string): string {
  assert(isSegment(name), 'a name that could leave its path reached a request');
  return encodeURIComponent(name);
}

/** As the service's own connection strings, but for the password; `compute` may be its pooler. */
export function uriThrough(
  address: string,
  { compute, role, database }: { readonly compute: string; readonly role: string; readonly database: string },
): string {
  const path = `${encodeURIComponent(role)}@${address}/${encodeURIComponent(database)}`;
  return `postgresql://${path}?sslmode=require&options=endpoint%3D${compute}`;
}
