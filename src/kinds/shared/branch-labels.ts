// Names of branches in a file: a label of the project, or an id.
import { textOf, type Json } from '../../base/json.ts';
import { didYouMean, listOf } from '../../base/text/words.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { Named } from '../../model/attributes.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic, RelatedPlace } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { isReference, placeholderOf, type Reference } from '../../model/reference.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import { BRANCH_ID } from './paths.ts';
import { diagnosed, error } from './problems.ts';

/** Null for a name that is neither a label nor an id. */
function branchIdOf(name: string, project: DesiredProject | null): ResourceId | Reference | null {
  const labels = project?.labels ?? {};
  if (Object.hasOwn(labels, name)) return labels[name] ?? null;
  return BRANCH_ID.test(name) ? name : null;
}

/** Adds a problem at `path` for a name that is neither a label nor an id. */
export function branchOf(
  name: Json | undefined,
  project: DesiredProject | null,
  path: readonly string[],
  problems: EntryProblem[],
): ResourceId | Reference | null {
  if (typeof name !== 'string') return null;
  const id = branchIdOf(name, project);
  if (id === null) problems.push(unknownBranch(name, project, path));
  return id;
}

/** The branch as a text: `{ADDRESS}` for a branch that does not exist yet. */
export function branchTextOf(branch: Json): string | null {
  return isReference(branch) ? placeholderOf(branch.ref) : textOf(branch);
}

/** `branch main (br-…)`, by the label that the file gives it. */
export function branchWords(id: Json | undefined, project: DesiredProject | null): string {
  if (isReference(id)) return `branch ${id.ref.split('/').at(-1) ?? ''} (known after apply)`;
  const label = branchLabel(id, project);
  return label === null ? `branch ${String(id ?? '?')}` : `branch ${label} (${String(id)})`;
}

export function branchLabel(id: Json | undefined, project: DesiredProject | null): string | null {
  const labels = Object.entries(project?.labels ?? {}).flatMap(([label, stands]) => (stands === id ? [label] : []));
  return labels.sort()[0] ?? null;
}

/** The same, or the reason why the text names no branch. */
export function branchNamed(text: string, project: DesiredProject | null): Named {
  const found = branchIdOf(text, project);
  return found ?? { problem: unknownWords(text), hint: branchHint(text, project) };
}

function unknownWords(name: string): string {
  return `\`${name}\` is neither a branch label of this project nor a branch id`;
}

function unknownBranch(name: string, project: DesiredProject | null, path: readonly string[]): EntryProblem {
  return error(path, 'unknown_branch', unknownWords(name), { hint: () => branchHint(name, project) });
}

type Labels = DesiredProject['labels'];

/** Many names of a file may be wrong, so the labels are listed once. */
const listed = new WeakMap<Labels, readonly string[]>();

function labelsOf(labels: Labels): readonly string[] {
  const known = listed.get(labels) ?? Object.keys(labels);
  listed.set(labels, known);
  return known;
}

function branchHint(name: string, project: DesiredProject | null): string {
  const labels = project === null ? [] : labelsOf(project.labels);
  const near = didYouMean(name, labels);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const known = labels.length === 0 ? 'it has no labels yet' : `its labels are ${listOf(labels.slice(0, 12))}`;
  return `Write a label under \`branches\` (${known}), or an id such as br-wispy-meadow-118737; \`trueup list --tree\` shows all.`;
}

/** `key` names the branch in the file. */
export function branchNotFound(
  desired: DesiredResource,
  branch: ResourceId,
  { liveProject, project }: Pick<KindContext, 'liveProject' | 'project'>,
  key: string,
): Diagnostic {
  const places = Object.entries(project?.labels ?? {}).flatMap(([label, id]): RelatedPlace[] => {
    const range = id === branch ? project?.sources?.[`labels.${label}`] : undefined;
    return range === undefined ? [] : [{ message: `the label \`${label}\` names ${branch} here`, range }];
  });
  return diagnosed(desired, key, {
    severity: 'error',
    code: 'branch_not_found',
    message: `${desired.address}: the project ${liveProject?.id ?? ''} has no branch ${branch}`,
    hint: branchHint(branch, project),
    ...(places.length === 0 ? {} : { related: places }),
  });
}

/** After a restore, a label may mean the former branch or the one that took over its name. */
export function labelSwapped(
  desired: DesiredResource,
  [branch, heir]: readonly [ResourceId, ResourceId],
  { project }: Pick<KindContext, 'project'>,
  key: string,
): readonly Diagnostic[] {
  const labels = Object.entries(project?.labels ?? {}).flatMap(([label, id]) => (id === branch ? [label] : []));
  if (labels.length === 0) return [];
  return [
    diagnosed(desired, key, {
      severity: 'error',
      code: 'swapped',
      message: `${desired.address} is not created: its label ${listOf(labels)} names ${branch}, and a restore gave that branch's name to ${heir}`,
      hint: `If you mean the restored branch, write ${heir} at the label. If you mean ${branch}, write that id instead of the label.`,
    }),
  ];
}

/** The branch that took over the name of this one in a restore. */
export function heirOf(
  branch: ResourceId,
  branches: readonly Pick<LiveResource, 'id' | 'observed'>[],
): ResourceId | null {
  return branches.find(({ observed }) => observed['restored_as'] === branch)?.id ?? null;
}
