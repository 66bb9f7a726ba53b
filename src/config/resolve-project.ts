// One project of the files: its names, branch labels and rules.
import { compareText, isJsonObject } from '../base/json.ts';
import type { DesiredProject, PruneRule } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { KindSection } from './kind-section.ts';
import { nameProblem } from './names.ts';
import type { Report } from './report.ts';
import { show } from './show.ts';
import { entryOf, placeAt, rangeOf, toJson, type TreeEntry, type TreeNode } from './source-tree.ts';

export interface ProjectContext {
  readonly kinds: readonly KindSection[];
  readonly report: Report;
}

type Facts = Omit<DesiredProject, 'prune' | 'source'>;

/** Its place is looked up where somebody asks; a copy by `{ ...project }` has none. */
class DeclaredProject implements DesiredProject {
  readonly label: string;
  readonly name: string;
  readonly id: string | null;
  readonly branches: DesiredProject['branches'];
  readonly prune: PruneRule;
  readonly unmanagedOk: readonly string[];
  readonly #entry: TreeEntry;

  constructor(facts: Facts, prune: PruneRule, entry: TreeEntry) {
    this.label = facts.label;
    this.name = facts.name;
    this.id = facts.id;
    this.branches = facts.branches;
    this.prune = prune;
    this.unmanagedOk = facts.unmanagedOk;
    this.#entry = entry;
  }

  get source(): SourceRange {
    return rangeOf(this.#entry.key);
  }
}

export function resolveProject(label: string, entry: TreeEntry, context: ProjectContext): DesiredProject {
  const { report, kinds } = context;
  const node = entry.value;
  const id = textOf(entryOf(node, 'id')?.value);
  const name = textOf(entryOf(node, 'name')?.value);
  const problem = name === null ? null : nameProblem(name);
  if (problem !== null) report.add('bad_name', problem, placeAt(node, ['name']));
  for (const kind of kinds)
    if (kind.scope === 'account' && kind.section === label)
      report.add(
        'reserved_label',
        `${show(label)} cannot be the label of a project: addresses of account-wide resources begin with it`,
        entry.key,
        {
          hint: "Choose another label, and write the project's name as `name:`.",
        },
      );
  const facts: Facts = {
    label,
    name: name ?? label,
    id,
    branches: branchesOf(entryOf(node, 'branches')?.value),
    unmanagedOk: unmanagedOf(entryOf(node, 'unmanaged_ok')?.value),
  };
  const written = entryOf(node, 'prune')?.value;
  const unpruned = new DeclaredProject(facts, false, entry);
  return written === undefined
    ? unpruned
    : new DeclaredProject(facts, pruneOf(written, node, unpruned, context), entry);
}

function textOf(node: TreeNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null;
}

const NO_BRANCHES: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);
const NO_IDS: readonly string[] = [];

function branchesOf(node: TreeNode | undefined): Readonly<Record<string, string>> {
  if (node === undefined) return NO_BRANCHES;
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
  if (node?.kind !== 'list') return NO_IDS;
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
    if (kind.scope !== 'project') continue;
    const result = kind.pruneRule(value, project);
    if ('rule' in result) Object.assign(rules, result.rule);
    else report.add('bad_prune', result.problem, placeAt(node, ['prune', ...result.path]), { hint: result.hint });
  }
  return rules;
}
