// What can be checked across computes: a branch has one primary and one replica of a name, and only one primary can come from a branch.
import type { Json } from '../../../base/json.ts';
import { isReference, placeholderOf } from '../../../model/reference.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { clashOf } from '../../shared/problems.ts';
import { namedAs } from '../../../model/attributes.ts';
import { attributes } from '../attributes.ts';

/** The service takes no longer name. */
const LONGEST_NAME = 64;

export function checkComputes(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const present = resources.filter((resource) => !resource.absent);
  return [
    ...clashes(present, {
      where: ({ spec }) => (spec['type'] === 'read_write' ? placeOf(spec['branch_id']) : null),
      at: 'branch_id',
      code: 'two_primaries',
      words: (first, second) => `${first} and ${second} are both the primary of one branch`,
      hint: 'A branch has at most one read_write compute: give one of the computes `type: read_only`, or another branch.',
    }),
    ...clashes(present, {
      where: ({ movedFrom }) => movedFrom,
      at: 'moved_from',
      code: 'moved_twice',
      words: (first, second) => `the primary of one branch cannot move to both ${first} and ${second}`,
      hint: 'Remove `moved_from` from one of the two computes.',
    }),
    ...clashes(resources, {
      where: (resource) => {
        const [branch, name] = [placeOf(resource.spec['branch_id']), nameOfReplica(resource)];
        return typeof branch !== 'string' || name === null ? null : `${branch} ${name}`;
      },
      at: 'name',
      code: 'duplicate_name',
      words: (first, second) => `${first} and ${second} are replicas of one branch with the same name in the API`,
      hint: 'Write another `name` at one of the replicas, or pin a replica with `id:`.',
    }),
    ...resources.flatMap((resource) => nameTooLong(resource) ?? []),
  ];
}

/** The name that a replica goes by; null for one that its id tells, and for a primary. */
function nameOfReplica(resource: DesiredResource): string | null {
  return resource.spec['type'] === 'read_only' && resource.pin === null ? namedAs({ attributes }, resource) : null;
}

function nameTooLong(resource: DesiredResource): Diagnostic | null {
  const { address, sources, source } = resource;
  const name = nameOfReplica(resource) ?? '';
  if (name.length <= LONGEST_NAME) return null;
  return {
    severity: 'error',
    code: 'bad_name',
    message: `the label of ${address} has ${name.length} characters; it becomes the name of the replica, which has at most ${LONGEST_NAME}`,
    hint: 'Write a shorter `name`, or a shorter label.',
    address,
    range: sources['name'] ?? source,
  };
}

/** A branch that is declared, and one that lives, as a text. */
function placeOf(branch: Json | undefined): Json | undefined {
  return isReference(branch) ? placeholderOf(branch.ref) : branch;
}

interface Clash {
  /** The branch, of which a project has one. */
  readonly where: (resource: DesiredResource) => unknown;
  readonly at: string;
  readonly code: string;
  readonly words: (first: string, second: string) => string;
  readonly hint: string;
}

function clashes(resources: readonly DesiredResource[], clash: Clash): readonly Diagnostic[] {
  const projects = new Map<string, Map<string, DesiredResource>>();
  const found: Diagnostic[] = [];
  let scope: string | undefined;
  let seen = new Map<string, DesiredResource>();
  for (const resource of resources) {
    const branch = clash.where(resource);
    if (typeof branch !== 'string') continue;
    // Mostly the resources of a project follow one another.
    if (resource.scope !== scope) {
      scope = resource.scope;
      seen = projects.get(scope) ?? new Map<string, DesiredResource>();
      projects.set(scope, seen);
    }
    const first = seen.get(branch);
    if (first === undefined) seen.set(branch, resource);
    else found.push(clashOf(first, resource, { ...clash, message: clash.words(first.address, resource.address) }));
  }
  return found;
}
