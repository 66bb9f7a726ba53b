// Branches in the file: labels and ids.
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { didYouMean, listOf } from '../../../base/text/words.ts';
import type { EntryProblem, KindSection } from '../../../config/kind-section.ts';
import type { DesiredProject } from '../../../model/desired.ts';

const BRANCH_ID = /^br-[a-z0-9-]{1,57}$/;

/** The id that a label of the project stands for, or the id itself; null for neither. */
export function branchIdOf(name: string, project: DesiredProject | null): string | null {
  const branches = project?.branches ?? {};
  if (Object.hasOwn(branches, name)) return branches[name] ?? null;
  return BRANCH_ID.test(name) ? name : null;
}

export function unknownBranch(name: string, project: DesiredProject | null, path: readonly string[]): EntryProblem {
  return {
    severity: 'error',
    code: 'unknown_branch',
    message: `\`${name}\` is neither a branch label of this project nor a branch id`,
    hint: () => branchHint(name, project),
    path,
  };
}

function branchHint(name: string, project: DesiredProject | null): string {
  const labels = Object.keys(project?.branches ?? {});
  const near = didYouMean(name, labels);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const known = labels.length === 0 ? 'it has no labels yet' : `its labels are ${listOf(labels.slice(0, 12))}`;
  return `Write a label under \`branches\` (${known}), or an id such as br-wispy-meadow-118737.`;
}

/** `{ branches, types }` of a project's `prune` as attribute values. */
export const pruneRule: NonNullable<KindSection['pruneRule']> = (rule: JsonObject, project: DesiredProject) => {
  const result: Record<string, readonly string[]> = {};
  const ids: string[] = [];
  for (const [at, name] of textsOf(rule['branches']).entries()) {
    const id = branchIdOf(name, project);
    if (id === null) {
      const { message } = unknownBranch(name, project, []);
      return { problem: message, hint: branchHint(name, project), path: ['branches', at] };
    }
    ids.push(id);
  }
  if (rule['branches'] !== undefined) result['branch_id'] = [...new Set(ids)].sort();
  if (rule['types'] !== undefined) result['type'] = [...new Set(textsOf(rule['types']))].sort();
  return { rule: result };
};

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) && !isJsonObject(value) ? value.filter((item) => typeof item === 'string') : [];
}
