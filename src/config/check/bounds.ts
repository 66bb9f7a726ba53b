// Checks the bounds of collections and the types of variables, before any other walk over the tree.
import { notes } from '../generated/notes.ts';
import type { Report } from '../report.ts';
import { checkedNumber } from '../yaml/build-tree.ts';
import { notScalar } from '../yaml/variables.ts';
import {
  changedMap,
  mapWith,
  openingOf,
  type Held,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type ScalarValue,
  type TreeNode,
} from '../yaml/source-tree.ts';

function boundedNode(node: TreeNode, shape: string, report: Report): TreeNode {
  if (node.kind === 'map') return boundedMap(node, shape, report);
  if (node.kind === 'list') return boundedList(node, shape, report);
  if (node.held !== undefined) return boundedVariable(node, node.held, shape, report);
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

/** Replaces a variable by its list or map if the schema wants one at this place, or else by its text. Reports a variable without a text. */
function boundedVariable({ held: _held, ...plain }: ScalarNode, held: Held, shape: string, report: Report): TreeNode {
  const { text, start, end } = plain;
  const scalar = (value: ScalarValue): ScalarNode => ({ text, start, end, kind: 'scalar', value });
  const { items, expectedKey } = notes[shape] ?? {};
  if (isList(held) && items !== undefined)
    return boundedList({ text, start, end, kind: 'list', items: held.map(scalar) }, shape, report);
  if (!isList(held) && expectedKey !== undefined) {
    const entries = Object.entries(held).map(([name, value]) => [name, { key: plain, value: scalar(value) }] as const);
    return boundedMap(mapWith(plain, new Map(entries)), shape, report);
  }
  if (plain.value !== null) return plain;
  const { code, problem, hint } = notScalar('the variable', isList(held));
  report.add(code, problem, plain, { hint });
  return plain;
}

function isList(held: Held): held is readonly ScalarValue[] {
  return Array.isArray(held);
}

export function boundedMap(node: MapNode, shape: string, report: Report): MapNode {
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

/** Returns the variable's original text if the schema wants text; otherwise checks its value like a number in a file. */
function settled({ given = '', ...plain }: ScalarNode, isText: boolean, report: Report): ScalarNode {
  return isText ? { ...plain, value: given } : checkedNumber(plain, given, report);
}
