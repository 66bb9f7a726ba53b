// Finds the codes of diagnostics in the source and the schemas of files, and the words of blocks in the schema of plans.
import { filesBelow, readSourceTree } from '../../architecture/source-tree.ts';
import { pageAt } from '../committed.ts';

const CODE = /^[a-z]+(_[a-z]+)*$/;
/** Functions that take a code. */
const CALLS: ReadonlySet<unknown> = new Set(['error', 'failedBecause', 'failedOr', 'refuse', 'warn', 'UsageError']);
/** Functions that take a code after a place: the numbers of the arguments that may be the code; the first code counts. */
const PLACED: ReadonlyMap<unknown, readonly number[]> = new Map(
  Object.entries({ errorAt: [2, 1], warningAt: [2, 1], errorOn: [1], errorOf: [0], warningOf: [0] }),
);
/** Methods of a report that take a code. */
const METHODS: ReadonlySet<unknown> = new Set(['add', 'exceed']);
/** Members, variables and types that are a code, or a table of codes. */
const NAMES: ReadonlySet<unknown> = new Set(['code', 'CODES', 'unlisted', 'ExcessCode']);
/** The local server answers with codes of its own, and the argument parser takes words that are no codes. */
const APART: readonly string[] = ['control-plane/', 'cli/program/'];

type Visit = (node: Readonly<Record<string, unknown>>) => void;

/** Literal codes, sorted. */
export function diagnosticCodes(): readonly string[] {
  const found = new Set<string>();
  const note = (values: readonly unknown[]): void => {
    for (const value of values) if (isCode(value)) found.add(value);
  };
  for (const path of filesBelow('schemas/desired-state', '.json'))
    visitAll(JSON.parse(pageAt(`schemas/desired-state/${path}`)), ({ code }) => note([code]));
  for (const { path, program } of readSourceTree())
    if (!APART.some((part) => path.startsWith(part))) visitAll(program, (node) => note(codesOf(node)));
  return [...found].sort();
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** Words of blocks, sorted. */
export function blockCodes(): readonly string[] {
  const words = new Set<unknown>();
  visitAll(JSON.parse(pageAt('schemas/plan.schema.json')), ({ blocked_by: block }) => {
    visitAll(block, ({ enum: known }) => {
      if (Array.isArray(known)) for (const word of known) words.add(word);
    });
  });
  return [...words].map(String).sort();
}

/** The codes that a node of a syntax tree passes or assigns. */
function codesOf(node: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { type, key, id, value, init, callee, typeAnnotation, arguments: given } = node;
  if (type === 'Property' && NAMES.has(nameOf(key))) return literalsIn(value);
  if (type === 'VariableDeclarator' && NAMES.has(nameOf(id))) return literalsIn(init);
  if (type === 'VariableDeclarator' && NAMES.has(nameOf(firstIn(id)))) return firstsBelow(init);
  if (type === 'TSTypeAliasDeclaration' && NAMES.has(nameOf(id))) return literalsIn(typeAnnotation);
  if (!Array.isArray(given) || given.length < 2) return [];
  const placed = PLACED.get(nameOf(callee));
  if (placed !== undefined)
    return placed.map((at) => literalsIn(given[at]).filter(isCode)).find((codes) => codes.length > 0) ?? [];
  const isReport = METHODS.has(nameOf(member(callee, 'property')));
  return isReport || CALLS.has(nameOf(callee)) ? given.flatMap(literalsIn) : [];
}

/** Where the literals of an expression or a type are, by its sort. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  TSLiteralType: ['literal'],
  TSUnionType: ['types'],
  ArrowFunctionExpression: ['body'],
  LogicalExpression: ['right'],
  ConditionalExpression: ['consequent', 'alternate'],
  ObjectExpression: ['properties'],
  Property: ['value'],
};

function literalsIn(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn);
  const type = String(member(node, 'type'));
  return type === 'Literal'
    ? [member(node, 'value')]
    : (INNER[type] ?? []).flatMap((name) => literalsIn(member(node, name)));
}

/** The literals that come first in the arrays of an expression, as in `[code, message]`. */
function firstsBelow(init: unknown): readonly unknown[] {
  const found: unknown[] = [];
  visitAll(init, (node) => found.push(...literalsIn(firstIn(node))));
  return found;
}

function firstIn(node: unknown): unknown {
  const elements = member(node, 'elements');
  return Array.isArray(elements) ? elements[0] : undefined;
}

function nameOf(node: unknown): unknown {
  return member(node, 'name');
}

function member(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>)[name] : undefined;
}

function visitAll(node: unknown, visit: Visit): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Readonly<Record<string, unknown>>);
  for (const inner of Object.values(node)) visitAll(inner, visit);
}
