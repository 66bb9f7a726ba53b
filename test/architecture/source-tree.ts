// The files of src/ as the rules see them: path, text, syntax tree, imports.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** The folder of the project. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** One import or re-export: static, dynamic or of types alone. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** One source file; `path` is relative to src/ with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly program: SyntaxNode;
}

/** A node of the syntax tree (ESTree), read without knowing every shape. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Every file below `folder` of the project, generated code and installed packages left out, sorted. */
export function filesBelow(folder: string, extension: string): string[] {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .flatMap((entry) => {
      if (!entry.isDirectory()) return entry.isFile() && entry.name.endsWith(extension) ? [entry.name] : [];
      if (entry.name === 'generated' || entry.name === 'node_modules') return [];
      return filesBelow(`${folder}/${entry.name}`, extension).map((path) => `${entry.name}/${path}`);
    })
    .sort();
}

let sources: readonly SourceFile[] | undefined;

/** All hand-written source files, parsed once for all rules. */
export function readSourceTree(): readonly SourceFile[] {
  sources ??= filesBelow('src', '.ts').map((path) => parseSource(path, readFileSync(`${root}/src/${path}`, 'utf8')));
  return sources;
}

/** Parses one file; throws when it is not TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const tree = program as unknown as SyntaxNode;
  return { path, text, imports: importsOf(tree, text), program: tree };
}

/** Calls `visit` for every node, parents first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) walk(child, visit);
    }
  }
}

/** Is this value of a syntax tree a node? */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The name of an identifier, or undefined for any other node. */
export function nameOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? String(value['name']) : undefined;
}

/** The line, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function importsOf(program: SyntaxNode, text: string): Import[] {
  const found: Import[] = [];
  walk(program, (node) => {
    const source = node['source'];
    if (!isNode(source) || typeof source['value'] !== 'string') return;
    found.push({ specifier: source['value'], line: lineAt(text, node.start) });
  });
  return found;
}
