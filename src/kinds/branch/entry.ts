// Branches in the file: their origin, their leases, and the mistakes that can be found without the API.
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { isJsonObject, textOf, type Json, type JsonObject } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import type { Entry, EntryMeaning, EntryProblem } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isReference } from '../../model/reference.ts';
import { branchOf } from '../shared/branch-labels.ts';
import { badName, besideAbsence, clashes, contradiction, diagnosed, error } from '../shared/problems.ts';

const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  ['ttl', 'expires_at', '`ttl` is renewed by every apply, and `expires_at` is not: write one of the two'],
  ['new', 'id', 'a new branch has no id yet'],
  ['new', 'renamed_from', 'a new branch has no former name'],
];

const OF_PRESENT = ['new', 'renamed_from', 'default', 'protected', 'ttl', 'expires_at', 'init_source', 'reset'];

export function entryProblems({ name, value }: Entry): readonly (EntryProblem | false | null)[] {
  const written = (...keys: readonly string[]): string | undefined => keys.find((key) => isWritten(value[key]));
  const { from } = value;
  const kept = ['default', 'protected'].find((key) => value[key] === true);
  const expiry = written('ttl', 'expires_at');
  const [one, other, why] = EXCLUSIVE.find(([first, second]) => written(first) && written(second)) ?? [];
  const beside = value['state'] === 'absent' ? written(...OF_PRESENT) : undefined;
  return [
    name.startsWith('br-') &&
      error([], 'reserved_label', 'a label cannot begin with `br-`: trueup would read the label as an id', {
        hint: 'Choose another label, and write its name in the API as `name:`.',
      }),
    badName(value['name'], ['name']),
    one !== undefined && other !== undefined && why !== undefined && contradiction(one, other, { why }),
    beside !== undefined && besideAbsence(beside),
    isJsonObject(from) &&
      from['at'] !== undefined &&
      from['lsn'] !== undefined &&
      error(['from', 'lsn'], 'contradiction', '`at` and `lsn` both name the point in history to copy', {
        hint: 'Write one of the two keys.',
        related: { message: '`at` is written here', path: ['from', 'at'] },
      }),
    value['default'] === false &&
      error(['default'], 'default_false', '`default: false` has no effect: a project always has a default branch', {
        hint: 'Write `default: true` on the branch that becomes the default.',
      }),
    resetProblem(value),
    kept !== undefined &&
      expiry !== undefined &&
      error([expiry], 'expiry_refused', `a branch that is ${kept} cannot expire`, {
        hint: 'Remove one of the two keys.',
        related: { message: `\`${kept}\` is written here`, path: [kept] },
      }),
  ];
}

function resetProblem({ reset, from, init_source: source, protected: isProtected }: JsonObject): EntryProblem | null {
  if (!isWritten(reset)) return null;
  if (isProtected === true) return contradiction('protected', 'reset', { why: 'a protected branch cannot be reset' });
  if (isWritten(from) && source !== 'schema-only') return null;
  return error(['reset'], 'reset_refused', 'a branch is reset to its parent, and this entry states none', {
    hint: 'Write the parent as `from:`, or remove `reset`.',
    atKey: true,
  });
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
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
  if (spec['default'] === false) delete spec['default'];
  const isCleared = clears(value);
  if (spec['ttl_seconds'] === null) delete spec['ttl_seconds'];
  if (isCleared && !isAbsent) spec['expires_at'] = null;
  if (spec['ttl_seconds'] !== undefined && spec['expires_at'] === null) delete spec['expires_at'];
  return {
    options: disposable,
    places: { [parentKey]: 'from', ttl_seconds: 'ttl', ...(isCleared ? { expires_at: 'ttl' } : {}) },
  };
}

/** True if the entry clears the expiry by `ttl: null`; the service keeps one expiry, whichever key clears it. */
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
  const declared = new Map(
    resources.flatMap((one) => [
      [one.address, one] as const,
      ...(one.pin === null ? [] : [[`${one.scope} ${one.pin}`, one] as const]),
    ]),
  );
  return [
    ...twoOfAName(resources),
    ...twoDefaults(present),
    ...rings(present, declared),
    ...expiringParents(present, declared),
  ];
}

/** Declared branches by address; a pinned branch also by `SCOPE ID`. */
type Declared = ReadonlyMap<string, DesiredResource>;

function twoOfAName(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  return clashes(resources, {
    of: ({ spec }) => spec['name'] ?? null,
    at: 'name',
    hint: 'Names of branches are unique in a project: choose another name.',
    problem: (first, other) => ({
      code: 'duplicate_name',
      message: `${first.address} and ${other.address} have the name ${JSON.stringify(other.spec['name'])}`,
    }),
  });
}

function twoDefaults(present: readonly DesiredResource[]): readonly Diagnostic[] {
  return clashes(present, {
    of: ({ spec }) => (spec['default'] === true ? true : null),
    at: 'default',
    hint: 'A project has one default branch: remove `default` from one of the branches.',
    problem: (first, other) => ({
      code: 'two_defaults',
      message: `${first.address} and ${other.address} are both the default branch`,
    }),
  });
}

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
    // An earlier walk reported this cycle, and another check reports a branch that refers to itself.
    if (at === undefined || !path.has(at) || refersToItself(at)) return [];
    const members = [...path];
    return [ringOf(members.slice(members.indexOf(at)), at)];
  });
}

function refersToItself({ address, spec }: DesiredResource): boolean {
  const parent = spec['parent_id'] ?? spec['schema_of'];
  return isReference(parent) && parent.ref === address;
}

function ringOf(ring: readonly DesiredResource[], first: DesiredResource): Diagnostic {
  const left = ring.length > NAMED ? [`${ring.length - NAMED} more`] : [];
  const names = [...ring.slice(0, NAMED).map(({ address }) => address), ...left, first.address].join(' → ');
  return diagnosed(first, 'from', {
    severity: 'error',
    code: 'parent_ring',
    message: `these branches are each other's parents: ${names}`,
    hint: 'Give one of the branches another parent.',
  });
}

function expiringParents(present: readonly DesiredResource[], declared: Declared): readonly Diagnostic[] {
  return present.flatMap((child): readonly Diagnostic[] => {
    const parent = parentOf(child, declared);
    const expires = parent !== undefined && (parent.spec['ttl_seconds'] ?? parent.spec['expires_at'] ?? null) !== null;
    if (parent === undefined || !expires || parent.absent || child.spec['schema_of'] !== undefined) return [];
    return [
      diagnosed(child, 'from', {
        severity: 'error',
        code: 'expiry_refused',
        message: `${child.address} has the parent ${parent.address}, which expires; a branch that expires cannot have children`,
        hint: 'Remove the expiry of the parent, or choose another parent.',
        related: [
          {
            message: 'its expiry is written here',
            range: parent.sources['ttl'] ?? parent.sources['expires_at'] ?? parent.source,
          },
        ],
      }),
    ];
  });
}

function parentOf(
  { scope, spec: { parent_id: id, schema_of: origin } }: DesiredResource,
  declared: Declared,
): DesiredResource | undefined {
  const parent = id ?? origin;
  return declared.get(isReference(parent) ? parent.ref : `${scope} ${String(parent)}`);
}
