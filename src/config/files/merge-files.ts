// Merges several files into one tree by the names of members; no value may be written twice.
import type { Report } from '../report.ts';
import {
  emptyMap,
  entryOf,
  mapWith,
  type MapNode,
  type Path,
  type TreeEntry,
  type TreeNode,
} from '../yaml/source-tree.ts';

/** `project` is null for a block that covers everything. */
export interface SafetyBlock {
  readonly project: string | null;
  readonly node: MapNode;
  /** The block comes from a safety file of the operator. */
  readonly isOperators?: true;
}

export function joinFiles(roots: readonly MapNode[], report: Report): MapNode {
  return roots.length === 0 ? emptyMap({ file: '', text: '', lineStarts: [0] }) : mergeMaps(roots, [], report);
}

export function safetyOf(root: MapNode): readonly SafetyBlock[] {
  const safety: SafetyBlock[] = [];
  collect(entryOf(root, 'safety')?.value, null, safety);
  const projects = entryOf(root, 'projects')?.value;
  if (projects?.kind === 'map')
    for (const [label, project] of projects.entries) collect(entryOf(project.value, 'safety')?.value, label, safety);
  return safety;
}

function collect(node: TreeNode | undefined, project: string | null, safety: SafetyBlock[]): void {
  if (node?.kind === 'map') safety.push({ project, node });
}

/** Members that are not merged by name, because each file has its own. */
export function standsAlone(path: Path, name: string): boolean {
  if (path.length === 0) return name === 'version' || name === 'expect' || name === 'safety';
  return path.length === 2 && path[0] === 'projects' && name === 'safety';
}

function mergeMaps(maps: readonly MapNode[], path: Path, report: Report): MapNode {
  const groups = new Map<string, TreeEntry[]>();
  for (const map of maps)
    for (const [name, entry] of map.entries) {
      if (standsAlone(path, name)) continue;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [entry]);
      else group.push(entry);
    }
  const entries = new Map<string, TreeEntry>();
  for (const [name, group] of groups) entries.set(name, mergeEntries(group, [...path, name], report));
  return mapWith(maps[0] as MapNode, entries);
}

function mergeEntries(group: readonly TreeEntry[], path: Path, report: Report): TreeEntry {
  const first = group[0] as TreeEntry;
  if (group.length === 1) return path.length <= 2 ? withoutStandalone(first, path, report) : first;
  const maps = group.map(({ value }) => value).filter((value) => value.kind === 'map');
  if (maps.length === group.length) return { key: first.key, value: mergeMaps(maps, path, report) };
  for (const entry of group.slice(1))
    report.add('written_twice', `${path.join('.')} is written in several places`, entry.key, {
      hint: 'Files are merged by address, and each attribute is written once. Remove the attribute in one of the places, or give the file that is to win with --overlay.',
      related: [{ message: 'also written here', span: first.key }],
    });
  return first;
}

/** An entry of one file also loses the members that are not merged by name. */
function withoutStandalone(entry: TreeEntry, path: Path, report: Report): TreeEntry {
  if (path[0] !== 'projects') return entry;
  const { key, value } = entry;
  if (value.kind !== 'map') return entry;
  const hasSafety = (project: TreeNode): boolean => entryOf(project, 'safety') !== undefined;
  const hasAny = path.length === 2 ? hasSafety(value) : [...value.entries.values()].some((one) => hasSafety(one.value));
  if (!hasAny) return entry;
  return { key, value: mergeMaps([value], path, report) };
}
