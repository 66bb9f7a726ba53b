// What is common to branches and what lies on them (roles, databases): names, notes, and how replies about it are understood.
import { assert } from '../../base/assert.ts';
import { isJsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import type { Operation } from '../../api/index.ts';
import type { OperationRef } from '../../client/operations/waiting.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { KindRemote } from '../../apply/kind-remote.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Effect } from '../../plan/kind-rules.ts';
import { error } from './problems.ts';

/**
 * Notes that a client leaves on a branch when it makes one, the first of a project as well: no route changes them later, and nothing else
 * on the service tells who made it.
 */
export const NOTES = { run: 'trueup.run', disposable: 'trueup.disposable', set: 'trueup.set' } as const;

/** The fact, among those that pass, that a branch says of itself that it was made to be thrown away. */
export const DISPOSABLE = 'disposable';

export function isMadeDisposable({ observed: { annotations: notes } }: Pick<LiveResource, 'observed'>): boolean {
  return isJsonObject(notes) && notes[NOTES.disposable] === 'true';
}

/** What the removal of what comes with a branch of this plan does: nobody is connected to that yet. */
export const COPY_DROPPED: Effect = {
  impact: ['data_lost'],
  details: { data_lost: { words: 'what comes with the new branch goes from there; where it comes from it stays' } },
  notes: [],
};

/** Why the list is not that of this branch; null where it is. */
export function strangerIn(
  items: readonly { readonly name: string; readonly branch_id?: string | undefined }[],
  branchId: ResourceId,
  what: string,
): string | null {
  const names = new Set<string>();
  for (const { name, branch_id: owner } of items) {
    const words = `lists the ${what} "${inert(name, 80)}"`;
    if (owner !== undefined && owner !== branchId) return `${words} of another branch`;
    if (names.has(name)) return `${words} twice`;
    names.add(name);
  }
  return null;
}

/** Postgres keeps names of so many bytes. */
const MAX_BYTES = 63;

/** Why Postgres would not take the name; null when it would. */
export function nameProblemOf(name: string, what: string): EntryProblem | null {
  const bytes = new TextEncoder().encode(name).length;
  const message =
    bytes > MAX_BYTES
      ? `the name of a ${what} has at most ${MAX_BYTES} bytes; this has ${bytes}`
      : /\0/.test(name) || /^\.*$/.test(name)
        ? `that cannot be the name of a ${what}`
        : null;
  return message === null ? null : error([], 'bad_name', message, { atKey: true });
}

export function reservedName(name: string): EntryProblem {
  const message = `${JSON.stringify(name)} is a name that Postgres or the service keeps for itself`;
  return error([], 'reserved_name', message, { hint: 'Choose another name.', atKey: true });
}

/** What computes do by themselves or on the way, whatever becomes of a change. */
const OF_COMPUTES: ReadonlySet<string> = new Set(['start_compute', 'suspend_compute', 'check_availability']);

/** What lies on a branch is carried out by an operation of the branch; where nothing runs there, by none. */
export const ON_A_BRANCH: Pick<KindRemote, 'proves' | 'concerns' | 'mayStartNone'> = {
  proves: ({ parentId }, { action, branchId }) =>
    !OF_COMPUTES.has(action) && (branchId === null || branchId === parentId),
  concerns: ({ parentId }, { action, branchId }) => !OF_COMPUTES.has(action) && branchId === parentId,
  mayStartNone: true,
};

/** So is a branch itself, by one that is of no compute. */
export const OF_A_BRANCH: Pick<KindRemote, 'proves' | 'concerns' | 'mayStartNone'> = {
  proves: ({ expects }, { action, branchId }) =>
    !OF_COMPUTES.has(action) && (expects.state === 'absent' || branchId === null || branchId === expects.id),
  concerns: ({ id }, { branchId, resourceId }) => branchId === id && resourceId === null,
  mayStartNone: true,
};

/**
 * The operations that a reply names, of the step's own project; null where it names none, also where it says that there is none: it may
 * leave out what it started, and that may fail.
 */
export function operationRefs(
  { projectId }: Step,
  operations: readonly Operation[] | undefined,
): readonly OperationRef[] | null {
  assert(projectId !== null, 'branches and what lies on them belong to a project');
  if (operations === undefined || operations.length === 0) return null;
  return operations
    .filter((operation) => (operation.project_id ?? projectId) === projectId)
    .map(({ id, action, status, failures_count: failuresCount = 0 }) => ({
      id,
      projectId,
      action,
      status,
      failuresCount,
    }));
}
