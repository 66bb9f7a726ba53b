// Law: small files, functions that fit a screen, a sentence atop each file.
import { isNode, lineAt, nameOf, walk, type SourceFile, type SyntaxNode } from '../source-tree.ts';

/** Limits in lines. The median counts once the tree is large enough to have one that means something. */
export const limits = { file: 300, function: 70, medianFile: 100, medianFrom: 40 } as const;

/** Files and functions that are too long, and a median that has grown too far. */
export function sizeViolations(files: readonly SourceFile[]): string[] {
  const sizes = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  const tooLong = sizes
    .filter(({ lines }) => lines > limits.file)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${limits.file}`);
  const sorted = sizes.map(({ lines }) => lines).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const drifted =
    sorted.length >= limits.medianFrom && median >= limits.medianFile
      ? [`the median file has ${median} lines, it must stay under ${limits.medianFile}`]
      : [];
  return [...tooLong, ...drifted, ...files.flatMap(longFunctions)];
}

/** Files that do not begin with a sentence saying what lives in them. */
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
