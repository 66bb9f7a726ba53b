// Builds the tree of YAML nodes: resolves aliases and merge keys within bounds, refuses duplicate keys, and replaces variables.
import { nearHint } from '../../base/text/words.ts';
import { MAX_DEPTH, MAX_EXPANDED_NODES, tooManyEntries } from '../limits.ts';
import type { Report } from '../report.ts';
import { buildScalar, checkKey, type ScalarContext } from './scalars.ts';
import { show } from './show.ts';
import type { Span, TextFile, TreeEntry, TreeNode } from './source-tree.ts';
import { isAlias, isMap, isScalar, isSeq, type YamlNode } from './yaml-package.ts';

interface Built {
  readonly node: TreeNode;
  readonly size: number;
  readonly depth: number;
}

interface Context extends ScalarContext {
  /** By anchor; null while the node with the anchor is not complete. */
  readonly anchors: Map<string, Built | null>;
  merged: number;
}

export function buildTree(root: YamlNode, scalars: ScalarContext): Built {
  return build(root, { ...scalars, anchors: new Map(), merged: 0 });
}

function build(node: YamlNode, context: Context): Built {
  if (isAlias(node)) return resolveAlias(node.source, spanOf(node, context.text), context);
  const anchor = node.anchor;
  if (anchor !== undefined) context.anchors.set(anchor, null);
  const built = isMap(node)
    ? buildMap(node, context)
    : isSeq(node)
      ? buildList(node, context)
      : { node: buildScalar(node, context), size: 1, depth: 0 };
  if (anchor !== undefined) context.anchors.set(anchor, built);
  return built;
}

function count(entries: number, span: Span, { budget, report }: Context): void {
  budget.entries -= entries;
  if (budget.entries < 0) report.exceed('too_many_entries', tooManyEntries(budget), span);
}

type YamlMap = Extract<YamlNode, { items: readonly { key: unknown }[] }>;
type YamlList = Exclude<Extract<YamlNode, { items: unknown }>, YamlMap>;

function buildList(list: YamlList, context: Context): Built {
  const span = spanOf(list, context.text);
  count(list.items.length, span, context);
  const built = (list.items as readonly YamlNode[]).map((item) => build(item, context));
  return checked({ ...span, kind: 'list', items: built.map(({ node }) => node) }, built, context);
}

function buildMap(map: YamlMap, context: Context): Built {
  count(map.items.length, spanOf(map, context.text), context);
  const entries = new Map<string, TreeEntry>();
  const built: Built[] = [];
  const merges: Built[] = [];
  for (const pair of map.items) {
    if (context.report.isFull) break;
    const key = pair.key as YamlNode | null;
    if (key === null || !isScalar(key)) continue;
    const span = spanOf(key, context.text);
    const value = valueOf(pair.value, span, context);
    if (key.type === 'PLAIN' && key.value === '<<') {
      merges.push(value);
      continue;
    }
    const name = checkKey(key, span, context);
    if (name === null) continue;
    const first = entries.get(name);
    if (first !== undefined) reportDuplicate(name, span, first.key, context.report);
    else {
      entries.set(name, { key: span, value: value.node });
      built.push(value);
    }
  }
  for (const merge of merges) mergeInto(entries, merge, built, context);
  const { text, start, end } = spanOf(map, context.text);
  return checked({ text, start, end, kind: 'map', entries }, built, context);
}

function valueOf(value: YamlNode | null, key: Span, context: Context): Built {
  if (value !== null) return build(value, context);
  return { node: { text: key.text, start: key.end, end: key.end, kind: 'scalar', value: null }, size: 1, depth: 0 };
}

function reportDuplicate(name: string, span: Span, first: Span, report: Report): void {
  report.add('duplicate_key', `the key ${show(name)} is written twice in this mapping`, span, {
    hint: 'Remove the key in one of the two places.',
    related: [{ message: 'first written here', span: first }],
  });
}

/** Adds the members of `<<`: earlier mappings win over later ones, and the members of the map itself over both. */
function mergeInto(entries: Map<string, TreeEntry>, merge: Built, built: Built[], context: Context): void {
  for (const source of merge.node.kind === 'list' ? merge.node.items : [merge.node]) {
    if (source.kind !== 'map') {
      context.report.add('merge_key', '`<<` takes a mapping or a list of mappings', source, {
        hint: 'Write `<<: *ANCHOR`, where the anchor names a mapping.',
      });
      continue;
    }
    context.merged += source.entries.size;
    if (context.merged > context.budget.nodes) exhausted(source, context.report);
    for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry);
  }
  built.push(merge);
}

function resolveAlias(name: string, span: Span, context: Context): Built {
  const target = context.anchors.get(name);
  if (target !== undefined && target !== null) return target;
  if (target === null)
    context.report.add('recursive_alias', `the alias ${show(`*${name}`)} is inside the value that it names`, span);
  else
    context.report.add('unknown_anchor', `no anchor ${show(`&${name}`)} comes before this alias`, span, {
      hint: () => nearHint(name, context.anchors.keys(), undefined, (near) => show(`*${near}`)),
    });
  const node: TreeNode = { ...span, kind: 'scalar', value: null };
  context.broken.add(node);
  return { node, size: 1, depth: 0 };
}

function checked(node: TreeNode, parts: readonly Built[], context: Context): Built {
  let size = 1;
  let depth = 0;
  for (const part of parts) {
    size += part.size;
    if (part.depth > depth) depth = part.depth;
  }
  if (size > context.budget.nodes) exhausted(node, context.report);
  if (depth >= MAX_DEPTH)
    context.report.exceed('too_deep', `nested deeper than ${MAX_DEPTH} levels once its aliases are expanded`, node);
  return { node, size, depth: depth + 1 };
}

function exhausted(span: Span, report: Report): never {
  const limit = MAX_EXPANDED_NODES.toLocaleString('en-US');
  report.exceed('alias_expansion', `the aliases of these files expand to more than ${limit} values`, span);
}

function spanOf(node: YamlNode, text: TextFile): Span {
  return { text, start: node.range[0], end: node.range[1] };
}
