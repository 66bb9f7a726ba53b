#!/usr/bin/env node
// The file that Node.js is given: has compiled code kept for the next run, and loads the program.
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** Needs Node.js 22.1. The cache is code that runs, so it must lie in a folder that only this user writes. */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (enableCompileCache === undefined) return;
  const home = homedir();
  // A home within the working folder may have come with a commit.
  if (relative(process.cwd(), home).startsWith('..')) enableCompileCache(join(home, '.cache', 'trueup'));
}

try {
  keepCompiledCode();
} catch {
  // Without it the program starts later, and works.
}
void import('./process/start.ts').then(({ start }) => start(process.argv.slice(2)));
