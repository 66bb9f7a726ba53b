// Rule: folders of at most a dozen entries, small files and functions, and a sentence at the top of each file.
import { isNode, lineAt, nameOf, walk, type SourceFile, type SyntaxNode } from '../source-tree.ts';

/** Limits in lines; that of a folder is in entries. */
export const limits = { file: 300, function: 70, folder: 12 } as const;

/** Files and functions that are too long. */
export function sizeViolations(files: readonly SourceFile[]): string[] {
  const sizes = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  const tooLong = sizes
    .filter(({ lines }) => lines > limits.file)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${limits.file}`);
  return [...tooLong, ...files.flatMap(longFunctions)];
}

/** Folders that hold too many entries; a generated folder counts as one. */
export function folderViolations(paths: readonly string[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    parts.forEach((part, at) => {
      const folder = parts.slice(0, at).join('/');
      folders.set(folder, (folders.get(folder) ?? new Set()).add(part));
    });
  }
  return [...folders].flatMap(([folder, { size }]) =>
    size > limits.folder && !/(?:^|\/)generated$/.test(folder)
      ? [`${folder === '' ? 'src' : folder}: ${size} entries, at most ${limits.folder}`]
      : [],
  );
}

/** Files that do not begin with a sentence about their content. */
export function headerViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ text }) => !/^(#!.*\n)?(\/\/ .*\n)*\/\/ .*[.:;)]\n/.test(text) || headerLength(text) < 20)
    .map(({ path }) => `${path}: begins without a "// sentence." saying what lives here`);
}

function headerLength(text: string): number {
  return /\/\/ (.*)/.exec(text)?.[1]?.length ?? 0;
}

function longFunctions(file: SourceFile): string[] {
  const found: string[] = [];
  walk(file.program, (node) => {
    if (!isFunction(node)) return;
    const first = lineAt(file.text, node.start);
    const lines = lineAt(file.text, node.end) - first + 1;
    if (lines > limits.function)
      found.push(
        `${file.path}:${first}: function ${nameOf(node['id']) ?? ''} has ${lines} lines, at most ${limits.function}`,
      );
  });
  return found;
}

function isFunction(node: SyntaxNode): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) && isNode(node['body']);
}
