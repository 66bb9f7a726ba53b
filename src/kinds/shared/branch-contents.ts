// What is common to branches and what lies on them (roles, databases): names, notes, and how replies about it are understood.
import { assert } from '../../base/assert.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { inert } from '../../base/text/inert.ts';
import { didYouMean } from '../../base/text/words.ts';
import type { Operation } from '../../api/index.ts';
import type { OperationRef } from '../../client/operations/waiting.ts';
import type { CheckContext, EntryProblem } from '../../config/kind-section.ts';
import { asPart, type Address } from '../../model/address.ts';
import type { DesiredResource, KindName, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isReference } from '../../model/reference.ts';
import type { OperationTable } from '../../model/operations/table.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Effect, RequestInput } from '../../plan/kind-rules.ts';
import type { KindPlace } from '../../model/kind.ts';
import { contentsPath } from './paths.ts';
import { error } from './problems.ts';

/**
 * Notes that a client leaves on a branch when it makes one, the first of a project as well: no route changes them later, and nothing else
 * on the service tells who made it.
 */
export const NOTES = { run: 'trueup.run', disposable: 'trueup.disposable', set: 'trueup.set' } as const;

/** The fact, among those that pass, that a branch says of itself that it was made to be thrown away. */
export const DISPOSABLE = 'disposable';

export function isMadeDisposable({ observed: { annotations: notes } }: Pick<LiveResource, 'observed'>): boolean {
  return isJsonObject(notes) && notes[NOTES.disposable] === 'true';
}

/** What the removal of what comes with a branch of this plan does: nobody is connected to that yet. */
export const COPY_DROPPED: Effect = {
  impact: ['data_lost'],
  details: { data_lost: { words: 'the copy on the new branch is deleted; the original on the parent branch stays' } },
  notes: [],
};

/** Why the list is not that of this branch; null where it is. */
export function strangerIn(
  items: readonly { readonly name: string; readonly branch_id?: string | undefined }[],
  branchId: ResourceId,
  what: string,
): string | null {
  const names = new Set<string>();
  for (const { name, branch_id: owner } of items) {
    const words = `lists the ${what} "${inert(name, 80)}"`;
    if (owner !== undefined && owner !== branchId) return `${words} of another branch`;
    if (names.has(name)) return `${words} twice`;
    names.add(name);
  }
  return null;
}

/** Postgres keeps names of so many bytes. */
const MAX_BYTES = 63;

/** Why Postgres would not take the name; null when it would. */
export function nameProblemOf(name: string, what: string): EntryProblem | null {
  const bytes = new TextEncoder().encode(name).length;
  const message =
    bytes > MAX_BYTES
      ? `the name of a ${what} has at most ${MAX_BYTES} bytes; this name has ${bytes}`
      : /\0/.test(name) || /^\.*$/.test(name)
        ? `this text cannot be the name of a ${what}`
        : null;
  return message === null ? null : error([], 'bad_name', message, { atKey: true });
}

export function reservedName(name: string): EntryProblem {
  const message = `${JSON.stringify(name)} is reserved by Postgres or the service`;
  return error([], 'reserved_name', message, { hint: 'Choose another name.', atKey: true });
}

const APPLIED = ['apply_config'];

/** A compute of the branch applies what lies on it; where none runs, no operation does. */
const BY_ITS_COMPUTE: OperationTable = {
  subjectOf: ({ branchId }) => branchId,
  names: 'parent',
  starts: { create: APPLIED, update: APPLIED, rotate: APPLIED, delete: APPLIED },
  last: 'suspend_compute',
  mayStartNone: true,
};

interface NamedOnABranch extends KindPlace {
  readonly key: string;
  readonly segmentBy: string;
  readonly words: (spec: JsonObject) => string;
  readonly collection: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
}

/** The traits of a kind whose resources lie on a branch, told by their names. */
export function onABranch(kind: KindName): NamedOnABranch {
  const section = `${kind}s`;
  return {
    kind,
    parent: 'branch',
    section,
    segment: section,
    operations: BY_ITS_COMPUTE,
    key: 'name',
    segmentBy: 'name',
    words: ({ name }) => `the ${kind} ${JSON.stringify(name ?? '?')}`,
    collection: ({ projectId, parentId }) => contentsPath(projectId, parentId, section),
  };
}

/**
 * The operations that a reply names, of the step's own project; null where it names none, also where it says that there is none: it may
 * leave out what it started, and that may fail.
 */
