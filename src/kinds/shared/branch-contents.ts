// Rules that branches share with their roles, databases and connections: names, annotations and operations.
import type { Operation } from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { groupBy, repeatsIn } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import { nearHint } from '../../base/text/words.ts';
import { toOperationRecord } from '../../client/operations.ts';
import { refersToAbsent } from '../../config/check/cross-checks.ts';
import type { CheckContext, EntryProblem } from '../../config/kind-section.ts';
import { asPart, type Address } from '../../model/address.ts';
import { errorAt, type DesiredResource, type KindName, type ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Below, KindPlace } from '../../model/kind.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import type { OperationTable } from '../../model/operations/operation.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { isReference } from '../../model/values.ts';
import type { RequestInput } from '../../plan/kind-rules.ts';
import { contentsPath } from './paths.ts';
import { error } from './problems.ts';

/** Makes a check of a list: every id matches `pattern`, and every item is of the project. `isBare`: items may leave out their project. */
export function foreignIn(
  what: string,
  pattern: RegExp,
  isBare: boolean,
): (items: readonly { readonly id: string; readonly project_id?: string }[], below: Below) => string | null {
  return (items, { projectId }) => {
    for (const { id, project_id: owner } of items) {
      const name = `lists the ${what} "${inert(id, 80)}"`;
      if (!pattern.test(id)) return `${name}, whose id is malformed`;
      if (owner === undefined && !isBare) return `${name} without its project`;
      if (owner !== undefined && owner !== projectId) return `${name} of another project`;
    }
    return null;
  };
}

export function strangerIn(
  items: readonly { readonly name: string; readonly branch_id?: string | undefined }[],
  branchId: ResourceId,
  what: string,
): string | null {
  const words = (name: string): string => `lists the ${what} "${inert(name, 80)}"`;
  const stranger = items.find(({ branch_id: owner = branchId }) => owner !== branchId);
  if (stranger !== undefined) return `${words(stranger.name)} of another branch`;
  const [twice] = repeatsIn(items, ({ name }) => name);
  return twice === undefined ? null : `${words(twice[0].name)} twice`;
}

/** The maximum length of a name: Postgres cuts off longer names. */
const MAX_BYTES = 63;

export function nameProblemOf(name: string, what: string): EntryProblem | null {
  const bytes = new TextEncoder().encode(name).length;
  const message =
    bytes > MAX_BYTES
      ? `the name of a ${what} has at most ${MAX_BYTES} bytes; this name has ${bytes}`
      : /\0/.test(name) || /^\.*$/.test(name)
        ? `this text cannot be the name of a ${what}`
        : null;
  return message === null ? null : error([], 'bad_name', message, undefined, { atKey: true });
}

export function reservedName(name: string): EntryProblem {
  const message = `${JSON.stringify(name)} is reserved by Postgres or the service`;
  return error([], 'reserved_name', message, 'Choose another name.', { atKey: true });
}

const APPLIED = ['apply_config'];

/** A running compute applies changes of its branch's roles and databases in an operation. Without a running compute, no operation starts. */
const BY_ITS_COMPUTE: OperationTable = {
  subjectOf: ({ branchId }) => branchId,
  names: 'parent',
  starts: { create: APPLIED, update: APPLIED, rotate: APPLIED, delete: APPLIED },
  last: 'suspend_compute',
  mayStartNone: () => true,
};

interface NamedOnABranch extends KindPlace {
  readonly key: string;
  readonly segmentBy: string;
  readonly poolWords: (spec: JsonObject) => string;
  readonly collection: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
}

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
    poolWords: ({ name }) => `the ${kind} ${JSON.stringify(name ?? '?')}`,
    collection: ({ projectId, parentId }) => contentsPath(projectId, parentId, section),
  };
}

/** Returns the resource's operations in a reply. Null (not known) if the reply lists none, because a reply may leave out operations. */
export function operationRefs(
  { operations: table }: Pick<KindPlace, 'operations'>,
  projectId: string | null,
  id: ResourceId,
  listed: Json | undefined,
): readonly OperationRecord[] | null {
  if (table === undefined) return [];
  assert(projectId !== null, 'an operation belongs to a project');
  const started = (listed ?? []) as unknown as readonly Operation[];
  const refs = started
    .filter((operation) => (operation.project_id ?? projectId) === projectId)
    .map((operation) => toOperationRecord(operation, projectId))
    .filter((operation) => table.names !== 'itself' || [null, id].includes(table.subjectOf(operation)));
  return refs.length === 0 ? null : refs;
}

/** Maps each attribute that names a resource on the same branch, such as `owner`, to the kind of that resource. */
type Naming = Readonly<Record<string, KindName>>;

