// A project's prune filter: of which branches and types unlisted computes may go.
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { KindSection } from '../../../config/kind-section.ts';
import type { DesiredProject } from '../../../model/desired.ts';
import { branchHint, branchIdOf, branchTextOf, unknownBranch } from '../../shared/branch-labels.ts';

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
    ids.push(branchTextOf(id) ?? '');
  }
  if (rule['branches'] !== undefined) result['branch_id'] = [...new Set(ids)].sort();
  if (rule['types'] !== undefined) result['type'] = [...new Set(textsOf(rule['types']))].sort();
  return { rule: result };
};

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) && !isJsonObject(value) ? value.filter((item) => typeof item === 'string') : [];
}
