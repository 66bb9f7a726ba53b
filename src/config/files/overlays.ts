// Overlays: their values win over the values of the files, whose positions are kept.
import type { Report } from '../report.ts';
import { entryOf, mapWith, toJson, type MapNode, type TreeEntry } from '../yaml/source-tree.ts';
import { joinFiles, safetyOf, type SafetyBlock } from './merge-files.ts';

export interface FileTrees {
  readonly files: readonly MapNode[];
  readonly overlays: readonly MapNode[];
}

export interface Merged {
  readonly root: MapNode;
  /** Each of the blocks holds. */
  readonly safety: readonly SafetyBlock[];
  /** Several files can have equal blocks. */
  readonly expect: readonly TreeEntry[];
}

export function mergeFiles({ files, overlays }: FileTrees, report: Report): Merged {
  const own = files.flatMap(safetyOf);
  const tighter = overlays.flatMap(safetyOf);
  checkTighter(own, tighter, report);
  const expect = [...files, ...overlays].flatMap((root) => {
    const entry = entryOf(root, 'expect');
    return entry?.value.kind === 'map' ? [entry] : [];
  });
  const root = overlays.reduce((below, top) => overlaid(below, top), joinFiles(files, report));
  return { root, safety: [...own, ...tighter], expect };
}

/** Mappings merge, and any other value replaces; `null` ends the management of an attribute. */
function overlaid(base: MapNode, top: MapNode): MapNode {
  const entries = new Map(base.entries);
  for (const [name, entry] of top.entries) entries.set(name, laid(entries.get(name), entry));
  return mapWith(base, entries);
}

function laid(below: TreeEntry | undefined, entry: TreeEntry): TreeEntry {
  const { value } = entry;
  if (below === undefined) return entry;
  if (value.kind === 'map' && below.value.kind === 'map') return { ...below, value: overlaid(below.value, value) };
  return { ...entry, from: { over: below.key } };
}

/** Limits for which a lower number is stricter. */
const LIMITS = ['max_deletes', 'max_drops', 'max_restarts', 'max_change_percent'] as const;

/** A higher limit in an overlay has no effect, so its author must learn that. */
function checkTighter(files: readonly SafetyBlock[], overlays: readonly SafetyBlock[], report: Report): void {
  for (const { project, node } of overlays)
    for (const limit of LIMITS) {
      const [entry, wanted] = numberAt(node, limit);
      for (const other of files) {
        const [set, value] = numberAt(other.node, limit);
        if (entry === undefined || set === undefined || other.project !== project || !(wanted > value)) continue;
        report.add(
          'overlay_loosens',
          `an overlay can only tighten safety.${limit}: ${wanted} is more than ${value}`,
          entry.value,
          {
            hint: `The strictest of all limits applies. Leave the limit out here, or write at most ${value}.`,
            related: [{ message: 'set here', span: set.value }],
          },
        );
      }
    }
}

function numberAt(node: MapNode, name: string): readonly [TreeEntry | undefined, number] {
  const entry = entryOf(node, name);
  const value = entry === undefined ? null : toJson(entry.value);
  return [entry, typeof value === 'number' ? value : Number.NaN];
}
