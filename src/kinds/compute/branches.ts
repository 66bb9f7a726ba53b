// The branches of computes: which of them exist, expire, are protected, or keep their computes from being pruned.
import { inParallel } from '../../apply/read/read-scopes.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import { groupBy } from '../../base/group-by.ts';
import { objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { defined, picked } from '../../base/picked.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { ifKnown, readOrNull } from '../../client/failure.ts';
import type { ReferentContext } from '../../model/attributes.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import { isReference } from '../../model/values.ts';
import type { KindContext, KindRules } from '../../plan/kind-rules.ts';
import { branchNotFound, branchWords, heirOf, labelSwapped } from '../shared/branch-labels.ts';
import { keptBy, ofKind, protection } from '../shared/effects.ts';

type Found = Pick<FactsInput, 'desired' | 'live' | 'projects' | 'around' | 'prunedIn'>;

/** Returns the projects in which a compute may be created, moved or removed, and whose branches were not read yet. */
export function withUnknownBranches({ desired, live, projects, around, prunedIn = [] }: Found): readonly LiveProject[] {
  const known = new Set(around.flatMap(({ kind, projectId }) => (kind === 'branch' ? [projectId] : [])));
  const wanted = groupBy(desired, ({ scope }) => scope);
  const found = groupBy(live, ({ projectId }) => projectId ?? '');
  return projects.filter(
    ({ id, label }) =>
      !known.has(id) && mayChange(wanted.get(label) ?? [], found.get(id) ?? [], prunedIn.includes(label)),
  );
}

/** False if each declaration has a live compute in its slot and nothing is removed. */
function mayChange(declared: readonly DesiredResource[], live: readonly LiveResource[], isPruned: boolean): boolean {
  const pins = new Set(declared.map(({ absent, pin }) => (absent ? null : pin)));
  const slotOf = (id: ResourceId | null, { branch_id: branch, type }: JsonObject): string =>
    [pins.has(id) ? id : '', branch, type].join(' ');
  const byId = new Map(live.map((one) => [one.id, one]));
  const free = groupBy(live, ({ id, spec }) => slotOf(id, spec));
  if (isPruned && live.length > declared.filter(({ absent }) => !absent).length) return true;
  return declared.some(({ absent, pin, spec }) => {
    const there = byId.get(pin ?? '');
    if (absent && pin === null) return live.some((one) => one.spec['branch_id'] === spec['branch_id']);
    if (absent) return there !== undefined;
    // A branch that does not exist yet has no computes, and a declaration without a branch names none.
    if (isReference(spec['branch_id']) || (pin === null && spec['branch_id'] === undefined)) return false;
    return free.get(slotOf(pin, { ...there?.spec, ...spec }))?.pop() === undefined;
  });
}

type Branch = Pick<LiveResource, 'id' | 'spec' | 'observed' | 'marks'>;
type Asking = Found & Pick<FactsInput, 'kinds' | 'reader' | 'signal'>;

/** Reads the fact `branches`: for each project, the branches that its computes name, or null if its list of branches could not be read. */
export async function branchFacts(found: Asking): Promise<JsonObject | null> {
  const open = withUnknownBranches(found);
  if (open.length === 0) return null;
  const lists = await inParallel(open, async ({ id }) => [id, await branchesOf(found, id)] as const);
  const branches = lists.filter(([, list]) => list !== 'no_route');
  return { branches: Object.fromEntries(branches) as unknown as JsonObject };
}

/** `no_route`: the service has no list of branches, and refuses a wrong branch only when a compute is created there. */
async function branchesOf(
  { kinds, reader, signal, desired, live }: Asking,
  projectId: string,
): Promise<readonly Branch[] | 'no_route' | null> {
  const branches = kinds.find(({ kind }) => kind === 'branch');
  if (branches === undefined) return null;
  const list = await readOrNull(ifKnown(branches.list(reader, { projectId }, signal), 'no_route'));
  if (list === null || list === 'no_route') return list;
  const used = new Set(live.map(({ spec }) => spec['branch_id']));
  const named = new Set([...used, ...desired.map(({ spec }) => spec['branch_id'])]);
  const own = list.filter(({ id, observed }) => named.has(id) || named.has(observed['restored_as']));
  return inParallel(own, async (one) => {
    const isUntold = used.has(one.id) && (one.spec['protected'] === undefined || one.marks === null);
    const shown = isUntold ? await readOrNull(branches.show?.(reader, one, signal) ?? Promise.resolve(null)) : null;
    const { id, spec, observed, marks } = shown ?? one;
    return {
      id,
      spec: picked(spec, ['protected', 'expires_at']),
      observed: picked({ ...one.observed, ...observed }, ['restored_as']),
      ...defined({ marks }),
    };
  });
}

/** Returns the branches of the project; null if their list could not be read, undefined if the list was not needed. */
function branchesIn({ around, facts, liveProject }: ReferentContext): readonly Branch[] | null | undefined {
  const read = ofKind(around, 'branch');
  const listed = objectOf(facts['branches'])[liveProject?.id ?? ''];
  return read.length > 0 ? read : (listed as unknown as readonly Branch[] | null | undefined);
}

function branchOf(id: Json | undefined, context: ReferentContext): Branch | undefined {
  return branchesIn(context)?.find((one) => one.id === id);
}

/** The service deletes no compute of a protected branch; computes on members of sets and on disposable branches are not pruned. */
export const removalGuard: NonNullable<KindRules['removalGuard']> = ({ spec: { branch_id: id } }, context) => {
  const branches = branchesIn(context);
  const branch = branchOf(id, context);
  const isSo = branches === null ? null : branch === undefined ? false : branch.spec['protected'];
  return {
    ...keptBy([protection(isSo, `the ${branchWords(id, context.project)}`)]),
    isKept:
      branches === null || branch?.marks === null
        ? null
        : ['set', 'disposable'].some((mark) => branch?.marks?.[mark] !== undefined),
  };
};

/** Returns why a protected compute would be deleted with its branch, which expires; else null. */
export function endOfBranch(id: Json, made: JsonObject | null, context: ReferentContext): string | null {
  const name = `the ${branchWords(id, context.project)}`;
  if (made === null && branchesIn(context) === null)
    return `the compute is protected, and the expiry of ${name} could not be read`;
  const { ttl_seconds: lease = null, expires_at: moment = null } = made ?? branchOf(id, context)?.spec ?? {};
  if (lease === null && moment === null) return null;
  const end =
    typeof moment === 'string' ? `expires at ${moment}` : `has a lease of ${humanDuration(Number(lease) * 1000)}`;
  return `${name} ${end}; the compute is protected, and would be deleted with the branch`;
}

export function unlikelyBranch(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): readonly Diagnostic[] {
  const { branch_id: branch } = desired.spec;
  if (desired.absent || typeof branch !== 'string' || live?.spec['branch_id'] === branch) return [];
  const branches = branchesIn(context) ?? null;
  const heir = heirOf(branch, branches ?? []);
  if (heir !== null) return labelSwapped(desired, [branch, heir], context, 'branch_id');
  // A live compute on the branch proves that the branch exists, even if the list lacks it.
  const isProven = context.around.some(({ spec }) => spec['branch_id'] === branch);
  if (isProven || branches === null || branches.some(({ id }) => id === branch)) return [];
  return [branchNotFound(desired, branch, context, 'branch_id')];
}
