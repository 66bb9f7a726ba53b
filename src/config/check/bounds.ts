// The bounds of collections and the types of variables, which are checked before any other walk over the tree.
import { notes } from '../generated/notes.ts';
import type { Report } from '../report.ts';
import { checkLeadingZero } from '../yaml/scalars.ts';
import {
  changedMap,
  mapWith,
  openingOf,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type TreeNode,
} from '../yaml/source-tree.ts';

/** Cuts collections to their bounds, and gives a variable its characters if the schema wants text. */
export function bounded(root: MapNode, shape: string, report: Report): MapNode {
  return boundedNode(root, shape, report) as MapNode;
}

function boundedNode(node: TreeNode, shape: string, report: Report): TreeNode {
  if (node.kind === 'map') return boundedMap(node, shape, report);
  if (node.kind === 'list') return boundedList(node, shape, report);
  return node.given === undefined ? node : settled(node, notes[shape]?.text === true, report);
}

function boundedList(node: ListNode, shape: string, report: Report): ListNode {
  const { maxItems: most = Infinity, items: inner = '' } = notes[shape] ?? {};
  if (node.items.length > most)
    report.add('wrong_length', `expected at most ${most} items, found ${node.items.length}`, openingOf(node));
  const items = node.items.slice(0, most).map((item) => boundedNode(item, inner, report));
  return items.length === node.items.length && items.every((item, at) => item === node.items[at])
    ? node
    : { ...node, items };
}

function boundedMap(node: MapNode, shape: string, report: Report): MapNode {
  const { maxProperties: most = Infinity, properties = {}, values = '' } = notes[shape] ?? {};
  const isOver = node.entries.size > most;
  if (isOver)
    report.add('wrong_value', `expected at most ${most} keys, found ${node.entries.size} keys`, openingOf(node));
  const kept = isOver ? mapWith(node, new Map([...node.entries].slice(0, most))) : node;
  return changedMap(kept, (value, name) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : values;
    return boundedNode(value, inner ?? '', report);
  });
}

/** A variable that is no text gets its characters if the schema wants text; else it is checked like a written value. */
function settled({ given = '', ...plain }: ScalarNode, isText: boolean, report: Report): ScalarNode {
  if (isText) return { ...plain, value: given };
  checkLeadingZero(given, plain, report);
  return plain;
}
