// The resources that the service creates with a project: its default branch, a role, a database, and the primary.
import { present } from '../../base/picked.ts';
import { compareText, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { isReference } from '../../model/values.ts';
import type { Within } from '../../plan/kind-rules.ts';
import { NOTES } from '../shared/branch-contents.ts';

interface FirstContents {
  readonly branch: DesiredResource | null;
  readonly role: DesiredResource | null;
  readonly database: DesiredResource | null;
  readonly compute: DesiredResource | null;
}

/** Chooses the declarations of the first contents: the first database with its owner; without one, the first role that can log in. */
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
  const ownerOf = ({ spec }: DesiredResource): DesiredResource | undefined =>
    roles.find((role) => role.spec['name'] === spec['owner']);
  const database = below('database').find((one) => ownerOf(one) !== undefined) ?? null;
  const role = (database === null ? roles[0] : ownerOf(database)) ?? null;
  const compute = of('compute').find(
    ({ spec: { branch_id: on, type } }) => type === 'read_write' && isReference(on) && on.ref === branch.address,
  );
  return { branch, role, database, compute: compute ?? null };
}

interface Created {
  readonly body: JsonObject;
  readonly makes: readonly Address[];
}

/** Returns the body for the first contents. Their branch carries the run's annotation, because a project cannot have annotations. */
export function createdWithin({ desired: { options, spec }, declared, facts: { org_id: listed } }: Within): Created {
  // If the service stores no passwords, only the creation of a role shows one: a role whose password goes to a sink gets its own request.
  const isShownOnce = spec['store_passwords'] === false;
  const isStored = ({ kind, parent, options, spec: { name } }: DesiredResource): boolean =>
    kind === 'role' &&
    (Object.keys(options).length > 0 || declared.some((one) => one.parent === parent && one.spec['role'] === name));
  const { branch, role, database, compute } = firstContentsOf(
    declared.filter((one) => !(isShownOnce && isStored(one))),
  );
  return {
    body: {
      name: options['name'] ?? null,
      // The project is created in the organization whose projects were listed.
      ...(spec['org_id'] === undefined && listed !== undefined ? { org_id: listed } : {}),
      branch: {
        ...present({
          name: branch?.spec['name'],
          role_name: role?.spec['name'],
          database_name: database?.spec['name'],
        }),
        annotations: { [NOTES.run]: { run_id: true } },
      },
    },
    makes: [branch, role, database, compute].flatMap((one) => one?.address ?? []),
  };
}
