// Branches as a table (api-rules 8): names are unique in a project, annotations show which run created a branch, and a list must be complete.
import { textOf, type Json, type JsonObject, objectOf } from '../../base/json.ts';
import { defined, listed, present } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { canonicalAt } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Marks } from '../../model/outcome/plan.ts';
import type { UpkeepIntent } from '../../model/outcome/upkeep.ts';
import type { KindRules, RequestInput, StepPart } from '../../plan/kind-rules.ts';
import { defineKind, marksOf, type Kind, type KindTable } from '../define.ts';
import { DISPOSABLE, isMadeDisposable, isOfSamePlan, NOTES, marksIn } from '../shared/branch-contents.ts';
import { columns, itemPath, requestsOf, contradicts, liveOf } from '../shared/wire.ts';
import { attributes, wireTable, type Item } from './attributes.ts';
import { branchEffects, contents, removalGuard } from './effects.ts';
import { checkBranches, entryProblems, exclusions, meansOf, writtenBranches } from './entry.ts';
import { branchVerdict } from './verdict.ts';
import type { BranchListing, BranchListItem, BranchShown } from '../../api/index.ts';
import type { FactsInput, Shown } from '../../apply/kind-remote.ts';
import { assert } from '../../base/assert.ts';
import { groupBy } from '../../base/group-by.ts';
import { ApiFailure, failureOf, ifKnown, shownBy } from '../../client/failure.ts';
import { readPages } from '../../client/pages.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { branchesPath, branchPath } from '../shared/paths.ts';
import { deletedAmong } from '../shared/vanished.ts';

const plain = requestsOf(wireTable);

const table: KindTable<Item> = {
  ...wireTable,
  passing: ['current_state'],
  poolWords: ({ name }) => `the branch ${JSON.stringify(name ?? '?')}`,
  excludes: exclusions,
  problems: entryProblems,
  means: meansOf,
  check: checkBranches,
  written: writtenBranches,
  list: listBranches,
  show: showBranch,
  facts: branchFacts,
  fingerprint,
  requests: {
    create: (input) => {
      const { body, ...request } = plain.create(input);
      return { ...request, body: { ...body, annotation_value: notesOf(input) } };
    },
    update: (input) => {
      const { default: isDefault, reset } = input.attributes;
      const path = itemPath(table, input);
      if (isDefault === true) return { method: 'POST', path: `${path}/set_as_default`, body: null };
      if (reset === undefined) return plain.update(input);
      const body = { source_branch_id: input.live?.spec['parent_id'] ?? null };
      return { method: 'POST', path: `${path}/restore`, body };
    },
  },
  parts,
  // After a lost reply, the unique name identifies the new branch, and its annotation shows whether a run of this plan made it.
  isOurs: async (_, { marks }, mark) => Promise.resolve(isOfSamePlan(marks?.['run'] ?? null, mark)),

  describe: ({ id, observed }) => ({
    columns: columns({ branch_id: id, state: textOf(observed['current_state'] ?? observed['pending_state']) }),
  }),
  verdict: branchVerdict,
  consentWords: ['drop', 'expire', 'recreate'],
  contents,
  effects: branchEffects,
  removalGuard,
  upkeep: { mayNeed: ({ absent, spec }) => !absent && typeof spec['ttl_seconds'] === 'number', needs: renewal },
};

export const branch: Kind = defineKind(table);

function fingerprint(live: LiveResource): Marks {
  const { lasting, passing } = marksOf(table, live);
  const { set } = live.marks ?? {};
  const made = {
    ...(live.marks === undefined ? {} : { marked: live.marks === null ? 'unknown' : true }),
    ...(isMadeDisposable(live) ? { [DISPOSABLE]: true } : {}),
    ...defined({ set }),
  };
  return { lasting, passing: { ...passing, ...made } };
}

/**
 * Orders the requests of one change. Protection is removed before an expiry is set, because a protected branch cannot expire. Protection
 * is added after computes are deleted, because the computes of a protected branch cannot be deleted.
 */
