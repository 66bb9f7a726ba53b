// Branches as entries name them: by a label of the project, or by id.
import { didYouMean, listOf } from '../../base/text/words.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { Named } from '../../model/attributes.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic, RelatedPlace } from '../../model/diagnostic.ts';
import { isReference, placeholderOf, type Reference } from '../../model/reference.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import { BRANCH_ID } from './paths.ts';
import { error } from './problems.ts';

/** What a label of the project stands for (an id, or what is declared), or the id itself; null for neither. */
export function branchIdOf(name: string, project: DesiredProject | null): ResourceId | Reference | null {
  const labels = project?.labels ?? {};
  if (Object.hasOwn(labels, name)) return labels[name] ?? null;
  return BRANCH_ID.test(name) ? name : null;
}

/** The same where only a text can stand: `{ADDRESS}` for what is declared. */
export function branchTextOf(branch: ResourceId | Reference | null): string | null {
  return isReference(branch) ? placeholderOf(branch.ref) : branch;
}

/** The same, or the reason why the text names no branch. */
export function branchNamed(text: string, project: DesiredProject | null): Named {
  const found = branchIdOf(text, project);
  return found ?? { problem: unknownWords(text), hint: branchHint(text, project) };
}

function unknownWords(name: string): string {
  return `\`${name}\` is neither a branch label of this project nor a branch id`;
}

export function unknownBranch(name: string, project: DesiredProject | null, path: readonly string[]): EntryProblem {
  return error(path, 'unknown_branch', unknownWords(name), { hint: () => branchHint(name, project) });
}

type Labels = DesiredProject['labels'];

/** A project may have many labels, and a file as many that are wrong: they are listed once. */
const listed = new WeakMap<Labels, readonly string[]>();

function labelsOf(labels: Labels): readonly string[] {
  const known = listed.get(labels) ?? Object.keys(labels);
  listed.set(labels, known);
  return known;
}

export function branchHint(name: string, project: DesiredProject | null): string {
  const labels = project === null ? [] : labelsOf(project.labels);
  const near = didYouMean(name, labels);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const known = labels.length === 0 ? 'it has no labels yet' : `its labels are ${listOf(labels.slice(0, 12))}`;
  return `Write a label under \`branches\` (${known}), or an id such as br-wispy-meadow-118737; \`trueup list --tree\` shows all.`;
}

/** The project's error where something is to rest on a branch that the project does not have; `keys` may name it in the file. */
export function branchNotFound(
  { address, source, sources }: DesiredResource,
  branch: ResourceId,
  { liveProject, project }: Pick<KindContext, 'liveProject' | 'project'>,
  keys: readonly string[],
): Diagnostic {
  const places = Object.entries(project?.labels ?? {}).flatMap(([label, id]): RelatedPlace[] => {
    const range = id === branch ? project?.sources?.[`labels.${label}`] : undefined;
    return range === undefined ? [] : [{ message: `the label \`${label}\` names ${branch} here`, range }];
  });
  return {
    severity: 'error',
    code: 'branch_not_found',
    message: `${address}: the project ${liveProject?.id ?? ''} has no branch ${branch}`,
    hint: branchHint(branch, project),
    address,
    range: keys.map((key) => sources[key]).find((one) => one !== undefined) ?? source,
    ...(places.length === 0 ? {} : { related: places }),
  };
}

/** The project's error where something is to be made on the branch of a label, and a restore gave its name to the branch `heir`: either may be meant. */
export function labelSwapped(
  { address, source, sources }: DesiredResource,
  [branch, heir]: readonly [ResourceId, ResourceId],
  { project }: Pick<KindContext, 'project'>,
  keys: readonly string[],
): readonly Diagnostic[] {
  const labels = Object.entries(project?.labels ?? {}).flatMap(([label, id]) => (id === branch ? [label] : []));
  if (labels.length === 0) return [];
  return [
    {
      severity: 'error',
      code: 'swapped',
      message: `${address} is not created: its label ${listOf(labels)} names ${branch}, and a restore gave that branch's name to ${heir}`,
      hint: `If you mean the restored branch, write ${heir} at the label. If you mean ${branch}, write that id instead of the label.`,
      address,
      range: keys.map((key) => sources[key]).find((one) => one !== undefined) ?? source,
    },
  ];
}

/** The branch that took over the name of this one, among those that were read; null where none did. */
export function heirOf(branch: ResourceId, { around }: Pick<KindContext, 'around'>): ResourceId | null {
  return around.find(({ observed }) => observed['restored_as'] === branch)?.id ?? null;
}
