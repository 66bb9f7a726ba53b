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

/**
 * Reports a branch that a declaration names by id or label, but that does not exist. Also reports a label of `branch` after a restore gave that
 * branch's name to another branch, because the user may mean either branch. `branches`: those that were read in the project.
 */
export function branchProblems(
  desired: DesiredResource,
  branch: ResourceId,
  branches: readonly Pick<LiveResource, 'id' | 'observed'>[],
  { around, liveProject, project }: KindContext,
  key: string,
): readonly Diagnostic[] {
  const labels = labelsFor(branch, project);
  const heir = branches.find(({ observed }) => observed['restored_as'] === branch);
  if (heir !== undefined && labels.length > 0) {
    const message = `${desired.address} is not created: its label ${listOf(labels)} names ${branch}, and a restore gave that branch's name to ${heir.id}`;
    const hint = `If you mean the restored branch, write ${heir.id} at the label. If you mean ${branch}, write that id instead of the label.`;
    return [errorAt(desired, key, 'swapped', message, hint)];
  }
  // A live compute on the branch proves that the branch exists, even if the list lacks it.
  const isProven = around.some(({ spec }) => spec['branch_id'] === branch);
  if (isProven || branches.some(({ id }) => id === branch)) return [];
  const related = labels.flatMap((label): RelatedPlace[] => {
    const range = project?.sources?.[`labels.${label}`];
    return range === undefined ? [] : [{ message: `the label \`${label}\` names ${branch} here`, range }];
  });
  const message = `${desired.address}: the project ${liveProject?.id ?? ''} has no branch ${branch}`;
  const more = related.length === 0 ? {} : { related };
  return [errorAt(desired, key, 'branch_not_found', message, branchHint(branch, project), more)];
}
