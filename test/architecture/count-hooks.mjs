// The lines of the hooks of all kinds: whatever only `facts`, `verdict` and `effects` reach below src/kinds.
// usage: node test/architecture/count-hooks.mjs     prints the lines of each file
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const HOOKS = ['facts', 'verdict', 'effects'];

/** Calls `see` for each node of a tree; a node for which it returns true is not entered. */
function walk(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) return node.forEach((one) => walk(one, see));
  if (typeof node.type === 'string' && see(node) === true) return;
  Object.values(node).forEach((one) => walk(one, see));
}

/** The names that stand in a tree; with `hooks`, those below the hooks of a table alone, else all others. */
function namesIn(tree, hooks = false) {
  const names = new Set();
  const add = (node) => void (node.type === 'Identifier' && names.add(node.name));
  walk(tree, (node) => {
    const isHook = node.type === 'Property' && HOOKS.includes(node.key.name);
    if (isHook && hooks) walk(node.value, add);
    if (!isHook && !hooks) add(node);
    return isHook;
  });
  return names;
}

/** The top-level declarations of a file by name, and what its imports stand for. */
function fileAt(path) {
  const text = readFileSync(join(src, path), 'utf8');
  const lineOf = (offset) => text.slice(0, offset).split('\n').length;
  const { program, comments } = parseSync(path, text);
  const imports = new Map();
  const declared = new Map();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = relative(src, join(src, dirname(path), statement.source.value));
      for (const { imported, local } of statement.specifiers) imports.set(local.name, [from, imported?.name]);
    }
    const inner = statement.declaration ?? statement;
    const above = comments.findLast(({ end }) => end <= statement.start && lineOf(end) === lineOf(statement.start) - 1);
    const lines = lineOf(statement.end) - lineOf(above?.start ?? statement.start) + 1;
    for (const { id } of inner.declarations ?? [inner])
      if (id?.type === 'Identifier') declared.set(id.name, { tree: inner, lines });
  }
  return { path, imports, declared };
}

/** Lines by file. A table's own lines belong to the table. */
export function hookLines() {
  const paths = readdirSync(join(src, 'kinds'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts'));
  const files = new Map(paths.map((path) => [`kinds/${path}`, fileAt(`kinds/${path}`)]));
  const keyOf = (path, name) => {
    const [from, original] = files.get(path).imports.get(name) ?? [path, name];
    return files.get(from)?.declared.has(original) === true ? `${from} ${original}` : null;
  };
  const declarations = [...files.values()].flatMap(({ path, declared }) =>
    [...declared].map(([name, one]) => ({ key: `${path} ${name}`, path, ...one })),
  );
  const byKey = new Map(declarations.map((one) => [one.key, one]));
  const keysIn = ({ path, tree }, hooks) => [...namesIn(tree, hooks)].flatMap((name) => keyOf(path, name) ?? []);
  const reach = (roots) => {
    const found = new Set();
    for (const open = [...roots]; open.length > 0;) {
      const key = open.pop();
      if (found.has(key)) continue;
      found.add(key);
      open.push(...keysIn(byKey.get(key), false));
    }
    return found;
  };
  const ofHooks = reach(declarations.flatMap((one) => keysIn(one, true)));
  const others = reach(['kinds/index.ts kinds']);
  const lines = new Map();
  for (const { key, path, lines: own } of declarations)
    if (ofHooks.has(key) && !others.has(key)) lines.set(path, (lines.get(path) ?? 0) + own);
  return lines;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const lines = [...hookLines()];
  for (const [path, own] of lines) stdout.write(`${path.padEnd(40)}${String(own).padStart(6)}\n`);
  stdout.write(
    `${'hooks of all kinds'.padEnd(40)}${String(lines.reduce((sum, [, own]) => sum + own, 0)).padStart(6)}\n`,
  );
}
