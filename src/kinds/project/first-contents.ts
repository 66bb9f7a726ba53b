// The resources that the service creates with a project: its default branch, a role, a database, and the primary.
import { compareText, type JsonObject } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { isReference } from '../../model/reference.ts';

export interface FirstContents {
  readonly branch: DesiredResource | null;
  readonly role: DesiredResource | null;
  readonly database: DesiredResource | null;
  readonly compute: DesiredResource | null;
}

/** The first database decides with its owner; without a database, the first role that can log in decides. */
export function firstContentsOf(declared: readonly DesiredResource[]): FirstContents {
  const present = declared.filter(({ absent }) => !absent);
  const of = (kind: string): readonly DesiredResource[] => present.filter((one) => one.kind === kind);
  const branch = of('branch').find(({ spec }) => spec['default'] === true && spec['parent_id'] === undefined) ?? null;
  if (branch === null) return { branch, role: null, database: null, compute: null };
  const below = (kind: string): readonly DesiredResource[] =>
    of(kind)
      .filter(({ parent }) => parent === branch.address)
      .toSorted((a, b) => compareText(a.address, b.address));
  const roles = below('role').filter(({ spec }) => spec['no_login'] !== true);
  const byName = new Map(roles.toReversed().map((role) => [role.spec['name'], role]));
  const ownerOf = ({ spec }: DesiredResource): DesiredResource | undefined => byName.get(spec['owner']);
  const database = below('database').find((one) => ownerOf(one) !== undefined) ?? null;
  const role = (database === null ? roles[0] : ownerOf(database)) ?? null;
  const compute = of('compute').find(
    ({ spec: { branch_id: on, type } }) => type === 'read_write' && isReference(on) && on.ref === branch.address,
  );
  return { branch, role, database, compute: compute ?? null };
}

/** The names that the request gives to the first contents. */
export function namesIn({ branch, role, database }: FirstContents): JsonObject {
  const named = (name: string, one: DesiredResource | null): JsonObject =>
    one === null ? {} : { [name]: one.spec['name'] ?? null };
  return { ...named('name', branch), ...named('role_name', role), ...named('database_name', database) };
}
