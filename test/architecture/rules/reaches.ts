// Rule: time, chance and locale are handed in, never reached for. (The linter closes the bare globals: timers, fetch, process.)
import { chanceFiles, clockFiles, packageOf } from '../layer-map.ts';
import { isNode, lineAt, nameOf, walk, type SourceFile, type SyntaxNode } from '../source-tree.ts';

type Outside = 'time' | 'chance' | 'locale' | 'environment';

const MEMBERS: ReadonlyMap<string, Outside> = new Map<string, Outside>([
  ['AbortSignal.timeout', 'time'],
  ['Date.now', 'time'],
  ['Math.random', 'chance'],
]);

/** Names that mean the same on any object, or when imported. */
const NAMES: ReadonlyMap<string, Outside> = new Map<string, Outside>([
  ['getRandomValues', 'chance'],
  ['localeCompare', 'locale'],
  ['randomBytes', 'chance'],
  ['randomInt', 'chance'],
  ['randomUUID', 'chance'],
]);

/** What of node:process is about processes in general and not about the one that we run in. */
const ANY_PROCESS: ReadonlySet<string> = new Set(['kill', 'pid']);

/** Every reach outside the files that hold the clock and the dice. */
export function reachViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const found: string[] = [];
    walk(file.program, (node) => {
      const reach = reachOf(node);
      if (reach === undefined || isDoor(file.path, reach.outside)) return;
      found.push(
        `${file.path}:${lineAt(file.text, node.start)}: ${reach.what}: ${reach.outside} comes in as a parameter`,
      );
    });
    return found;
  });
}

function isDoor(path: string, outside: Outside): boolean {
  if (outside === 'time') return clockFiles.includes(path);
  if (outside === 'chance') return chanceFiles.includes(path);
  return outside === 'environment' && packageOf(path) === 'cli';
}

function reachOf(node: SyntaxNode): { readonly what: string; readonly outside: Outside } | undefined {
  switch (node.type) {
    case 'NewExpression':
      return nameOf(node['callee']) === 'Date' && listOf(node, 'arguments').length === 0
        ? reach('the date of now', 'time')
        : undefined;
    case 'CallExpression':
      return reachOfCall(node);
    case 'ImportDeclaration':
      return reachOfImport(node);
    case 'MemberExpression': {
      const property = nameOf(node['property']) ?? '';
      const member = `${nameOf(node['object']) ?? ''}.${property}`;
      return reach(member, MEMBERS.get(member)) ?? reach(property, NAMES.get(property));
    }
    default:
      return undefined;
  }
}

function reachOfCall(node: SyntaxNode): ReturnType<typeof reachOf> {
  const callee = node['callee'];
  if (nameOf(callee) === 'Date') return reach('the date of now', 'time');
  const method = isNode(callee) && callee.type === 'MemberExpression' ? (nameOf(callee['property']) ?? '') : '';
  // With a locale named in the call, the machine's own has no say.
  const isOpen = method.startsWith('toLocale') && listOf(node, 'arguments').length === 0;
  return isOpen ? reach(method, 'locale') : undefined;
}

function reachOfImport(node: SyntaxNode): ReturnType<typeof reachOf> {
  const source = node['source'];
  const names = listOf(node, 'specifiers').map((specifier) => nameOf(specifier['imported']) ?? 'default');
  if (isNode(source) && source['value'] === 'node:process') {
    const own = names.find((name) => !ANY_PROCESS.has(name));
    return own === undefined ? undefined : reach(`node:process ${own}`, 'environment');
  }
  const name = names.find((candidate) => NAMES.has(candidate));
  return name === undefined ? undefined : reach(name, NAMES.get(name));
}

function listOf(node: SyntaxNode, key: string): SyntaxNode[] {
  const list = node[key];
  return Array.isArray(list) ? (list as unknown[]).filter((item) => isNode(item)) : [];
}

function reach(what: string, outside: Outside | undefined): ReturnType<typeof reachOf> {
  return outside === undefined ? undefined : { what, outside };
}
