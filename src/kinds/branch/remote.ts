// Branches on the wire: how they are listed, what a reply says, and what may be repeated (api-rules 8).
import { millisecondsOf } from '../../base/time/clock.ts';
import {
  checkReply,
  type BranchListItem,
  type BranchShown,
  type BranchWritten,
  type OperationList,
  type ProjectShown,
} from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { groupBy } from '../../base/group-by.ts';
import { isJsonObject, textOf, type Json, type JsonObject } from '../../base/json.ts';
import type { FactsInput, KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import { ifKnown, shownBy } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import { PROJECT, type Below } from '../../model/kind.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { NOTES, operationRefs } from '../shared/branch-contents.ts';
import { contradictionIn, isGoing, readBranches, readLiveBranches, columns } from '../shared/lists.ts';
import { deletedAmong, type Deleted } from '../shared/vanished.ts';
import { BRANCH_ID, branchesPath, branchPath, projectPath } from '../shared/paths.ts';
import { isOfSamePlan } from '../shared/made-by.ts';
import { liveBranch, PLACE } from './attributes.ts';

export const branchRemote: KindRemote = {
  ...PLACE,
  isSerial: true,
  isOnlyDeclared: true,
  list,
  show: async (reader, { id, projectId }, signal) => {
    const read = reader.get<BranchShown>(branchPath(projectId, id), 'BranchShown', {
      signal,
      problemOf: ({ branch }) => (branch.id === id ? null : 'is about another branch'),
    });
    return shownBy(read, ({ branch, annotation }) => liveBranch(branch, projectId ?? '', annotation));
  },
  outcome,
  recognise: () => 'name',
  isOurs: async (_, live, mark) => Promise.resolve(isOfSamePlan(runOf(live), mark)),
  facts,
  describe: ({ id, observed }) => ({
    columns: columns({ branch_id: id, state: textOf(observed['current_state'] ?? observed['pending_state']) }),
  }),
};

/** All branches of a project, one request where the service cuts no page short. Rejects where the list does not end. */
async function list(reader: Reader, { projectId }: Below, signal: AbortSignal): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'a branch has no project');
  const contradicts = contradictions(projectId);
  const { items, pages } = await readLiveBranches(reader, { projectId, signal, contradicts });
  const notes = new Map(pages.flatMap(({ annotations = {} }) => Object.entries(annotations)));
  return items.map((branch) => liveBranch(branch, projectId, notes.get(branch.id)));
}

function contradictions(projectId: string): (one: BranchListItem, other: BranchListItem) => boolean {
  const of = (branch: BranchListItem): LiveResource => liveBranch(branch, projectId, undefined);
  return (one, other) => contradictionIn([one, other], of) !== null;
}

/** The run that made it, by its note; null where it has none. */
function runOf({ observed: { annotations: notes } }: LiveResource): Json {
  return (isJsonObject(notes) ? notes[NOTES.run] : null) ?? null;
}

type Found = Pick<FactsInput, 'desired' | 'live' | 'projects'>;

/** Projects in which a branch is declared that does not live, by its id or its name. */
function projectsLackingOne({ desired, live, projects }: Found): readonly LiveProject[] {
  const wanted = groupBy(
    desired.filter(({ absent }) => !absent),
    ({ scope }) => scope,
  );
  const found = groupBy(live, ({ projectId }) => projectId ?? '');
  return projects.filter(({ id, label }) => {
    const own = found.get(id) ?? [];
    const ids = new Set(own.map((one) => one.id));
    const names = new Set(own.map(({ spec }) => spec['name']));
    return (wanted.get(label) ?? []).some(({ pin, spec }) =>
      pin === null ? !names.has(spec['name'] ?? '') : !ids.has(pin),
    );
  });
}

/**
 * Of projects in which one is about to be made: `gone`, those that were deleted and can still be recovered, one list each; `history`, for
 * how many seconds a project keeps what was, where one is to begin at an earlier moment.
 */
async function facts(found: FactsInput): Promise<JsonObject | null> {
  const projects = projectsLackingOne(found);
  if (projects.length === 0) return null;
  const withMoment = found.desired.filter(({ absent, spec }) => !absent && spec['parent_timestamp'] !== undefined);
  const labelsWithMoment = new Set(withMoment.map(({ scope }) => scope));
  const [lists, kept] = await Promise.all([
    Promise.all(projects.map(async (project) => deletedIn(found, project))),
    Promise.all(
      projects
        .filter(({ label }) => labelsWithMoment.has(label))
        .map(async ({ id }) => [id, await historyOf(found, id)] as const),
    ),
  ]);
  return { gone: lists.flat(), ...(kept.length === 0 ? {} : { history: Object.fromEntries(kept) }) };
}

/** Asked for where nothing that was read shows it; null where the service does not tell. */
async function historyOf(
  { reader, signal, around, listed = [] }: FactsInput,
  projectId: string,
): Promise<number | null> {
  const known =
    around.find(({ kind, id }) => kind === PROJECT && id === projectId)?.spec['history_retention_seconds'] ??
    listed.find(({ id }) => id === projectId)?.history_retention_seconds;
  if (typeof known === 'number') return known;
  const read = reader.get<ProjectShown>(projectPath(projectId), 'ProjectShown', { signal });
  const project = (await ifKnown(read, null))?.project;
  return project?.id === projectId ? (project.history_retention_seconds ?? null) : null;
}

/** Of a service that keeps no deleted ones, those that are about to go. */
async function deletedIn(found: FactsInput, { id: projectId, label }: LiveProject): Promise<readonly Json[]> {
  const { reader, signal, live, desired } = found;
  const alive = new Set(live.map(({ id }) => id));
  const asked = { projectId, signal, contradicts: contradictions(projectId) };
  const withDeleted = readBranches(reader, { ...asked, query: { include_deleted: 'true' } });
  const { items } = (await ifKnown(withDeleted, null)) ?? (await readBranches(reader, asked));
  const gone = items.filter(({ id }) => !alive.has(id));
  const wanted = desired.filter(({ scope, absent }) => scope === label && !absent);
  const names = wanted.flatMap(({ pin, spec, movedFrom }) => [pin, spec['name'], movedFrom]);
  const path = branchesPath(projectId);
  return deletedAmong(gone.map(asDeleted), { names, path }).map((one) => ({ ...one, project_id: projectId }));
}

function asDeleted(branch: BranchListItem): Deleted {
  const { id, name, recovery = {} } = branch;
  return { id, name, ...recovery, is_going: isGoing(branch) };
}

/** The reply about another branch is not the reply to this step; one without a body ends a deletion. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<BranchWritten>('BranchWritten', reply);
  if (!result.ok) return step.method === 'DELETE' ? bare(step, reply) : null;
  const { branch, operations } = result.value;
  const isAnother =
    !BRANCH_ID.test(branch.id) ||
    (branch.project_id !== undefined && branch.project_id !== step.projectId) ||
    (target !== null && branch.id !== target);
  if (isAnother) return null;
  return {
    id: branch.id,
    operations: operationRefs(step, operations),
    secret: null,
    ...(target === null ? { madeAtMs: millisecondsOf(branch.created_at) } : {}),
    record: {},
  };
}

function bare(step: Step, reply: Json): WriteOutcome {
  const listed = checkReply<OperationList>('OperationList', reply);
  const id = step.expects.state === 'present' ? step.expects.id : null;
  return { id, operations: listed.ok ? operationRefs(step, listed.value.operations) : null, secret: null, record: {} };
}