export function operationRefs(
  { projectId }: Step,
  operations: readonly Operation[] | undefined,
): readonly OperationRef[] | null {
  assert(projectId !== null, 'a resource of a branch has no project');
  if (operations === undefined || operations.length === 0) return null;
  return operations
    .filter((operation) => (operation.project_id ?? projectId) === projectId)
    .map(({ id, action, status, failures_count: failuresCount = 0 }) => ({
      id,
      projectId,
      action,
      status,
      failuresCount,
    }));
}

/** Attributes that name what lies on the same branch, each with the kind that it names. */
export type Naming = Readonly<Record<string, KindName>>;

/** An error for each name of something that shall be gone, or that is nowhere on a branch that the files alone make. */
export function checkNames(
  resources: readonly DesiredResource[],
  context: CheckContext,
  naming: Naming,
): readonly Diagnostic[] {
  const declared = new Map(context.all.map((one) => [one.address, one]));
  const namesOn = madeContents(context);
  return resources
    .filter(({ absent }) => !absent)
    .flatMap(({ parent = '', spec, address, sources, source }) =>
      Object.entries(naming).flatMap(([path, kind]): readonly Diagnostic[] => {
        const name = spec[path];
        if (typeof name !== 'string') return [];
        const referent = declared.get(`${parent}/${kind}s/${asPart(name)}`);
        const at = { severity: 'error', address, range: sources[path] ?? source } as const;
        if (referent?.absent === true) {
          const message = `${path} of ${address} is ${referent.address}, which has state: absent`;
          const related = [{ message: `${referent.address} is declared here`, range: referent.source }];
          return [
            {
              ...at,
              code: 'reference_to_absent',
              message,
              hint: 'Name another resource, or remove its state: absent.',
              related,
            },
          ];
        }
        const names = referent === undefined ? namesOn(parent, kind) : null;
        if (names === null || names.has(name)) return [];
        const near = didYouMean(name, names);
        const message = `${path} is ${JSON.stringify(name)}, but these files create ${parent} and declare no ${kind} of that name there`;
        const hint = near === undefined ? `Declare the ${kind} at ${parent}.` : `Did you mean ${JSON.stringify(near)}?`;
        return [{ ...at, code: 'unknown_referent', message, hint }];
      }),
    );
}

/** The names of a kind on a declared branch; null where the service alone knows them. */
type NamesOn = (branch: Address, kind: KindName) => ReadonlySet<string> | null;

/** A project that the files make has what they declare, what comes along with it, and what each branch takes from its parent. */
function madeContents({ all, projects }: CheckContext): NamesOn {
  const made = new Set(
    projects.filter(({ mayBeMade, id }) => mayBeMade === true && id === null).map(({ label }) => label),
  );
  const present = all.filter(({ absent, scope }) => !absent && made.has(scope));
  const branches = new Map(present.filter(({ kind }) => kind === 'branch').map((branch) => [branch.address, branch]));
  const below = groupBy(present, ({ parent = '', kind }) => `${parent} ${kind}`);
  const found = new Map<string, ReadonlySet<string> | null>();
  const look = (branch: DesiredResource, kind: KindName): ReadonlySet<string> | null => {
    const { parent_timestamp: at, parent_lsn: lsn, parent_id: parent, schema_of: origin } = branch.spec;
    const from = parent ?? origin;
    if (branch.pin !== null || at !== undefined || lsn !== undefined) return null;
    const own = below.get(`${branch.address} ${kind}`) ?? [];
    const isFirst = from === undefined && branch.spec['default'] === true;
    const roles = below.get(`${branch.address} role`) ?? [];
    const databases = below.get(`${branch.address} database`) ?? [];
    const others = isFirst ? comingAlong(roles, databases, kind) : isReference(from) ? namesOn(from.ref, kind) : null;
    return others && new Set([...others, ...own.map(({ spec }) => String(spec['name']))]);
  };
  const namesOn: NamesOn = (address, kind) => {
    const [key, branch] = [`${address} ${kind}`, branches.get(address)];
    const known = found.get(key);
    if (known !== undefined || branch === undefined) return known ?? null;
    // A ring ends where it is entered again.
    found.set(key, null);
    const names = look(branch, kind);
    found.set(key, names);
    return names;
  };
  return namesOn;
}

const FIRST_DATABASE = 'neondb';

/** What the service names itself in the first branch of a project: a database where the files name none with its owner, and a role where they name none. */
function comingAlong(
  roles: readonly DesiredResource[],
  databases: readonly DesiredResource[],
  kind: KindName,
): Iterable<string> {
  const logins = new Set(roles.filter(({ spec }) => spec['no_login'] !== true).map(({ spec }) => spec['name']));
  if (kind === 'role') return logins.size > 0 ? [] : [`${FIRST_DATABASE}_owner`];
  return databases.some(({ spec }) => logins.has(spec['owner'])) ? [] : [FIRST_DATABASE];
}
