// What is to be known of branches before computes change: which exist, which are protected, and which keep their computes from being pruned.
import type { BranchShown } from '../../api/index.ts';
import { inParallel } from '../../apply/in-parallel.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import { READS_AT_ONCE } from '../../apply/read/read-scopes.ts';
import { groupBy } from '../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { ifKnown, readOrNull } from '../../client/failure.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import type { KindContext, KindRules, RemovalGuard } from '../../plan/kind-rules.ts';
import { NOTES } from '../shared/branch-contents.ts';
import { branchNotFound, heirOf, labelSwapped } from '../shared/branch-labels.ts';
import { keptBy } from '../shared/last-use.ts';
import { readLiveBranches } from '../shared/lists.ts';
import { branchPath } from '../shared/paths.ts';
import { branchWords } from './rules/effect.ts';

type Found = Pick<FactsInput, 'desired' | 'live' | 'projects' | 'around' | 'prunedIn'>;

/** Projects in which a compute is about to be made, moved or removed, and of which the branches were not read anyway. */
export function withUnknownBranches({ desired, live, projects, around, prunedIn = [] }: Found): readonly LiveProject[] {
  const known = new Set(around.flatMap(({ kind, projectId }) => (kind === 'branch' ? [projectId] : [])));
  const wanted = groupBy(desired, ({ scope }) => scope);
  const found = groupBy(live, ({ projectId }) => projectId ?? '');
  return projects.filter(({ id, label }) => {
    if (known.has(id)) return false;
    const [going, declared] = [true, false].map((isGoing) =>
      (wanted.get(label) ?? []).filter(({ absent }) => absent === isGoing),
    );
    const there = found.get(id) ?? [];
    return (
      hasNewcomers(declared ?? [], there) ||
      (going ?? []).some((one) => there.some((other) => mayBe(one, other))) ||
      (prunedIn.includes(label) && there.length > (declared ?? []).length)
    );
  });
}

function mayBe({ pin, spec }: DesiredResource, live: LiveResource): boolean {
  return pin === null ? spec['branch_id'] === live.spec['branch_id'] : pin === live.id;
}

/** True where more are declared in a place than live there, or one that is known by its id lives elsewhere or is of another type. */
function hasNewcomers(declared: readonly DesiredResource[], live: readonly LiveResource[]): boolean {
  const byId = new Map(live.map((one) => [one.id, one]));
  const pins = new Set(declared.flatMap(({ pin }) => pin ?? []));
  const isElsewhere = ({ pin, spec }: DesiredResource): boolean => {
    const { branch_id: branch, type } = spec;
    const there = pin === null ? undefined : byId.get(pin)?.spec;
    return (
      pin !== null &&
      ((typeof branch === 'string' && there?.['branch_id'] !== branch) ||
        (there !== undefined && there['type'] !== type))
    );
  };
  const wanted = groupBy(
    declared.filter(({ pin, spec }) => pin === null && typeof spec['branch_id'] === 'string'),
    placeOf,
  );
  const there = groupBy(
    live.filter(({ id }) => !pins.has(id)),
    placeOf,
  );
  return declared.some(isElsewhere) || [...wanted].some(([place, own]) => own.length > (there.get(place)?.length ?? 0));
}

function placeOf({ spec }: Pick<DesiredResource, 'spec'>): string {
  return JSON.stringify([spec['branch_id'] ?? null, spec['type'] ?? null]);
}

/**
 * Ids of branches by project, from one list each: `branches` (of those that are declared, the ones that exist), `protected` (those of
 * computes that are, true, and those of which nobody shows it, null), `keeping` (those that keep their computes from being pruned), and
 * when those expire that do (`ends`); these are null where the list could not be read; and which took over the name of which (`heirs`).
 * A project whose list the service does not have is left out.
 */
