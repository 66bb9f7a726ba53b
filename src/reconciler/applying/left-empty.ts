// What a run may have left empty: places of capacity one in their kinds' words, and the look that tells whether it is so.
import type { Passage, PlaceOf } from '../../apply/run/vacancies.ts';
import { inParallel } from '../../apply/in-parallel.ts';
import { READS_AT_ONCE } from '../../apply/read/read-scopes.ts';
import { isJsonObject } from '../../base/json.ts';
import { isExpected } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { kindOf } from '../../kinds/index.ts';
import { groupBy } from '../../base/group-by.ts';
import { PROJECT, scopeKey } from '../../model/kind.ts';
import type { LiveState } from '../../model/live.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import { isUnborn } from '../../model/reference.ts';
import type { ApplyParts, VerifiedRun } from '../parts.ts';
import type { ApplyRequest } from '../types.ts';

/** Places by their kinds' words, with the names that the files give. */
export function placesOf({ desired, reading }: ApplyRequest): PlaceOf {
  const labels = new Map(reading?.live.projects.map(({ id, label }) => [id, label]));
  const projects = new Map(desired?.projects.map((project) => [project.label, project]));
  return ({ kind, projectId, spec }) => {
    const own = kindOf(kind).rules;
    if (own.vacancy === undefined || own.place(spec) === null) return null;
    const project = projects.get(labels.get(projectId ?? '') ?? '') ?? null;
    const { id, code, before: emptyWords } = own.vacancy({ spec, project, until: null, isPassage: false });
    return { id, code, emptyWords };
  };
}

/** Places that the plan leaves empty again, since whoever holds them is only passing through. */
export function passagesOf({ changes }: Pick<Plan, 'changes'>): readonly Passage[] {
  const running = changes.filter(({ blockedBy }) => blockedBy.length === 0);
  return running.flatMap(({ projectId, impactDetails: { no_primary: left } }) =>
    isJsonObject(left) && left['passage'] === true ? [{ projectId, id: String(left['branch_id']) }] : [],
  );
}

/** Tells of which projects a reading shows everything: not of one that was only looked at itself. */
export function wasReadIn({ projects, resources, unread }: LiveState): (projectId: string | null) => boolean {
  const missing = new Set(unread.flatMap(({ projectId, part }) => (part === undefined ? [projectId] : [])));
  const found = groupBy(resources, ({ projectId }) => projectId ?? '');
  const isAlone = (id: string): boolean => found.get(id)?.every(({ kind }) => kind === PROJECT) ?? false;
  const read = new Set(projects.flatMap(({ id }) => (isAlone(id) ? [] : [id])));
  return (projectId) => projectId !== null && read.has(projectId) && !missing.has(projectId);
}

/** Only the lists of these steps' scopes: for a run that was stopped because the plan no longer fits, and left a place empty. */
export async function lookAgain(
  { session }: ApplyParts,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<NonNullable<VerifiedRun['found']>> {
  const scopes = new Map(steps.map((step) => [scopeKey(step), step]));
  const there = [...scopes.values()].filter((scope) => !isUnborn(scope));
  const lists = await inParallel(there, READS_AT_ONCE, async (scope) => {
    const { kind, projectId } = scope;
    const { remote } = kindOf(kind);
    const live = await remote.list(readerOf(session.client), scope, signal).catch((error: unknown) => {
      // What cannot be read stays what the steps told.
      if (isExpected(error, signal)) return undefined;
      throw error;
    });
    return { projectId, live };
  });
  const read = new Set(lists.flatMap(({ projectId, live }) => (live === undefined ? [] : [projectId])));
  return { live: lists.flatMap(({ live }) => live ?? []), wasRead: (projectId) => read.has(projectId) };
}