/** Reports attributes that name a resource with `state: absent` or, on a branch of a new project, a resource that will not exist. */
export function checkNames(
  resources: readonly DesiredResource[],
  context: CheckContext,
  naming: Naming,
): readonly Diagnostic[] {
  const declared = new Map(context.all.map((one) => [one.address, one]));
  const namesOn = madeContents(context);
  const found: Diagnostic[] = [];
  for (const desired of resources)
    for (const [path, kind] of Object.entries(naming)) {
      const { parent = '', spec, absent } = desired;
      const name = spec[path];
      if (absent || typeof name !== 'string') continue;
      const referent = declared.get(`${parent}/${kind}s/${asPart(name)}`);
      const names = referent === undefined ? namesOn(parent, kind) : null;
      if (referent?.absent === true) found.push(refersToAbsent(desired, path, referent));
      else if (names?.has(name) === false) {
        const message = `${path} is ${JSON.stringify(name)}, but these files create ${parent} and declare no ${kind} of that name there`;
        const hint = nearHint(name, names, `Declare the ${kind} at ${parent}.`, JSON.stringify);
        found.push(errorAt(desired, path, 'unknown_referent', message, hint));
      }
    }
  return found;
}

/** Returns the names that the resources of a kind will have on a branch; null if only the service knows these names. */
type NamesOn = (branch: Address, kind: KindName) => ReadonlySet<string> | null;

/** Returns a lookup of names on branches of new projects: declared names, default names of the service, and names that a branch copies. */
function madeContents({ all, projects }: CheckContext): NamesOn {
  const made = new Set(
    projects.filter(({ mayBeMade, id }) => mayBeMade === true && id === null).map(({ label }) => label),
  );
  const present = all.filter(({ absent, scope }) => !absent && made.has(scope));
  const branches = new Map(present.filter(({ kind }) => kind === 'branch').map((branch) => [branch.address, branch]));
  const below = groupBy(present, ({ parent = '', kind }) => `${parent} ${kind}`);
  const found = new Map<string, ReadonlySet<string> | null>();
  const look = ({ address, pin, spec }: DesiredResource, kind: KindName): ReadonlySet<string> | null => {
    const { parent_timestamp: at, parent_lsn: lsn, parent_id: parent, schema_of: origin } = spec;
    const from = parent ?? origin;
    if (pin !== null || at !== undefined || lsn !== undefined) return null;
    const ownOf = (one: KindName): readonly DesiredResource[] => below.get(`${address} ${one}`) ?? [];
    const isFirst = from === undefined && spec['default'] === true;
    const others = isFirst
      ? comingAlong(ownOf('role'), ownOf('database'), kind)
      : isReference(from) && namesOn(from.ref, kind);
    return others ? new Set([...others, ...ownOf(kind).map((one) => String(one.spec['name']))]) : null;
  };
  const namesOn: NamesOn = (address, kind) => {
    const [key, branch] = [`${address} ${kind}`, branches.get(address)];
    if (branch === undefined) return null;
    const known = found.get(key);
    if (known !== undefined) return known;
    // The entry is null until the names are known, so that the recursion ends if parents form a cycle.
    found.set(key, null);
    const names = look(branch, kind);
    found.set(key, names);
    return names;
  };
  return namesOn;
}

const FIRST_DATABASE = 'neondb';

/** Returns the name that the service gives to a project's first role or database; none if the project is created with a declared one. */
function comingAlong(
  roles: readonly DesiredResource[],
  databases: readonly DesiredResource[],
  kind: KindName,
): Iterable<string> {
  const logins = new Set(roles.filter(({ spec }) => spec['no_login'] !== true).map(({ spec }) => spec['name']));
  if (kind === 'role') return logins.size > 0 ? [] : [`${FIRST_DATABASE}_owner`];
  return databases.some(({ spec }) => logins.has(spec['owner'])) ? [] : [FIRST_DATABASE];
}

export const NOTES = { run: 'trueup.run', disposable: 'trueup.disposable', set: 'trueup.set' } as const;

export const DISPOSABLE = 'disposable';

export function isMadeDisposable({ marks }: Pick<LiveResource, 'marks'>): boolean {
  return marks?.['disposable'] === 'true';
}

const OURS = 'trueup.';

export function marksIn(notes: JsonObject): JsonObject {
  const own = Object.entries(notes).filter(([name]) => name.startsWith(OURS));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(OURS.length), value]));
}

/** Enough digits of the hash to tell two plans apart. */
const HASH_DIGITS = 12;

export function runMark({ planHash }: Pick<Plan, 'planHash'>, runId: string): string {
  return `${planHash.replace(/^sha256:/, '').slice(0, HASH_DIGITS)}-${runId}`;
}

export function isOfSamePlan(note: Json, mark: string): boolean {
  return typeof note === 'string' && note.split('-')[0] === mark.split('-')[0];
}