export async function branchFacts(found: Found & Pick<FactsInput, 'reader' | 'signal'>): Promise<JsonObject | null> {
  const open = withUnknownBranches(found);
  if (open.length === 0) return null;
  const { reader, signal, desired, live } = found;
  const used = new Set(live.map(({ spec }) => spec['branch_id']));
  const declared = new Set(desired.map(({ spec }) => spec['branch_id']));
  const lists = await Promise.all(
    open.map(async ({ id }): Promise<readonly Listed[]> => {
      const read = await readOrNull(ifKnown(readLiveBranches(reader, { projectId: id, signal }), 'no_route'));
      // Without such a route, the request that makes the compute is what tells.
      if (read === 'no_route') return [];
      if (read === null) return [{ id, branches: null, protected: null, keeping: null, ends: null, heirs: {} }];
      const { items, pages } = read;
      const branches = items.map((branch) => branch.id).filter((branch) => declared.has(branch));
      const isProtected = await inParallel(
        items.filter((branch) => used.has(branch.id)),
        READS_AT_ONCE,
        async (branch) => [branch.id, branch.protected ?? (await protectionOf(found, id, branch.id))] as const,
      );
      const ends = items.flatMap((branch) =>
        declared.has(branch.id) && branch.expires_at !== undefined ? [[branch.id, branch.expires_at] as const] : [],
      );
      const heirs = items.flatMap(({ id: heir, restored_as: former = '' }) =>
        declared.has(former) ? [[former, heir] as const] : [],
      );
      const kept = { keeping: keepingIn(pages), ends: Object.fromEntries(ends), heirs: Object.fromEntries(heirs) };
      const keepers = Object.fromEntries(isProtected.filter(([, isSo]) => isSo !== false));
      return [{ id, branches, protected: keepers, ...kept }];
    }),
  );
  const all = lists.flat();
  return {
    branches: Object.fromEntries(all.flatMap(({ id, branches }) => (branches === null ? [] : [[id, branches]]))),
    protected: Object.fromEntries(all.map((listed) => [listed.id, listed.protected])),
    keeping: Object.fromEntries(all.map(({ id, keeping }) => [id, keeping])),
    ends: Object.fromEntries(all.map(({ id, ends }) => [id, ends])),
    heirs: Object.fromEntries(all.map(({ id, heirs }) => [id, heirs])),
  };
}

/** As the branch's own route shows it, where the list does not. */
async function protectionOf(
  { reader, signal }: Pick<FactsInput, 'reader' | 'signal'>,
  projectId: string,
  id: string,
): Promise<boolean | null> {
  const shown = await readOrNull(reader.get<BranchShown>(branchPath(projectId, id), 'BranchShown', { signal }));
  return shown?.branch.id === id ? (shown.branch.protected ?? null) : null;
}

interface Listed {
  readonly id: string;
  readonly branches: readonly string[] | null;
  readonly protected: Readonly<Record<string, boolean | null>> | null;
  readonly keeping: readonly string[] | null;
  readonly ends: Readonly<Record<string, string>> | null;
  /** By the branch whose name it took over in a restore. */
  readonly heirs: Readonly<Record<string, string>>;
}

type Pages = Awaited<ReturnType<typeof readLiveBranches>>['pages'];

/** Branches of a set, or made to be thrown away: whoever made them looks after their computes. */
function keepingIn(pages: Pages): readonly string[] {
  const notes = pages.flatMap(({ annotations = {} }) => Object.entries(annotations));
  return notes.flatMap(([id, note]) => (isKeeping(note?.value) ? [id] : []));
}

function isKeeping(notes: unknown): boolean {
  return isJsonObject(notes) && [NOTES.set, NOTES.disposable].some((note) => notes[note] !== undefined);
}

/** True where its branch keeps it from being pruned; null where nobody knows that. */
function isKept({ spec: { branch_id: branch } }: LiveResource, context: KindContext): boolean | null {
  const { facts, around, liveProject } = context;
  const read = around.find(({ kind, id }) => kind === 'branch' && id === branch);
  if (read !== undefined) return isKeeping(read.observed['annotations']);
  const keeping = (facts['keeping'] as Readonly<Record<string, readonly string[] | null>> | undefined)?.[
    liveProject?.id ?? ''
  ];
  return keeping === null ? null : (keeping ?? []).includes(String(branch));
}

