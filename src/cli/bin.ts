#!/usr/bin/env node
// The program's entry file: has Node.js cache compiled code for the next run, and loads the program.
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** Needs Node.js 22.1. The cached code will be run, so it must be in a folder that only this user writes. */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (enableCompileCache === undefined) return;
  const home = homedir();
  // If the home folder is inside the working folder, its cache may come from a commit, so compiled code there is not trusted.
  if (relative(process.cwd(), home).startsWith('..')) enableCompileCache(join(home, '.cache', 'trueup'));
}

try {
  keepCompiledCode();
} catch {
  // Without the cache the program starts more slowly, but works.
}
void import('./process/start.ts').then(({ start }) => start(process.argv.slice(2)));
