// Law: rooms that can be taken in at a glance, files of one idea, functions that fit a screen, a sentence atop each file.
import { isNode, lineAt, nameOf, walk, type SourceFile, type SyntaxNode } from '../source-tree.ts';

/** Limits in lines, and of a room in files and rooms. */
export const limits = { file: 300, function: 70, room: 12 } as const;

/** Files and functions that are too long. */
export function sizeViolations(files: readonly SourceFile[]): string[] {
  const sizes = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  const tooLong = sizes
    .filter(({ lines }) => lines > limits.file)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${limits.file}`);
  return [...tooLong, ...files.flatMap(longFunctions)];
}

/** Rooms that hold too much; what is generated counts as one. */
export function roomViolations(paths: readonly string[]): string[] {
  const rooms = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    parts.forEach((part, at) => {
      const room = parts.slice(0, at).join('/');
      rooms.set(room, (rooms.get(room) ?? new Set()).add(part));
    });
  }
  return [...rooms].flatMap(([room, { size }]) =>
    size > limits.room && !/(?:^|\/)generated$/.test(room)
      ? [`${room === '' ? 'src' : room}: ${size} files and rooms, at most ${limits.room}`]
      : [],
  );
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
