// Laws on the end of trees: every declared branch, role and database is there once and as declared, and nothing else was made.
import type { BranchRecord } from '../../../src/control-plane/resources/branch/record.ts';
import { isReference, resolveIn, type Reference } from '../../../src/model/values.ts';
import type { Json } from '../../../src/base/json.ts';
import type { DesiredResource, DesiredState } from '../../../src/model/desired.ts';
import type { RunRecord } from '../world/run.ts';
import type { Site } from '../world/site.ts';
import { ownEntries, type Story } from './story.ts';

/** Seconds by which a lease may differ: it is counted from when its request arrives. */
const LEASE_MARGIN_SECONDS = 60;

/** The differences of one branch, role or database between the file and the truth. */
export function treeDifferences(site: Site, desired: DesiredState, resource: DesiredResource): readonly string[] {
  const branch = branchOf(site, desired, resource);
  switch (resource.kind) {
    case 'branch':
      return branchDifferences(site, desired, resource, branch);
    case 'role':
      return branch === undefined ? [`${resource.address} has no branch`] : roleDifferences(resource, branch);
    case 'database':
      return branch === undefined ? [`${resource.address} has no branch`] : databaseDifferences(resource, branch);
    default:
      throw new Error(`nobody knows how to look at a ${resource.kind}`);
  }
}

/** The branch that it is, or is on, in truth. */
export function branchOf(site: Site, desired: DesiredState, resource: DesiredResource): BranchRecord | undefined {
  if (resource.kind !== 'branch') {
    const parent = desired.resources.find(({ address }) => address === resource.parent);
    return parent === undefined ? undefined : branchOf(site, desired, parent);
  }
  const project = desired.projects.find(({ label }) => label === resource.scope);
  const named = site.plane.truth.projects().find(({ name }) => name === (project?.name ?? resource.scope));
  const branches = site.plane.truth.branches(project?.id ?? named?.id ?? 'none');
  return branches.find(({ id, name }) =>
    resource.pin === null ? name === resource.spec['name'] : id === resource.pin,
  );
}

function branchDifferences(
  site: Site,
  desired: DesiredState,
  { address, absent, spec }: DesiredResource,
  branch: BranchRecord | undefined,
): readonly string[] {
  if (absent) return branch === undefined ? [] : [`${address} (${branch.id}) is still there`];
  if (branch === undefined) return [`${address} is not there`];
  const parent = spec['parent_id'];
  const parentId = isReference(parent) ? idOf(site, desired, parent) : parent;
  const { ttl_seconds: ttl } = spec;
  const isTtlWrong =
    typeof ttl === 'number' && Math.abs((branch.ttlSeconds ?? Number.NaN) - ttl) <= LEASE_MARGIN_SECONDS ? false : ttl;
  return [
    ...wrong(address, 'name', branch.name, spec['name']),
    ...wrong(address, 'parent_id', branch.parentId ?? null, parentId),
    ...wrong(address, 'default', branch.isDefault, spec['default']),
    ...wrong(address, 'protected', branch.isProtected, spec['protected']),
    ...(isTtlWrong === false ? [] : wrong(address, 'ttl_seconds', branch.ttlSeconds ?? null, ttl)),
  ];
}

function roleDifferences({ address, absent, spec }: DesiredResource, { roles }: BranchRecord): readonly string[] {
  const isThere = roles.some(({ name }) => name === spec['name']);
  if (absent) return isThere ? [`${address} is still there`] : [];
  return isThere ? [] : [`${address} is not there`];
}

function databaseDifferences(
  { address, absent, spec }: DesiredResource,
  { databases }: BranchRecord,
): readonly string[] {
  const found = databases.filter(({ name }) => name === spec['name']);
  if (absent) return found.length === 0 ? [] : [`${address} is still there`];
  if (found.length === 0) return [`${address} is not there`];
  return found.flatMap(({ ownerName }) => wrong(address, 'owner', ownerName, spec['owner']));
}

/** The same with the ids of the branches that it speaks of, in truth. */
export function resolvedBy(site: Site, desired: DesiredState): DesiredState {
  const resources = desired.resources.map((one) => ({
    ...one,
    spec: resolveIn(one.spec, (reference) => idOf(site, desired, reference)),
  }));
  return { ...desired, resources };
}

/** The id of the branch that a reference is to, in truth. */
export function idOf(site: Site, desired: DesiredState, { ref }: Reference): string | undefined {
  const resource = desired.resources.find(({ address }) => address === ref);
  return resource === undefined ? undefined : branchOf(site, desired, resource)?.id;
}

/** What is not written is not looked at. */
function wrong(address: string, name: string, is: Json, shall: Json | undefined): readonly string[] {
  return shall === undefined || is === shall
    ? []
    : [`${address}: ${name} is ${JSON.stringify(is)}, not ${JSON.stringify(shall)}`];
}

/** Branches of sets: what a list leaves of them has laws of its own (`rules.ts`). */
export function membersOf({ plane }: Site): readonly BranchRecord[] {
  return plane.truth.branches().filter(({ annotations = {} }) => 'trueup.set' in annotations);
}

/** Branches that the tool made and no address owns. */
export function surplusBranches(story: Story, run: RunRecord): readonly string[] {
  const { site, leniency } = story;
  if (leniency.lateCommits || leniency.serverLies || leniency.othersWrite) return [];
  const owned = new Set(Object.values(run.result?.resources ?? {}).map(({ id }) => id));
  const made = new Set(
    ownEntries(story).flatMap(({ entry }) => (entry.kind === 'branch' && entry.verb === 'POST' ? [entry.id] : [])),
  );
  const members = membersOf(site);
  return site.plane.truth
    .branches()
    .filter((branch) => !members.includes(branch))
    .flatMap(({ id, name }) =>
      made.has(id) && !owned.has(id) ? [`the branch ${name} (${id}) was made once too often`] : [],
    );
}
