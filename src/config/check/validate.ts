// Validates a tree against the schema, and leaves out the parts that later checks cannot use.
import * as validators from '../generated/validators.js';
import { MAX_PROBLEMS } from '../limits.ts';
import type { Report } from '../report.ts';
import {
  mapWith,
  nodeAt,
  toJson,
  type MapNode,
  type Path,
  type TreeEntry,
  type TreeNode,
} from '../yaml/source-tree.ts';
import { schemaProblems } from './schema-problems.ts';

export type Shape = 'DesiredStateFile' | 'SafetyFile';

export interface ValidateInput {
  readonly root: MapNode;
  readonly shape: Shape;
  /** Scalars with a reported problem. */
  readonly broken: ReadonlySet<TreeNode>;
  readonly report: Report;
  readonly addressAt: (path: Path) => string | undefined;
}

/** Returns the usable part of the tree. */
export function validateTree({ root, shape, broken, report, addressAt }: ValidateInput): MapNode {
  const validate = validators[shape];
  if (validate(toJson(root))) return root;
  const found = validate.errors ?? [];
  const errors = found.slice(0, MAX_PROBLEMS * 4);
  validate.errors = null;
  const damaged = new Map<string, Damage>();
  for (const { code, message, span, details, path, about, damaged: place } of schemaProblems(errors, root, shape)) {
    if (report.isFull) break;
    const address = addressAt(path);
    const node = about === 'value' ? nodeAt(root, path)?.node : undefined;
    if (node === undefined || !broken.has(node)) report.add(code, message, span, { ...details, address });
    if (place !== null) note(damaged, place);
  }
  // A file with very many errors is left out as a whole.
  return found.length > errors.length || report.isFull ? mapWith(root, new Map()) : (without(root, damaged) as MapNode);
}

/** Members to leave out, as a tree of names; an empty map stands for the member itself. */
interface Damage {
  readonly inner: Map<string, Damage>;
}

function note(damaged: Map<string, Damage>, path: Path): void {
  let level = damaged;
  for (const segment of path) {
    let next = level.get(String(segment));
    if (next === undefined) level.set(String(segment), (next = { inner: new Map() }));
    level = next.inner;
  }
}

function without(node: TreeNode, damaged: ReadonlyMap<string, Damage>): TreeNode {
  if (damaged.size === 0 || node.kind === 'scalar') return node;
  if (node.kind === 'list') {
    const items = node.items.map((item, at) => ({ item, damage: damaged.get(String(at)) }));
    return {
      ...node,
      items: items
        .filter(({ damage }) => damage === undefined || damage.inner.size > 0)
        .map(({ item, damage }) => (damage === undefined ? item : without(item, damage.inner))),
    };
  }
  const entries = new Map<string, TreeEntry>();
  for (const [name, entry] of node.entries) {
    const damage = damaged.get(name);
    if (damage === undefined) entries.set(name, entry);
    else if (damage.inner.size > 0) entries.set(name, { key: entry.key, value: without(entry.value, damage.inner) });
  }
  return mapWith(node, entries);
}
