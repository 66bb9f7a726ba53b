// What can be checked across branches: names, the one default branch, rings of parents, and what cannot be a parent.
import { groupBy } from '../../../base/group-by.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { isReference } from '../../../model/reference.ts';
import { clashOf } from '../../shared/problems.ts';

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

/** What is declared, by address, and by `SCOPE ID` where an id is written: what a parent can be named by. */
type Declared = ReadonlyMap<string, DesiredResource>;

function twoOfAName(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const named = groupBy(resources, ({ scope, spec }) => JSON.stringify([scope, spec['name']]));
  return [...named.values()].flatMap(([first, ...others]) =>
    others.map((other) =>
      clashOf(first, other, {
        at: 'name',
        code: 'duplicate_name',
        message: `${first.address} and ${other.address} have the name ${JSON.stringify(other.spec['name'])}`,
        hint: 'Names of branches are unique in a project: choose another name.',
      }),
    ),
  );
}

function twoDefaults(present: readonly DesiredResource[]): readonly Diagnostic[] {
  const defaults = groupBy(
    present.filter(({ spec }) => spec['default'] === true),
    ({ scope }) => scope,
  );
  return [...defaults.values()].flatMap(([first, ...others]) =>
    others.map((other) =>
      clashOf(first, other, {
        at: 'default',
        code: 'two_defaults',
        message: `${first.address} and ${other.address} are both the default branch`,
        hint: 'A project has one default branch: remove `default` from one of the branches.',
      }),
    ),
  );
}

/** So many members of a ring are named. */
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
    // A cycle that an earlier walk passed is reported already, and so is a reference of a branch to itself.
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
  return {
    severity: 'error',
    code: 'parent_ring',
    message: `these branches are each other's parents: ${names}`,
    hint: 'Give one of the branches another parent.',
    address: first.address,
    range: first.sources['from'] ?? first.source,
  };
}

function expiringParents(present: readonly DesiredResource[], declared: Declared): readonly Diagnostic[] {
  return present.flatMap((child): readonly Diagnostic[] => {
    const parent = parentOf(child, declared);
    const expiry = parent?.sources['ttl'] ?? parent?.sources['expires_at'];
    const expires = parent !== undefined && (parent.spec['ttl_seconds'] ?? parent.spec['expires_at'] ?? null) !== null;
    if (parent === undefined || !expires || parent.absent || child.spec['schema_of'] !== undefined) return [];
    return [
      {
        severity: 'error',
        code: 'expiry_refused',
        message: `${child.address} has the parent ${parent.address}, which expires; a branch that expires cannot have children`,
        hint: 'Remove the expiry of the parent, or choose another parent.',
        address: child.address,
        range: child.sources['from'] ?? child.source,
        related: [{ message: 'its expiry is written here', range: expiry ?? parent.source }],
      },
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
