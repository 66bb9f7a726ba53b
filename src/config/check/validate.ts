// Validates a tree against the schema, and leaves out the parts that later checks cannot use.
import * as validators from '../generated/validators.js';
import { MAX_PROBLEMS } from '../limits.ts';
import type { Report } from '../report.ts';
import { changedMap, mapWith, nodeAt, toJson, type MapNode, type Path, type TreeNode } from '../yaml/source-tree.ts';
import { schemaProblems } from './schema-problems.ts';

export type Shape = 'DesiredStateFile' | 'SafetyFile';

export interface ValidateInput {
  readonly root: MapNode;
  readonly shape: Shape;
  /** Scalars with a reported problem, which get no second message. */
  readonly broken: ReadonlySet<TreeNode>;
  readonly report: Report;
  readonly addressAt: (path: Path) => string | undefined;
}

export function validateTree({ root, shape, broken, report, addressAt }: ValidateInput): MapNode {
  const validate = validators[shape];
  if (validate(toJson(root))) return root;
  const found = validate.errors ?? [];
  const errors = found.slice(0, MAX_PROBLEMS * 4);
  validate.errors = null;
  const damaged = new Map<string, boolean>();
  for (const { code, message, span, hint, path, about, isDamaged } of schemaProblems(errors, root, shape)) {
    if (report.isFull) break;
    const address = addressAt(path);
    const node = about === 'value' ? nodeAt(root, path) : undefined;
    if (node === undefined || !broken.has(node)) report.add(code, message, span, { hint, address });
    for (let length = isDamaged ? 1 : Infinity; length <= path.length; length++) {
      const place = placeOf(path.slice(0, length));
      damaged.set(place, damaged.get(place) === true || length === path.length);
    }
  }
  // A file with very many errors is left out as a whole.
  return found.length > errors.length || report.isFull
    ? mapWith(root, new Map())
    : (without(root, [], damaged) as MapNode);
}

function placeOf(path: Path): string {
  return path.join('\0');
}

/** Leaves out the parts whose places are true in `damaged`; places above them are false there. */
function without(node: TreeNode, path: Path, damaged: ReadonlyMap<string, boolean>): TreeNode {
  const usable = (value: TreeNode, name: string | number): TreeNode | undefined => {
    const isDamaged = damaged.get(placeOf([...path, name]));
    if (isDamaged === undefined) return value;
    return isDamaged ? undefined : without(value, [...path, name], damaged);
  };
  if (node.kind === 'list') return { ...node, items: node.items.flatMap((item, at) => usable(item, at) ?? []) };
  return node.kind === 'map' ? changedMap(node, usable) : node;
}
