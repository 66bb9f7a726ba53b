// Programs to run: named by an absolute path or found on PATH, and never one that a commit could have brought.
import { realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin } from './plain-file.ts';
import { realAsFar, workTreesAround } from './work-tree.ts';

/** `missing`: there is none, or none that may be executed · `in_tree`: it lies in the folder `tree` · `relative`: its path is not absolute. */
export type FoundProgram =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'missing' | 'relative' }
  | { readonly state: 'in_tree'; readonly tree: string };

/** Where PATH is not set. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/** Finds `program` for a run in the folder `cwd` (absolute). */
export function findProgram(program: string, cwd: string, path: string | undefined): FoundProgram {
  const trees = treesOf(cwd);
  if (isAbsolute(program) || program.includes('/') || program.includes(sep)) {
    const tree = treeOf(resolve(cwd, program), trees);
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

/** The folders of PATH in which programs are looked for by a run in `cwd`, in the form of PATH. */
export function pathOutside(cwd: string, path: string | undefined): string {
  return foldersOutside(treesOf(cwd), path).join(delimiter);
}

/** The working folder and every work tree that holds it. */
function treesOf(cwd: string): readonly string[] {
  return [realAsFar(cwd), ...workTreesAround(cwd)];
}

function foldersOutside(trees: readonly string[], path: string = USUAL_FOLDERS): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && treeOf(folder, trees) === undefined);
}

/** The tree that holds the path itself, or what it leads to. */
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
