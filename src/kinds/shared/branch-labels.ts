// Finds the branch that a file names: by the label of a branch in the same project, or by a branch id.
import { textOf, type Json } from '../../base/json.ts';
import { listOf, nearHint } from '../../base/text/words.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { Named } from '../../model/attributes.ts';
import { errorAt, type DesiredProject, type DesiredResource, type ResourceId } from '../../model/desired.ts';
import type { Diagnostic, RelatedPlace } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { isReference, placeholderOf, type Reference } from '../../model/values.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import { BRANCH_ID } from './paths.ts';
import { error } from './problems.ts';

export function branchNamed(name: string, project: DesiredProject | null): Named {
  const labels = project?.labels ?? {};
  const known = Object.hasOwn(labels, name) ? labels[name] : BRANCH_ID.test(name) ? name : undefined;
  if (known !== undefined) return known;
  return {
    problem: `\`${name}\` is neither a branch label of this project nor a branch id`,
    get hint() {
      return branchHint(name, project);
    },
  };
}

export function branchOf(
  name: Json | undefined,
  project: DesiredProject | null,
  path: readonly string[],
  problems: EntryProblem[],
): ResourceId | Reference | null {
  const found = typeof name === 'string' ? branchNamed(name, project) : null;
  if (found === null || typeof found === 'string' || 'ref' in found) return found;
  problems.push(error(path, 'unknown_branch', found.problem, () => found.hint));
  return null;
}

/** Returns the branch as a text: its id, or `{ADDRESS}` for a declared branch whose id is not known yet. */
export function branchTextOf(branch: Json | undefined): string | null {
  return isReference(branch) ? placeholderOf(branch.ref) : textOf(branch);
}

export function branchWords(id: Json | undefined, project: DesiredProject | null): string {
  if (isReference(id)) return `branch ${id.ref.split('/').at(-1) ?? ''} (known after apply)`;
  const label = branchLabel(id, project);
  return label === null ? `branch ${String(id ?? '?')}` : `branch ${label} (${String(id)})`;
}

export function branchLabel(id: Json | undefined, project: DesiredProject | null): string | null {
  return labelsFor(id, project).toSorted()[0] ?? null;
}

function labelsFor(id: Json | undefined, project: DesiredProject | null): readonly string[] {
  return Object.entries(project?.labels ?? {}).flatMap(([label, stands]) => (stands === id ? [label] : []));
}

function branchHint(name: string, project: DesiredProject | null): string {
  const labels = project === null ? [] : Object.keys(project.labels);
  const known = labels.length === 0 ? 'it has no labels yet' : `its labels are ${listOf(labels.slice(0, 12))}`;
  const hint = `Write a label under \`branches\` (${known}), or an id such as br-wispy-meadow-118737; \`trueup list --tree\` shows all.`;
  return nearHint(name, labels, hint, (near) => `\`${near}\``);
}

export function branchNotFound(
  desired: DesiredResource,
  branch: ResourceId,
  { liveProject, project }: KindContext,
  key: string,
): Diagnostic {
  const related = labelsFor(branch, project).flatMap((label): RelatedPlace[] => {
    const range = project?.sources?.[`labels.${label}`];
    return range === undefined ? [] : [{ message: `the label \`${label}\` names ${branch} here`, range }];
  });
  const message = `${desired.address}: the project ${liveProject?.id ?? ''} has no branch ${branch}`;
  const hint = branchHint(branch, project);
  return errorAt(desired, key, 'branch_not_found', message, hint, related.length === 0 ? {} : { related });
}

/** Reports a label that names `branch`, although a restore gave that branch's name to `heir`: the user may mean either branch. */
export function labelSwapped(
  desired: DesiredResource,
  [branch, heir]: readonly [ResourceId, ResourceId],
  { project }: KindContext,
  key: string,
): readonly Diagnostic[] {
  const labels = labelsFor(branch, project);
  if (labels.length === 0) return [];
  const message = `${desired.address} is not created: its label ${listOf(labels)} names ${branch}, and a restore gave that branch's name to ${heir}`;
  const hint = `If you mean the restored branch, write ${heir} at the label. If you mean ${branch}, write that id instead of the label.`;
  return [errorAt(desired, key, 'swapped', message, hint)];
}

/** Returns the branch that took over the name of `branch` in a restore; else null. */
export function heirOf(
  branch: ResourceId,
  branches: readonly Pick<LiveResource, 'id' | 'observed'>[],
): ResourceId | null {
  return branches.find(({ observed }) => observed['restored_as'] === branch)?.id ?? null;
}
