// Reads projects, and understands replies about them (api-rules 3).
import { millisecondsOf } from '../../base/time/clock.ts';
import {
  checkReply,
  type BranchListing,
  type ProjectListItem,
  type ProjectShown,
  type ProjectWritten,
} from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { FactsInput, KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import { ifKnown, shownBy } from '../../client/failure.ts';
import { allProjects } from '../../client/list-projects.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveProject, LiveResource } from '../../model/live.ts';
import { isUnborn } from '../../model/reference.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { operationRefs } from '../shared/branch-contents.ts';
import { NOTES } from '../shared/notes.ts';
import { liveProject, PLACE } from './attributes.ts';
import { branchesPath, projectPath } from '../shared/paths.ts';
import { columns } from '../shared/wire.ts';
import { deletedAmong } from '../shared/vanished.ts';

export const projectRemote: KindRemote = {
  ...PLACE,
  isSerial: true,
  isOnlyDeclared: true,
  liveOf: (item) => liveProject(item as ProjectListItem),
  list,
  show,
  outcome,
  // The service accepts several projects of one name.
  recognise: () => 'mark',
  isOurs,
  facts: async (input) =>
    missingIn(input.desired, input.projects).length === 0
      ? null
      : { ...(await whereListed(input)), gone: await gone(input) },
  describe: () => ({ columns: columns() }),
};

/** A project that is missing may be among the others, under its name. */
async function list(reader: Reader, { projectId }: Below, signal: AbortSignal): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'a project scope has no id');
  const own = isUnborn({ projectId }) ? null : await show(reader, { id: projectId }, signal);
  if (own !== null) return [own];
  // The list may lag behind a removal.
  const projects = await allProjects(reader, signal);
  return projects.filter(({ id }) => id !== projectId).map(liveProject);
}

async function show(
  reader: Reader,
  { id }: Pick<LiveResource, 'id'>,
  signal: AbortSignal,
): Promise<LiveResource | null> {
  const read = reader.get<ProjectShown>(projectPath(id), 'ProjectShown', {
    signal,
    problemOf: (body) => (body.project.id === id ? null : 'is about another project'),
  });
  return shownBy(read, ({ project }) => liveProject(project));
}

/** The request for a project leaves the note in its first branch. */
async function isOurs(reader: Reader, { id }: LiveResource, mark: string, signal: AbortSignal): Promise<boolean> {
  const { annotations = {} } = await reader.get<BranchListing>(branchesPath(id), 'BranchListing', {
    signal,
  });
  return Object.values(annotations).some((note) => note?.value?.[NOTES.run] === mark);
}

function missingIn(desired: readonly DesiredResource[], projects: readonly LiveProject[]): readonly DesiredResource[] {
  const there = new Set(projects.map(({ label }) => label));
  return desired.filter(({ scope, absent }) => !absent && !there.has(scope));
}

/** `org_id`: the organization whose projects the run lists · `elsewhere`: projects of the declared names in other organizations. */
async function whereListed({ reader, signal, desired, projects }: FactsInput): Promise<JsonObject> {
  const { orgId } = reader;
  if (orgId !== undefined) return { org_id: orgId };
  const elsewhere: Json[] = [];
  for (const { spec, options } of missingIn(desired, projects)) {
    const { org_id: org } = spec;
    if (typeof org !== 'string') continue;
    const listed = await ifKnown(allProjects(reader, signal, { org_id: org }), []);
    const names = listed.map(({ name }) => name);
    elsewhere.push(...names.filter((name) => name === options['name']).map((name) => ({ org_id: org, name })));
  }
  return elsewhere.length === 0 ? {} : { elsewhere };
}

/** Deleted projects that can still be recovered. */
async function gone({ reader, signal, desired, projects }: FactsInput): Promise<readonly Json[]> {
  const items = await ifKnown(allProjects(reader, signal, { recoverable: 'true' }), []);
  const names = missingIn(desired, projects).flatMap(({ pin, options }) => [pin, options['name']]);
  return deletedAmong(items, { names, path: '/projects' });
}

/** A reply about another project is no reply to this step. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<ProjectWritten>('ProjectWritten', reply);
  if (!result.ok || (target !== null && result.value.project.id !== target)) return null;
  const { project, operations } = result.value;
  const own = { ...step, projectId: project.id };
  const isTold = target === null || (step.method !== 'DELETE' && operations?.length !== 0);
  return {
    id: project.id,
    // A deleted project takes its operations along.
    operations: isTold ? operationRefs(PLACE, own, project.id, operations as Json | undefined) : [],
    secret: null,
    ...(target === null ? { madeAtMs: millisecondsOf(project.created_at) } : {}),
    record: {},
  };
}
