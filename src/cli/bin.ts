#!/usr/bin/env node
// The file that Node.js is given: has compiled code kept for the next run, and loads the program.
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** Where Node.js can (from 22.1 on), and only in a folder that nobody else writes: what lies there is run. */
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