function parts(action: 'create' | 'update', attributes: JsonObject): readonly StepPart[] {
  const { default: isDefault, protected: isProtected, reset, ...rest } = attributes;
  const unprotects = isProtected === false;
  const isApart = unprotects && (typeof rest['ttl_seconds'] === 'number' || typeof rest['expires_at'] === 'string');
  const first = unprotects && !isApart ? { ...rest, protected: false } : rest;
  return listed<StepPart>(
    isApart && { name: 'unprotect', attributes: { protected: false } },
    Object.keys(first).length > 0 && { name: 'main', attributes: first },
    action === 'update' && reset !== undefined && { name: 'reset', attributes: { reset } },
    isProtected === true && { name: 'protect', attributes: { protected: true }, waitsFor: 'contents' },
    isDefault === true && { name: 'default', attributes: { default: true }, waitsFor: 'users', takesOver: true },
  );
}

function notesOf({ attributes: { disposable }, set }: RequestInput): JsonObject {
  return {
    [NOTES.run]: { run_id: true },
    ...(disposable === true ? { [NOTES.disposable]: 'true' } : {}),
    // A placeholder: when the request is sent, the project's id and the name of the set replace `{ set }`.
    ...(set === undefined ? {} : { [NOTES.set]: { set } }),
  };
}

/** Renews a lease of which less than half is left; a second renewal by another run is harmless. */
function renewal({ desired: { spec }, live, differs, context: { nowMs } }: NeedInput): UpkeepIntent | null {
  const { ttl_seconds: declared } = spec;
  const { ttl_seconds: kept, expires_at: expiresAt } = live?.spec ?? {};
  // If `lifecycle.hold` keeps a live lease that differs from the declared lease, the live lease is renewed.
  const isHeld = kept !== undefined && leaseOf(declared, kept) !== leaseOf(kept, declared);
  const seconds = isHeld ? kept : declared;
  const endMs = millisecondsOf(expiresAt);
  if (typeof seconds !== 'number' || endMs === null || differs) return null;
  const [wholeMs, leftMs] = [seconds * 1000, endMs - nowMs];
  if (leftMs >= wholeMs / 2) return null;
  const left = leftMs > 0 ? `${humanDuration(leftMs)} left` : 'none left';
  const reason = `ttl ${humanDuration(wholeMs)}, ${left}: the branch expires at ${isoTime(endMs)}`;
  return { action: 'renew', reasons: [reason], send: { ttl_seconds: seconds } };
}

type NeedInput = Parameters<NonNullable<KindRules['upkeep']>['needs']>[0];

const leaseOf = (value: Json | undefined, beside: Json | undefined): Json =>
  canonicalAt({ attributes }, 'ttl_seconds', value, beside);

/** The service lists at most this many branches on a page. */
const PAGE = 10_000;

interface BranchQuery {
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly query?: Readonly<Record<string, string>>;
}

type Read = Pick<Awaited<ReturnType<typeof readPages<BranchListing, BranchListItem>>>, 'items' | 'pages'>;

/** Reads all pages. Rejects with `ApiFailure`, also if the list has no end or contains branches of another project. */
async function readBranches(reader: Reader, { projectId, ...asked }: BranchQuery): Promise<Read> {
  const below = { projectId };
  const { complete, ...read } = await readPages<BranchListing, BranchListItem>(reader, {
    ...asked,
    path: branchesPath(projectId),
    shape: 'BranchListing',
    limit: PAGE,
    itemsOf: ({ branches }) => branches,
    shortEnds: false,
    problemOf: ({ branches }) => wireTable.wire.problemOf(branches, below),
    contradicts: (one, other) => contradicts(liveOf(wireTable, one, below), liveOf(wireTable, other, below)),
  });
  if (!complete) throw unusableList(projectId, 'has pages without end');
  return read;
}

function unusableList(projectId: string, why: string): ApiFailure {
  const path = branchesPath(projectId);
  return new ApiFailure(`GET ${path} ${why}`, { failureClass: 'unusable', method: 'GET', path });
}

