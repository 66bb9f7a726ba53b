// Finds programs by an absolute path or on PATH, but never a program that a commit could have brought.
import { realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin } from './plain-file.ts';
import { realAsFar } from './work-tree.ts';

/** `missing`: no such program, or not executable · `in_tree`: inside the folder `tree` · `relative`: named by a relative path. */
export type FoundProgram =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'missing' | 'relative' }
  | { readonly state: 'in_tree'; readonly tree: string };

const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

export interface Ground {
  readonly workDir: string;
  /** Folders from which no program is run, because a commit may have put a program there. */
  readonly trees: readonly string[];
}

/** Finds `program` by its path, or in the folders of `path` (the value of PATH). */
export function findProgram(program: string, { workDir, trees }: Ground, path: string | undefined): FoundProgram {
  if (isAbsolute(program) || program.includes('/') || program.includes(sep)) {
    const tree = treeOf(resolve(workDir, program), trees);
    if (tree !== undefined) return { state: 'in_tree', tree };
    if (!isAbsolute(program)) return { state: 'relative' };
    return isProgram(program) ? { state: 'found', path: program } : { state: 'missing' };
  }
  for (const folder of foldersOutside(trees, path)) {
    const found = join(folder, program);
    if (isProgram(found) && treeOf(found, trees) === undefined) return { state: 'found', path: found };
  }
  return { state: 'missing' };
}

export function foldersOutside(trees: readonly string[], path: string = USUAL_FOLDERS): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && treeOf(folder, trees) === undefined);
}

/** Returns the tree that contains the path itself or the target of its link. */
function treeOf(path: string, trees: readonly string[]): string | undefined {
  const ways = [realAsFar(path), realAsFar(dirname(path))];
  return trees.find((tree) => ways.some((way) => isWithin(tree, way)));
}

function isProgram(path: string): boolean {
  try {
    const facts = statSync(realpathSync.native(path));
    return facts.isFile() && (facts.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
