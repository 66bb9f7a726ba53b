// Merges several files into one tree by the names of members; no value may be written twice.
import type { Report } from '../report.ts';
import {
  emptyMap,
  entryOf,
  mapWith,
  membersOf,
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
  const blockOf = (project: string | null, owner: TreeNode): readonly SafetyBlock[] => {
    const node = entryOf(owner, 'safety')?.value;
    return node?.kind === 'map' ? [{ project, node }] : [];
  };
  const projects = membersOf(entryOf(root, 'projects')?.value);
  return [...blockOf(null, root), ...[...projects].flatMap(([label, { value }]) => blockOf(label, value))];
}

/** Members that are not merged by name, because each file has its own. */
function standsAlone(path: Path, name: string): boolean {
  if (path.length === 0) return name === 'version' || name === 'expect' || name === 'safety';
  return path.length === 2 && path[0] === 'projects' && name === 'safety';
}

function mergeMaps(maps: readonly MapNode[], path: Path, report: Report): MapNode {
  const groups = new Map<string, TreeEntry[]>();
  for (const map of maps)
    for (const [name, entry] of map.entries) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [entry]);
      else if (!standsAlone(path, name)) group.push(entry);
    }
  const entries = new Map<string, TreeEntry>();
  for (const [name, group] of groups) entries.set(name, mergeEntries(group, [...path, name], report));
  return mapWith(maps[0] as MapNode, entries);
}

function mergeEntries(group: readonly TreeEntry[], path: Path, report: Report): TreeEntry {
  const first = group[0] as TreeEntry;
  if (group.length === 1) return first;
  const maps = group.map(({ value }) => value).filter((value) => value.kind === 'map');
  if (maps.length === group.length) return { key: first.key, value: mergeMaps(maps, path, report) };
  for (const entry of group.slice(1))
    report.add('written_twice', `${path.join('.')} is written in several places`, entry.key, {
      hint: 'Files are merged by address, and each attribute is written once. Remove the attribute in one of the places, or give the file whose value must win with --overlay.',
      related: [{ message: 'also written here', span: first.key }],
    });
  return first;
}