/** A project always has a default branch, so an empty list is refused. */
async function listBranches(
  reader: Reader,
  { projectId }: Below,
  signal: AbortSignal,
): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'a branch has no project');
  const { items, pages } = await readBranches(reader, { projectId, signal });
  if (items.length === 0) throw unusableList(projectId, 'shows the project without any branch');
  const notes = new Map(pages.flatMap(({ annotations = {} }) => Object.entries(annotations)));
  const isNoted = pages.every(({ annotations }) => annotations !== undefined);
  return items
    .filter((branch) => branch.recovery === undefined && !isGoing(branch))
    .map((branch) => liveBranch(branch, projectId, notes.get(branch.id) ?? (isNoted ? {} : null)));
}

async function showBranch(reader: Reader, { id, projectId }: Shown, signal: AbortSignal): Promise<LiveResource | null> {
  const read = reader.get<BranchShown>(branchPath(projectId, id), 'BranchShown', {
    signal,
    problemOf: ({ branch }) => (branch.id === id ? null : 'is about another branch'),
  });
  return shownBy(read, ({ branch, annotation }) =>
    liveBranch({ ...branch, isItself: true }, projectId ?? '', annotation ?? {}),
  );
}

type Notes = NonNullable<BranchListing['annotations']>[string];

function liveBranch(branch: Item, projectId: string, notes: Notes | null): LiveResource {
  return {
    ...liveOf(wireTable, branch, { projectId }),
    ...present({ tookOver: branch.restored_as }),
    ...marked(notes),
  };
}

function marked(notes: Notes | null): Pick<LiveResource, 'marks'> {
  if (notes === null) return { marks: null };
  const marks = marksIn(objectOf(notes?.value));
  return Object.keys(marks).length === 0 ? {} : { marks };
}

function isGoing({ current_state: state, pending_state: pending }: BranchListItem): boolean {
  return [state, pending].some((word) => /delet/.test(word ?? ''));
}

/** Reads `gone`: for each project that lacks a declared branch, its recoverable branches, or why they are not known (`unasked`). */
async function branchFacts(found: FactsInput): Promise<JsonObject | null> {
  const { desired, live, projects } = found;
  const there = new Set(
    live.flatMap(({ id, projectId, spec }) => [`${projectId} id ${id}`, `${projectId} name ${String(spec['name'])}`]),
  );
  const present = desired.filter(({ absent }) => !absent);
  const wanted = groupBy(present, ({ scope }) => scope);
  const isThere = (projectId: string, { pin, spec }: DesiredResource): boolean =>
    there.has(`${projectId} ${pin === null ? `name ${String(spec['name'])}` : `id ${pin}`}`);
  const lacking = projects.filter(({ id, label }) => wanted.get(label)?.some((one) => !isThere(id, one)));
  if (lacking.length === 0) return null;
  const gone = await Promise.all(
    lacking.map(async ({ id, label }) =>
      deletedIn(found, id, wanted.get(label) ?? []).catch((error: unknown): readonly Json[] => [
        { project_id: id, unasked: failureOf(error).message },
      ]),
    ),
  );
  return { gone: gone.flat() };
}

/** Reads the deleted branches of a project; a service that keeps no deleted branches still lists those that it is about to delete. */
async function deletedIn(
  { reader, signal, live }: FactsInput,
  projectId: string,
  declared: readonly DesiredResource[],
): Promise<readonly Json[]> {
  const alive = new Set(live.map(({ id }) => id));
  const asked = { projectId, signal };
  const withDeleted = readBranches(reader, { ...asked, query: { include_deleted: 'true' } });
  const { items } = (await ifKnown(withDeleted, null)) ?? (await readBranches(reader, asked));
  const gone = items
    .filter(({ id }) => !alive.has(id))
    .map((branch) => ({ id: branch.id, name: branch.name, ...branch.recovery, is_going: isGoing(branch) }));
  const names = declared.flatMap(({ pin, spec, movedFrom }) => [pin, spec['name'], movedFrom]);
  const path = branchesPath(projectId);
  return deletedAmong(gone, { names, path }).map((one) => ({ ...one, project_id: projectId }));
}
