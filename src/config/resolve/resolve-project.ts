// One project of the files: its names, branch labels and rules.
import { compareText, isJsonObject } from '../../base/json.ts';
import type { DesiredProject, PruneRule } from '../../model/desired.ts';
import { nameProblem } from '../check/names.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { show } from '../yaml/show.ts';
import { entryOf, placeAt, rangeOf, toJson, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';

export interface ProjectContext {
  readonly kinds: readonly KindSection[];
  readonly report: Report;
}

export function resolveProject(label: string, entry: TreeEntry, context: ProjectContext): DesiredProject {
  const { report, kinds } = context;
  const node = entry.value;
  const id = textOf(entryOf(node, 'id')?.value);
  const name = textOf(entryOf(node, 'name')?.value);
  const problem = name === null ? null : nameProblem(name);
  if (problem !== null) report.add('bad_name', problem, placeAt(node, ['name']));
  for (const kind of kinds)
    if (kind.parent === null && kind.section === label)
      report.add(
        'reserved_label',
        `${show(label)} cannot be the label of a project: addresses of account-wide resources begin with it`,
        entry.key,
        {
          hint: "Choose another label, and write the project's name as `name:`.",
        },
      );
  const unpruned: DesiredProject = {
    label,
    name: name ?? label,
    id,
    branches: branchesOf(entryOf(node, 'branches')?.value),
    prune: false,
    unmanagedOk: unmanagedOf(entryOf(node, 'unmanaged_ok')?.value),
    source: rangeOf(entry.key),
  };
  const written = entryOf(node, 'prune')?.value;
  return written === undefined ? unpruned : { ...unpruned, prune: pruneOf(written, node, unpruned, context) };
}

function textOf(node: TreeNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null;
}

function branchesOf(node: TreeNode | undefined): Readonly<Record<string, string>> {
  // Without a prototype: a label such as `constructor` is then only a label.
  const branches = Object.create(null) as Record<string, string>;
  if (node?.kind === 'map')
    for (const [label, entry] of [...node.entries].sort(([a], [b]) => compareText(a, b))) {
      const id = textOf(entry.value);
      if (id !== null) branches[label] = id;
    }
  return branches;
}

function unmanagedOf(node: TreeNode | undefined): readonly string[] {
  if (node?.kind !== 'list') return [];
  const ids = node.items.map(textOf).filter((id) => id !== null);
  return [...new Set(ids)].sort(compareText);
}

function pruneOf(
  written: TreeNode,
  node: TreeNode,
  project: DesiredProject,
  { kinds, report }: ProjectContext,
): PruneRule {
  const value = toJson(written);
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return false;
  const rules: Record<string, readonly string[]> = {};
  for (const kind of kinds) {
    const result = kind.parent === null ? undefined : kind.pruneRule?.(value, project);
    if (result === undefined) continue;
    if ('rule' in result) Object.assign(rules, result.rule);
    else report.add('bad_prune', result.problem, placeAt(node, ['prune', ...result.path]), { hint: result.hint });
  }
  return rules;
}
