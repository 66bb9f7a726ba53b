#!/usr/bin/env node
// The program's entry file: makes Node.js cache compiled code for the next run, then loads the program.
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** Does nothing before Node.js 22.1. Node.js runs the cached code, so the folder must be writable by this user only. */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (enableCompileCache === undefined) return;
  const home = homedir();
  // A home folder inside the working folder may come from a commit, so compiled code in it is not trusted.
  if (relative(process.cwd(), home).startsWith('..')) enableCompileCache(join(home, '.cache', 'trueup'));
}

try {
  keepCompiledCode();
} catch {
  // Without the cache, the program works but starts more slowly.
}
void import('./process/start.ts').then(({ start }) => start(process.argv.slice(2)));