/** True for a branch that exists, false where the project's branches were read and it is none of them; null where nothing tells. */
function exists(branch: string, { facts, around, liveProject }: KindContext): boolean | null {
  // One of its computes stands on it, whatever the list says.
  if (around.some(({ spec }) => spec['branch_id'] === branch)) return true;
  const listed = (facts['branches'] as Readonly<Record<string, readonly string[]>> | undefined)?.[
    liveProject?.id ?? ''
  ];
  const read = around.flatMap(({ kind, id }) => (kind === 'branch' ? [id] : []));
  const known = listed ?? (read.length === 0 ? null : read);
  return known === null ? null : known.includes(branch);
}

/** The service deletes no compute of a protected branch ("Branches": delete protected, or any of its computes). */
export const removalGuard: NonNullable<KindRules['removalGuard']> = (live, context) => ({
  ...heldBy(live, context),
  isKept: isKept(live, context),
});

function heldBy({ spec }: LiveResource, { around, facts, liveProject, project }: KindContext): RemovalGuard {
  const id = String(spec['branch_id']);
  const read = around.find(({ kind, id: own }) => kind === 'branch' && own === id);
  const listed = (facts['protected'] as Readonly<Record<string, JsonObject | null>> | undefined)?.[
    liveProject?.id ?? ''
  ];
  // Without such a route, the request is what tells.
  if (read === undefined && listed === undefined) return keptBy([]);
  const known = listed === null || listed === undefined ? undefined : (listed[id] ?? (id in listed ? null : false));
  const name = `the ${branchWords(id, project)}`;
  return keptBy([
    {
      isSo: read === undefined ? known : read.spec['protected'],
      why: `${name} is protected: write \`protected: false\` there first, and apply that change`,
      unknown: `the service does not show whether ${name} is protected`,
    },
  ]);
}

/** Why a compute on this branch may be gone some day, whoever removes it: the branch expires, as it is to be made or as it was read. */
export function endOfBranch(
  branch: Json,
  made: JsonObject | null,
  { around, facts, liveProject, project }: KindContext,
): string | null {
  const read = around.find(({ kind, id }) => kind === 'branch' && id === branch)?.spec;
  const listed = (facts['ends'] as Readonly<Record<string, JsonObject | null>> | undefined)?.[liveProject?.id ?? ''];
  const name = `the ${branchWords(branch, project)}`;
  const known = made ?? read ?? null;
  if (known === null && listed === null) return `the compute is protected, and the expiry of ${name} could not be read`;
  const { ttl_seconds: lease = null, expires_at: moment = listed?.[String(branch)] ?? null } = known ?? {};
  if (lease === null && moment === null) return null;
  const end =
    typeof moment === 'string' ? `expires at ${moment}` : `has a lease of ${humanDuration(Number(lease) * 1000)}`;
  return `${name} ${end}; the compute is protected, and would be deleted with it`;
}

/** The id of the branch that a compute is to come to, where it is not there already. */
function destination({ absent, spec }: DesiredResource, live: LiveResource | null): string | null {
  const { branch_id: branch } = spec;
  return absent || typeof branch !== 'string' || live?.spec['branch_id'] === branch ? null : branch;
}

/** The project's error where a compute is to come to a branch that the project does not have, or whose name another one took over. */
export function missingBranch(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): readonly Diagnostic[] {
  const branch = destination(desired, live);
  if (branch === null) return [];
  const keys = ['branch_id', 'branch'];
  const heirs = context.facts['heirs'] as Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  const heir = heirOf(branch, context) ?? heirs?.[context.liveProject?.id ?? '']?.[branch];
  if (heir !== undefined && heir !== null) return labelSwapped(desired, [branch, heir], context, keys);
  return exists(branch, context) === false ? [branchNotFound(desired, branch, context, keys)] : [];
}

/** Of one that is to be made: a slip in an id shows at the service alone where nothing that was read knows it. */
export function unseenBranch(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): readonly string[] {
  const branch = live === null ? destination(desired, null) : null;
  return branch === null || exists(branch, context) !== null
    ? []
    : [`no resource that was read is on the branch ${branch}: check its id`];
}
