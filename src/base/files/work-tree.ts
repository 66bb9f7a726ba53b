// Work trees: their files came with somebody's commit, so trueup neither keeps a secret nor runs a program there.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { errorCode } from '../error-code.ts';

/** Returns the folders at or above `path` (absolute) that hold a `.git`, nearest first, with links resolved. */
export function workTreesAround(path: string): readonly string[] {
  const trees: string[] = [];
  for (let at = realAsFar(path); ; at = dirname(at)) {
    if (isThere(join(at, '.git'))) trees.push(at);
    if (dirname(at) === at) return trees;
  }
}

export function treesOf(cwd: string, inputs: readonly string[] = []): readonly string[] {
  const trees = ['.', ...inputs].flatMap((path) => workTreesAround(resolve(cwd, path)));
  return [...new Set([realAsFar(cwd), ...trees])];
}

/** Resolves the links in the existing part of `path` (absolute); the missing rest stays as written. */
export function realAsFar(path: string): string {
  for (let at = path; ; at = dirname(at))
    try {
      return join(realpathSync.native(at), relative(at, path));
    } catch (error) {
      if (dirname(at) === at) throw error;
    }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    // An entry that cannot be examined may exist, so it counts as existing.
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error));
  }
}
