// Branches in the file: their origin, their expiry, and the mistakes that can be found without the API.
import { compareText, isJsonObject, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import type { Entry, EntryMeaning, EntryProblem, WrittenAmong, WrittenEntry } from '../../config/kind-section.ts';
import { errorAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { isReference } from '../../model/values.ts';
import { branchOf } from '../shared/branch-labels.ts';
import { badName, clashes, error, isWritten, likeAnId, type Exclusion } from '../shared/problems.ts';

export const exclusions: readonly Exclusion[] = [
  ['ttl', undefined, ['expires_at'], '`ttl` is renewed by every apply, and `expires_at` is not: write one of the two'],
  ['new', undefined, ['id'], 'a new branch has no id yet'],
  ['new', undefined, ['renamed_from'], 'a new branch has no former name'],
  ['protected', undefined, ['reset'], 'a protected branch cannot be reset'],
  ['default', true, ['ttl', 'expires_at'], 'the default branch cannot expire'],
  ['protected', true, ['ttl', 'expires_at'], 'a protected branch cannot expire'],
  ['state', 'absent', ['new', 'renamed_from', 'default', 'protected', 'ttl', 'expires_at', 'init_source', 'reset']],
];

export function entryProblems({ name, value }: Entry): readonly (EntryProblem | false | null)[] {
  const { from } = value;
  return [
    likeAnId(name, 'br-'),
    badName(value['name'], ['name']),
    isJsonObject(from) &&
      from['at'] !== undefined &&
      from['lsn'] !== undefined &&
      error(
        ['from', 'lsn'],
        'contradiction',
        '`at` and `lsn` both name the point in history to copy',
        'Write one of the two keys.',
        { related: { message: '`at` is written here', path: ['from', 'at'] } },
      ),
    value['default'] === false && error(['default'], 'wrong_value', NEVER_FALSE),
    resetProblem(value),
  ];
}

const NEVER_FALSE =
  'a project always has a default branch: write `default: true` on the branch that becomes the default';

function resetProblem({ reset, from, init_source: source }: JsonObject): EntryProblem | null {
  if (!isWritten(reset)) return null;
  if (isWritten(from) && source !== 'schema-only') return null;
  return error(
    ['reset'],
    'reset_refused',
    'a branch is reset to its parent, and this entry states none',
    'Write the parent as `from:`, or remove `reset`.',
    { atKey: true },
  );
}

export function meansOf(
  { value, name, project }: Entry,
  spec: Record<string, Json>,
  problems: EntryProblem[],
): Partial<EntryMeaning> {
  spec['name'] ??= name;
  const origin = originOf(value['from']);
  const parent = branchOf(origin.branch ?? undefined, project, ['from'], problems);
  const isAbsent = value['state'] === 'absent';
  const { init_source: source } = value;
  const disposable = value['disposable'] === true ? { disposable: true } : {};
  // A branch that copies only a schema has no parent.
  const parentKey = !isAbsent && source === 'schema-only' ? 'schema_of' : 'parent_id';
  if (parent !== null) spec[parentKey] = parent;
  if (!isAbsent) Object.assign(spec, origin.moment, present({ init_source: source }), disposable);
  const isCleared = clears(value);
  if (spec['ttl_seconds'] === null) delete spec['ttl_seconds'];
  if (isCleared && !isAbsent) spec['expires_at'] = null;
  if (spec['ttl_seconds'] !== undefined && spec['expires_at'] === null) delete spec['expires_at'];
  return {
    options: disposable,
    places: { [parentKey]: 'from', ttl_seconds: 'ttl', ...(isCleared ? { expires_at: 'ttl' } : {}) },
  };
}

/** True if the entry clears the expiry: `ttl: null` without a time in `expires_at`. Both keys set the same expiry of the service. */
function clears({ ttl, expires_at: at }: JsonObject): boolean {
  return ttl === null && (at ?? null) === null;
}

interface Origin {
  readonly branch: string | null;
  readonly moment: JsonObject;
}

function originOf(from: Json | undefined): Origin {
  if (typeof from === 'string') return { branch: from, moment: {} };
  if (!isJsonObject(from) || typeof from['branch'] !== 'string') return { branch: null, moment: {} };
  const { branch, at, lsn } = from;
  const atMs = millisecondsOf(at);
  const moment = { parent_timestamp: atMs === null ? null : isoTime(atMs), parent_lsn: textOf(lsn)?.toUpperCase() };
  return { branch, moment: present(moment) };
}

export function checkBranches(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const present = resources.filter(({ absent }) => !absent);
  const declared: Declared = new Map(
    resources.flatMap((one) =>
      listed([one.address, one] as const, one.pin !== null && ([`${one.scope} ${one.pin}`, one] as const)),
    ),
  );
  return [
    ...clashes(resources, {
      of: ({ spec }) => spec['name'] ?? null,
      at: 'name',
      hint: 'Names of branches are unique in a project: choose another name.',
      code: () => 'duplicate_name',
      words: (first, other, { spec }) => `${first} and ${other} have the name ${JSON.stringify(spec['name'])}`,
    }),
    ...clashes(present, {
      of: ({ spec }) => (spec['default'] === true ? true : null),
      at: 'default',
      hint: 'A project has one default branch: remove `default` from one of the branches.',
      code: () => 'two_defaults',
      words: (first, other) => `${first} and ${other} are both the default branch`,
    }),
    ...rings(present, declared),
    ...present.flatMap((child) => expiringParent(child, parentOf(child, declared))),
  ];
}

/** Declared branches by address; a pinned branch also by `SCOPE ID`. */
type Declared = ReadonlyMap<string, DesiredResource>;

const NAMED = 12;

function rings(present: readonly DesiredResource[], declared: Declared): readonly Diagnostic[] {
  const walked = new Set<DesiredResource>();
  return present.flatMap((start) => {
    const path = new Set<DesiredResource>();
    let at: DesiredResource | undefined = start;
    while (at !== undefined && !walked.has(at)) {
      walked.add(at);
      path.add(at);
      at = parentOf(at, declared);
    }
    // The walk ended at a root, or met an earlier walk, which reported any cycle.
    if (at === undefined || !path.has(at)) return [];
    const members = [...path];
    const ring = members.slice(members.indexOf(at)).map(({ address }) => address);
    const left = ring.length > NAMED ? [`${ring.length - NAMED} more`] : [];
    const names = [...ring.slice(0, NAMED), ...left, at.address].join(' → ');
    const message = `the parents of these branches form a cycle: ${names}`;
    return [errorAt(at, 'from', 'parent_ring', message, 'Give one of the branches another parent.')];
  });
}

function expiringParent(child: DesiredResource, parent: DesiredResource | undefined): readonly Diagnostic[] {
  const { ttl_seconds: lease, expires_at: at = null } = parent?.spec ?? {};
  if (parent === undefined || parent.absent || (lease ?? at) === null) return [];
  if (child.spec['schema_of'] !== undefined) return [];
  const message = `${child.address} has the parent ${parent.address}, which expires; a branch that expires cannot have children`;
  const { ttl, expires_at: end } = parent.sources();
  const related = [{ message: 'its expiry is written here', range: ttl ?? end ?? parent.source }];
  const hint = 'Remove the expiry of the parent, or choose another parent.';
  return [errorAt(child, 'from', 'expiry_refused', message, hint, { related })];
}

function parentOf(
  { scope, spec: { parent_id: id, schema_of: origin } }: DesiredResource,
  declared: Declared,
): DesiredResource | undefined {
  const parent = id ?? origin;
  return declared.get(isReference(parent) ? parent.ref : `${scope} ${String(parent)}`);
}

export function writtenBranches(wanted: readonly LiveResource[], { around }: WrittenAmong): readonly WrittenEntry[] {
  const byId = new Map(around.map((live) => [live.id, live]));
  return [...wanted]
    .sort((a, b) => depthOf(a, byId) - depthOf(b, byId) || compareText(nameOf(a), nameOf(b)))
    .map((live) => {
      const name = nameOf(live);
      return {
        id: live.id,
        name,
        // The service shows the id as the name of an unnamed branch, but a label cannot begin like an id.
        ...(name.startsWith('br-') ? { label: `branch-${name.slice('br-'.length)}` } : {}),
        isApiName: true,
        identity: { id: live.id, ...present({ from: live.spec['parent_id'] }) },
        attributes: attributesOf(live),
        isConcise: true,
      };
    });
}

function nameOf({ spec, id }: LiveResource): string {
  return typeof spec['name'] === 'string' ? spec['name'] : id;
}

function depthOf(live: LiveResource, byId: ReadonlyMap<string, LiveResource>): number {
  const seen = new Set<LiveResource>();
  for (let at: LiveResource | undefined = live; at !== undefined && !seen.has(at);) {
    seen.add(at);
    at = byId.get(String(at.spec['parent_id'] ?? ''));
  }
  return seen.size;
}

/** Writes the expiry as `expires_at`, because every apply would renew a `ttl`. */
function attributesOf({ spec }: LiveResource): JsonObject {
  const { default: isDefault, protected: isProtected, expires_at: expiry } = spec;
  return present({ default: isDefault === true || null, protected: isProtected === true || null, expires_at: expiry });
}
