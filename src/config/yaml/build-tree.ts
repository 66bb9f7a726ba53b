// Builds the tree of YAML nodes: resolves aliases and merge keys within bounds, refuses duplicate keys, and replaces variables.
import { nearHint } from '../../base/text/words.ts';
import { MAX_DEPTH, tooManyEntries, MAX_SCALAR_LENGTH, type Budget, type Report } from '../report.ts';
import { show, codePoint, looksSecret } from './show.ts';
import type { Span, TextFile, TreeEntry, TreeNode, ScalarNode, ScalarValue } from './source-tree.ts';
import { isAlias, isMap, isScalar, isSeq, type YamlNode, type YamlScalar } from './yaml-package.ts';
import { hasTemplate, interpolate, unescaped, type Interpolated, type Variables } from './variables.ts';

interface Built {
  readonly node: TreeNode;
  readonly size: number;
  readonly depth: number;
}

export interface ParseInput {
  readonly text: TextFile;
  /** Null leaves references such as `${var:NAME}` as they are written. */
  readonly variables: Variables | null;
  readonly report: Report;
  readonly budget: Budget;
}

interface Context extends ParseInput {
  /** Puts back the braces of references such as `${var:NAME}`, which `shieldReferences` hid from the parser. */
  readonly restore: (text: string) => string;
  readonly secrets: Span[];
  /** The nodes by anchor; null while the anchored node is not complete. */
  readonly anchors: Map<string, Built | null>;
  merged: number;
}

export function buildTree(root: YamlNode, context: ParseInput & Pick<Context, 'restore' | 'secrets'>): Built {
  return build(root, { ...context, anchors: new Map(), merged: 0 });
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
  return checked({ kind: 'list', ...span, items: built.map(({ node }) => node) }, built, context);
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
  return checked({ kind: 'map', ...spanOf(map, context.text), entries }, built, context);
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
  return { node: { kind: 'scalar', ...span, value: null }, size: 1, depth: 0 };
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
  report.exceed(
    'alias_expansion',
    'up to here, the aliases of these files expand to more values than trueup accepts',
    span,
  );
}

function spanOf(node: YamlNode, text: TextFile): Span {
  return { text, start: node.range[0], end: node.range[1] };
}

// Control characters that escapes or variables can make (line feed and tab are allowed), and lone surrogates.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udfff]/u;

function buildScalar(scalar: YamlScalar, context: Context): ScalarNode {
  const span = spanOf(scalar, context.text);
  const plain = scalar.type === 'PLAIN';
  if (typeof scalar.value !== 'string')
    return checkedNumber(
      { kind: 'scalar', ...span, value: scalar.value as ScalarValue },
      scalar.source,
      context.report,
    );
  const text = context.restore(scalar.value);
  let usable: Usable | undefined = checkText(text, span, context) ? { value: text } : undefined;
  if (usable !== undefined && context.variables !== null && hasTemplate(text))
    usable = context.report.isFull ? undefined : replaced(interpolate(text, plain, context.variables), span, context);
  return { kind: 'scalar', ...span, value: null, ...usable };
}

type Usable = Pick<ScalarNode, 'value' | 'given' | 'held'>;

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*|(?=\.))(?:\.\d+)?$/;

/** Refuses a number that is not written as plain digits: YAML versions read other forms as another number, or as a text. */
export function checkedNumber(node: ScalarNode, written: string, report: Report): ScalarNode {
  const isNumber = typeof node.value === 'bigint' || Number.isFinite(node.value);
  if (!isNumber || PLAIN_NUMBER.test(written)) return node;
  report.add('number_form', `${show(written)} is a number in a form that YAML versions read differently`, node, {
    hint: 'Write digits, such as 10 or 0.25; a text needs quotes.',
  });
  return node;
}

/** Returns the name of a key. Reports the problem of an unusable key and returns null. */
function checkKey(key: YamlScalar, span: Span, context: Context): string | null {
  const text = context.restore(String(key.value ?? ''));
  if (!checkText(text, span, context)) return null;
  const name = context.variables === null ? text : unescaped(text);
  const refuse = (code: string, message: string, hint?: string): null => {
    context.report.add(code, message, span, { hint });
    return null;
  };
  if (name === null || (context.variables === null && hasTemplate(name)))
    return refuse(
      'variable_in_key',
      'variables are replaced in values only, not in keys',
      'Write the key out, or put the variable into `name:` or `id:`; `$${` is a literal `${`.',
    );
  if (name === '') return refuse('empty_key', 'a key is missing before the colon');
  return name === '__proto__' ? refuse('unknown_key', `the key ${show(name)} is not accepted`) : name;
}

const EXPANSION = 'up to here, the variables of these files expand to more text than trueup accepts';

function replaced(result: Interpolated, span: Span, context: Context): Usable | undefined {
  if ('problem' in result) {
    context.report.add(result.code, result.problem, span, { hint: result.hint });
    return undefined;
  }
  if (typeof result.value !== 'string') return result;
  context.budget.written -= result.value.length;
  if (context.budget.written < 0) context.report.exceed('variable_expansion', EXPANSION, span);
  return checkText(result.value, span, context) ? result : undefined;
}

function checkText(text: string, span: Span, { report, secrets }: Context): boolean {
  const refuse = (code: string, message: string, hint?: string): false => {
    report.add(code, message, span, { hint });
    return false;
  };
  if (text.length > MAX_SCALAR_LENGTH)
    return refuse('too_long', `this text has ${text.length} characters, but at most ${MAX_SCALAR_LENGTH} are allowed`);
  if (looksSecret(text)) {
    secrets.push(span);
    const hint =
      'Remove the credential here and revoke it, since somebody may have seen it. Credentials come from the environment of the run.';
    return refuse('secret_in_file', 'this looks like a credential; files of the desired state never hold one', hint);
  }
  const [control] = CONTROL.exec(text) ?? [];
  return (
    control === undefined ||
    refuse('control_character', `the text holds the character ${codePoint(control)}, which is not allowed`)
  );
}
