// Projects in the file: the mistakes that can be found without the API, and the resources that the service creates with a project.
import { groupBy } from '../../base/group-by.ts';
import { arrayOf, isJsonObject, objectOf, type Json, type JsonObject, compareText } from '../../base/json.ts';
import type { CheckContext, Entry, EntryProblem } from '../../config/kind-section.ts';
import { errorAt, writtenAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import { spanOf } from './attributes.ts';
import { badName, contradictions, error, sizesProblem } from '../shared/problems.ts';
import { present } from '../../base/picked.ts';
import type { Address } from '../../model/address.ts';
import { isReference } from '../../model/values.ts';
import type { Within } from '../../plan/kind-rules.ts';
import { NOTES } from '../shared/branch-contents.ts';

export function entryProblems({ name, value }: Entry): readonly (EntryProblem | false | null)[] {
  const { settings, create, renamed_from: former } = value;
  const { maintenance_window: window, allowed_ips: allowed } = objectOf(settings);
  // An absent project is deleted and never updated first, so an entry with `state: absent` may have only these keys.
  const beside = Object.keys(value).filter((key) => !['id', 'name', 'state', 'lifecycle'].includes(key));
  return [
    ...contradictions(value, [['state', 'absent', beside]]),
    create !== undefined && isJsonObject(window) && windowProblem(window),
    badName(former, ['renamed_from']) ??
      (former !== undefined && former === (value['name'] ?? name) && RENAMED_TO_ITSELF),
    sizesProblem(objectOf(value['default_endpoint_settings']), ['default_endpoint_settings']),
    ...arrayOf(objectOf(allowed)['ips']).map(addressProblem),
  ];
}

const RENAMED_TO_ITSELF = error(
  ['renamed_from'],
  'contradiction',
  '`renamed_from` equals the present name of the project',
  'Remove `renamed_from`, or write the new name as `name:`.',
);

/** A new project has no live maintenance window that could supply missing members, so the entry must give every member. */
function windowProblem(window: JsonObject): EntryProblem | null {
  const missing = ['weekdays', 'start_time', 'end_time'].filter((member) => window[member] === undefined);
  if (missing.length === 0) return null;
  const names = missing.map((one) => `\`${one}\``).join(' and ');
  const message = `the maintenance window of a new project lacks ${names}`;
  return error(['settings', 'maintenance_window'], 'window_unfinished', message, undefined, { atKey: true });
}

function addressProblem(rule: Json, at: number): EntryProblem | null {
  if (typeof rule !== 'string') return null;
  const path = ['settings', 'allowed_ips', 'ips', at];
  const shown = JSON.stringify(rule);
  const span = spanOf(rule);
  if (span === null)
    return error(
      path,
      'bad_address',
      `${shown} is not an address, a CIDR range or a range FROM-TO`,
      'For example 203.0.113.7, 203.0.113.0/24 or 203.0.113.1-203.0.113.9.',
    );
  if (!span.isWithin) return null;
  const message = `${shown} allows not only this address, but every address of its network`;
  const hint = 'Write the first address of the network, or remove the `/` part to allow this address alone.';
  return { ...error(path, 'network_around', message, hint), severity: 'warning' };
}

export function checkProjects(
  resources: readonly DesiredResource[],
  { all, projects }: CheckContext,
): readonly Diagnostic[] {
  const contents = all.filter(({ kind }) => kind !== PROJECT);
  const below = groupBy(contents, ({ scope }) => scope);
  const kept = new Set(projects.flatMap(({ label, prune }) => (prune === false ? [label] : [])));
  return resources.flatMap((project): readonly Diagnostic[] => {
    const own = below.get(project.scope) ?? [];
    if (project.absent) return own.slice(0, 1).map((one) => goesAsWell(project, one));
    const isPrunedNew = !kept.has(project.scope) && project.options['name'] !== undefined;
    return isPrunedNew && firstContentsOf(own).compute === null ? [unlistedPrimary(project)] : [];
  });
}

function goesAsWell(project: DesiredResource, other: DesiredResource): Diagnostic {
  const message = `${project.address} has state: absent, but ${other.address} belongs to that project`;
  const hint = 'Remove the resources of the project from the file: they are deleted with it.';
  const related = [{ message: '`state: absent` is written here', range: writtenAt(project, 'state') }];
  return errorAt(other, '', 'contradiction', message, hint, { related });
}

function unlistedPrimary(project: DesiredResource): Diagnostic {
  const message = `${project.address} may be created, and \`prune\` would then delete the primary of its default branch`;
  const hint = 'Declare the default branch (`default: true`) and its primary, or remove `prune`.';
  return errorAt(project, 'create', 'prune_of_first_primary', message, hint);
}

interface FirstContents {
  readonly branch: DesiredResource | null;
  readonly role: DesiredResource | null;
  readonly database: DesiredResource | null;
  readonly compute: DesiredResource | null;
}

/** Chooses the declarations to create with a project: default branch, its primary, a database with its owner (if none: a role that can log in). */
function firstContentsOf(declared: readonly DesiredResource[]): FirstContents {
  const present = declared.filter(({ absent }) => !absent);
  const of = (kind: string): readonly DesiredResource[] => present.filter((one) => one.kind === kind);
  const branch = of('branch').find(({ spec }) => spec['default'] === true && spec['parent_id'] === undefined) ?? null;
  const below = (kind: string): readonly DesiredResource[] =>
    of(kind)
      .filter(({ parent }) => parent === branch?.address)
      .toSorted((a, b) => compareText(a.address, b.address));
  const roles = below('role').filter(({ spec }) => spec['no_login'] !== true);
  const ownerOf = ({ spec }: DesiredResource): DesiredResource | undefined =>
    roles.find((role) => role.spec['name'] === spec['owner']);
  const database = below('database').find((one) => ownerOf(one) !== undefined) ?? null;
  const role = (database === null ? roles[0] : ownerOf(database)) ?? null;
  const compute = of('compute').find(
    ({ spec: { branch_id: on, type } }) => type === 'read_write' && isReference(on) && on.ref === branch?.address,
  );
  return { branch, role, database, compute: compute ?? null };
}

interface Created {
  readonly body: JsonObject;
  readonly makes: readonly Address[];
}

/** Returns what to create with a project. The branch carries the annotation of the run, because a project cannot have annotations. */
export function createdWithin({ desired: { options, spec }, declared, facts: { org_id: listed } }: Within): Created {
  // If the service stores no passwords, only a role's own creation shows its password. So a role with sinks is not created with the project.
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
