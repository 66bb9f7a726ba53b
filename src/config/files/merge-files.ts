// Merges the files into one tree by the names of members: no value may be written twice, and overlays win. Positions are kept.
import type { Report } from '../report.ts';
import {
  entryOf,
  mapWith,
  valueOf,
  membersOf,
  numberIn,
  textFile,
  type MapNode,
  type Path,
  type TreeEntry,
  type TreeNode,
} from '../yaml/source-tree.ts';

/** `project` is null for a block that covers everything. */
export interface SafetyBlock {
  readonly project: string | null;
  readonly node: MapNode;
  readonly isOperators?: true;
}

export interface Merged {
  readonly root: MapNode;
  /** The limits of all blocks apply together. */
  readonly safety: readonly SafetyBlock[];
  /** The `expect` blocks of all files; their values must agree. */
  readonly expect: readonly TreeEntry[];
}

export function mergeFiles(files: readonly MapNode[], overlays: readonly MapNode[], report: Report): Merged {
  const own = files.flatMap(safetyOf);
  const tighter = overlays.flatMap(safetyOf);
  checkTighter(own, tighter, report);
  const expect = [...files, ...overlays].flatMap((root) => {
    const entry = entryOf(root, 'expect');
    return entry?.value.kind === 'map' ? [entry] : [];
  });
  const root = overlays.reduce((below, top) => overlaid(below, top), mergeMaps(files, [], report));
  return { root, safety: [...own, ...tighter], expect };
}

/** Lays an overlay over the files: mappings are merged, and any other value of the overlay wins. `null` makes an attribute unmanaged. */
function overlaid(base: MapNode, top: MapNode): MapNode {
  const entries = new Map(base.entries);
  for (const [name, entry] of top.entries) {
    const below = entries.get(name);
    if (below === undefined) entries.set(name, entry);
    else if (entry.value.kind === 'map' && below.value.kind === 'map')
      entries.set(name, { ...below, value: overlaid(below.value, entry.value) });
    else entries.set(name, { ...entry, from: { over: below.key } });
  }
  return mapWith(base, entries);
}

/** Limits for which a lower number is stricter. */
const LIMITS = ['max_deletes', 'max_drops', 'max_restarts', 'max_change_percent'] as const;

/** Reports a higher limit in an overlay, because such a limit has no effect: the strictest limit applies. */
function checkTighter(files: readonly SafetyBlock[], overlays: readonly SafetyBlock[], report: Report): void {
  for (const { project, node } of overlays)
    for (const limit of LIMITS) {
      const entry = valueOf(node, limit);
      const wanted = numberIn(entry) ?? 0;
      for (const other of files) {
        const set = valueOf(other.node, limit);
        const value = numberIn(set) ?? Infinity;
        if (set === undefined || other.project !== project || wanted <= value) continue;
        report.add(
          'overlay_loosens',
          `an overlay can only tighten safety.${limit}: ${wanted} is more than ${value}`,
          entry ?? null,
          {
            hint: `The strictest of all limits applies. Leave the limit out here, or write at most ${value}.`,
            related: [{ message: 'set here', span: set }],
          },
        );
      }
    }
}

function safetyOf(root: MapNode): readonly SafetyBlock[] {
  const blockOf = (project: string | null, owner: TreeNode): readonly SafetyBlock[] => {
    const node = valueOf(owner, 'safety');
    return node?.kind === 'map' ? [{ project, node }] : [];
  };
  const projects = membersOf(valueOf(root, 'projects'));
  return [...blockOf(null, root), ...[...projects].flatMap(([label, { value }]) => blockOf(label, value))];
}

/** True for `version`, `expect` and `safety`: each file may have its own, so these are not merged by name. */
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
  return mapWith(maps[0] ?? { text: textFile('', ''), start: 0, end: 0 }, entries);
}

function mergeEntries(group: readonly TreeEntry[], path: Path, report: Report): TreeEntry {
  const first = group[0] as TreeEntry;
  if (group.length === 1) return first;
  const maps = group.flatMap(({ value }) => (value.kind === 'map' ? [value] : []));
  if (maps.length === group.length) return { key: first.key, value: mergeMaps(maps, path, report) };
  for (const entry of group.slice(1))
    report.add('written_twice', `${path.join('.')} is written in several places`, entry.key, {
      hint: 'Files are merged by address, and each attribute is written once. Remove the attribute in one of the places, or give the file whose value must win with --overlay.',
      related: [{ message: 'also written here', span: first.key }],
    });
  return first;
}
