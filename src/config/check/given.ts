// Variables that were read as numbers or booleans: as text where the schema wants one, else by the rules of what is written out.
import { notes } from '../generated/notes.ts';
import type { Report } from '../report.ts';
import { checkLeadingZero } from '../yaml/scalars.ts';
import { mapWith, type MapNode, type ScalarNode, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';

/** The tree with the characters of every variable that stands for a text. */
export function withGiven(root: MapNode, shape: string, report: Report): MapNode {
  return settled(root, shape, report) as MapNode;
}

function settled(node: TreeNode, shape: string, report: Report): TreeNode {
  const note = notes[shape] ?? {};
  if (node.kind === 'scalar') return node.given === undefined ? node : settledScalar(node, note.text === true, report);
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => settled(item, note.items ?? '', report)) };
  const entries = new Map<string, TreeEntry>();
  let isSame = true;
  for (const [name, entry] of node.entries) {
    const inner =
      (Object.hasOwn(note.properties ?? {}, name) ? note.properties?.[name] : undefined) ?? note.values ?? '';
    const value = settled(entry.value, inner, report);
    if (value !== entry.value) isSame = false;
    entries.set(name, value === entry.value ? entry : { ...entry, value });
  }
  return isSame ? node : mapWith(node, entries);
}

function settledScalar(node: ScalarNode, isText: boolean, report: Report): ScalarNode {
  const { given = '', ...plain } = node;
  if (isText) return { ...plain, value: given };
  checkLeadingZero(given, node, report);
  return plain;
}
